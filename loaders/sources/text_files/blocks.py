"""A text as blocks in order, and its sections: each under a path of headings, and on a page where a file has pages."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from ....errors import RecordError
from ....schema.records import MAX_DOCUMENT, Section
from ....schema.vocabulary import heading_type

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_NUMBER: Final = re.compile(r"^\d+(\.\d+)*\.?\s+")
_CONTROLS: Final = re.compile("[\x00-\x08\x0e-\x1f\x7f\ud800-\udfff]")  # what no text in the graph holds
_LONGEST: Final = 500  # characters of a heading; what is longer is text


@dataclass(frozen=True, slots=True)
class Block:
    """A heading of a level, from 1, or at level 0 a paragraph, a list or a table; and its page, from 1, or 0."""

    text: str
    level: int = 0
    page: int = 0


@dataclass(slots=True)
class Contents:
    """What a file says, and what it says of itself."""

    blocks: list[Block] = field(default_factory=list)
    title: str = ""
    authors: tuple[str, ...] = ()
    published: str = ""
    url: str = ""
    language: str = ""
    notes: list[str] = field(default_factory=list)  # what a curator should know of the file

    def __post_init__(self) -> None:
        self.blocks = [Block(text, b.level, b.page) for b in self.blocks if (text := _CONTROLS.sub("", b.text).strip())]
        if sum(len(block.text) for block in self.blocks) > MAX_DOCUMENT:
            raise RecordError(f"has more than {MAX_DOCUMENT:,} characters of text; split it")

    def titled(self, otherwise: str) -> str:
        """Give the title: the only heading of the first level, what the file states, its first heading."""
        first = [block.text for block in self.blocks if block.level == 1]
        headings = (block.text for block in self.blocks if block.level)
        return (first[0] if len(first) == 1 else "") or self.title or next(headings, "") or otherwise


@dataclass(slots=True)
class _Open:
    path: tuple[str, ...] = ()
    page: int = 0
    texts: list[str] = field(default_factory=list)


def sections(document: str, title: str, blocks: Iterable[Block]) -> Iterator[Section]:
    """Make sections of blocks: one for each heading with text, and with pages for each page that it goes on to.

    Ids end with a number, or as an address of the page does: `#page=3`, `#page=3&part=2`.
    """
    counts: dict[int, int] = {}
    for part in _parts(blocks):
        count = counts[part.page] = counts.get(part.page, 0) + 1
        place = f"page={part.page}" + (f"&part={count}" if count > 1 else "") if part.page else str(count)
        path = part.path[1:] if part.path and part.path[0].casefold() == title.casefold() else part.path
        yield Section(
            f"{document}#{place}",
            "\n\n".join(part.texts),
            type=next(filter(None, map(heading_type, reversed(path))), ""),
            heading=" > ".join(dict.fromkeys(path)),
            question=_NUMBER.sub("", path[-1]) if path and path[-1].endswith("?") else "",
        )


def _parts(blocks: Iterable[Block]) -> Iterator[_Open]:
    above: list[tuple[int, str]] = []
    now, bare = _Open(), False
    for block in blocks:
        if block.level and len(block.text) <= _LONGEST:
            yield from _closed(now, bare and block.level <= above[-1][0])
            above = [one for one in above if one[0] < block.level] + [(block.level, block.text)]
            now, bare = _Open(_path(above), block.page), True
            continue
        if block.page != now.page and not bare:
            yield from _closed(now)
            now = _Open(_path(above), block.page)
        now.texts.append(block.text)
        bare = False
    yield from _closed(now, bare)


def _path(above: Sequence[tuple[int, str]]) -> tuple[str, ...]:
    return tuple(heading for _, heading in above)


def _closed(part: _Open, bare: bool = False) -> Iterator[_Open]:
    """Give a section if it has text; a heading without any is the text of a section itself."""
    if bare:
        yield _Open(part.path[:-1], part.page, [part.path[-1]])
    elif part.texts:
        yield part
