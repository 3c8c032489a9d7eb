"""Remembers, by server and model, the structured output that works and the parameters that are refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from ..files import locked

if TYPE_CHECKING:
    from pathlib import Path

FILE: Final = "models.json"


class Learned(msgspec.Struct, frozen=True):
    """What was learned.

    Attributes:
        structure: The kind of structured output that worked last; empty where none was asked for yet.
        refused: Parameters that the server refuses, in alphabetical order.
    """

    structure: str = ""
    refused: tuple[str, ...] = ()


def recall(cache: Path, model: str) -> Learned:
    """Read what was learned before.

    Returns:
        What was learned; nothing where the file is missing or damaged.
    """
    return _read(cache).get(model, Learned())


def remember(cache: Path, model: str, learned: Learned) -> None:
    """Write down what was learned, for other commands; what cannot be written is learned again."""
    try:
        with locked(cache / f"{FILE}.lock"):
            temporary = cache / f"{FILE}.new"
            temporary.write_bytes(msgspec.json.encode(_read(cache) | {model: learned}))
            temporary.replace(cache / FILE)
    except OSError:
        return


def _read(cache: Path) -> dict[str, Learned]:
    try:
        return msgspec.json.decode((cache / FILE).read_bytes(), type=dict[str, Learned])
    except (OSError, msgspec.MsgspecError):
        return {}
