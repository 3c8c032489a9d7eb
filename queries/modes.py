"""Ways to search, and how they weigh words, meaning and titles."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, get_args

from ..errors import InputError

Mode = Literal["lexical", "semantic", "hybrid", "learned"]
MODES: Final[tuple[str, ...]] = get_args(Mode)
DEFAULT: Final = "learned"


class Weights(NamedTuple):
    """What counts how much: the branches of `hybrid`, and words in a document's title beside those in its text at 1."""

    lexical: float
    semantic: float
    title: float


Preset = Literal["default", "literature"]
# Name → weights. `literature` is for papers: the branches as VerifAI weighs them for PubMed, and a low weight of
# titles, which are sentences there; those of pages name what they are about.
PRESETS: Final = {"default": Weights(0.6, 0.4, 3.0), "literature": Weights(0.7, 0.3, 0.3)}
STANDARD: Final[Preset] = "default"  # the preset that holds where none is asked for


def mode_of(mode: str | None, preset: str = STANDARD) -> str:
    """Choose the mode of search; `hybrid` where a preset is asked for and no mode.

    Raises:
        InputError: There is no such mode, or no such preset.
    """
    asked = DEFAULT if mode is None else mode
    for kind, name, known in (("mode", asked, MODES), ("preset", preset, PRESETS)):
        if name not in known:
            raise InputError(f"there is no {kind} {name!r}; known are {', '.join(known)}")
    return "hybrid" if mode is None and preset != STANDARD else asked
