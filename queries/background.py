"""Removes background from messages: past events, other people's, and things denied or only heard of."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..patterns import read_patterns, small
from . import lucene

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping

    from .question import Question

_TABLE: Final = Path(__file__).with_name("background.tsv")
_TOLD: Final = frozenset(("tells", "heading"))
_PART: Final = "Anatomy"


@cache
def _patterns() -> Mapping[str, re.Pattern[str]]:
    return read_patterns(_TABLE)


def without_background(question: Question) -> Question:
    """Leave out of a message what it tells and does not ask about, where what stays names what it asks about.

    `I used to take metformin. Now my feet burn, what helps?` asks of feet that burn. Whether something may be taken is
    asked of all that somebody ever had; what relatives have counts where risks and tests are asked for, and a child, or
    who is pregnant, where nothing is asked of oneself.
    """
    if not question.is_message:
        return question
    asked = _plain(" ".join(part.text for part in question.parts if part.kind == "asks"))
    kept = [part for part in question.parts if not (part.kind in _TOLD and asked and is_background(part.text, asked))]
    if len(kept) == len(question.parts):
        return question
    text = " ".join(part.text for part in kept if part.kind != "courtesy")
    words = {*lucene.all_words(text)}
    named = any(one.label != _PART and words >= {*lucene.all_words(one.surface)} for one in question.mentions)
    return question.reworded(text) if named else question


def is_background(sentence: str, asked: str) -> bool:
    """Tell whether a sentence of a message is only background of what the message asks, in small letters."""
    known, told = _patterns(), _plain(sentence)

    def has(kind: str, text: str = told) -> bool:
        return bool(known[kind].search(text))

    if has("heard"):
        return True
    if has("others"):
        for_them = has("whom") and not has("self", asked)
        return not (for_them or has("own") or has("person", asked) or has("family", asked))
    return (has("past") or has("denied")) and not (has("matters") or has("taking", asked))


def _plain(text: str) -> str:
    return small(text).replace("\u2019", "'")
