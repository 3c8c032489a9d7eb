"""Text files as the field ships them, also packed with gzip: streamed, with line numbers, nothing trusted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...errors import SourceFileError
from ..base import Reject
from .opening import BOM, open_source

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MAX_LINE: Final = 32_000_000  # Bytes of a line; longer ones are rejected, so that memory stays flat
_WRONG: Final = {
    b"\xff\xfe": "is UTF-16; save it as UTF-8",
    b"\xfe\xff": "is UTF-16; save it as UTF-8",
    b"PK\x03\x04": "is a zip archive or a spreadsheet; unpack it, or save the sheet as CSV (UTF-8)",
}


def raw_lines(path: Path, longest: int | None = None) -> Iterator[tuple[int, bytes] | Reject]:
    """Read the lines of a file as bytes.

    Yields:
        Pairs of a line's number, from one, and its bytes with its line end, without a byte order mark; a `Reject` for
        one longer than `longest`.

    Raises:
        SourceFileError: The file cannot be read, is empty, or is no text; broken gzip names the line it got to.
    """
    number, longest = 0, longest or MAX_LINE
    try:
        with open_source(path) as file:
            while line := file.readline(longest + 1):
                number += 1
                if number == 1:
                    for begin, fault in _WRONG.items():
                        if line.startswith(begin):
                            raise SourceFileError(fault, path, 1)
                    line = line.removeprefix(BOM)
                if len(line) > longest and not line.endswith(b"\n"):
                    yield Reject(str(path), number, f"the line is longer than {longest:,} bytes; split it")
                    while line and not line.endswith(b"\n"):
                        line = file.readline(longest)
                else:
                    yield number, line
    except SourceFileError as error:
        if error.line is not None or not number:
            raise
        raise SourceFileError(str(error).removeprefix(f"{path}: "), path, number + 1) from error


def lines(path: Path) -> Iterator[tuple[int, str] | Reject]:
    r"""Read the lines of a text file in UTF-8.

    Yields:
        Pairs of a line's number, from one, and its text without `\n` or `\r\n`; a `Reject` for a line that is not
        UTF-8 or is longer than `MAX_LINE`.
    """
    for item in raw_lines(path):
        if isinstance(item, Reject):
            yield item
            continue
        number, line = item
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError as error:
            yield Reject(str(path), number, not_utf8(error))
            continue
        yield number, text.removesuffix("\n").removesuffix("\r")


def not_utf8(error: UnicodeDecodeError) -> str:
    """Say which byte of a line is not UTF-8, and what mends that."""
    byte = error.object[error.start]
    return f"is not UTF-8: byte 0x{byte:02X} at place {error.start + 1} of the line; save the file as UTF-8"
