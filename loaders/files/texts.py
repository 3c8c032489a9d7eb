"""The one way into a source's file: opened, unpacked where it is a gzip, and streamed as lines with their numbers.

Nothing is trusted, and errors say what mends them.
"""

from __future__ import annotations

import gzip
import io
import zlib
from contextlib import suppress
from typing import TYPE_CHECKING, BinaryIO, Final

from ...errors import SourceFileError
from ...files import below
from ..base import Reject

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from _typeshed import WriteableBuffer


BOM: Final = b"\xef\xbb\xbf"  # What some programs write in front of UTF-8
_GZIP: Final = b"\x1f\x8b"
_FOR_PEOPLE: Final = {"README", "LICENSE", "LICENCE", "NOTICE", "CITATION"}
_BUFFER: Final = 1 << 18


def open_source(path: Path) -> BinaryIO:
    """Open a file to read its bytes, unpacked where it is a gzip, which its first bytes tell.

    Gives a buffered stream of at least one byte; use it in a `with`. Reading from it raises `SourceFileError` where the
    gzip is broken or cut off, and where the disk fails.
    """
    if path.is_dir():
        raise SourceFileError("is a folder; give a file", path)
    try:
        file = path.open("rb")
        start = file.peek(2)[:2]
    except OSError as error:
        raise SourceFileError(f"cannot be read: {error.strerror}", path) from error
    stream = io.BufferedReader(_Checked(file, path, packed=start == _GZIP), _BUFFER)
    try:
        if start and start != _GZIP and path.suffix.lower() == ".gz":
            raise SourceFileError("is called .gz and is not packed with gzip; fetch it again, or rename it", path)
        if not stream.peek(1):
            raise SourceFileError("is empty; fetch it again, or give another file", path)
    except SourceFileError:
        stream.close()
        raise
    return stream


class _Checked(io.RawIOBase):
    def __init__(self, file: io.BufferedReader, path: Path, *, packed: bool) -> None:
        self._file = file
        self._inner: io.BufferedReader | gzip.GzipFile = gzip.GzipFile(fileobj=file) if packed else file
        self._path = path
        self._size = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        try:
            size = self._inner.readinto(buffer)
        except EOFError as error:
            raise self._fault(f"is cut off after {self._size:,} unpacked bytes; fetch it again") from error
        except (gzip.BadGzipFile, zlib.error) as error:
            where = f"after {self._size:,} unpacked bytes"
            raise self._fault(f"is broken gzip {where} ({error}); fetch it again") from error
        except OSError as error:
            raise self._fault(f"cannot be read: {error.strerror or error}") from error
        self._size += size
        return size

    def _fault(self, message: str) -> SourceFileError:
        return SourceFileError(message, self._path)

    def close(self) -> None:
        self._inner.close()
        self._file.close()
        super().close()


def head(path: Path, size: int = 1 << 16) -> bytes:
    """Read at most so many bytes of a file or gzip, without a byte order mark; none where that cannot be."""
    with suppress(SourceFileError), open_source(path) as file:
        return file.read(size).removeprefix(BOM)
    return b""


def has_any(path: Path, *signs: bytes) -> bool:
    """Tell whether one of some short words stands anywhere in a file."""
    with open_source(path) as file:
        seen, longest = b"", max(map(len, signs))
        while block := file.read(1 << 20):
            seen = seen[-longest:] + block
            if any(sign in seen for sign in signs):
                return True
    return False


def files_of(path: Path, endings: tuple[str, ...], what: str, *, deep: bool = False) -> list[Path]:
    """List a file, or those of a folder, if `deep` also of folders in it, whose names end like this, by their names.

    A `SourceFileError` says `what` to give where there is none.
    """
    found = sorted(below(path) if deep else path.iterdir()) if path.is_dir() else [path]
    if named := [file for file in found if file.name.lower().endswith(endings) and not file.is_dir()]:
        return named
    where = "is a folder without files called" if path.is_dir() else "is not called"
    raise SourceFileError(f"{where} {' or '.join(endings)}; give {what}, or a folder of them", path)


def tells_of_others(file: Path) -> bool:
    """Tell whether a file is for people who find others beside it: README.md, LICENSE."""
    return file.stem.upper() in _FOR_PEOPLE


def all_files(folder: Path, recognise: Callable[[Path], bool]) -> bool:
    """Tell whether a folder has files that are not hidden, nothing else, and each is recognised or tells of others."""
    found = [file for file in folder.iterdir() if not file.name.startswith(".") and not tells_of_others(file)]
    return bool(found) and all(file.is_file() and recognise(file) for file in found)


def ends_whole(path: Path) -> bool:
    """Tell whether the last byte of a readable file is a line feed; true of a gzip, which must be whole to unpack."""
    with path.open("rb") as file:
        packed = file.read(2) == _GZIP
        file.seek(-1, 2)
        return packed or file.read(1) == b"\n"


MAX_LINE: Final = 32_000_000  # Bytes of a line; longer ones are rejected, so that memory stays flat
_WRONG: Final = {
    **dict.fromkeys((b"\xff\xfe", b"\xfe\xff"), "is UTF-16; save it as UTF-8"),
    b"PK\x03\x04": "is a zip archive or a spreadsheet; unpack it, or save the sheet as CSV (UTF-8)",
}


def raw_lines(path: Path, longest: int | None = None) -> Iterator[tuple[int, bytes] | Reject]:
    """Read the lines of a file as bytes; where it is broken gzip, the error names the line it got to.

    Yields pairs of a line's number, from one, and its bytes with its line end, without a byte order mark; a `Reject`
    for one longer than `longest`.
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

    Yields pairs of a line's number, from one, and its text without `\n` or `\r\n`; a `Reject` for a line that is not
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


def whole(path: Path) -> str:
    """Read a text file; a line that cannot be read is an error."""
    found = []
    for item in lines(path):
        if isinstance(item, Reject):
            raise SourceFileError(item.reason, path, item.line)
        found.append(item[1])
    return "\n".join(found)


def not_utf8(error: UnicodeDecodeError) -> str:
    """Say which byte of a line is not UTF-8, and what mends that."""
    byte = error.object[error.start]
    return f"is not UTF-8: byte 0x{byte:02X} at place {error.start + 1} of the line; save the file as UTF-8"
