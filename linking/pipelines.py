"""Steps of linking that a library may do in place of medgraph's own: short forms, negation and mentions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .abbreviations import Abbreviation, find_abbreviations
from .context import Context, contexts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

Place = tuple[int, int]
"""Where something begins and ends in a text."""


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
