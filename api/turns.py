"""Turns: some requests are worked on at once, some wait, and others are told to come back."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from .problems import BusyError

if TYPE_CHECKING:
    from collections.abc import Iterator

WAITING: Final = 36
"""Requests that may wait for their turn; others are told at once to come back, so that health checks find a thread."""


class Turns:
    """Bounds how many requests are worked on at once.

    Args:
        at_once: How many.
        patience: Seconds that a request waits for its turn before it is told to come back.
    """

    def __init__(self, at_once: int, patience: float) -> None:
        self._patience = patience
        self._waiting = threading.BoundedSemaphore(WAITING)
        self._places = {kind: threading.BoundedSemaphore(at_once) for kind in (False, True)}

    @contextmanager
    def turn(self, *, writing: bool = False) -> Iterator[None]:
        """Wait for a turn, and take it for the length of a `with` block.

        Args:
            writing: Whether a language model writes: what waits for one keeps nobody else from searching.

        Raises:
            BusyError: No turn came in time.
        """
        places = self._places[writing]
        if not self._waiting.acquire(blocking=False):
            raise BusyError("too many questions at once, and enough that wait already: try again later")
        try:
            if not places.acquire(timeout=self._patience):
                raise BusyError(
                    f"too many questions at once; this one waited {self._patience:.0f} s for its turn: try again later"
                )
        finally:
            self._waiting.release()
        try:
            yield
        finally:
            places.release()
