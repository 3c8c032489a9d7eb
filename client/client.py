"""`Medgraph`: questions, search, entities, paths and subgraphs, from a graph here or from a service elsewhere."""

from __future__ import annotations

import asyncio
import dataclasses
from contextlib import suppress
from functools import wraps
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar, cast
from urllib.parse import quote, urlencode

import msgspec

from ..api.request import EVENTS, JSON, Route
from ..api.routes import ROUTES
from ..errors import MedgraphError
from .results import (
    RESULTS,
    Answer,
    FoundEnrichment,
    FoundEntities,
    FoundPaths,
    FoundSubgraph,
    SearchResults,
    Similar,
    Sources,
)
from .transport import Local, Remote

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Generator, Iterator, Sequence

    from ..api.resources.answers import Pipelines
    from ..api.resources.sources import Section
    from ..queries.cards import Card
    from ..settings import Settings

# Seconds that a service may be silent: a language model may write.
TIMEOUT: Final = 120.0
_ROUTES: Final = {(route.method, route.path): route for route in ROUTES}


class Medgraph:
    """A graph that answers.

    Example:
        >>> with Medgraph() as medgraph:  # the graph of the settings; Medgraph("http://127.0.0.1:8080") is a service
        ...     print(medgraph.ask("How is gout treated?").sentences[1].text)
        Ice and rest of the joint also ease a gout attack.

    Methods take the fields of the HTTP API by name and give its types. They raise InputError for what cannot be asked,
    NotInGraphError for what is not there, and MedgraphError for anything else.

    Args:
        address: Of a service; None for the graph that `settings` name, which is opened in this process.
        key: The service's API key, where it asks for one.
        timeout: Seconds that a service may be silent.
        settings: Where the graph is; by default the environment's.
    """

    def __init__(
        self,
        address: str | None = None,
        *,
        key: str | None = None,
        timeout: float = TIMEOUT,
        settings: Settings | None = None,
    ) -> None:
        self._transport: Remote | Local = Remote(address, key, timeout) if address else _local(settings)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close what is open."""
        self._transport.close()

    def ask(self, question: str, **fields: Any) -> Answer:
        """Answer a question, cited and checked; fields are those of `POST /v1/answers`."""
        return cast("Answer", self._call("POST", "/v1/answers", question=question, **fields))

    def stream(self, question: str, **fields: Any) -> Generator[tuple[str, Any], None, None]:
        """Answer a question event by event, as the HTTP API has them; the value of the last, `done`, is the answer."""
        route = _ROUTES["POST", "/v1/answers"]
        name = ""
        for line in self._lines(route, {"question": question, **fields}, EVENTS):
            kind, _, text = line.partition(": ")
            if kind == "event":
                name = text
            elif kind == "data" and name == "error":
                raise MedgraphError(msgspec.json.decode(text)["detail"])
            elif kind == "data":
                yield name, _decoded(route, text.encode()) if name == "done" else msgspec.json.decode(text)
        if name != "done":
            raise MedgraphError("the service's answer ends before it is whole; ask again")

    def search(self, q: str, **fields: Any) -> SearchResults:
        """Search for sections; fields are those of `POST /v1/search`."""
        return cast("SearchResults", self._call("POST", "/v1/search", q=q, **fields))

    def section(self, name: str) -> Section:
        """Give a whole section by its id."""
        return cast("Section", self._call("GET", "/v1/sections/{id}", id=name))

    def entities(self, q: str, **fields: Any) -> FoundEntities:
        """Find entities by an id, a name, or words that name one."""
        return cast("FoundEntities", self._call("GET", "/v1/entities", q=q, **fields))

    def entity(self, name: str) -> Card:
        """Tell what is known about an entity, by its id or a CUI."""
        return cast("Card", self._call("GET", "/v1/entities/{id}", id=name))

    def similar(self, name: str, **fields: Any) -> Similar:
        """Find what stands in like relations as an entity."""
        return cast("Similar", self._call("GET", "/v1/entities/{id}/similar", id=name, **fields))

    def paths(self, *names: str | Sequence[str], **fields: Any) -> FoundPaths:
        """Find paths of relations between each two of some things."""
        return cast("FoundPaths", self._call("GET", "/v1/paths", name=_each(names), **fields))

    def subgraph(self, name: str, **fields: Any) -> FoundSubgraph:
        """Tell what goes with something, by its relations and in words."""
        return cast("FoundSubgraph", self._call("GET", "/v1/subgraph", name=name, **fields))

    def enrich(self, *names: str | Sequence[str], **fields: Any) -> FoundEnrichment:
        """Find what some phenotypes, drugs or genes have in common more often than by chance."""
        return cast("FoundEnrichment", self._call("POST", "/v1/enrich", names=_each(names), **fields))

    def query(self, name: str, **parameters: Any) -> list[dict[str, Any]]:
        """Run a saved query, whose example values stand in for what is left out; give its rows."""
        found = self._call("POST", "/v1/queries", name=name, parameters=parameters)
        return cast("list[dict[str, Any]]", found.rows)

    def sources(self) -> Sources:
        """List what is loaded."""
        return cast("Sources", self._call("GET", "/v1/sources"))

    def pipelines(self) -> Pipelines:
        """List the published pipelines."""
        return cast("Pipelines", self._call("GET", "/v1/pipelines"))

    def _call(self, method: str, path: str, **fields: Any) -> Any:
        route = _ROUTES[method, path]
        return _decoded(route, b"".join(self._sent(route, fields, JSON)))

    def _lines(self, route: Route, fields: dict[str, Any], accept: str) -> Iterator[str]:
        """Give a response line by line, however it is cut into parts."""
        rest = b""
        for part in self._sent(route, fields, accept):
            *lines, rest = (rest + part).split(b"\n")
            yield from (line.decode() for line in lines)

    def _sent(self, route: Route, fields: dict[str, Any], accept: str) -> Iterator[bytes]:
        headers = {"Accept": accept}
        if route.method == "POST":
            body = msgspec.json.encode(fields)
            return self._transport.send("POST", route.path, body, {**headers, "Content-Type": JSON})
        path = route.path
        if "{id}" in path:
            path = path.replace("{id}", quote(fields.pop("id"), safe=""))
        given = {name: str(value).lower() if isinstance(value, bool) else value for name, value in fields.items()}
        query = urlencode(given, doseq=True)
        return self._transport.send("GET", f"{path}?{query}" if query else path, None, headers)


def _each(names: tuple[Any, ...]) -> Any:
    """Take names as arguments, or as one list."""
    return names if len(names) != 1 or isinstance(names[0], str) else tuple(names[0])


def _decoded(route: Route, body: bytes) -> Any:

    def made(kind: type, value: Any) -> Any:
        for choice in route.choices.get(kind, ()) if isinstance(value, dict) else ():
            if value.keys() == {field.name for field in dataclasses.fields(choice)}:
                return msgspec.convert(value, choice)
        raise ValueError(f"no {kind.__name__} has these fields")

    try:
        return msgspec.json.decode(body, type=RESULTS.get(route.gives, route.gives), dec_hook=made)
    except msgspec.DecodeError as error:
        raise MedgraphError(f"the service's answer is cut short or of another version: {error}") from error


def _local(settings: Settings | None) -> Local:
    from ..api.app import create_app
    from ..api.service import RETRY_TIME, TIME_LIMIT, Service
    from ..cli.shared import assembly_of, require_schema
    from ..graph.connect import connect
    from ..settings import Settings as Environment

    settings = settings or Environment.from_environment()
    database = connect(settings, RETRY_TIME, TIME_LIMIT)
    require_schema(settings, database)
    return Local(create_app(Service(assembly_of(settings, database, joins=False))), database)


T = TypeVar("T")


def _awaited(method: Callable[..., T]) -> Callable[..., Coroutine[Any, Any, T]]:
    @wraps(method)
    async def call(self: AsyncMedgraph, *args: Any, **fields: Any) -> T:
        return await asyncio.to_thread(method, self.medgraph, *args, **fields)

    return call


class AsyncMedgraph:
    """As `Medgraph`, to be awaited; it takes the same arguments.

    Example:
        >>> async def ask(question):
        ...     async with AsyncMedgraph() as medgraph:
        ...         return await medgraph.ask(question)
        >>> asyncio.run(ask("How is gout treated?")).status
        'answered'
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
    enrich = _awaited(Medgraph.enrich)
    query = _awaited(Medgraph.query)
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
