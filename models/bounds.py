"""A bound on the calls to a model that run at once: others wait, and are told to come back when that takes long."""

from __future__ import annotations

from contextlib import contextmanager
from threading import BoundedSemaphore
from typing import TYPE_CHECKING

from ..errors import ModelBusyError

if TYPE_CHECKING:
    from collections.abc import Iterator


class Bounds:
    """Lets some calls run at once."""

    def __init__(self, calls: int, patience: float) -> None:
        self._calls, self._patience = calls, patience
        self._free = BoundedSemaphore(calls)

    @contextmanager
    def slot(self) -> Iterator[None]:
        """Wait for a place, and keep it for the length of a `with` block.

        Raises:
            ModelBusyError: No place became free in time.
        """
        if not self._free.acquire(timeout=self._patience):
            calls = f"{self._calls} calls" if self._calls > 1 else "a call"
            raise ModelBusyError(
                f"{calls} to the model ran for {self._patience:g} seconds; try again, or set MEDGRAPH_MODEL_CALLS",
                self._patience,
            )
        try:
            yield
        finally:
            self._free.release()
