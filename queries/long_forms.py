"""Finds the long forms of abbreviations that a section's text explains."""

from __future__ import annotations

from ..linking.words import find_abbreviations


def long_forms(text: str) -> dict[str, str]:
    """Find the short forms that a text explains, without the s of several, with the first long form of each."""
    explaining: dict[str, str] = {}
    for one in find_abbreviations(text):
        short = one.short[:-1] if one.short.endswith("s") and one.short[:-1].isupper() else one.short
        explaining.setdefault(short, " ".join(text[_begins(text, one.start) : one.end].split()))
    return explaining


def _begins(text: str, start: int) -> int:
    """Give where a word begins that a long form begins within: `proton-pump inhibitors`."""
    while start and (text[start - 1].isalnum() or text[start - 1] in "-'\u2019"):
        start -= 1
    return start
