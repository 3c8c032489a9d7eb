"""What every composer is: a question and what was found for it in, sentences to be checked out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...queries.question import Question
    from ..answer import CitedFact, Sentence
    from ..scored_sections import ScoredSection

Tell = Callable[[str, object], None]
"""Told what becomes of an answer while it is made: the name of an event, and what there is to tell."""


def untold(_name: str, _value: object) -> None:
    """Leave out what becomes of an answer while it is made."""


@dataclass(frozen=True, slots=True)
class Material:
    """What an answer may be composed of.

    Attributes:
        sections: Sections that were found, those that answer most likely first.
        facts: Relations of what the question asks about, of the kind that it asks for.
        paths: How the things asked about are related, each the relations on its way.
    """

    sections: Sequence[ScoredSection] = ()
    facts: Sequence[CitedFact] = ()
    paths: Sequence[Sequence[CitedFact]] = ()


class Compose(Protocol):
    """Composes an answer, of sections, facts or both."""

    def __call__(self, question: Question, material: Material, most: int) -> tuple[Sentence, ...]:
        """Compose an answer.

        Args:
            most: How many sentences at most.

        Returns:
            Its sentences, each with what it rests on; whoever asked checks them.
        """
