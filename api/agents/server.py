"""Model Context Protocol over one service: tools, resources and prompts; by pipes, or within the application."""

from __future__ import annotations

from functools import cache, wraps
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from anyio.from_thread import BlockingPortal, start_blocking_portal
from flask import Blueprint, Flask, Response, request
from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ToolError
from mcp.server.mcpserver.prompts.base import AssistantMessage, Prompt, PromptArgument, UserMessage
from mcp.server.transport_security import TransportSecuritySettings
from mcp.types import ToolAnnotations

from ...answers import prompting
from ...errors import MedgraphError
from ...queries.saved import list_saved
from ...schema.vocabulary import ENTITY_LABELS, RELATION_TYPES, SECTION_TYPES
from ..routes import service
from .tools import Tools, listed

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..service import Service

NAME: Final = "medgraph"
# Tools for keys that are limited to some sources.
LIMITED: Final = ("ask", "search")
PATTERNS: Final = 100  # patterns of relations of a label that are told, the most frequent first
TOOLS: Final = (*LIMITED, "entity", "paths", "subgraph", "facts", "enrich", "query")
INSTRUCTIONS: Final = (
    "Biomedical texts and relations with sources. Use `ask` for a question: its sentences are cited and checked. "
    "Show `urgent` first. Where the status is not `answered`, say that nothing loaded answers; do not fill in from "
    "memory. Keep the citation numbers, and name sources and licences. Use `search`, `entity`, `facts`, `subgraph`, "
    "`paths` and `enrich` to look further. A `resource` in a result opens the whole section; "
    "`medgraph://document/{id}` a document."
)
_READ_ONLY: Final = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


def make_server(service: Service, version: str, *, cypher: int = 0) -> MCPServer[Any]:
    """Make the server; with `cypher`, the seconds that each takes, agents may write statements that only read."""
    server: MCPServer[Any] = MCPServer(
        NAME, title="medgraph", instructions=INSTRUCTIONS, version=version, log_level="ERROR", subscriptions=False
    )
    tools = Tools(service, cypher)
    for name in LIMITED if service.is_limited else (*TOOLS, *["cypher"] * bool(cypher)):
        server.add_tool(_translating_errors(getattr(tools, name), ToolError), name=name, annotations=_READ_ONLY)
    _add_resources(server, service)
    for name in prompting.names():
        server.add_prompt(_prompt(name))
    return server


def _add_resources(server: MCPServer[Any], service: Service) -> None:
    def add(uri: str, name: str, description: str, work: Callable[..., Any]) -> None:
        told = _translating_errors(work, ResourceError)
        server.resource(uri, name=name, description=description, mime_type="application/json")(told)

    def section(id: str) -> str:  # noqa: A002 # the name in the address
        return listed(service.section(id) or _missing("section", id))

    def document(id: str) -> str:  # noqa: A002
        return listed(service.document(id) or _missing("document", id))

    def schema() -> str:
        words = {"entities": ENTITY_LABELS, "relations": RELATION_TYPES, "sections": list(SECTION_TYPES)}
        held: dict[str, dict[str, int]] = {"nodes": {}, "categories": {}}
        for row in service.saved("metagraph", {}):
            if row["relation"] is None:
                kind, label = ("nodes", "source_label") if row["kind"] == "node" else ("categories", "target_label")
                held[kind][row[label]] = row["count"]
        return listed(words | held)

    def around(label: str) -> str:
        rows = [row for row in service.saved("metagraph", {}) if label in {row["source_label"], row["target_label"]}]
        return listed(rows[:PATTERNS] or _missing("label", label))

    if not service.is_limited:
        add("medgraph://schema", "schema", "Labels, relation types, section types; how many nodes there are", schema)
        add("medgraph://schema/{label}", "label", "How many of a label there are, with the relations they have", around)
        add("medgraph://queries", "queries", "Saved queries with their parameters", lambda: listed(list_saved()))
    add("medgraph://sources", "sources", "What is loaded, with licences", lambda: listed(service.sources()))
    add("medgraph://section/{id}", "section", "A whole section with its document and licence", section)
    add("medgraph://document/{id}", "document", "A document with all sections", document)


