"""Defines a route: method, path, request type, response type and handler."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import msgspec

JSON: Final = "application/json"
EVENTS: Final = "text/event-stream"


@dataclass(frozen=True, slots=True)
class Route:
    """A route for programs. Requests are checked, answers written and both described from these types.

    Attributes:
        method: `GET` or `POST`.
        path: Where it is, such as `/v1/sections/{id}`; `{id}` may be any text, and is a field of what the route takes.
        summary: What it does, in a few words, for people.
        answer: Called with the service and, if the route takes anything, the request; gives what `gives` says.
        gives: The type of the answer: a dataclass, or `str` where `media` is not JSON.
        takes: A subclass of `Request`: the fields of the body (`POST`), or of path and query (`GET`); None for nothing.
        problems: Statuses of problems beyond those that any route may have.
        media: The content type of the answer.
        choices: For a class that stands for several in an answer: those that it stands for.
        watched: Whether it is for what watches over the service: no key is asked for, and no limit holds.
        streams: Takes what `answer` takes, and gives a function that answers and tells what happens meanwhile; None
            where the answer cannot be had as server-sent events.
    """

    method: str
    path: str
    summary: str
    answer: Callable[..., Any]
    gives: Any
    takes: type[msgspec.Struct] | None = None
    problems: tuple[int, ...] = ()
    media: str = JSON
    choices: Mapping[type, tuple[type, ...]] = field(default_factory=dict)
    watched: bool = False
    streams: Callable[..., Any] | None = None
