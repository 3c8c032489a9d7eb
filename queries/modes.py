"""Ways to search, and how `hybrid` weighs its two branches."""

from __future__ import annotations

from typing import Final, Literal, get_args

from ..errors import InputError

Mode = Literal["lexical", "semantic", "hybrid", "learned"]
MODES: Final[tuple[str, ...]] = get_args(Mode)
DEFAULT: Final = "learned"

Preset = Literal["default", "literature"]
PRESETS: Final[dict[str, tuple[float, float]]] = {"default": (0.6, 0.4), "literature": (0.7, 0.3)}
"""Name → weights of the lexical and the semantic branch of `hybrid`. `literature` is VerifAI's, for PubMed."""

STANDARD: Final[Preset] = "default"
"""The preset that holds where none is asked for."""


def mode_of(mode: str | None, preset: str = STANDARD) -> str:
    """Choose the mode of search.

    Args:
        mode: What was asked for; None for the default.
        preset: A key of `PRESETS`; another one than the standard means `hybrid` where no mode is asked for.

    Raises:
        InputError: There is no such mode, or no such preset.
    """
    asked = DEFAULT if mode is None else mode
    for kind, name, known in (("mode", asked, MODES), ("preset", preset, PRESETS)):
        if name not in known:
            raise InputError(f"there is no {kind} {name!r}; known are {', '.join(known)}")
    return "hybrid" if mode is None and preset != STANDARD else asked
