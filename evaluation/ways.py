"""Ways of searching that are measured: modes beside the floor, and `learned` less a stage beside the whole of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ..queries.modes import DEFAULT, MODES
from ..queries.stages import STAGES
from .blend import FLOOR

if TYPE_CHECKING:
    from ..queries.hits import Hit
    from ..queries.question import Question
    from ..queries.retriever import Retriever


@dataclass(frozen=True, slots=True)
class Way:
    """A way of searching."""

    name: str
    mode: str
    as_typed: bool = False
    without: tuple[str, ...] = ()
    beside: str = FLOOR

    def search(self, retriever: Retriever, asked: dict[bool, Question], top_k: int) -> list[Hit]:
        """Search this way."""
        return retriever.search(asked[self.as_typed], mode=self.mode, top_k=top_k, without=self.without)


def _less(*stages: str) -> Way:
    return Way(f"{DEFAULT} without {' and '.join(stages)}", DEFAULT, without=stages, beside=DEFAULT)


ALL: Final = (
    *(Way(mode, mode) for mode in MODES),
    *(_less(stage) for stage in STAGES),
    _less("words", "fields"),
    _less("names", "types", "questions"),
)
"""Every mode, `learned` less each stage, less all that reads words, and less all that plain documents lack."""


def but(*nothing: str) -> tuple[Way, ...]:
    """Give all ways but those that a set has nothing for."""
    none = {*nothing}
    return tuple(way for way in ALL if way.mode not in none and not (way.without and none.issuperset(way.without)))


def asked(retriever: Retriever, text: str) -> dict[bool, Question]:
    """Make the two questions that ways search for.

    Returns:
        Whether all words count alike → the question.
    """
    return {as_typed: retriever.question(text, as_typed=as_typed) for as_typed in (False, True)}
