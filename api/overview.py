"""Overview for the first page: loaded sources and example questions; refreshed when the graph changes."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ..answers.offers import OFFERED, examples
from ..errors import MedgraphError
from ..graph import catalogue
from ..queries.filters import EVERYTHING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ..answers.answer import Answer
    from ..graph.database import Database, Row
    from ..queries.filters import Scope

# Seconds after which more examples are looked for, where there were few: indexes may have been made meanwhile.
AGAIN: Final = 60.0


@dataclass(frozen=True, slots=True)
class Overview:
    """What is loaded.

    Attributes:
        sources: Rows of the query `sources`.
        examples: Questions that were asked, and answered; empty where none can be answered now.
        choices: What can be filtered by, of all that has documents: values by the name of the filter.
    """

    sources: tuple[Row, ...]
    examples: tuple[str, ...]
    choices: Mapping[str, Sequence[str]]


class Overviews:
    """Keeps the overview of a graph, cut to a scope, while that stays the same; without `ask`, no examples."""

    def __init__(
        self, database: Database, ask: Callable[[str], Answer] | None = None, scope: Scope = EVERYTHING
    ) -> None:
        self._database = database
        self._ask, self._scope = ask, scope
        self._looking = threading.Lock()
        self._kept: tuple[Overview, str, float] | None = None

    def current(self) -> Overview:
        """Give the overview, or the former one while somebody looks it up anew."""
        state = self._database.read(catalogue.get("names_state"))[0]["state"]
        kept = self._kept
        if kept and (_still_fits(kept, state) or not self._looking.acquire(blocking=False)):
            return kept[0]
        if not kept:
            self._looking.acquire()
        try:
            kept = self._kept
            if not kept or not _still_fits(kept, state):
                self._kept = kept = (self._look(), state, time.monotonic())
            return kept[0]
        finally:
            self._looking.release()

    def choices(self) -> Mapping[str, Sequence[str]]:
        """Give what can be filtered by, as it was when somebody last asked for the overview: nobody is kept waiting."""
        return (self._kept[0] if self._kept else self.current()).choices

    def _look(self) -> Overview:
        sources = tuple(self._scope.passing(self._database.read(catalogue.get("sources"))))
        choices = _choices(sources, self._scope.passing(self._database.read(catalogue.get("filter_values"))))
        if self._ask is None:
            return Overview(sources, (), choices)
        with suppress(MedgraphError):  # the service's own answers tell what is wrong
            return Overview(sources, examples(self._database, self._ask), choices)
        return Overview(sources, (), choices)


def _choices(sources: Sequence[Row], values: Sequence[Row]) -> dict[str, Sequence[str]]:
    told = {name for row in sources if row["documents"] for name in (row["source"], row["part_of"]) if name}
    rows = [row for row in values if row["source"] in told]
    return {
        "sources": sorted(told | {name for row in rows for name in row["collections"]}, key=str.casefold),
        "types": sorted({name for row in rows for name in row["types"]}),
        "licences": sorted({row["licence"] for row in rows} - {""}),
    }


def _still_fits(kept: tuple[Overview, str, float], state: str) -> bool:
    overview, then, looked = kept
    return then == state and (len(overview.examples) == OFFERED or time.monotonic() - looked < AGAIN)
