"""Texts that belong together, other than questions and sections: names and definitions, pairs of questions, messages.

Each says what it tells of what (a subject and a kind of section), so that in a batch nothing that answers as well is
taken for wrong. What is connected with a subject of the half that figures are reported of is left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ..embeddings.store import passage
from ..graph import catalogue
from .corpus import PAGE
from .questions import MAX_NAMES

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence
    from random import Random

    from ..evaluation.messages import Message
    from ..evaluation.pairs import Pair
    from ..graph.database import Database
    from .questions import Subjects

DEFINING: Final = "information"
"""The kind of section that a definition is."""


@dataclass(frozen=True, slots=True)
class Match:
    """Texts that belong together.

    Attributes:
        asked: Ways to ask.
        answers: What answers; the first one differs from all ways to ask.
        tells: What it tells of what, by `topic`.
    """

    asked: Sequence[str]
    answers: Sequence[str]
    tells: frozenset[str]

    def drawn(self, chance: Random) -> tuple[str, str]:
        """Draw a way to ask and an answer.

        Args:
            chance: Draws.

        Returns:
            Both; half of the answers are the first one.
        """
        asked = chance.choice(self.asked)
        answer = chance.choice(self.answers) if chance.random() < 0.5 else self.answers[0]
        return asked, answer if answer.lower() != asked.lower() else self.answers[0]


def topic(subject: str, kind: str) -> str:
    """Name what a text tells of what.

    Args:
        subject: A subject of `Subjects`, or a concept that is none.
        kind: A kind of section.

    Returns:
        A name that texts on the same share.
    """
    return f"{subject}/{kind}"


def definitions(database: Database, known: Subjects, left_out: Container[str]) -> list[Match]:
    """Read names and definitions.

    Args:
        database: The graph.
        known: What MedQuAD's documents are about.
        left_out: Subjects that nothing is learned of.

    Returns:
        A match an entity that has a definition, in the order of their ids.

    Raises:
        DatabaseError: The database refused or went away.
    """
    subjects, found = known.of_concepts(), []
    for rows in database.pages(catalogue.get("defined_names"), PAGE):
        for row in rows:
            mine = {subjects.get(concept, concept) for concept in row["concepts"] or [row["id"]]}
            mine.add(known.of.get(row["id"], row["id"]))
            if any(subject in left_out for subject in mine):
                continue
            names = list({name.lower(): name for name in (row["name"], *row["names"])}.values())[:MAX_NAMES]
            answers = (f"{row['name']}\n{row['definition']}", *names)
            found.append(Match(names, answers, frozenset(topic(subject, DEFINING) for subject in mine)))
    return found


def made(database: Database, known: Subjects, left_out: Container[str]) -> list[Match]:
    """Read questions that medgraph made of what relations tell.

    Args:
        database: The graph; it has them after `medgraph index subgraphs`.
        known: What MedQuAD's documents are about.
        left_out: Subjects that nothing is learned of.

    Returns:
        A match a section that questions were made for, in the order of their ids.

    Raises:
        DatabaseError: The database refused or went away.
    """
    subjects = known.of_concepts()
    found: dict[tuple[str, str], Match] = {}
    for rows in database.pages(catalogue.get("made_pairs"), PAGE):
        for row in rows:
            concept: str = row["concept"]
            subject = subjects.get(concept, concept)
            if subject in left_out or not row["text"]:
                continue
            key = (concept, row["kind"])
            before = found[key].asked if key in found else ()
            tells = frozenset([topic(subject, row["kind"])])
            found[key] = Match((*before, row["asked"]), (passage(row),), tells)
    return list(found.values())


def pairs(given: Iterable[Pair]) -> list[Match]:
    """Take pairs of questions of which one entails the other.

    Args:
        given: Pairs of RQE.

    Returns:
        A match a pair; those with the same short question answer one another.
    """
    return [Match((one.asked,), (one.short,), frozenset([topic(one.short, "asked")])) for one in given if one.entails]


def messages(given: Iterable[Message]) -> list[Match]:
    """Take messages and their short questions.

    Args:
        given: Messages of MeQSum, of the half to choose by.

    Returns:
        A match a message.
    """
    return [Match((one.text,), (one.short,), frozenset([topic(one.short, "asked")])) for one in given]
