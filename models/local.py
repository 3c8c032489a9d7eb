"""What models in this process share: one call at a time, in a thread of its own that a caller can leave."""

from __future__ import annotations

from dataclasses import dataclass
from queue import SimpleQueue
from threading import Event, Thread
from typing import TYPE_CHECKING

from .structured import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from .protocol import Reply


@dataclass(frozen=True, slots=True)
class Failed:
    """What a thread ended with.

    Attributes:
        error: The error.
    """

    error: BaseException


def streamed(generate: Callable[[Callable[[str], bool]], Reply]) -> Generator[str | Reply]:
    """Run a model in a thread, and hand on what it writes; what it writes to itself is held back.

    Args:
        generate: Writes a reply; it calls what it is given with each piece, and ends early when that gives False.

    Yields:
        The pieces, and the reply last. A caller that leaves, or is interrupted, ends the thread.
    """
    come: SimpleQueue[str | Reply | Failed] = SimpleQueue()
    left = Event()

    def put(piece: str) -> bool:
        come.put(piece)
        return not left.is_set()

    def run() -> None:
        try:
            come.put(generate(put))
        except BaseException as error:  # noqa: BLE001 # the caller raises it
            come.put(Failed(error))

    ended: list[Reply | Failed] = []

    def texts() -> Iterator[str]:
        while isinstance(one := come.get(), str):
            yield one
        ended.append(one)

    thread = Thread(target=run, daemon=True)
    thread.start()
    try:
        yield from visible(texts())
    finally:
        left.set()
        thread.join()
    (last,) = ended
    if isinstance(last, Failed):
        raise last.error
    yield last
