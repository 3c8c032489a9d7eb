"""How long each step of something took."""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(slots=True)
class Clock:
    """Milliseconds by step.

    Attributes:
        spent: What was spent so far, in the order in which steps began.
        started: When it was made, by `time.perf_counter`.
    """

    spent: dict[str, float] = field(default_factory=dict)
    started: float = field(default_factory=time.perf_counter)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Count what is done within as a step; what is done twice adds up.

        Args:
            name: The step's name.
        """
        start = time.perf_counter()
        yield
        self.spent[name] = round(self.spent.get(name, 0.0) + (time.perf_counter() - start) * 1000, 2)

    def ended(self) -> dict[str, float]:
        """Give what each step took.

        Returns:
            Milliseconds by step, and of everything since it was made (`total`).
        """
        return self.spent | {"total": round((time.perf_counter() - self.started) * 1000, 2)}
