"""Base class of models in this process: one call at a time, in a thread of its own that a caller can leave."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import closing
from queue import SimpleQueue
from threading import Event, Thread
from typing import TYPE_CHECKING, Final

from ..errors import ModelError, ModelUnavailableError
from .protocol import CONTEXT, Bounds, require_room
from .wire import visible, with_schema

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from pathlib import Path

    from ..settings import Settings
    from .protocol import Reply, Request


class LocalModel(ABC):
    """A model in this process; without a `context` in its files, one of usual size is taken."""

    estimates: Final = False
    small = False
    held = False  # whether its runtime lets it write nothing but what fits a schema, so that no words need to say that

    def __init__(self, name: str, context: int | None, settings: Settings) -> None:
        self.name = name
        told = context or CONTEXT
        self.context = min(settings.model_context or told, told)
        self._bounds = Bounds(1, settings.model_timeout)

    @property
    @abstractmethod
    def fingerprint(self) -> str:
        """Name, SHA-256 of the files and release of the runtime."""

    @abstractmethod
    def count_tokens(self, text: str) -> int:
        """Count the tokens of a text."""

    @abstractmethod
    def _generate(self, request: Request, asked: Request, put: Callable[[str], bool]) -> Reply:
        """Answer a request, of which `asked` is what the model reads; end early when `put` gives False."""

    def complete(self, request: Request) -> Reply:
        """Answer a request; see `Model`."""
        *_, reply = self.stream(request)
        assert not isinstance(reply, str)
        return reply

    def stream(self, request: Request) -> Generator[str | Reply]:
        """Answer a request piece by piece; see `Model`."""
        asked = request if request.schema is None or self.held else with_schema(request)
        require_room(self, asked)
        with self._bounds.slot(), closing(streamed(lambda put: self._generate(request, asked, put))) as pieces:
            yield from pieces

    def _failed(self, error: Exception) -> ModelUnavailableError:
        return ModelUnavailableError(f"{self.name} fails: {_line(error)}")


def not_loaded(path: Path, error: Exception) -> ModelError:
    """Say that a model's files cannot be loaded."""
    return ModelError(f"{path} cannot be loaded: {_line(error)}")


def mute(path: Path) -> ModelError:
    """Say that a model has no chat template."""
    return ModelError(f"{path} has no chat template, so that it cannot be talked to; take an `Instruct` model")


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]


def streamed(generate: Callable[[Callable[[str], bool]], Reply]) -> Generator[str | Reply]:
    """Run a model in a thread, and hand on its pieces, then the reply; what it writes to itself is held back.

    A caller that leaves, or is interrupted, ends the thread: `put`, which takes a piece, gives False then.
    """
    come: SimpleQueue[str | Reply | BaseException] = SimpleQueue()
    left = Event()

    def put(piece: str) -> bool:
        come.put(piece)
        return not left.is_set()

    def run() -> None:
        try:
            come.put(generate(put))
        except BaseException as error:  # noqa: BLE001 # the caller raises it
            come.put(error)

    ended: list[Reply | BaseException] = []

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
    if isinstance(last, BaseException):
        raise last
    yield last
