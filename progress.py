"""Progress on stderr: a bar on a terminal; elsewhere a line every 30 seconds, and none for what is done sooner.

A thread may have both told to a function instead. A `Clock` tells how long steps took.
"""

from __future__ import annotations

import sys
import threading
import time
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import TracebackType

INTERVAL: Final = 30.0  # seconds between two lines
WATCHED: Final = 1.0  # seconds between two of them where somebody looks on
_LISTENER: ContextVar[Callable[[str], None] | None] = ContextVar("listener", default=None)


@contextmanager
def heard_by(listener: Callable[[str], None]) -> Iterator[None]:
    """Tell a function what this thread notes and how far it is; what it began tells so from other threads, too."""
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)


class Progress(Protocol):
    """How far a long work is; used in a `with` block."""

    def __enter__(self) -> Self:
        """Begin."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        """End, whether or not all was done."""

    def update(self, n: float = 1, /) -> object:
        """Count how many more are done; negative for what must be done again."""


class ProgressLines:
    """Progress where nobody watches a bar, as in a log file."""

    def __init__(
        self,
        description: str,
        unit: str,
        total: int | None,
        report: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
        interval: float = INTERVAL,
    ) -> None:
        self._interval = interval
        self._description = description
        self._unit = unit
        self._total = total
        self._report = report
        self._clock = clock
        self._start = clock()
        self._next = self._start + interval
        self._done: float = 0
        self._lock = threading.Lock()  # downloads count from several threads

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def update(self, n: float = 1, /) -> None:
        """Count how many more are done, and say so when the last line is 30 seconds old."""
        with self._lock:
            self._done += n
            now = self._clock()
            due = now >= self._next
            if due:
                self._next = now + self._interval
        if due:
            self._report(self._line(now - self._start))

    def _line(self, seconds: float) -> str:
        total, rate = self._total, self._done / seconds
        size, unit = (1e6, "MB") if self._unit == "B" else (1, f"{self._unit}s")
        of = f" of {total / size:,.0f}" if total else ""
        left = f", {_duration(max(0.0, total - self._done) / rate)} left" if total and rate > 0 else ""
        per_second = f"{rate / size:,.0f}" if rate >= 10 * size else f"{rate / size:.1f}"
        return f"{self._description}: {self._done / size:,.0f}{of} {unit}, {per_second}/s{left}"


def progress(description: str, unit: str, total: int | None = None, *, scale: bool = False) -> Progress:
    """Begin to show how far a long work is; use it in a `with` block and call `update(n)`.

    It is a bar when stderr is a terminal, or else what writes a line every 30 seconds. What is counted (`chunk`, `B`)
    may have a total, which gives the time left, and be scaled to thousands and millions.
    """
    listener = _LISTENER.get()
    if listener or not sys.stderr.isatty():
        every = WATCHED if listener else INTERVAL
        return ProgressLines(description, unit, total, listener or note, interval=every)
    from tqdm import tqdm

    return tqdm(
        desc=description,
        unit=unit if scale else f" {unit}",
        total=total,
        unit_scale=scale,
        unit_divisor=1024,
        file=sys.stderr,
        dynamic_ncols=True,
        mininterval=0.2,
    )


def note(line: str) -> None:
    """Tell people something on stderr, or who listens to this thread."""
    import click

    if listener := _LISTENER.get():
        listener(line)
    else:
        click.echo(line, err=True)


def _duration(seconds: float) -> str:
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {whole % 60:02} s"


@dataclass(slots=True)
class Clock:
    """Milliseconds by step, in the order in which steps began."""

    spent: dict[str, float] = field(default_factory=dict)
    started: float = field(default_factory=time.perf_counter)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Count what is done within as a step, though it fails; what is done twice adds up."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.spent[name] = round(self.spent.get(name, 0.0) + (time.perf_counter() - start) * 1000, 2)

    def ended(self) -> dict[str, float]:
        """Give the milliseconds of each step, and of everything since it was made (`total`)."""
        return self.spent | {"total": round((time.perf_counter() - self.started) * 1000, 2)}
