"""Files out of a folder, a zip or a tar archive, without trusting the archive."""

from __future__ import annotations

import io
import re
import shutil
import struct
import tarfile
import zipfile
import zlib
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, BinaryIO, Final

from ...errors import SourceFileError
from ...files import below
from ..base import Reject
from .texts import tells_of_others

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MAX_MEMBER: Final = 64 << 20
MAX_TOTAL: Final = 4 << 30
MAX_RATIO: Final = 200
TARS: Final = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz")

# Of these alone the standard library unpacks no more than it is asked for, whatever the archive says.
_METHODS: Final = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
_DRIVE: Final = re.compile(r"[A-Za-z]:")
BROKEN: Final = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError, ValueError)


def members(path: Path, suffix: str | tuple[str, ...]) -> Iterator[tuple[str, bytes] | Reject]:
    """Read every file with a suffix out of a folder or a zip archive, sorted by name, or a tar archive in its order.

    Yields pairs of a name (in an archive, `archive.zip!/member`) and its bytes; a `Reject` for one that cannot be read.
    """
    if path.is_dir():
        for file in _files(path, suffix):
            try:
                yield str(file), file.read_bytes()
            except OSError as error:
                yield Reject(str(file), 1, f"cannot be read: {error.strerror}")
    elif path.name.lower().endswith(TARS):
        for name, size, stream in _tar_streams(path):
            if name.endswith(suffix) and size > MAX_MEMBER:
                yield Reject(name, 1, f"cannot be unpacked: it is larger than {MAX_MEMBER >> 20} MiB")
            elif name.endswith(suffix):
                yield name, stream.read()
    else:
        with _open(path) as archive:
            yield from _unpacked(archive, path, suffix)


def _tar_streams(path: Path) -> Iterator[tuple[str, int, BinaryIO]]:
    """Open every file of a tar archive in its order; yields `archive.tar!/member`, its size and a stream."""
    total, packed = 0, path.stat().st_size
    try:
        with tarfile.open(path, "r|*") as archive:
            while (member := archive.next()) is not None:
                archive.members.clear()  # type: ignore[attr-defined]  # what it remembers of millions of files
                total += member.size
                if total > MAX_RATIO * packed + MAX_MEMBER:
                    raise SourceFileError(f"unpacks to more than {total:,} bytes: that is no archive of texts", path)
                if member.isreg() and (file := archive.extractfile(member)) is not None:
                    yield f"{path}!/{member.name}", member.size, file  # type: ignore[misc]  # it reads bytes
    except (tarfile.TarError, *BROKEN) as error:
        raise SourceFileError(f"is no whole tar archive ({error}); fetch it again", path) from error


def files_in(path: Path, wanted: Callable[[str], bool], folder: Path) -> Iterator[tuple[str, Path | None]]:
    """List every file of a zip or tar archive, those that are wanted by their name unpacked into a folder.

    Yields pairs of `archive.zip!/member` and the unpacked file, of the same name; None for one that is not wanted.
    """
    tarred = path.name.lower().endswith(TARS)
    found = ((name, file) for name, _, file in _tar_streams(path)) if tarred else streams(path, "")
    for number, (name, file) in enumerate(found):
        if not wanted(name):
            yield name, None
            continue
        copy = folder / str(number) / PurePosixPath(name).name
        copy.parent.mkdir()
        try:
            with copy.open("wb") as unpacked:
                shutil.copyfileobj(file, unpacked)
        except BROKEN as error:
            raise SourceFileError(f"cannot be unpacked ({error}); fetch the archive again", name) from error
        yield name, copy


