"""Kinds of problems, by status: each has a page that says what happened and what to do."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

FOLDER: Final = "/problems/"


@dataclass(frozen=True, slots=True)
class ProblemKind:
    """A kind of problem.

    Attributes:
        name: The last part of its page's address, which is its `type`.
        status: The HTTP status.
        happened: What happened, in general.
        remedy: What to do.
    """

    name: str
    status: int
    happened: str
    remedy: str

    @property
    def type(self) -> str:
        """Its address, as RFC 9457 has it."""
        return f"{FOLDER}{self.name}"

    @property
    def title(self) -> str:
        """The status in words."""
        return HTTPStatus(self.status).phrase


_KINDS: Final = (
    ProblemKind(
        "bad-request",
        400,
        "Something in the request cannot be used: a field is unknown, missing, of another type, too long or too large.",
        "Read `detail`, which names the field and what it takes; `/openapi.json` describes every field.",
    ),
    ProblemKind(
        "key-needed",
        401,
        "The service asks for a key, and none or a wrong one was sent.",
        "Send the key as `Authorization: Bearer KEY`, as `X-API-Key: KEY`, or as the password of basic authentication.",
    ),
    ProblemKind(
        "key-limited",
        403,
        "The key is limited to some sources or licences, and what was asked for joins what all sources say.",
        "Ask questions and search, without filters by concept or MeSH heading, and open sections and sources: they are "
        "limited to what the key may see. Or ask whoever runs the service for another key.",
    ),
    ProblemKind(
        "not-found",
        404,
        "There is no such page, or nothing of that id or name is in the graph.",
        "Look the name up with `/v1/entities` or `/v1/search`; `/v1/sources` lists what is loaded.",
    ),
    ProblemKind(
        "method-not-allowed",
        405,
        "The address takes another method.",
        "Use one of those that the header `Allow` lists.",
    ),
    ProblemKind(
        "not-set-up",
        409,
        "The service is not set up for what was asked for, such as an answer that a language model writes.",
        "Leave that field out; or ask whoever runs the service to set it up.",
    ),
    ProblemKind("too-large", 413, "The body of the request is too large.", "Send a shorter question or dialogue."),
    ProblemKind(
        "not-json",
        415,
        "The body of the request is of another type.",
        "Send JSON, with `Content-Type: application/json`.",
    ),
    ProblemKind(
        "wrong-host",
        421,
        "The service was addressed by a name that it does not answer to.",
        "Use one of the names in `detail`.",
    ),
    ProblemKind(
        "too-many-requests",
        429,
        "One client sent more requests a minute than it may.",
        "Wait as many seconds as the header `Retry-After` says, and send fewer.",
    ),
    ProblemKind(
        "headers-too-large", 431, "The address or the headers are too long.", "Send long questions by POST, as JSON."
    ),
    ProblemKind(
        "failed",
        500,
        "The service failed on this request.",
        "Tell whoever runs the service the value of the header `X-Request-ID`; its log says why.",
    ),
    ProblemKind(
        "not-ready",
        503,
        "The service is busy, has just started, or its database is away or not indexed.",
        "Try again after as many seconds as the header `Retry-After` says; `/readyz` tells when it is ready.",
    ),
)
BY_STATUS: Final = {kind.status: kind for kind in _KINDS}
BY_NAME: Final = {kind.name: kind for kind in _KINDS}
