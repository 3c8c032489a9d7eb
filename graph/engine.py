"""Engines that compute long work on pages of the graph: this process, or the workers of a Ray cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Row = dict[str, Any]
    Page = list[Row]


@dataclass(frozen=True, slots=True)
class Step:
    """Rows that follow from a page of rows and a model alone, whatever computes them.

    Attributes:
        name: What shards of it are called.
        made_by: Model and versions that the rows depend on.
        compute: A function of a module; it takes a page and the model.
        writers: How many transactions may store its rows at once.
    """

    name: str
    made_by: str
    compute: Callable[[Page, Any], Page]
    writers: int = 1


class Engine(Protocol):
    """Computes steps."""

    def rows(self, step: Step, model: Any, pages: Iterable[Page]) -> Iterator[Page]:
        """Give the rows of pages in their order; what was computed is kept until `forget`.

        Args:
            model: What `step.compute` takes; workers elsewhere load their own.
        """

    def forget(self, step: Step) -> None:
        """Drop what is kept of a step's pages, once what `rows` gave is no longer needed."""

    def store(self, step: Step, model: Any, pages: Iterable[Page], write: Callable[[Page], object]) -> Iterator[Page]:
        """Compute pages, store their rows, and give the rows of each page once they are stored.

        Args:
            write: Stores the rows of a page in one transaction; a second time changes nothing.
        """


class Local:
    """Computes in this process, one page after the other."""

    def rows(self, step: Step, model: Any, pages: Iterable[Page]) -> Iterator[Page]:
        """Give the rows of pages in their order."""
        for page in pages:
            yield step.compute(page, model)

    def store(self, step: Step, model: Any, pages: Iterable[Page], write: Callable[[Page], object]) -> Iterator[Page]:
        """Compute and store page by page."""
        for rows in self.rows(step, model, pages):
            write(rows)
            yield rows

    def forget(self, step: Step) -> None:
        """Keep nothing anyway."""

    def loading(self, _load: Callable[[], Any]) -> Local:
        """Need nothing: the model is in this process."""
        return self


LOCAL: Final = Local()
