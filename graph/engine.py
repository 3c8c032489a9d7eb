"""Engines that compute long work on pages of the graph: this process, several, or the workers of a Ray cluster."""

from __future__ import annotations

import itertools
import os
import threading
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ..errors import MedgraphError

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

_FEW: Final = 3  # pages that this process computes by itself: others take seconds to begin


@dataclass(frozen=True, slots=True)
class Processes(Engine):
    """Computes pages in several processes of this machine, each with a model of its own; few pages here."""

    load: Callable[[], Any]  # a function of a module, or a partial one: it loads the model in a process
    count: int

    def rows(self, step: Step, model: Any, pages: Iterable[Page]) -> Iterator[Page]:
        """Give the rows of pages in their order; a MedgraphError tells that a process was ended from outside."""
        pages = iter(pages)
        first = list(itertools.islice(pages, _FEW + 1))
        pages = itertools.chain(first, pages)
        if len(first) <= _FEW or self.count == 1:
            yield from LOCAL.rows(step, model, pages)
            return
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor
        from concurrent.futures.process import BrokenProcessPool

        spawning = multiprocessing.get_context("spawn")  # a fork would inherit locks of the driver's threads
        pool = ProcessPoolExecutor(self.count, spawning, _begin_worker, (self.load,))
        try:
            waiting = deque(pool.submit(_compute, step, page) for page in itertools.islice(pages, self.count + 1))
            while waiting:
                yield waiting.popleft().result()
                waiting.extend(pool.submit(_compute, step, page) for page in itertools.islice(pages, 1))
        except BrokenProcessPool as error:
            raise MedgraphError(
                f"a process that computed {step.name} was ended from outside, perhaps for want of memory; what was"
                " stored is kept: run it again, with a smaller MEDGRAPH_THREADS if memory is short"
            ) from error
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


_worker: dict[str, Any] = {}  # the model of a process that `Processes` began


def _begin_worker(load: Callable[[], Any]) -> None:
    import signal
    from multiprocessing import connection, parent_process

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that began this one ends it
    parent = parent_process()
    assert parent is not None

    def end_with_parent() -> None:
        connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=end_with_parent, daemon=True).start()
    _worker["model"] = load()


def _compute(step: Step, page: Page) -> Page:
    return step.compute(page, _worker["model"])
