"""JSON of any size: lines that are one value each, and documents read piece by piece with the line of each piece.

```python
for item in json_items.of(path, "nodes"):  # {"nodes": [{...}, {...}], ...}
    if isinstance(item, Reject):
        yield item  # not strict JSON; those after it are read
        continue
    line, value = item
```

What another program could read otherwise is refused: a key that stands twice in an object, and `NaN` or `Infinity`,
which are not JSON; `open_json` puts null in their place. A byte order mark in front is passed over.
"""

from __future__ import annotations

import codecs
import io
import json
import re
from contextlib import closing
from functools import lru_cache
from typing import TYPE_CHECKING, Any, BinaryIO, Final, cast

from ...errors import RecordError, SourceFileError
from ..base import Reject
from .texts import BOM, MAX_LINE, has_any, not_utf8, open_source

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from _typeshed import WriteableBuffer


def parse(line: bytes | str, *, lenient: bool = False) -> Any:
    """Read a text that is one value of JSON; if `lenient`, `NaN` and `Infinity`, which are not JSON, are texts."""
    try:
        text = line if isinstance(line, str) else line.rstrip().removeprefix(BOM).decode("utf-8")
        return (_LENIENT if lenient else DECODER).decode(text)
    except UnicodeDecodeError as error:
        raise RecordError(not_utf8(error)) from error
    except json.JSONDecodeError as error:
        raise RecordError(f"is not valid JSON, column {error.colno}: {error.msg}; write one object a line") from error
    except RecursionError as error:
        raise RecordError("is not valid JSON: nested too deep") from error
    except ValueError as error:  # a number of thousands of digits
        raise RecordError(f"is not usable JSON: {error}") from error


def parse_object(line: bytes | str, *, lenient: bool = False) -> dict[str, Any]:
    """Read a line of JSONL that holds one object, as `parse` does."""
    data = parse(line, lenient=lenient)
    if not isinstance(data, dict):
        raise RecordError("is not a JSON object in {}; write one object a line")
    return data


def _no_constant(name: str) -> None:
    raise RecordError(f"{name} is not JSON")


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        keys = [key for key, _ in pairs]
        raise RecordError(f"the key {next(key for key in keys if keys.count(key) > 1)!r} stands twice in one object")
    return data


DECODER: Final = json.JSONDecoder(parse_constant=_no_constant, object_pairs_hook=_no_repeats)
_LENIENT: Final = json.JSONDecoder(parse_constant=str, object_pairs_hook=_no_repeats)  # NaN and Infinity are texts
_PLAIN: Final = json.JSONDecoder()
_BLOCK: Final = 1 << 18
_BLANK: Final = " \t\r\n"


def of(
    path: Path, name: str, *, lenient: bool = False, opened: BinaryIO | None = None
) -> Iterator[tuple[int, Any] | Reject]:
    """Read the items of one list of a document, `lenient` as in `parse`; none where it has no such list.

    Yields pairs of the line at which an item starts and the item; a `Reject` for one that is not strict JSON. A member
    of an archive is read as a stream that is `opened`.
    """
    with closing(opened or open_source(path)) as file:
        for key, line, value in members_of(JsonText(file, path, lenient=lenient), {name}):
            if key == name:
                yield Reject(str(path), line, str(value)) if isinstance(value, RecordError) else (line, value)


def members(path: Path, without: set[str], *, lenient: bool = False) -> dict[str, Any]:
    """Read what else an object holds beside some lists; a `SourceFileError` as of `of`."""
    with closing(open_source(path)) as file:
        found = {}
        for key, line, value in members_of(JsonText(file, path, lenient=lenient), without):
            if isinstance(value, RecordError) and key not in without:
                raise SourceFileError(str(value), path, line)
            if key not in without:
                found[key] = value
        return found


def first(path: Path, names: set[str], data: bytes) -> Any:
    """Give the first item of the first of some lists, for `recognise`; None where there is none in what is given."""
    try:
        text = JsonText(io.BytesIO(data), path, lenient=True)
        return next((value for key, _, value in members_of(text, names) if key in names), None)
    except SourceFileError:
        return None


def members_of(text: JsonText, lists: set[str]) -> Iterator[tuple[str, int, Any]]:
    """Yield name, line and value of each member of an object; of the lists that are named, of each item."""
    for key in keys_of(text):
        if key in lists:
            yield from ((key, line, item) for item, line in list_items(text))
        else:
            value, line = text.value()
            yield key, line, value


