"""The routes of all resources: each is checked, answered at once or event by event, and described by OpenAPI."""

from __future__ import annotations

import inspect
import itertools
import json
import re
import threading
from dataclasses import asdict
from functools import cache, partial
from importlib import import_module
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from pkgutil import iter_modules
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Final

import msgspec
from flask import Blueprint, Response, abort, current_app, g, request

from ..answers.answer import Answer
from ..errors import MedgraphError
from .problems import PROBLEM_TYPE, Problem, status_of
from .request import EVENTS, JSON, Route, from_address, from_body

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence

    from ..answers.part_answers import Tell
    from .service import Service

routes = Blueprint("medgraph", __name__)


def service() -> Service:
    """Give what the application serves to whoever asks."""
    served: Service = current_app.extensions["medgraph"]
    return served.within(g.scope)


def watched() -> frozenset[str]:
    """Name the endpoints for what watches over the service."""
    return frozenset(f"{routes.name}.{_endpoint(route)}" for route in ROUTES if route.watched)


@routes.get("/openapi.json")
def description() -> Response:
    """Describe the service."""
    return _written(document(ROUTES))


def _answer(route: Route, name: str = "") -> Response:
    """Answer one request; `name` is the `{id}` of its path."""
    if route.takes is None:
        return _response(route, route.answer(service()))
    if route.streams and request.accept_mimetypes.best_match((JSON, EVENTS)) == EVENTS:
        return streamed(route.streams(service(), from_body(_body(), route.takes)))
    if route.method == "POST":
        return _response(route, route.answer(service(), from_body(_body(), route.takes)))
    path = {"id": name} if "{id}" in route.path else {}
    query = request.args.to_dict(flat=False)
    return _response(route, route.answer(service(), from_address(path, query, route.takes)))


def streamed(ask: Callable[[Tell], Answer]) -> Response:
    """Send an answer event by event."""
    events = events_of(ask)
    sent = map(written, chain([next(events)], events))
    return closing(Response(sent, content_type=EVENTS, headers={"X-Accel-Buffering": "no"}), events)


def _body() -> Any:
    if not request.is_json:
        abort(415, "the body is not said to be JSON; send it with Content-Type: application/json")
    try:
        return json.loads(request.get_data())
    except RecursionError:
        abort(400, "the body is nested too deeply")
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        abort(400, f"the body is not JSON: it cannot be read at {where}; is a quote, comma or bracket missing there?")
    except ValueError:
        abort(400, "the body is not in UTF-8; send JSON in UTF-8")


def _response(route: Route, answer: Any) -> Response:
    return _written(answer) if route.media == JSON else Response(answer, content_type=route.media)


def _written(answer: Any) -> Response:
    return Response(ENCODER.encode(answer) + b"\n", content_type=JSON)


def _endpoint(route: Route) -> str:
    return f"{route.method} {route.path}".replace(".", "-")  # Flask takes no dot


def _found() -> tuple[Route, ...]:
    folder = Path(__file__).parent / "resources"
    modules = [import_module(f".resources.{module.name}", __package__) for module in iter_modules([str(folder)])]
    found: list[Route] = [route for module in modules for route in module.ROUTES]
    return tuple(sorted(found, key=lambda route: (not route.path.startswith("/v1/"), route.path, route.method)))


ROUTES: Final[tuple[Route, ...]] = _found()  # the routes, those of the interface first, each by path


for _route in ROUTES:
    _rule = _route.path.replace("{id}", "<id:name>")
    routes.add_url_rule(_rule, _endpoint(_route), partial(_answer, _route), methods=[_route.method])


_ANYWHERE: Final = (400, 401, 403, 405, 421, 429, 431, 500, 503)  # statuses of problems that any route may have
_BODY: Final = (413, 415)  # those that a route with a body may have besides
# Those that the server itself may answer with, in plain text, before the application sees the request.
_PLAIN: Final = (400, 413, 431)
_EVENTS_DESCRIBED: Final = (
    "Events `understood`, `sources`, a checked `sentence` each, `usage` (the `Generation`, if a language model wrote, "
    "and the `readings`) and `done` (the `Answer`, which goes before all that was sent); or `error` (a `Problem`)."
)
_CLASS: Final = re.compile(r"^class (\w+).*?\n(?=^\S|\Z)", re.MULTILINE | re.DOTALL)
# A field of a class, with comments above and beside it.
_FIELD: Final = re.compile(r"((?:^    # .+\n)*)^    (\w+): .+?(?:  # (?!noqa)(.+))?$", re.MULTILINE)
_REF: Final = "#/components/schemas/{name}"
# How a key is sent, where one is asked for.
_SECURITY: Final = {
    "bearer": {"type": "http", "scheme": "bearer"},
    "key": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
    "basic": {"type": "http", "scheme": "basic", "description": "The key as password, with any user name."},
}


