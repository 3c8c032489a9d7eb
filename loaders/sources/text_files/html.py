"""HTML as blocks, event by event, so that memory follows from the text and not from the markup.

What is for moving about a site (`nav`, `footer`, buttons), hidden, or struck out is left out; where a page has a
`main`, all that stands outside.
"""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING, Final

from ....errors import RecordError, SourceFileError
from ...files import grids, marks
from ...files.texts import head, open_source
from .blocks import Block, Contents

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

_DROPPED: Final = frozenset(
    "script style noscript template svg nav footer button select textarea iframe object canvas audio video math dialog "
    "del s strike head".split()
)
_VOID: Final = frozenset("area base br col embed hr img input link meta param source track wbr".split())
_ROLES: Final = frozenset({"navigation", "banner", "contentinfo", "search", "menu", "dialog"})
_LISTS: Final = frozenset({"toc", "breadcrumb", "breadcrumbs"})
_BLOCKS: Final = frozenset(
    "address article aside blockquote body caption dd details div dl dt fieldset figcaption figure form header hr main "
    "p pre section summary".split()
)
_HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
_HIDDEN: Final = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_CHARSET: Final = re.compile(
    rb"""<(?:meta\b[^>]*\bcharset|\?xml\b[^>]*\bencoding)\s*=\s*["']?\s*([A-Za-z0-9_.:-]+)""", re.IGNORECASE
)
_AUTHOR: Final = frozenset({"author", "dc.creator", "dcterms.creator", "citation_author", "article:author"})
_DATES: Final = (
    "article:modified_time dcterms.modified last-modified article:published_time dcterms.issued dcterms.date dc.date "
    "citation_publication_date citation_date date".split()
)
_BLOCK: Final = 1 << 16
_TERM: Final = ": "  # between a term and its definition


def read_html(path: Path) -> Contents:
    """Read a file of HTML in the encoding that it declares, or in UTF-8."""
    encoding = _encoding(path)

    def pieces() -> Iterator[bytes]:
        with open_source(path) as file:
            while block := file.read(_BLOCK):
                yield block

    return of_pieces(pieces(), encoding)


def of_pieces(pieces: Iterable[bytes], encoding: str = "utf-8") -> Contents:
    """Read HTML that comes in pieces."""
    from lxml import etree

    page = _Page()
    try:
        parser = etree.HTMLParser(target=page, encoding=encoding, huge_tree=True, no_network=True)
        for piece in pieces:
            parser.feed(piece)
        parser.close()
    except LookupError as error:
        raise RecordError(f"is in the encoding {encoding}, which cannot be read; save it as UTF-8") from error
    except etree.LxmlError as error:
        raise RecordError(f"is no sound HTML ({error}); save it from a browser again") from error
    return page.contents()


def _encoding(path: Path) -> str:
    start = head(path, 4096)
    declared = _CHARSET.search(start)
    name = declared[1].decode() if declared else ""
    if name:
        try:
            codecs.lookup(name)
        except LookupError:
            raise SourceFileError(f"is in an encoding that nobody knows, {name}; save it as UTF-8", path, 1) from None
    if name.lower().replace("_", "-") not in {"", "utf-8", "utf8"}:
        return name
    with open_source(path) as file:
        decoder, place = codecs.getincrementaldecoder("utf-8")(), 0
        try:
            while block := file.read(_BLOCK):
                decoder.decode(block)
                place += len(block)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError as error:
            byte, near = error.object[error.start], place + error.start
            why = f"is not UTF-8 (byte 0x{byte:02X} near {near:,}), and declares no other encoding; save it as UTF-8"
            raise SourceFileError(why, path) from error
    return "utf-8"


class _Writer:
    def __init__(self, tag: str, emit: Callable[[str], None] | None = None) -> None:
        self.tag = tag
        self.lines: list[str] = []
        self.number = 0  # of the last item of a list
        self.rows: list[list[grids.Cell]] = []
        self.heads = 0
        self.across = self.down = 1
        self.plain = False  # whether some of it is not bold
        self._line: list[str] = []
        self._emit = emit

    def add(self, text: str) -> None:
        self._line.append(text)

    def add_script(self, tag: str, said: str) -> None:
        before = "".join(self._line)
        self._line[:] = [before.rstrip(), marks.raised(said) if tag == "sup" else marks.lowered(said, before.rstrip())]

    def end_line(self) -> None:
        if self._line[-1:] == [_TERM]:  # what it means comes behind it, in blocks of its own perhaps
            return
        if line := " ".join("".join(self._line).split()):
            self.lines.append(line)
        self._line.clear()

    def end_block(self) -> None:
        """End what stands together; on the page this is a block."""
        self.end_line()
        if self._emit and self.lines:
            self._emit("\n".join(self.lines).strip())
            self.lines.clear()

    def put(self, lines: Iterable[str]) -> None:
        self.end_line()
        self.lines += lines