def keys_of(text: JsonText) -> Iterator[str]:
    """Yield the name of each member of an object, whose value has to be read before the next one."""
    text.expect("{")
    while text.peek() != "}":
        key, _ = text.value()
        if not isinstance(key, str):
            raise text.fault("a name in quotation marks should stand here")
        text.expect(":")
        yield key
        if text.peek() != "}":
            text.expect(",")


def list_items(text: JsonText) -> Iterator[tuple[Any, int]]:
    """Yield each item of a list, and the line at which it starts."""
    text.expect("[")
    if text.peek() != "]":
        yield text.value()
        while text.peek() == ",":
            text.expect(",")
            yield text.value()
    text.expect("]")


class JsonText:
    """A document, read piece by piece; `line` is that of what is looked at."""

    def __init__(self, file: BinaryIO, path: Path, *, lenient: bool = False) -> None:
        self._decoder = _LENIENT if lenient else DECODER
        self._file = file
        self._path = path
        self._decode = codecs.getincrementaldecoder("utf-8")().decode
        self._buffer = ""
        self._place = 0
        self._line = 1
        self._ended = False
        self._more()
        self._buffer = self._buffer.removeprefix(BOM.decode())

    def fault(self, message: str) -> SourceFileError:
        """Say that the document is broken where it is looked at."""
        return SourceFileError(f"is not whole JSON ({message}); mend it, or fetch it again", self._path, self._line)

    def peek(self) -> str:
        """Give the next character that is no blank; none at the end."""
        while True:
            while self._place < len(self._buffer) and self._buffer[self._place] in _BLANK:
                self._line += self._buffer[self._place] == "\n"
                self._place += 1
            if self._place < len(self._buffer) or self._ended:
                return self._buffer[self._place : self._place + 1]
            self._more()

    def expect(self, character: str) -> None:
        """Go past a character."""
        if self.peek() != character:
            raise self.fault(f"{character} should stand here")
        self._place += 1

    def value(self) -> tuple[Any, int]:
        """Read a value and the line at which it starts; what is wrong with it but not with the document is a value."""
        self.peek()
        line, start = self._line, self._place
        value, end = self._decoded()
        if isinstance(value, RecordError):
            value = RecordError(f"{value} (in {self._buffer[start : start + 60]!r})")
        self._line += self._buffer.count("\n", start, end)
        self._place = end
        return value, line

    def _decoded(self) -> tuple[Any, int]:
        while True:
            try:
                try:
                    found = self._decoder.raw_decode(self._buffer, self._place)
                except RecordError as error:
                    found = error, _PLAIN.raw_decode(self._buffer, self._place)[1]
                # A number may go on in what comes next.
                if found[1] < len(self._buffer) or self._ended:
                    return found
            except json.JSONDecodeError as error:
                if self._ended or len(self._buffer) - self._place > MAX_LINE:
                    self._line += self._buffer.count("\n", self._place, error.pos)
                    raise self.fault(error.msg) from error
            except RecursionError as error:
                raise self.fault("nested too deep") from error
            self._more()

    def _more(self) -> None:
        """Read on, twice as much as is looked at, so that long values are not begun too often."""
        self._buffer, self._place = self._buffer[self._place :], 0
        data = self._file.read(max(_BLOCK, len(self._buffer)))
        self._ended = not data
        try:
            self._buffer += self._decode(data, self._ended)
        except UnicodeDecodeError as error:
            raise self.fault("it is not UTF-8") from error


LEFT_OUT: Final = "values NaN and Infinity, which are not JSON, are left out"

_LARGE_BLOCK: Final = 1 << 20
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
    if not has_any(path, b"NaN", b"Infinity"):
        return 0
    with open_source(path) as file:
        return sum(1 for block in _blocks(file) for found in _TOKEN.finditer(block) if found[1] is None)


def _blocks(file: BinaryIO) -> Iterator[bytes]:
    rest = b""
    while block := file.read(_LARGE_BLOCK):
        rest += block
        end = 0
        for found in _TOKEN.finditer(rest):
            end = found.start() if found[1] == b"" or found.end() == len(rest) else found.end()
        yield rest[:end]
        rest = rest[end:]
    yield rest


class _Mended(io.RawIOBase):
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