def document(routes: Sequence[Route]) -> dict[str, Any]:
    """Describe routes for programs."""
    given = [*dict.fromkeys(route.gives for route in routes if route.media == JSON), Problem]
    answers = _schemas(given, {kind: made for route in routes for kind, made in route.choices.items()})
    bodies = _schemas((route.takes for route in routes if route.takes and route.method == "POST"), {})
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "medgraph",
            "version": version("medgraph"),
            "summary": "Cited answers and hybrid search over a biomedical knowledge graph.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "security": [{}, *({name: []} for name in _SECURITY)],
        "paths": paths,
        "components": {
            "schemas": bodies | {name: _required(schema) for name, schema in answers.items()},
            "securitySchemes": _SECURITY,
        },
    }


def _operation(route: Route) -> dict[str, Any]:
    posts = route.method == "POST"
    schema = _ref(route.gives) if route.media == JSON else {"type": "string"}
    found: dict[str, Any] = {"description": "As asked", "content": {route.media.partition(";")[0]: {"schema": schema}}}
    if route.streams:
        found["content"][EVENTS] = {"schema": {"type": "string", "description": _EVENTS_DESCRIBED}}
    content: dict[str, Any] = {PROBLEM_TYPE: {"schema": _ref(Problem)}}
    problem = {"description": "A problem", "content": content}
    told = {"description": "A problem", "content": content | {"text/plain": {"schema": {"type": "string"}}}}
    statuses = sorted({*_ANYWHERE, *route.problems, *(_BODY if posts else ())})
    operation: dict[str, Any] = {
        "operationId": _name_of(route),
        "summary": route.summary,
        "responses": {"200": found, **{str(status): told if status in _PLAIN else problem for status in statuses}},
    }
    if route.takes and posts:
        operation["requestBody"] = {"required": True, "content": {JSON: {"schema": _ref(route.takes)}}}
    elif route.takes:
        operation["parameters"] = _parameters(route, route.takes)
    return operation


def _name_of(route: Route) -> str:
    """Name an operation after the function that answers, so that generated clients have methods of these names."""
    return f"{route.answer.__name__}_by_{route.method.lower()}" if route.path == "/v1/search" else route.answer.__name__


def _parameters(route: Route, kind: type[msgspec.Struct]) -> list[dict[str, Any]]:
    schema = _schemas([kind], {})[kind.__name__]
    return [
        {
            "name": name,
            "in": "path" if f"{{{name}}}" in route.path else "query",
            "required": name in schema.get("required", ()),
            "schema": part,
        }
        for name, part in schema["properties"].items()
    ]


def _schemas(kinds: Iterable[Any], choices: Mapping[type, Sequence[type]]) -> dict[str, Any]:
    described = [*kinds, *itertools.chain.from_iterable(choices.values())]

    def one_of(kind: type) -> dict[str, Any]:
        return {"anyOf": [_ref(choice) for choice in choices[kind]]}

    _, schemas = msgspec.json.schema_components(described, schema_hook=one_of, ref_template=_REF)
    told = {
        name: _field_comments(kind)
        for kind in _classes(described)
        for name in (kind.__name__, f"{kind.__module__}.{kind.__qualname__}")
    }
    return {name: _brief(_with_descriptions(schema, told.get(name, {}))) for name, schema in schemas.items()}


def _classes(kinds: Iterable[Any]) -> Iterator[type]:
    waiting, seen = list(msgspec.inspect.multi_type_info(kinds)), set[type]()
    while waiting:
        info = waiting.pop()
        kind = getattr(info, "cls", None)
        if kind in seen:
            continue
        if kind is not None and hasattr(info, "fields"):
            seen.add(kind)
            yield kind
            waiting += [field.type for field in info.fields]
        parts = [getattr(info, name, None) for name in ("type", "item_type", "value_type")]
        waiting += [part for part in parts if isinstance(part, msgspec.inspect.Type)]
        waiting += [*getattr(info, "types", ()), *getattr(info, "item_types", ())]


@cache
def _commented(module: str) -> dict[str, dict[str, str]]:
    """Read what comments say of fields: class → field → text."""
    told: dict[str, dict[str, str]] = {}
    for found in _CLASS.finditer(inspect.getsource(import_module(module))):
        texts = {name: f"{above} {beside}".replace("    # ", " ") for above, name, beside in _FIELD.findall(found[0])}
        told[found[1]] = {name: text for name, text in texts.items() if text.strip()}
    return told


def _field_comments(kind: type) -> dict[str, str]:
    """Read what comments in a class and its bases say of their fields."""
    told: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        if base.__module__.startswith("medgraph."):
            for name, text in _commented(base.__module__).get(base.__name__, {}).items():
                said = " ".join(text.split())
                told[name] = f"{said[0].upper()}{said[1:]}.".replace("`", "")
    return told


