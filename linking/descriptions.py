"""Where an overview says in whole sentences what its subject is: `Gout is a form of arthritis …`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from ..text import without_bullet

if TYPE_CHECKING:
    from collections.abc import Sequence

    Row = dict[str, Any]

OVERVIEW: Final = "information"
"""Type of the sections that say what something is."""

_SENTENCES: Final = 8
"""Sentences of an overview that are looked at."""

_SHORT: Final = 90
"""Characters of a sentence that says too little alone."""

_LONGEST: Final = 600
"""Characters of a description, at most; a longer sentence is a list."""

_BEFORE: Final = re.compile(r"(?:an?\s|the\s|in medicine,\s)?", re.IGNORECASE)
"""What may stand before the subject."""

_BETWEEN: Final = 160
"""Characters between subject and verb, at most: `, also known as …,` and what stands in brackets."""

_SAYS: Final = re.compile(
    r"(?:[\s,]*\([^()]*\)|[\s,]*\[[^\[\]]*\]|,[^,.;]{1,100},|\s+\((?:[^()]*\([^()]*\))+[^()]*\))*\s*"
    r"(?:\b(?:or|also called|also known as|previously known as)\s[^,.;]{1,80},?\s+)?"
    r"\b(?:is|are|refers? to|means|describes|belongs to)\s+"
    r"(?:(?:actually|usually|generally|best described as|defined as|thought to be|considered)\s)?"
    r"(?:an?|the|any|one of|when|where|characteri[sz]ed by|marked by|caused by|inflammation|abnormal|damage|loss"
    r"|lack|rare|part of|bleeding|swelling|pain|infections?|irritation|inability|conditions?|disorders?|diseases?"
    r"|tumou?rs?|cancers?|growths?|problems?|name|(?:\w+ ){1,4}(?:of|that|which|where|characteri[sz]ed|caused))\b",
    re.IGNORECASE,
)
"""What makes a sentence say what its subject is."""

_EMPTY: Final = re.compile(
    r"\b(?:is|are)\s+(?:an?|the|one of the)\s+(?:(?:most|more|very|common|serious|important|leading|\w+est|major)\s)*"
    r"(?:(?:cause|reason|problem|concern|topic|result|question|risk|same|number)s?\b|(?:condition|disorder|disease)s?\.)",
    re.IGNORECASE,
)
"""What a sentence says instead: that something is a cause, or a common disease."""

_GOES_ON: Final = re.compile(r"(?:It|This|These|They|The (?:disease|disorder|condition|syndrome))\s")
"""How a sentence begins that goes on about the subject."""


def find_description(section: Row, spans: Sequence[tuple[int, int]], mentions: Sequence[Row]) -> Row | None:
    """Find the sentence of an overview that says what its subject is.

    Args:
        section: Its `type` and `text`, and `focus`, the concepts that its document is about.
        spans: Where its sentences begin and end.
        mentions: What it names: `concept`, `start` and `end`.

    Returns:
        The subject's `concept`, and `start` and `end` of one or two whole sentences; None where none says it, or the
        document is about several things.
    """
    if section["type"] != OVERVIEW or len(section["focus"]) != 1:
        return None
    (concept,) = section["focus"]
    named = {row["start"]: row["end"] for row in mentions if row["concept"] == concept}
    text = section["text"]
    for number, (start, end) in enumerate(spans[:_SENTENCES]):
        begin = without_bullet(text, start)
        if _says_what(text, begin, end, named):
            return {"concept": concept, "start": begin, "end": _with_next(text, spans, number)}
    return None


def _says_what(text: str, start: int, end: int, named: dict[int, int]) -> bool:
    if text[end - 1] not in '.)"' or end - start > _LONGEST or not text[start].isalnum():
        return False
    article = _BEFORE.match(text, start)
    begin = article.end() if article else start
    subject = named.get(begin, named.get(start))
    if subject is None:
        return False
    said = _SAYS.match(text, subject, min(end, subject + _BETWEEN + _LONGEST))
    return said is not None and not _EMPTY.search(text, subject, end)


def _with_next(text: str, spans: Sequence[tuple[int, int]], number: int) -> int:
    """Give the end of a sentence, or of the next one where the first says little and that goes on."""
    start, end = spans[number]
    if end - start >= _SHORT or number + 1 == len(spans):
        return end
    following, stop = spans[number + 1]
    goes_on = _GOES_ON.match(text, following) and "\n" not in text[end:following]
    return stop if goes_on and text[stop - 1] == "." and stop - start <= _LONGEST else end