class _Page:
    def __init__(self) -> None:
        self._tags: list[str] = []
        self._dropped = 0  # how many elements are open from one on that is left out
        self._main = 0  # the same for `main`
        self._has_main = False
        self._thead = False
        self._blocks: list[tuple[bool, Block]] = []
        self._writers = [_Writer("page", self._emit)]
        self._meta: dict[str, list[str]] = {}
        self._title: list[str] = []
        self._url = self._language = ""

    # What the parser calls.

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self._about(tag, attributes)
        if tag in _VOID:
            if tag in {"br", "hr"} and not self._dropped:
                self._writers[-1].end_line()
            return
        self._tags.append(tag)
        if self._dropped:
            self._dropped += 1
        elif _leaves_out(tag, attributes, self._tags):
            self._dropped = 1
        else:
            self._open(tag, attributes)

    def end(self, tag: str) -> None:
        if tag in _VOID or not self._tags:
            return
        self._tags.pop()
        if self._dropped:
            self._dropped -= 1
        else:
            self._close(tag)

    def data(self, text: str) -> None:
        if self._tags[-1:] == ["title"] and "svg" not in self._tags:
            self._title.append(text)
        elif not self._dropped:
            lines = text.split("\n") if "pre" in self._tags else [text]
            for line in lines[:-1]:
                self._writers[-1].add(line)
                self._writers[-1].end_line()
            self._writers[-1].add(lines[-1])
            self._writers[-1].plain |= not text.isspace() and not {"b", "strong"} & set(self._tags)

    def close(self) -> None:
        """Take the end of the file."""

    # What comes of it.

    def contents(self) -> Contents:
        while len(self._writers) > 1:
            self._close(self._writers[-1].tag)
        self._writers[0].end_block()
        blocks = [block for inside, block in self._blocks if inside or not self._has_main]
        authors = [one for name in sorted(_AUTHOR) for one in self._meta.get(name, ())]
        dates = (self._meta[name][0] for name in _DATES if name in self._meta)
        title = " ".join("".join(self._title).split()) or next(iter(self._meta.get("og:title", ())), "")
        return Contents(blocks, title, tuple(dict.fromkeys(authors)), next(dates, "")[:10], self._url, self._language)

    def _emit(self, text: str, level: int = 0) -> None:
        inside, before = self._main > 0, self._blocks[-1] if self._blocks else None
        # An introduction and its list stay together.
        introduced = before and before[0] == inside and not before[1].level and before[1].text.endswith(":")
        if before and introduced and text.startswith(("- ", "1. ")):
            self._blocks[-1] = (inside, Block(f"{before[1].text}\n{text}"))
        elif text:
            self._blocks.append((inside, Block(text, level)))

    def _about(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "meta" and (said := " ".join(attributes.get("content", "").split())):
            name = attributes.get("name") or attributes.get("property") or attributes.get("http-equiv") or ""
            self._meta.setdefault(name.lower(), []).append(said)
        elif tag == "link" and attributes.get("rel", "").lower() == "canonical":
            self._url = attributes.get("href", "") if attributes.get("href", "").startswith("http") else ""
        elif tag == "html":
            self._language = attributes.get("lang", "") or self._language

    def _open(self, tag: str, attributes: Mapping[str, str]) -> None:
        writer = self._writers[-1]
        if tag in {"sup", "sub"}:
            self._writers.append(_Writer(tag))
        elif tag in {"ul", "ol", "menu", "table"}:
            writer.end_line()
            self._writers.append(_Writer(tag))
            self._writers[-1].number = int(start) - 1 if (start := attributes.get("start", "")).isdecimal() else 0
        elif tag in {"li", "td", "th", "caption"} and len(self._writers) > 1:
            self._writers.append(_Writer(tag))
            self._writers[-1].across = grids.span(attributes.get("colspan"))
            self._writers[-1].down = grids.span(attributes.get("rowspan"))
        elif tag == "tr":
            writer.rows.append([])
            writer.heads += self._thead
        elif tag == "thead":
            self._thead = True
        elif (tag in _BLOCKS and tag != "dd") or tag in _HEADINGS:
            writer.end_block()
        if tag == "main" or attributes.get("role") == "main":
            self._has_main, self._main = True, self._main or len(self._tags)

    def _close(self, tag: str) -> None:
        writer = self._writers[-1]
        if writer.tag == tag:
            writer.end_line()
            self._writers.pop()
            self._join(writer, self._writers[-1])
        elif tag in _HEADINGS and writer.tag == "page":
            writer.end_line()
            self._emit(" ".join(writer.lines), _HEADINGS[tag])
            writer.lines.clear()
        elif tag == "thead":
            self._thead = False
        elif tag == "dt":
            writer.add(_TERM)
        elif tag == "dl":
            writer.add("")
            writer.end_block()
        elif tag in _BLOCKS or tag in _HEADINGS:
            writer.end_block()
        if self._main and len(self._tags) < self._main:
            self._main = 0

    def _join(self, done: _Writer, below: _Writer) -> None:
        if done.tag in {"sup", "sub"}:
            below.add_script(done.tag, " ".join(done.lines))
        elif done.tag == "li":
            first, *rest = done.lines or [""]
            below.number += 1
            mark = f"{below.number}. " if below.tag == "ol" else "" if first.startswith("- ") else "- "
            below.lines += [f"{mark}{first}", *(f"  {line}" for line in rest)] if first else []
        elif done.tag in {"td", "th"}:
            if below.rows:
                heads = done.tag == "th" or (bool(done.lines) and not done.plain)
                below.rows[-1].append(grids.Cell(done.lines, done.across, done.down, heads))
            else:
                below.put(done.lines)
        elif done.tag == "table":
            rows = [row for row in done.rows if row]
            looks = grids.is_headed([[" ".join(cell.lines) for cell in row] for row in rows])
            lines = grids.lines_of(rows, done.heads or looks)
            below.put([*done.lines, *lines])
            below.end_block()
        else:
            below.put(done.lines)
            below.end_block()


def _leaves_out(tag: str, attributes: Mapping[str, str], tags: list[str]) -> bool:
    if tag in _DROPPED or attributes.get("role", "").lower() in _ROLES or "hidden" in attributes:
        return True
    if attributes.get("aria-hidden") == "true" or _HIDDEN.search(attributes.get("style", "")):
        return True
    if _LISTS.intersection(attributes.get("class", "").lower().split()):
        return True
    return tag == "header" and not {"main", "article", "section"} & set(tags)
