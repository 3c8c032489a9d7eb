"""Writes short forms out, so that a claim and the text that it cites have the same names."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ...patterns import read_patterns
from ...queries.hits import long_forms

if TYPE_CHECKING:
    from collections.abc import Mapping

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
