"""What search found for a question, and what the graph knows of the things that the question names."""

from __future__ import annotations

from functools import cached_property
from itertools import permutations
from typing import TYPE_CHECKING, Final

from .hits import Hit

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..graph.database import Database
    from .entities import LinkerOf, Mention
    from .facts import Fact
    from .paths import PairPaths
    from .question import Question

THINGS: Final = 3
"""Things named by a question of which facts and paths are read, at most; set by hand."""

FACTS: Final = 10
"""Facts of each of them, or between two of them, at most; set by hand."""

PATHS: Final = 3
"""Paths of each pair, at most; set by hand."""


class Evidence(list[Hit]):
    """The sections that a search found, best first, each with its best passage and the scores of each branch.

    What the graph knows besides is read when it is asked for, as it takes round trips of its own.

    Args:
        timing_ms: Milliseconds that each step took.
        linker: Gives what finds names when it is needed.

    Attributes:
        question: What was searched for.
        timing_ms: Milliseconds that each step took.
    """

    def __init__(
        self,
        hits: Iterable[Hit],
        question: Question,
        timing_ms: dict[str, float],
        database: Database,
        linker: LinkerOf,
    ) -> None:
        super().__init__(hits)
        self.question = question
        self.timing_ms = timing_ms
        self._database = database
        self._linker = linker

    def concepts(self) -> tuple[Mention, ...]:
        """Give what the question asks about, of what it names.

        Returns:
            The mentions, the longest and surest first.
        """
        return tuple(self.question.about)

    def facts(self) -> list[Fact]:
        """Read what is said between the things asked about or, where nothing is, of each of them.

        Returns:
            The surest facts of each pair, or else of each thing.
        """
        found = [fact for one, other in permutations(self._names, 2) for fact in self._facts(one, other)]
        return found or [fact for name in self._names for fact in self._facts(name)]

    def paths(self) -> list[PairPaths]:
        """Find how the things asked about hang together.

        Returns:
            The best paths of each pair; none where fewer than two things are asked about.
        """
        from .paths import find_paths

        few = len(self._names) < 2
        return [] if few else find_paths(self._database, self._linker, self._names, limit=PATHS)

    def _facts(self, head: str, tail: str = "?") -> list[Fact]:
        from .facts import ANY, find_facts

        return find_facts(self._database, self._linker(), head, ANY, tail, limit=FACTS)

    @cached_property
    def _names(self) -> list[str]:
        """The concepts of what is asked about, each once."""
        from .concepts import concept_named

        found = (concept_named(self._database, self._linker, one.entity) for one in self.question.about)
        return list(dict.fromkeys(found))[:THINGS]
