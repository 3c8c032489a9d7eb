"""`AsyncMedgraph`: the client for event loops; each call runs in a thread."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import wraps
from typing import TYPE_CHECKING, Any, Self, TypeVar

from .client import Medgraph

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine

T = TypeVar("T")


def _awaited(method: Callable[..., T]) -> Callable[..., Coroutine[Any, Any, T]]:
    @wraps(method)
    async def call(self: AsyncMedgraph, *args: Any, **fields: Any) -> T:
        return await asyncio.to_thread(method, self.medgraph, *args, **fields)

    return call


class AsyncMedgraph:
    """As `Medgraph`, to be awaited; it takes the same arguments.

    ```python
    async with AsyncMedgraph("http://127.0.0.1:8080") as medgraph:
        answer = await medgraph.ask("How is gout treated?")
    ```
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        self._args, self._options = args, options

    async def __aenter__(self) -> Self:
        self.medgraph = await asyncio.to_thread(Medgraph, *self._args, **self._options)
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.to_thread(self.medgraph.close)

    ask = _awaited(Medgraph.ask)
    search = _awaited(Medgraph.search)
    section = _awaited(Medgraph.section)
    entities = _awaited(Medgraph.entities)
    entity = _awaited(Medgraph.entity)
    similar = _awaited(Medgraph.similar)
    paths = _awaited(Medgraph.paths)
    subgraph = _awaited(Medgraph.subgraph)
    sources = _awaited(Medgraph.sources)
    pipelines = _awaited(Medgraph.pipelines)

    async def stream(self, question: str, **fields: Any) -> AsyncIterator[tuple[str, Any]]:
        """Answer a question event by event, as `Medgraph.stream` does."""
        events = self.medgraph.stream(question, **fields)
        try:
            while (event := await asyncio.to_thread(next, events, None)) is not None:
                yield event
        finally:
            with suppress(ValueError):  # a cancelled call still waits in its thread
                events.close()
