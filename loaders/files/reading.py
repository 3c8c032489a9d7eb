"""Text of elements in reading order: paragraphs, items of lists and rows of tables stand on lines of their own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from . import marks
from .xml_stream import local, text

if TYPE_CHECKING:
    from collections.abc import Iterator

_BLOCKS: Final = frozenset(
    "p paragraph para div section sec list item ul ol li dl dt dd def-list disp-quote table thead tbody tfoot tr row "
    "caption title heading h1 h2 h3 h4 h5 h6 br hr blockquote pre body article header footer".split()
)
_ROWS: Final = frozenset(("tr", "row"))
_PASSED: Final = frozenset(("script", "style", "head"))
_MARKUP: Final = re.compile(r"<[a-zA-Z/!]|&[a-zA-Z#]")


def lines_of(element: Any) -> str:
    """Give all text of an element, a line for each part that readers see apart."""
    return "\n".join(filter(None, (" ".join(line.split()) for line in _lines(element))))


def html_text(written: str) -> str:
    """Give the text of HTML as `lines_of` does, with entities read; what has no markup stays as it is."""
    if not _MARKUP.search(written):
        return written
    from lxml import etree, html

    try:
        return lines_of(html.fragment_fromstring(written, create_parent="div"))
    except (etree.ParserError, ValueError):  # nothing but a comment, say
        return ""


def _lines(element: Any) -> Iterator[str]:
    if local(element) in _ROWS:
        yield " | ".join(filter(None, (text(cell) for cell in element.iterchildren("*"))))
        return
    said = element.text or ""
    for part in element.iterchildren():
        name = local(part) if isinstance(part.tag, str) else ""
        if name and name not in _PASSED and any(local(one) in _BLOCKS for one in part.iter("*")):
            yield said
            yield from _lines(part)
            said = ""
        elif name and name not in _PASSED:
            said += marks.text_of(part) if len(part) else part.text or ""
        said += part.tail or ""
    yield said
