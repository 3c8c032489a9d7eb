"""The server of the Model Context Protocol: tools, resources and prompts over one service."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any, Final

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ToolError
from mcp.server.mcpserver.prompts.base import AssistantMessage, Prompt, PromptArgument, UserMessage
from mcp.types import ToolAnnotations

from ...answers import prompting
from ...errors import MedgraphError
from ...queries.saved import list_saved
from ...schema.vocabulary import ENTITY_LABELS, RELATION_TYPES, SECTION_TYPES
from .tools import Tools, listed

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..service import Service

NAME: Final = "medgraph"
LIMITED: Final = ("ask", "search")
"""Tools for keys that are limited to some sources."""

TOOLS: Final = (*LIMITED, "entity", "paths", "subgraph", "facts", "query")
INSTRUCTIONS: Final = (
    "Biomedical texts and relations with sources. Use `ask` for a question: its sentences are cited and checked. "
    "Show `urgent` first. Where the status is not `answered`, say that nothing loaded answers; do not fill in from "
    "memory. Keep the citation numbers, and name sources and licences. Use `search`, `entity`, `facts`, `subgraph` and "
    "`paths` to look further. A `resource` in a result opens the whole section; `medgraph://document/{id}` a document."
)
_READS: Final = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


def make_server(service: Service, version: str, *, cypher: bool = False) -> MCPServer[Any]:
    """Make the server.

    Args:
        service: What the tools call.
        version: The version that the server tells.
        cypher: Whether agents may write statements of their own; such a statement may only read.
    """
    server: MCPServer[Any] = MCPServer(
        NAME, title="medgraph", instructions=INSTRUCTIONS, version=version, log_level="ERROR", subscriptions=False
    )
    tools = Tools(service)
    for name in LIMITED if service.is_limited else (*TOOLS, *["cypher"] * cypher):
        server.add_tool(_telling(getattr(tools, name), ToolError), name=name, annotations=_READS)
    _add_resources(server, service)
    for name in prompting.names():
        server.add_prompt(_prompt(name))
    return server


def _add_resources(server: MCPServer[Any], service: Service) -> None:
    def add(uri: str, name: str, description: str, work: Callable[..., Any]) -> None:
        told = _telling(work, ResourceError)
        server.resource(uri, name=name, description=description, mime_type="application/json")(told)

    def section(id: str) -> str:  # noqa: A002 # the name in the address
        return listed(service.section(id) or _missing("section", id))

    def document(id: str) -> str:  # noqa: A002
        return listed(service.document(id) or _missing("document", id))

    def schema() -> str:
        words = {"entities": ENTITY_LABELS, "relations": RELATION_TYPES, "sections": list(SECTION_TYPES)}
        return listed(words | {"graph": service.saved("metagraph", {})})

    if not service.is_limited:
        add("medgraph://schema", "schema", "Labels, relation types, section types, and how many of each", schema)
        add("medgraph://queries", "queries", "Saved queries with their parameters", lambda: listed(list_saved()))
    add("medgraph://sources", "sources", "What is loaded, with licences", lambda: listed(service.sources()))
    add("medgraph://section/{id}", "section", "A whole section with its document and licence", section)
    add("medgraph://document/{id}", "document", "A document with all sections", document)


def _missing(kind: str, name: str) -> Any:
    raise ResourceError(f"there is no {kind} {name!r}")


def _telling(work: Callable[..., Any], kind: type[Exception]) -> Callable[..., Any]:
    """Tell foreseen errors in one line; the signature stays what agents are told."""

    @wraps(work)
    def told(*parts: Any, **given: Any) -> Any:
        try:
            return work(*parts, **given)
        except MedgraphError as error:
            raise kind(" ".join(str(error).split())) from error

    return told


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