def inner_members(name: str, data: bytes, suffix: str | tuple[str, ...]) -> Iterator[tuple[str, bytes] | Reject]:
    """Read every file with a suffix out of an archive that is a member of another; see `members`."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            yield from _unpacked(archive, name, suffix)
    except SourceFileError as error:
        yield Reject(name, 1, str(error).removeprefix(f"{name}: "))
    except BROKEN as error:
        yield Reject(name, 1, f"is not a whole zip archive ({error}); fetch it again")


def _unpacked(
    archive: zipfile.ZipFile, path: Path | str, suffix: str | tuple[str, ...]
) -> Iterator[tuple[str, bytes] | Reject]:
    for info in _listed(archive, path, suffix):
        name = f"{path}!/{info.filename}"
        try:
            if info.compress_type not in _METHODS:
                raise ValueError("its compression method is neither of the two that archives of texts use")
            with archive.open(info) as file:
                data = file.read(min(info.file_size, MAX_MEMBER) + 1)
            if len(data) > MAX_MEMBER:
                raise ValueError(f"it is larger than {MAX_MEMBER >> 20} MiB")
            yield name, data
        except BROKEN as error:
            yield Reject(name, 1, f"cannot be unpacked: {error}; fetch the archive again")


def streams(path: Path, suffix: str | tuple[str, ...]) -> Iterator[tuple[str, BinaryIO]]:
    """Open every file with a suffix in a zip archive, sorted by name, to be read piece by piece.

    Yields pairs of `archive.zip!/member` and a stream; `BROKEN` says what reading a stream may raise.
    """
    with _open(path) as archive:
        for info in _listed(archive, path, suffix):
            with archive.open(info) as file:
                yield f"{path}!/{info.filename}", file  # type: ignore[misc]  # it reads bytes


@contextmanager
def unpacked(path: Path, suffix: str) -> Iterator[Path]:
    """Give a folder as it is, or unpack the files with a suffix of a zip archive into one that goes afterwards."""
    if path.is_dir():
        yield path
        return
    with TemporaryDirectory(prefix="medgraph-") as made:
        for name, stream in streams(path, suffix):
            target = Path(made, name.partition("!/")[2])
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                with target.open("wb") as file:
                    shutil.copyfileobj(stream, file, 1 << 20)
            except BROKEN as error:
                raise SourceFileError(f"cannot be unpacked ({error}); fetch the archive again", name) from error
        yield Path(made)


def names(path: Path) -> list[str]:
    """List the members of a zip archive."""
    with _open(path) as archive:
        return archive.namelist()


def others(path: Path, suffix: str) -> list[str]:
    """List the files of a folder or zip archive that `members` passes over, but for those that tell of others."""
    found = [str(file) for file in _files(path, "")] if path.is_dir() else names(path)
    return [name for name in found if not name.endswith(("/", suffix)) and not tells_of_others(Path(name))]


def count(path: Path, suffix: str | tuple[str, ...]) -> int:
    """Count what `members` would yield, without unpacking."""
    if path.is_dir():
        return len(_files(path, suffix))
    with _open(path) as archive:
        return len(_listed(archive, path, suffix))


def _files(path: Path, suffix: str | tuple[str, ...]) -> list[Path]:
    """List the files of a folder in the order in which an archive of it is read."""
    found = (file for file in below(path, hidden=True) if file.name.endswith(suffix) and not file.is_dir())
    return sorted(found, key=lambda file: file.relative_to(path).as_posix())


def _open(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except OSError as error:
        raise SourceFileError(f"cannot be read: {error.strerror}", path) from error
    except BROKEN as error:
        said = f"is not a whole zip archive ({error}); it may have been cut off: fetch it again"
        raise SourceFileError(said, path) from error


def _listed(archive: zipfile.ZipFile, path: Path | str, suffix: str | tuple[str, ...]) -> list[zipfile.ZipInfo]:
    infos = [info for info in archive.infolist() if info.filename.endswith(suffix) and not info.is_dir()]
    total = sum(info.file_size for info in infos)
    packed = sum(info.compress_size for info in infos)
    if total > MAX_TOTAL or total > MAX_RATIO * max(packed, 1):
        said = f"would unpack to {total:,} bytes from {packed:,}: that is no archive of texts; nothing was read"
        raise SourceFileError(said, path)
    for info in infos:
        parts = PurePosixPath(info.filename.replace("\\", "/"))
        if parts.is_absolute() or ".." in parts.parts or _DRIVE.match(info.filename):
            said = f"its member {info.filename!r} points outside the archive; nothing was read"
            raise SourceFileError(f"{said}: get it from its publisher", path)
    return sorted(infos, key=lambda info: info.filename)
