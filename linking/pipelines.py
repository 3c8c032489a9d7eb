"""Steps of linking that a library may do in place of medgraph's own: short forms, negation and mentions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import InputError
from .abbreviations import Abbreviation, find_abbreviations
from .context import Context, contexts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

Place = tuple[int, int]
"""Where something begins and ends in a text."""

SCISPACY = "scispacy"


@dataclass(frozen=True, slots=True)
class Pipeline:
    """How texts are read before names are looked up.

    Attributes:
        name: Tells pipelines apart, so that texts linked by another one count as new; empty for medgraph's own.
        abbreviations: Finds the short forms that a text explains.
        contexts: Tells of each mention what its sentence says of it, as `context.contexts` does.
        mentions: Finds where a text names something; None where every run of words is looked up.
    """

    name: str = ""
    abbreviations: Callable[[str], Sequence[Abbreviation]] = find_abbreviations
    contexts: Callable[[str, Sequence[Place], Iterable[Place]], Iterator[tuple[Place, Context]]] = contexts
    mentions: Callable[[str], Sequence[Place]] | None = None


OWN = Pipeline()
"""The pipeline without spaCy."""


def open_pipeline(name: str) -> Pipeline:
    """Open a pipeline by its name.

    Args:
        name: `scispacy`, or `scispacy:MODEL` with the name or folder of a scispaCy or spaCy model; empty for the own.

    Raises:
        InputError: There is no such pipeline, or what it needs is not installed.
    """
    library, _, model = name.partition(":")
    if not name:
        return OWN
    if library != SCISPACY:
        raise InputError(f"there is no pipeline {name!r}; write {SCISPACY}, or {SCISPACY}:MODEL")
    from .scispacy_pipeline import scispacy_pipeline

    return scispacy_pipeline(name, model)
