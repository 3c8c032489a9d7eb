"""Files out of a folder or a zip archive, without trusting the archive."""

from __future__ import annotations

import zipfile
import zlib
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from ..errors import SourceFileError
from .base import Reject

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_MEMBER: Final = 64 << 20
MAX_TOTAL: Final = 4 << 30
MAX_RATIO: Final = 200


def members(path: Path, suffix: str) -> Iterator[tuple[str, bytes] | Reject]:
    """Read every file with a suffix out of a folder or a zip archive, sorted by name.

    Args:
        path: The folder or archive.
        suffix: Such as `.xml`.

    Yields:
        Pairs of a name (for an archive, `archive.zip!/member`) and its bytes; a `Reject` for one that cannot be read.

    Raises:
        SourceFileError: It is neither, or is a broken or dangerous archive.
    """
    if path.is_dir():
        for file in sorted(path.rglob(f"*{suffix}")):
            try:
                yield str(file), file.read_bytes()
            except OSError as error:
                yield Reject(str(file), 1, f"cannot be read: {error.strerror}")
        return
    with _open(path) as archive:
        for info in _listed(archive, path, suffix):
            name = f"{path}!/{info.filename}"
            try:
                yield name, _read(archive, info)
            except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError, ValueError) as error:
                yield Reject(name, 1, f"cannot be unpacked: {error}; fetch the archive again")


def count(path: Path, suffix: str) -> int:
    """Count what `members` would yield, without unpacking.

    Args:
        path: The folder or archive.
        suffix: Such as `.xml`.

    Returns:
        The number of files.

    Raises:
        SourceFileError: It is neither a folder nor an archive.
    """
    if path.is_dir():
        return sum(1 for _ in path.rglob(f"*{suffix}"))
    with _open(path) as archive:
        return len(_listed(archive, path, suffix))


def _open(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except zipfile.BadZipFile as error:
        raise SourceFileError(
            f"is not a whole zip archive ({error}); it may have been cut off: fetch it again", path
        ) from error
    except OSError as error:
        raise SourceFileError(f"cannot be read: {error.strerror}", path) from error


def _listed(archive: zipfile.ZipFile, path: Path, suffix: str) -> list[zipfile.ZipInfo]:
    infos = [info for info in archive.infolist() if info.filename.endswith(suffix) and not info.is_dir()]
    total = sum(info.file_size for info in infos)
    packed = sum(info.compress_size for info in infos)
    if total > MAX_TOTAL or total > MAX_RATIO * max(packed, 1):
        raise SourceFileError(
            f"would unpack to {total:,} bytes from {packed:,}: that is no archive of texts; nothing was read", path
        )
    for info in infos:
        parts = PurePosixPath(info.filename.replace("\\", "/"))
        if parts.is_absolute() or ".." in parts.parts or ":" in parts.parts[0]:
            raise SourceFileError(
                f"its member {info.filename!r} points outside the archive; nothing was read: get it from its publisher",
                path,
            )
    return sorted(infos, key=lambda info: info.filename)


def _read(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    with archive.open(info) as file:
        data = file.read(MAX_MEMBER + 1)
    if len(data) > MAX_MEMBER:
        raise ValueError(f"it is larger than {MAX_MEMBER >> 20} MiB")
    return data
