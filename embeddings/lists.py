"""Lists in running text, kept whole with what announces them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ..text import ANNOUNCERS, sentences, without_bullet

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_LIST: Final = 600
"""Characters of a list that is quoted, with what announces it, at most; set by hand."""

_ANNOUNCES: Final = re.compile(r"(?::|\b(?:include|includes|including|following))\s*$")
"""How a sentence ends that announces a list."""

_FLAT: Final = re.compile(rf"(?::\s+|\b(?:{ANNOUNCERS})[ \t]+)[-*\u2022\u00b7]\s+(?=\S)")
"""Where a list begins that was flattened into its sentence."""

_ITEM: Final = re.compile(r"\s+[-*\u2022\u00b7]\s")


def with_lists(text: str) -> Iterator[tuple[int, int, bool]]:
    """Find the sentences of a text, a list and what announces it being one.

    Yields:
        Where each begins, behind a mark of a list, and ends; and whether it is a list. One that is too long is cut
        between items.
    """
    spans, at = sentences(text), 0
    while at < len(spans):
        start, end = first = spans[at]
        at += 1
        flat = _FLAT.search(text, start, end)
        if flat and end - start > MAX_LIST:
            ends = [item.start() for item in _ITEM.finditer(text, flat.end(), end) if item.start() - start <= MAX_LIST]
            end = max(ends, default=end)
        elif flat or _ANNOUNCES.search(text, start, end):
            while at < len(spans) and _is_item(text, *spans[at]) and spans[at][1] - start <= MAX_LIST:
                end, at = spans[at][1], at + 1
        yield min(without_bullet(text, start), end), end, bool(flat) or end > first[1]


def _is_item(text: str, start: int, end: int) -> bool:
    return start < without_bullet(text, start) < end
