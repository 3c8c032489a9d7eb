"""Files that may be packed by gzip, opened with errors that say what mends them."""

from __future__ import annotations

import gzip
import zlib
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, BinaryIO, Final, cast

from ...errors import SourceFileError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_GZIP: Final = b"\x1f\x8b"


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """Open a file, unpacking it on the way where it is a gzip.

    Args:
        path: The file; whether it is a gzip is seen from its first bytes.

    Yields:
        Its bytes; what goes wrong while they are read inside the block names the file.

    Raises:
        SourceFileError: It is a folder, is missing or empty, cannot be read, or is a broken gzip.
    """
    if path.is_dir():
        raise SourceFileError("is a folder; name one of the files in it", path)
    try:
        with path.open("rb") as file:
            start = file.peek(2)[:2]
            if not start:
                raise SourceFileError("is empty; fetch or write it again", path)
            if path.suffix == ".gz" and start != _GZIP:
                raise SourceFileError("is named .gz and is no gzip; fetch it again, or take .gz off its name", path)
            yield cast("BinaryIO", gzip.GzipFile(fileobj=file)) if start == _GZIP else file
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise SourceFileError(f"is a gzip that is broken or cut off ({error}); fetch it again", path) from error
    except OSError as error:
        raise SourceFileError(f"cannot be read: {error.strerror or error}", path) from error


def head(path: Path, size: int = 1 << 16) -> bytes:
    """Read how a file begins, to recognise it.

    Args:
        path: The file, a gzip or not.
        size: How many bytes.

    Returns:
        At most so many bytes; none for a folder or what cannot be read.
    """
    with suppress(SourceFileError), opened(path) as file:
        return file.read(size).removeprefix(b"\xef\xbb\xbf")
    return b""
