"""Other people's texts and names to tables of what they name: `medgraph link`."""

from __future__ import annotations

import csv
import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, BinaryIO, Final, TextIO

from ..errors import SourceFileError
from ..progress import progress
from ..text import sendable, sentences
from .context import contexts

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from .linked import Linked
    from .linker import Linker

# Columns of a table of mentions.
MENTIONS: Final = ("id", "start", "end", "surface", "concept", "entity", "ids", "score", "negated")
NAMES: Final = ("name", "concept", "entity", "ids", "score", "method")  # columns of a table of names
MAX_TEXT: Final = 10_000_000  # characters of a text, at most
_BLANKS: Final = dict.fromkeys(map(ord, "\t\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"), " ")


def link_texts(linker: Linker, path: Path, out: TextIO) -> int:
    """Write what texts (JSON lines with `id` and `text`) name, a mention a line, with a line of columns first.

    Raises:
        SourceFileError: A line is not such an object; the message says which.
    """
    read = 0
    with _opened(path) as lines, progress("linking", "text", None) as bar:
        table = _table(out, MENTIONS)
        for key, text in _texts(path, lines):
            for linked, negated in mentions(linker, text):
                place = (_cell(key), linked.start, linked.end, _cell(text[linked.start : linked.end]))
                table.writerow((*place, *_ids(linker, linked), linked.score, int(negated)))
            read += 1
            bar.update(1)
    return read


def mentions(linker: Linker, text: str) -> Iterator[tuple[Linked, bool]]:
    """Find what a text names, in order, and whether it says that it is absent."""
    found = linker.text(text)
    places = ((linked.start, linked.end) for linked in found)
    for linked, (_, said) in zip(found, contexts(text, sentences(text), places), strict=True):
        yield linked, said.negated


def link_names(linker: Linker, path: Path, out: TextIO, top_k: int = 1) -> int:
    """Write what names stand for, the surest first; a name that stands for nothing has a line with empty fields.

    Raises:
        SourceFileError: The file cannot be read as text.
    """
    read = 0
    with _opened(path) as lines, progress("linking", "name", None) as bar:
        table = _table(out, NAMES)
        for name in lines:
            found = linker.name(name, top_k)
            for linked in found:
                table.writerow((_cell(name), *_ids(linker, linked), linked.score, linked.method))
            if not found:
                table.writerow((_cell(name), *[""] * (len(NAMES) - 1)))
            read += 1
            bar.update(1)
    return read


def _table(out: TextIO, columns: tuple[str, ...]) -> Any:
    table = csv.writer(out, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_NONE, quotechar=None)
    table.writerow(columns)
    return table


def _ids(linker: Linker, linked: Linked) -> tuple[str, str, str]:
    held = linker.holdings
    return (_cell(held.concept_id(linked.entity)), _cell(held.id(linked.entity)), _cell(held.ids(linked.entity)))


def _cell(text: str) -> str:
    """Keep a text in one cell: tabs and line ends become blanks, each one, so that lengths stay."""
    return sendable(text.translate(_BLANKS))


@contextmanager
def _opened(path: Path) -> Iterator[Iterator[str]]:
    """Open a file before anything is written, and give its lines."""
    try:
        file = path.open("rb")
    except OSError as error:
        raise SourceFileError(f"cannot be read: {error.strerror}", path) from error
    with file:
        yield _lines(path, file)


def _lines(path: Path, file: BinaryIO) -> Iterator[str]:
    number = 1
    try:
        for number, line in enumerate(file, start=1):
            yield line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise SourceFileError(f"the line is not text in UTF-8 ({error.reason}); save it so", path, number) from error


def _texts(path: Path, lines: Iterator[str]) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise SourceFileError(f"the line is no JSON: {error}; give an object a line", path, number) from error
        if not _is_text(row):
            example = '{"id": "1", "text": "\u2026"}'
            raise SourceFileError(f'the line needs an object with "id" and "text", such as {example}', path, number)
        if len(row["text"]) > MAX_TEXT:
            size = len(row["text"])
            raise SourceFileError(f"the text has {size:,} characters; {MAX_TEXT:,} are the most", path, number)
        yield str(row["id"]), row["text"]


def _is_text(row: Any) -> bool:
    if not isinstance(row, dict) or not isinstance(row.get("text"), str):
        return False
    return isinstance(row.get("id"), str | int) and not isinstance(row["id"], bool)
