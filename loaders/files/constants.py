"""JSON in which `NaN` and `Infinity` stand, as programs write it that keep no standard: null takes their place."""

from __future__ import annotations

import io
import re
from functools import lru_cache
from typing import TYPE_CHECKING, BinaryIO, Final, cast

from .opening import open_source

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from _typeshed import WriteableBuffer

LEFT_OUT: Final = "values NaN and Infinity, which are not JSON, are left out"

_BLOCK: Final = 1 << 20
_TOKEN: Final = re.compile(rb'"(?:[^"\\]|\\.)*+("?)|-?\b(?:NaN|Infinity)\b', re.DOTALL)


def open_json(path: Path) -> BinaryIO:
    """Open a JSON file to read its bytes, as `open_source` does, with null for each `NaN` and `Infinity`."""
    file = open_source(path)
    return io.BufferedReader(_Mended(file)) if count(path) else file


def count(path: Path) -> int:
    """Count the values `NaN` and `Infinity` of a JSON file."""
    state = path.stat()
    return _count(path, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=64)
def _count(path: Path, _changed: int, _size: int) -> int:
    with open_source(path) as file:
        if not _suspect(file):
            return 0
    with open_source(path) as file:
        return sum(1 for block in _blocks(file) for found in _TOKEN.finditer(block) if found[1] is None)


def _suspect(file: BinaryIO) -> bool:
    seen = b""
    while block := file.read(_BLOCK):
        seen = seen[-8:] + block
        if b"NaN" in seen or b"Infinity" in seen:
            return True
    return False


def _blocks(file: BinaryIO) -> Iterator[bytes]:
    rest = b""
    while block := file.read(_BLOCK):
        rest += block
        end = 0
        for found in _TOKEN.finditer(rest):
            end = found.start() if found[1] == b"" or found.end() == len(rest) else found.end()
        yield rest[:end]
        rest = rest[end:]
    yield rest


class _Mended(io.RawIOBase):
    """Bytes of a file with null for what is not JSON."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._blocks = (_TOKEN.sub(_null, block) for block in _blocks(file))
        self._rest = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        while not self._rest:
            block = next(self._blocks, None)
            if block is None:
                return 0
            self._rest = block
        view = memoryview(cast("bytearray", buffer))
        size = min(len(view), len(self._rest))
        view[:size], self._rest = self._rest[:size], self._rest[size:]
        return size

    def close(self) -> None:
        self._file.close()
        super().close()


def _null(found: re.Match[bytes]) -> bytes:
    return b"null" if found[1] is None else found[0]
