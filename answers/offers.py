"""Questions that are offered: examples that a graph answers, and what else it tells of what a question names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..graph import catalogue
from ..patterns import small
from ..queries import lucene
from ..queries.sentences import in_sentence
from .answer import ANSWERED
from .facts import NAMED, Wanted, facts_of
from .parts import PLAINEST
from .things import patterns

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..graph.database import Database, Row
    from .answer import Answer

OFFERED: Final = 6
"""Examples that are offered at once, at most."""

NEXT: Final = 4
"""Questions that are offered after an answer, at most; set by hand."""

_BY_NAME: Final = {"treatment": "Which drugs treat {}?"}
"""Kind of fact → the question that such facts answer; of other kinds too few diseases have any that two voices say."""

_FIRST: Final = ("symptoms", "treatment", "causes", "prevention", "outlook", "exams and tests", "complications")
"""Kinds of section in the order in which they are offered; the others come after them."""

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
        What facts answer of the first entity that any section is about, and a question for each type of section about
        it, without the types that were asked for; none where something is asked back.

    Raises:
        DatabaseError: The database refused or went away.
    """
    if not answer.entities or answer.ask_back or (answer.urgent and not answer.sentences):
        return ()
    types = [kind for kind in (*_FIRST, *PLAINEST) if kind not in answer.intents]
    types = list(dict.fromkeys(types))
    # Who asks of gout in pregnancy asks of gout.
    named = [mention for mention in answer.entities if not patterns()["people"].fullmatch(mention.surface)]
    rows = database.read(catalogue.get("kinds_about"), entities=[mention.entity for mention in named], types=types)
    found = {row["entity"]: row["types"] for row in rows}
    mention = next((mention for mention in named if mention.entity in found), None)
    if mention is None:
        return ()
    name = in_sentence(mention.name, (), mention.label)
    there = [PLAINEST[kind].format(name) for kind in types if kind in found[mention.entity]]
    known = {kind: facts_of(database, Wanted(kind, mention)) for kind in _BY_NAME}
    facts = [form.format(name) for kind, form in _BY_NAME.items() if len(known[kind]) >= NAMED]
    facts = [question for question in facts if small(question) != small(answer.understood)]
    return (*there[: NEXT - len(facts)], *facts)


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
