"""One short question back, where a question is too open: what divides the evidence for it most."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ..patterns import small
from ..schema.kinds import GENERAL, said
from .answer import AskBack, Reply
from .parts import PLAINEST
from .things import is_plain, patterns, things_in, words_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ..queries.entities import Alternative, Mention
    from ..queries.question import Question
    from ..queries.retriever import Retriever

MOST_REPLIES: Final = 5
"""Replies that a question back offers, at most; set by hand."""

_HAVING: Final = re.compile(
    r"(?:i|we|he|she|my [\w ]{2,20}) (?:just |was just |was |is |have been |has been )?(?:have|has|had|got|having|"
    r"diagnosed with|suffering from|told (?:i|he|she) (?:have|has))\b.*"
)
"""How people say that they have something, and ask nothing."""


def ask_back(retriever: Retriever, question: Question) -> AskBack | None:
    """Ask back where a question names something, and does not say what to tell of it.

    Returns:
        Which meaning is meant, or what to tell: whatever the sections about it differ in most; None where the question
        says enough, and where there is nothing to choose from.
    """
    mention = _open(question)
    if mention is None:
        return None
    meanings = {one.entity: one for one in mention.level()}
    counts: dict[str, dict[str, int]] = {}
    for row in retriever.kinds(question, list(meanings)):
        counts.setdefault(row["entity"], {})[row["type"]] = row["sections"]
    told = {name: sum(counts[name].values()) for name in meanings if name in counts}
    kinds = _replies_of(counts.get(mention.entity) or next(iter(counts.values()), {}))
    other = {small(meanings[name].name): name for name in reversed(told)}
    told = {name: told[name] for name in told if name in other.values()}
    if len(told) > 1 and _divided(told.values()) > _divided(kinds.values()):
        return _which(question, mention, [meanings[name] for name in _most(told)])
    return _what(question, mention, _most(kinds)) if len(kinds) > 1 else None


def _open(question: Question) -> Mention | None:
    """Give what a question names where that is all that it says."""
    words = words_in(question.text)
    if question.is_message or question.intents or not question.mentions:
        return None
    verb = patterns()["verb"]
    is_clause = any(verb.fullmatch(word.text) for word in words)
    if is_clause and not _HAVING.fullmatch(small(" ".join(question.text.split())).rstrip(" .!")):
        return None
    things = things_in(question.text, question.mentions)
    if len(things) != 1 or not things[0].label:
        return None
    (thing,) = things
    if not is_plain(word for word in words if not thing.start <= word.start < thing.end):
        return None
    return next(one for one in question.mentions if thing.start <= one.start < thing.end)


def _replies_of(counts: Mapping[str, int]) -> dict[str, int]:
    return {kind: counts[kind] for kind in PLAINEST if kind in counts and kind != GENERAL}


def _most(counts: Mapping[str, int]) -> list[str]:
    return sorted(counts, key=lambda name: -counts[name])[:MOST_REPLIES]


def _divided(counts: Iterable[int]) -> float:
    """Tell how much of the evidence one reply leaves out, on average."""
    numbers = list(counts)
    total = sum(numbers)
    return 1 - sum((number / total) ** 2 for number in numbers) if total else 0.0


def _which(question: Question, mention: Mention, meant: list[Mention | Alternative]) -> AskBack:
    text = question.text
    replies = tuple(Reply(one.name, f"{text[: mention.start]}{one.name}{text[mention.end :]}") for one in meant)
    said = text[mention.start : mention.end]
    return AskBack(f"Which do you mean by {said}: {_or(reply.text for reply in replies)}?", replies)


def _what(question: Question, mention: Mention, kinds: list[str]) -> AskBack:
    about = question.text[mention.start : mention.end]
    replies = tuple(Reply(said("called").get(kind, kind), PLAINEST[kind].format(about)) for kind in kinds)
    return AskBack(f"What would you like to know of {about}: {_or(reply.text for reply in replies)}?", replies)


def _or(texts: Iterable[str]) -> str:
    *others, last = texts
    return f"{', '.join(others)} or {last}"
