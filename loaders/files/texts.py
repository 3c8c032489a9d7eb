"""Text files as the field ships them, also packed with gzip: streamed, with line numbers, nothing trusted.

```python
for item in texts.lines(path):
    if isinstance(item, Reject):
        yield item  # not UTF-8, or longer than MAX_LINE
        continue
    number, line = item  # without its line end
```
"""

from __future__ import annotations

import gzip
import io
import zlib
from typing import TYPE_CHECKING, BinaryIO, Final

from ...errors import SourceFileError
from ..base import Reject

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from _typeshed import WriteableBuffer

MAX_LINE: Final = 32_000_000
"""Bytes of a line; longer ones are rejected, so that memory stays flat."""

_GZIP: Final = b"\x1f\x8b"
_BUFFER: Final = 1 << 18
_WRONG: Final = {
    b"\xff\xfe": "is UTF-16; save it as UTF-8",
    b"\xfe\xff": "is UTF-16; save it as UTF-8",
    b"PK\x03\x04": "is a zip archive or a spreadsheet; unpack it, or save the sheet as CSV (UTF-8)",
}


def open_bytes(path: Path) -> BinaryIO:
    """Open a file to read its bytes, unpacked where it is packed with gzip.

    Args:
        path: The file.

    Returns:
        A buffered stream; close it, or use it in a `with`. Reading from it raises `SourceFileError` where the gzip is
        broken or cut off, and where the disk fails.

    Raises:
        SourceFileError: It is a folder, cannot be read, or is called .gz and is none.
    """
    if path.is_dir():
        raise SourceFileError("is a folder; give a file", path)
    try:
        file = path.open("rb")
        packed = file.peek(2)[:2] == _GZIP
    except OSError as error:
        raise SourceFileError(f"cannot be read: {error.strerror}", path) from error
    if not packed and path.suffix.lower() == ".gz" and path.stat().st_size:
        file.close()
        raise SourceFileError("is called .gz and is not packed with gzip; fetch it again, or rename it", path)
    return io.BufferedReader(_Checked(file, path, packed=packed), _BUFFER)


class _Checked(io.RawIOBase):
    """Bytes of a file, whose faults are errors of the source."""

    def __init__(self, file: BinaryIO, path: Path, *, packed: bool) -> None:
        self._file = file
        self._inner: BinaryIO | gzip.GzipFile = gzip.GzipFile(fileobj=file) if packed else file
        self._path = path
        self._size = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        try:
            data = self._inner.read(memoryview(buffer).nbytes)
        except EOFError as error:
            raise SourceFileError(
                f"is cut off after {self._size:,} unpacked bytes; fetch it again", self._path
            ) from error
        except (gzip.BadGzipFile, zlib.error) as error:
            where = f"after {self._size:,} unpacked bytes"
            raise SourceFileError(f"is broken gzip {where} ({error}); fetch it again", self._path) from error
        except OSError as error:
            raise SourceFileError(f"cannot be read: {error.strerror or error}", self._path) from error
        memoryview(buffer).cast("B")[: len(data)] = data
        self._size += len(data)
        return len(data)

    def close(self) -> None:
        self._inner.close()
        self._file.close()
        super().close()


def raw_lines(path: Path) -> Iterator[tuple[int, bytes] | Reject]:
    """Read the lines of a file as bytes.

    Args:
        path: The file, packed with gzip or not.

    Yields:
        Pairs of a line's number, from one, and its bytes with its line end, without a byte order mark; a `Reject` for
        one longer than `MAX_LINE`.

    Raises:
        SourceFileError: The file cannot be read, is empty, or is no text; broken gzip names the line it got to.
    """
    number = 0
    try:
        with open_bytes(path) as file:
            while line := file.readline(MAX_LINE + 1):
                number += 1
                if number == 1:
                    line = _first(line, path)
                if len(line) > MAX_LINE and not line.endswith(b"\n"):
                    yield Reject(str(path), number, f"the line is longer than {MAX_LINE:,} bytes; split it")
                    while line and not line.endswith(b"\n"):
                        line = file.readline(MAX_LINE)
                else:
                    yield number, line
    except SourceFileError as error:
        if error.line is not None or not number:
            raise
        raise SourceFileError(str(error).removeprefix(f"{path}: "), path, number + 1) from error
    if not number:
        raise SourceFileError("is empty; fetch it again", path)


def lines(path: Path) -> Iterator[tuple[int, str] | Reject]:
    r"""Read the lines of a text file in UTF-8.

    Args:
        path: The file, packed with gzip or not.

    Yields:
        Pairs of a line's number, from one, and its text without `\n` or `\r\n`; a `Reject` for a line that is not
        UTF-8 or is longer than `MAX_LINE`.

    Raises:
        SourceFileError: The file cannot be read, is empty, or is no text; broken gzip names the line it got to.
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
    """Say which byte of a line is not UTF-8.

    Args:
        error: What decoding the line gave.

    Returns:
        The reason for a reject, with its remedy.
    """
    byte = error.object[error.start]
    return f"is not UTF-8: byte 0x{byte:02X} at place {error.start + 1} of the line; save the file as UTF-8"


def _first(line: bytes, path: Path) -> bytes:
    for begin, fault in _WRONG.items():
        if line.startswith(begin):
            raise SourceFileError(fault, path, 1)
    return line.removeprefix(b"\xef\xbb\xbf")
