"""Ways to search, and how those that have two branches weigh them."""

from __future__ import annotations

from typing import Final, Literal, get_args

from ..errors import InputError

Mode = Literal["lexical", "semantic", "questions", "hybrid", "linked", "learned"]
MODES: Final[tuple[str, ...]] = get_args(Mode)
DEFAULT: Final = "learned"
WEIGHED: Final = "linked"
"""What is searched by where weights are given, and no mode."""

PLAIN: Final = frozenset({"lexical", "semantic", "hybrid"})
"""Modes that search for a short question as it was typed, whatever it names."""

Preset = Literal["default", "literature"]
PRESETS: Final[dict[str, tuple[float, float]]] = {"default": (0.6, 0.4), "literature": (0.7, 0.3)}
"""Name → weights of the lexical and the semantic branch. `literature` is VerifAI's, for PubMed."""

STANDARD: Final[Preset] = "default"
"""The preset that holds where none is asked for."""


def mode_of(mode: str | None, *, weighed: bool) -> str:
    """Choose the mode of search.

    Args:
        mode: What was asked for; None for the default.
        weighed: Whether weights, or fusion by rank, were asked for; they count for `hybrid` and `linked` alone.

    Returns:
        The mode.

    Raises:
        InputError: There is no such mode.
    """
    if mode is None:
        return WEIGHED if weighed else DEFAULT
    if mode not in MODES:
        raise InputError(f"there is no mode {mode!r}; known are {', '.join(MODES)}")
    return mode


def weights_of(preset: str, weights: str | None = None) -> tuple[float, float]:
    """Look up the weights of the lexical and the semantic branch.

    Args:
        preset: A key of `PRESETS`.
        weights: Two numbers with a comma between them, instead of a preset.

    Returns:
        The two weights.

    Raises:
        InputError: There is no such preset, or these are not two numbers from 0 up, not both 0.
    """
    if weights is None:
        if preset not in PRESETS:
            raise InputError(f"there is no preset {preset!r}; known are {', '.join(PRESETS)}")
        return PRESETS[preset]
    try:
        lexical, semantic = (float(part) for part in weights.split(","))
    except ValueError:
        lexical = semantic = 0.0
    if not (0 <= lexical < float("inf") and 0 <= semantic < float("inf") and lexical + semantic > 0):
        raise InputError(f"the weights {weights!r} are not two numbers such as 0.7,0.3")
    return lexical, semantic
