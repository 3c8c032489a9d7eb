"""Engines that compute long work on pages of the graph: this process, or the workers of a Ray cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Row = dict[str, Any]
    Page = list[Row]


@dataclass(frozen=True, slots=True)
class Step:
    """Rows that follow from a page of rows and a model alone, whatever computes them."""

    name: str  # what shards of it are called
    made_by: str  # model and versions that the rows depend on
    compute: Callable[[Page, Any], Page]  # a function of a module; it takes a page and the model
    writers: int = 1  # how many transactions may store its rows at once


class Engine:
    """Computes steps in this process, one page after the other; others compute them elsewhere."""

    __slots__ = ()

    def loading(self, _load: Callable[[], Any]) -> Engine:
        """Give the engine with another model, which `load` loads where it computes; here it is at hand."""
        return self

    def rows(self, step: Step, model: Any, pages: Iterable[Page]) -> Iterator[Page]:
        """Give the rows of pages in their order; what was computed is kept until `forget`.

        Args:
            model: What `step.compute` takes; workers elsewhere load their own.
        """
        for page in pages:
            yield step.compute(page, model)

    def store(self, step: Step, model: Any, pages: Iterable[Page], write: Callable[[Page], object]) -> Iterator[Page]:
        """Compute pages, store their rows, and give the rows of each page once they are stored.

        Args:
            write: Stores the rows of a page in one transaction; a second time changes nothing.
        """
        for rows in self.rows(step, model, pages):
            write(rows)
            yield rows

    def forget(self, step: Step) -> None:
        """Drop what is kept of a step's pages, once what `rows` gave is no longer needed; here nothing is."""


LOCAL: Final = Engine()
