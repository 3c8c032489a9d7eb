"""Questions that are offered: examples that a graph answers, and what else it tells of what a question names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..graph import catalogue
from ..queries import lucene
from ..queries.sentences import in_sentence
from .answer import ANSWERED
from .parts import PLAINEST

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..graph.database import Database, Row
    from .answer import Answer

OFFERED: Final = 6
"""Questions that are offered at once, at most."""

_LOOKED_AT: Final = 60
"""Entities that examples are chosen from."""

_TRIED: Final = 24
"""Questions that are asked to find out whether they are answered, at most; each takes as long as anybody's."""


def examples(database: Database, ask: Callable[[str], Answer]) -> tuple[str, ...]:
    """Choose questions that a graph answers.

    Args:
        database: The graph.
        ask: Answers a question.

    Returns:
        Questions about what most sections describe, each asking for something else and about something else, as far as
        there is so much; each was asked, and answered.

    Raises:
        DatabaseError: The database refused or went away.
    """
    rows = database.read(catalogue.get("well_described"), types=list(PLAINEST), limit=_LOOKED_AT)
    chosen: dict[str, str] = {}
    for row in _varied(rows)[:_TRIED]:
        new = (kind for kind in PLAINEST if kind in row["types"] and kind not in chosen.values())
        kind = next(new, row["types"][0])
        question = PLAINEST[kind].format(in_sentence(row["name"], (), row["label"]))
        if ask(question).status == ANSWERED:
            chosen[question] = kind
        if len(chosen) == OFFERED:
            break
    return tuple(chosen)


def follow_ups(database: Database, answer: Answer) -> tuple[str, ...]:
    """Choose what else to ask about what a question names.

    Args:
        database: The graph.
        answer: The answer to the question.

    Returns:
        A question for each type of section that there is about the first entity that any is about, without the types
        that were asked for.

    Raises:
        DatabaseError: The database refused or went away.
    """
    if not answer.entities or (answer.urgent and not answer.sentences):
        return ()
    types = [kind for kind in PLAINEST if kind not in answer.intents]
    rows = database.read(catalogue.get("kinds_about"), entities=[m.entity for m in answer.entities], types=types)
    found = {row["entity"]: row["types"] for row in rows}
    mention = next((mention for mention in answer.entities if mention.entity in found), None)
    if mention is None:
        return ()
    name = in_sentence(mention.name, (), mention.label)
    there = [kind for kind in types if kind in found[mention.entity]]
    return tuple(PLAINEST[kind].format(name) for kind in there[:OFFERED])


def _varied(rows: Sequence[Row]) -> list[Row]:
    """Put what shares no word of its name with anything before it first: one cancer, and not four."""
    said: set[str] = set()
    first: list[Row] = []
    others: list[Row] = []
    for row in rows:
        words = set(lucene.content_words(lucene.all_words(row["name"])))
        (others if words & said else first).append(row)
        said |= words
    return first + others
