"""`Medgraph`: questions, search, entities, paths and subgraphs, from a graph here or from a service elsewhere."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, Final, Self, cast
from urllib.parse import quote, urlencode

import msgspec

from ..api.registry import ROUTES
from ..api.route import EVENTS, JSON, Route
from ..errors import MedgraphError
from .results import RESULTS, Answer
from .transport import Local, Remote

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from ..api.resources.pipelines import Pipelines
    from ..api.resources.sections import Section
    from ..queries.cards import Card
    from ..settings import Settings
    from .results import FoundEntities, FoundPaths, FoundSubgraph, SearchResults, Similar, Sources
    from .transport import Transport

TIMEOUT: Final = 120.0
"""Seconds that a service may be silent: a language model may write."""

_ROUTES: Final = {(route.method, route.path): route for route in ROUTES}


class Medgraph:
    """A graph that answers.

    ```python
    with Medgraph() as medgraph:                       # the graph that the settings name, in this process
        print(medgraph.ask("How is gout treated?").sentences[0].text)
    Medgraph("http://127.0.0.1:8080", key="…")         # a service
    ```

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
        self._transport: Transport = Remote(address, key, timeout) if address else _local(settings)

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
        """Answer a question event by event.

        Yields:
            Name and value of each event, as the HTTP API has them; the value of the last, `done`, is the answer.
        """
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

    def paths(self, *names: str, **fields: Any) -> FoundPaths:
        """Find paths of relations between each two of some things."""
        return cast("FoundPaths", self._call("GET", "/v1/paths", name=names, **fields))

    def subgraph(self, name: str, **fields: Any) -> FoundSubgraph:
        """Tell what goes with something, by its relations and in words."""
        return cast("FoundSubgraph", self._call("GET", "/v1/subgraph", name=name, **fields))

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
        query = urlencode({name: _written(value) for name, value in fields.items()}, doseq=True)
        return self._transport.send("GET", f"{path}?{query}" if query else path, None, headers)


def _written(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


def _decoded(route: Route, body: bytes) -> Any:
    """Read a response as the type that the route gives."""

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