def _missing(kind: str, name: str) -> Any:
    raise ResourceError(f"there is no {kind} {name!r}")


def _translating_errors(work: Callable[..., Any], kind: type[Exception]) -> Callable[..., Any]:
    """Tell foreseen errors in one line; the signature stays what agents are told."""

    @wraps(work)
    def call(*parts: Any, **given: Any) -> Any:
        try:
            return work(*parts, **given)
        except MedgraphError as error:
            raise kind(" ".join(str(error).split())) from error

    return call


def _prompt(name: str) -> Prompt:
    """Give a prompt file; the protocol has no system role, so that its text stands first as the user's."""
    prompt = prompting.prompt(name)

    def fill(**values: str) -> list[Any]:
        roles = {"assistant": AssistantMessage}
        return [roles.get(message.role, UserMessage)(message.content) for message in prompt.fill(**values)]

    paper = "" if prompt.paper == "none" else f" ({prompt.paper})"
    arguments = [PromptArgument(name=variable, description=None, required=True) for variable in prompt.variables]
    title = f"{name.replace('_', ' ')}{paper}"
    return Prompt(name=name, title=title, description=title, arguments=arguments, fn=fill, context_kwarg=None)


PATH: Final = "/mcp"


class Bridge:
    """Runs the protocol's ASGI application on an event loop of its own, from the first request on."""

    def __init__(self, server: MCPServer[Any]) -> None:
        self._app = server.streamable_http_app(
            streamable_http_path=PATH,
            json_response=True,
            stateless_http=True,
            transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),  # the guards check it
        )
        self._starting = Lock()
        self._begun: tuple[BlockingPortal, Any] | None = None

    def answer(self, headers: list[tuple[bytes, bytes]], body: bytes) -> Response:
        """Answer one request."""
        status, given, text = self._portal().call(self._exchange, headers, body)
        kept = [(k, v) for k, v in given if k.lower() not in {b"content-length", b"connection", b"cache-control"}]
        return Response(text, status, [(k.decode("latin-1"), v.decode("latin-1")) for k, v in kept])

    def _portal(self) -> BlockingPortal:
        """Give the loop with the application begun once, by whichever thread comes first; both end with the process."""
        with self._starting:
            if self._begun is None:
                begun = start_blocking_portal(name="mcp")
                portal = begun.__enter__()
                lifespan = portal.wrap_async_context_manager(self._app.router.lifespan_context(self._app))
                lifespan.__enter__()
                self._begun = portal, (begun, lifespan)  # what nobody holds would end
            return self._begun[0]

    async def _exchange(
        self, headers: list[tuple[bytes, bytes]], body: bytes
    ) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "POST",
            "scheme": "http",
            "path": PATH,
            "raw_path": PATH.encode(),
            "root_path": "",
            "query_string": b"",
            "headers": headers,
            "client": None,
            "server": None,
        }
        sent = [{"type": "http.request", "body": body, "more_body": False}]
        status, given, parts = 500, list[tuple[bytes, bytes]](), list[bytes]()

        async def receive() -> dict[str, Any]:
            return sent.pop() if sent else {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            nonlocal status, given
            if message["type"] == "http.response.start":
                status, given = message["status"], list(message["headers"])
            else:
                parts.append(message.get("body", b""))

        await self._app(scope, receive, send)
        return status, given, b"".join(parts)


def add_to(app: Flask, make: Callable[[Service], MCPServer[Any]]) -> None:
    """Serve the protocol at `/mcp`, by a server for each part of the graph that a key is limited to."""
    bridge, agents = cache(lambda served: Bridge(make(served))), Blueprint("agents", __name__)

    @agents.post(PATH)
    def answer() -> Response:
        headers = [(k.lower().encode("latin-1"), v.encode("latin-1")) for k, v in request.headers.items()]
        return bridge(service()).answer(headers, request.get_data())

    app.register_blueprint(agents)
