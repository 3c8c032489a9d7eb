"""Errors as RFC 9457 problem details: what happened, and whether trying again helps."""

from __future__ import annotations

import logging
import re
from dataclasses import asdict, dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Final, Self

from flask import Flask, Response, abort, jsonify, make_response, render_template, request
from werkzeug.exceptions import HTTPException

from ..errors import (
    AuthenticationError,
    DatabaseUnavailableError,
    DownloadError,
    EncoderError,
    IndexNotReadyError,
    InputError,
    MedgraphError,
    NoSpaceError,
    NotInGraphError,
    QueryTimeoutError,
    SchemaError,
    SettingsError,
)
from ..files import table_cells

NOT_READY: Final = (
    DatabaseUnavailableError,
    AuthenticationError,
    DownloadError,
    NoSpaceError,
    IndexNotReadyError,
    SchemaError,
    EncoderError,
)
RETRY_AFTER: Final = 5
PROBLEM_TYPE: Final = "application/problem+json"

_COMMAND: Final = re.compile(r"\bmedgraph [a-z]|\bpip install|\bMEDGRAPH_[A-Z]|\B--[a-z]")
# What only who runs the service can do about an error.
_RUN: Final = re.compile(r",? and run:? .*|,? run:? .*")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Problem:
    """What went wrong, as RFC 9457 has it."""

    # what kind of problem: the address of a page that says what to do; `about:blank` where the status says all
    type: str
    title: str  # the status in words
    status: int  # the HTTP status
    detail: str  # what happened and what helps, for people

    @classmethod
    def of(cls, status: int, detail: str) -> Self:
        """Describe a problem that its status names."""
        kind = BY_STATUS.get(status)
        return cls(kind.type if kind else "about:blank", HTTPStatus(status).phrase, status, detail)


class BusyError(MedgraphError):
    """As many questions as the service takes at once are being worked on."""


class TakenError(MedgraphError):
    """Another curator's work is under way, and only one can be."""


class LimitedKeyError(MedgraphError):
    """The key may not ask for this, since what it would be told cannot be limited to its sources and licences."""

    def __init__(self) -> None:
        super().__init__(
            "this key is limited to some sources or licences, and what is asked for here joins what all sources say; "
            "ask questions and search, without concepts and MeSH headings, and open sections, documents and sources"
        )


def problem(status: int, detail: str, headers: dict[str, str] | None = None) -> Response:
    """Make an answer that says what went wrong, as problem details, and as a page where people look at pages."""
    found = Problem.of(status, detail)
    # A program that names no type is given JSON, and a browser a page.
    asked = request.accept_mimetypes.best_match(("application/json", "text/html")) == "text/html"
    if (asked or request.blueprint not in {None, "medgraph"}) and status != HTTPStatus.UNAUTHORIZED:
        response = make_response(render_template("error.html", problem=found))
    else:
        response = jsonify(asdict(found))
        response.content_type = PROBLEM_TYPE
    response.status_code = status
    response.headers.update(headers or {})
    return response


def status_of(error: MedgraphError) -> tuple[int, str]:
    """Choose the status and the detail for an error, and log what is not the client's fault."""
    status, detail = _status_and_detail(error)
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        _log.warning("%s: %s", type(error).__name__, error)
    return status, detail


def _status_and_detail(error: MedgraphError) -> tuple[int, str]:
    if isinstance(error, QueryTimeoutError):
        return 503, "the database took too long over this; try again later, or ask less of it"
    if isinstance(error, NOT_READY):
        return 503, f"not ready: {_for_callers(error)}"
    if isinstance(error, SettingsError):
        return 409, f"this service is not set up for that: {_for_callers(error)}"
    known = {NotInGraphError: 404, InputError: 400, BusyError: 503, LimitedKeyError: 403, TakenError: 409}
    if status := next((status for kind, status in known.items() if isinstance(error, kind)), 0):
        return status, _for_callers(error)
    return 500, "the service failed on this request; its log says why"


def _for_callers(error: MedgraphError) -> str:
    """Leave out of a message the commands and settings that help only who runs the service."""
    first, *others = " ".join(str(error).split()).split("; ")
    return "; ".join([_RUN.sub("", first), *(part for part in others if not _COMMAND.search(part))])


def register(app: Flask) -> None:
    """Turn whatever is raised into problem details, and serve a page for each kind of problem."""

    @app.get(f"{FOLDER}<name>")
    def about_problem(name: str) -> str:
        if (kind := BY_NAME.get(name)) is None:
            abort(404)
        return render_template("problem.html", kind=kind)

    @app.after_request
    def _come_back(response: Response) -> Response:
        if response.status_code == HTTPStatus.SERVICE_UNAVAILABLE:
            response.headers["Retry-After"] = str(RETRY_AFTER)
        return response

    @app.errorhandler(MedgraphError)
    def _ours(error: MedgraphError) -> Response:
        return problem(*status_of(error))

    @app.errorhandler(HTTPException)
    def _theirs(error: HTTPException) -> Response:
        headers = {name: value for name, value in error.get_headers() if name == "Allow"}
        return problem(error.code or 500, " ".join((error.description or error.name).split()), headers)

    @app.errorhandler(Exception)
    def _unforeseen(error: Exception) -> Response:
        _log.error("unforeseen", exc_info=error)
        return problem(500, "the service failed on this request; its log says why")


FOLDER: Final = "/problems/"


@dataclass(frozen=True, slots=True)
class ProblemKind:
    """A kind of problem: its status, the name of its page, what happened in general, and what to do."""

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


_TABLE: Final = table_cells(Path(__file__).with_name("problems.tsv"), 4, "NAME, STATUS, what happened and what to do")
_KINDS: Final = [ProblemKind(name, int(status), what, remedy) for _, (name, status, what, remedy) in _TABLE]
BY_STATUS: Final = {kind.status: kind for kind in _KINDS}
BY_NAME: Final = {kind.name: kind for kind in _KINDS}
