"""Shared types of composers: the material of an answer, and the callback for events while it is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from ...errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..answer import CitedFact
    from ..scoring import ScoredSection

# Told what becomes of an answer while it is made: the name of an event, and what there is to tell.
Tell = Callable[[str, object], None]


def untold(_name: str, _value: object) -> None:
    """Leave out what becomes of an answer while it is made."""


def no_model() -> NoReturn:
    """Refuse to write, where whoever makes the answerer gives it no model."""
    raise SettingsError("no language model is at hand; set MEDGRAPH_MODEL, and ask as `medgraph ask` does")


@dataclass(frozen=True, slots=True)
class Material:
    """What an answer may be composed of: sections, the likeliest first, relations, and paths of relations."""

    sections: Sequence[ScoredSection] = ()
    facts: Sequence[CitedFact] = ()
    paths: Sequence[Sequence[CitedFact]] = ()
