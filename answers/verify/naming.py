"""Makes a claim comparable with what it cites: short forms written out, and whose text it is left out."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ...patterns import read_patterns, small
from ...queries.hits import long_forms

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..scoring import ScoredSection

_RULES: Final = read_patterns(Path(__file__).with_name("naming.tsv"))


@lru_cache(maxsize=256)
def short_forms(text: str) -> Mapping[str, str]:
    """Find the short forms that a text explains, in brackets behind the long form or before it."""
    return long_forms(_RULES["before"].sub(r"\g<long> (\g<short>)", text))


def written_out(text: str, forms: Mapping[str, str]) -> str:
    """Put long forms in the place of short ones, each once where both stand side by side."""
    for short, long in forms.items():
        one, other = rf"\b{re.escape(short)}s?\b", rf"(?i:\b{re.escape(long)})"
        text = re.sub(rf"{other}\s*\({one}\)|{one}\s*\({other}\)|{one}", long.replace("\\", r"\\"), text)
    return text


def without_date(text: str, sections: Sequence[ScoredSection]) -> tuple[str, Sequence[ScoredSection]]:
    """Leave out whose a sentence is, and of what year, where sections are theirs and of that year; give these."""
    if not (dated := _RULES["dated"].match(text)):
        return text, sections
    words = [word for word in re.findall(r"\w+", small(dated["of"])) if not _RULES["any source"].fullmatch(word)]
    theirs = [
        item
        for item in sections
        for one in [item.section]
        if one.published.startswith(dated["year"])
        and {*re.findall(r"\w+", small(f"{one.title} {one.publisher} {one.source} {one.collection}"))}.issuperset(words)
    ]
    rest = text[dated.end() :]
    return (f"{rest[0].upper()}{rest[1:]}", theirs) if theirs else (text, sections)
