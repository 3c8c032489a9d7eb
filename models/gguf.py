"""The head of a GGUF file: which kind of model it holds, and how much that reads."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from ..errors import ModelError

if TYPE_CHECKING:
    from pathlib import Path

MAGIC: Final = b"GGUF"
_SCALARS: Final = dict(enumerate(("B", "b", "H", "h", "I", "i", "f", "?"))) | {10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9
MOST: Final = 1 << 24  # the longest list or text that a sound head has


@dataclass(frozen=True, slots=True)
class Head:
    """What the head of a file says.

    Attributes:
        kind: The architecture, such as `llama` or `qwen2`.
        context: Tokens that prompt and reply may have together; None where it does not say.
    """

    kind: str
    context: int | None


def read_head(path: Path) -> Head:
    """Read the head of a file.

    Args:
        path: A GGUF file of version 2 or 3.

    Raises:
        ModelError: There is no such file, or it is no GGUF file, or damaged.
    """
    try:
        with path.open("rb") as file:
            if file.read(4) != MAGIC:
                raise ModelError(f"{path} is no GGUF file; set MEDGRAPH_MODEL to gguf: and the path of one")
            return _head(file)
    except OSError as error:
        raise ModelError(
            f"{path} cannot be read: {error.strerror}; medgraph models list names models to fetch"
        ) from None
    except (struct.error, ValueError):
        raise ModelError(f"{path} is damaged: its head cannot be read; fetch it again") from None


def _head(file: BinaryIO) -> Head:
    _, _, count = _unpack(file, "IQQ")
    found: dict[str, Any] = {}
    for _ in range(count):
        key = _value(file, _STRING)
        found[key] = _value(file, _unpack(file, "I")[0])
        kind = found.get("general.architecture")
        if f"{kind}.context_length" in found:
            break
    kind = str(found["general.architecture"]) if "general.architecture" in found else ""
    return Head(kind, found.get(f"{kind}.context_length"))


def _unpack(file: BinaryIO, form: str) -> tuple[Any, ...]:
    return struct.unpack(f"<{form}", file.read(struct.calcsize(f"<{form}")))


def _value(file: BinaryIO, kind: int) -> Any:
    if kind == _STRING:
        return file.read(_length(file)).decode(errors="replace")
    if kind == _ARRAY:
        inner = _unpack(file, "I")[0]
        return [_value(file, inner) for _ in range(_length(file))]
    if kind not in _SCALARS:
        raise ValueError(kind)
    return _unpack(file, _SCALARS[kind])[0]


def _length(file: BinaryIO) -> int:
    length: int = _unpack(file, "Q")[0]
    if length > MOST:
        raise ValueError(length)
    return length