def _with_descriptions(schema: dict[str, Any], told: Mapping[str, str]) -> dict[str, Any]:
    fields = {
        name: {"description": told[name], **part} if name in told else part
        for name, part in schema.get("properties", {}).items()
    }
    return schema | {"properties": fields} if fields else schema


def _brief(schema: dict[str, Any]) -> dict[str, Any]:
    """Leave of a docstring its first line, and no title: it is the schema's name again."""
    kept = {key: value for key, value in schema.items() if key != "title"}
    return kept | {"description": schema["description"].partition("\n")[0]} if "description" in kept else kept


def _required(schema: dict[str, Any]) -> dict[str, Any]:
    """Say of an answer's fields that each is there, those with defaults too."""
    fields = {name: {k: v for k, v in part.items() if k != "default"} for name, part in schema["properties"].items()}
    return {**schema, "properties": fields, "required": list(fields)}


def _ref(kind: Any) -> dict[str, str]:
    return {"$ref": _REF.format(name=kind.__name__)}


# Fields of an answer that are known before anything is written.
UNDERSTOOD: Final = (
    "question",
    "understood",
    "entities",
    "intent",
    "intents",
    "urgent",
    "remark",
    "ask_back",
    "within",
)
# Seconds of silence after which a comment is sent, so that it is noticed when a client has left.
PULSE: Final = 1.0
DONE: Final = "done"

Event = tuple[str, Any]


class ClientLeftError(MedgraphError):
    """Nobody waits for the answer any more."""


def events_of(ask: Callable[[Tell], Answer]) -> Generator[Event]:
    """Answer in a thread, and give what becomes of it; `ask` must let pass what telling it raises.

    Yields:
        Names with what is told: `understood`, `sources`, a `sentence` each, `usage` where a language model wrote or
        read, and `done` with the answer, which goes before all that was told; or `error`, with problem details. An
        empty name where nothing happens for a while.

    Raises:
        MedgraphError: There is no answer, and nothing has been given yet.
    """
    happened: SimpleQueue[Event | Answer | MedgraphError | None] = SimpleQueue()
    left = threading.Event()

    def tell(name: str, value: object) -> None:
        if left.is_set():
            raise ClientLeftError
        if name:
            happened.put((name, value))

    def run() -> None:
        try:
            happened.put(ask(tell))
        except MedgraphError as error:
            happened.put(error)
        except BaseException:
            happened.put(None)
            raise

    threading.Thread(target=run, daemon=True).start()
    begun: list[Event] = []
    try:
        yield from _events(happened, begun)
    except MedgraphError as error:
        if not begun:
            raise
        yield "error", Problem.of(*status_of(error))
    finally:
        left.set()


def closing(response: Response, events: Generator[Any]) -> Response:
    """Let the end of a response end its events, be it that nothing of it was sent, as for HEAD or who left at once."""
    response.call_on_close(events.close)
    return response


def written(event: Event) -> bytes:
    """Write an event in the text format of server-sent events; one without a name is a comment."""
    name, value = event
    if name == "understood":
        value = {field: getattr(value, field) for field in UNDERSTOOD}
    return b"event: %s\ndata: %s\n\n" % (name.encode(), ENCODER.encode(value)) if name else b":\n\n"


def _events(happened: SimpleQueue[Any], begun: list[Event]) -> Iterator[Event]:
    while True:
        try:
            told = happened.get(timeout=PULSE)
        except Empty:
            if begun:
                yield "", None
            continue
        if isinstance(told, MedgraphError):
            raise told
        if told is None:
            raise MedgraphError("unforeseen; the log says what")
        for event in _rest(told, begun) if isinstance(told, Answer) else [told]:
            begun.append(event)
            yield event
        if isinstance(told, Answer):
            yield DONE, told
            return


def _rest(answer: Answer, begun: list[Event]) -> Iterator[Event]:
    """Give the events of a whole answer, but for the last, that have not been told before."""
    names = {name for name, _ in begun}
    told = [value for name, value in begun if name == "sentence"]
    if "understood" not in names:
        yield "understood", answer
        yield "sources", answer.evidence
    yield from (("sentence", sentence) for sentence in answer.sentences if sentence not in told)
    if answer.generation or answer.readings:
        yield "usage", {**(asdict(answer.generation) if answer.generation else {}), "readings": answer.readings}


def _plain(value: object) -> float:
    """Write numbers of numpy as what they are."""
    if isinstance(value, float):
        return float(value)
    raise NotImplementedError(f"{type(value).__name__} cannot be written as JSON")


ENCODER: Final = msgspec.json.Encoder(enc_hook=_plain, order="sorted")  # fields stand in the order of their names
