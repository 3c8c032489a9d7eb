"""The page of an answer: its address holds the question, and it comes as it is written where a language model writes.

The page is one document either way. What is written first, as it comes, stands before the answer and is hidden by the
style sheet once that is there; so nothing of it needs a script.
"""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any, Final

from flask import Blueprint, Response, redirect, render_template, request, stream_template, url_for

from ..answers.answer import NOTICE
from ..answers.conversation import carried
from ..answers.pipelines.catalogue import PIPELINES
from ..errors import MedgraphError
from . import problems
from .answered import shown
from .figures import drawn, link
from .request import from_body
from .resources.answers import AnswerRequest, answer
from .resources.answers import streamed as told
from .routes import service
from .streaming import DONE, events_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from werkzeug import Response as Redirect

    from ..answers.answer import Answer
    from .answered import ShownAnswer
    from .streaming import Event

asking = Blueprint("asking", __name__)

LONGEST: Final = 2000
"""Characters of an address that all browsers, proxies and messengers pass on whole; what is longer is answered where it
was sent."""

_SINGLE: Final = ("since", "until", "pipeline")
_FILTERS: Final = ("sources", "types", "licences", "authors", "journals", "concepts", "mesh", *_SINGLE)
"""Fields of `AnswerRequest` that a question may be limited to or answered by; pages take one value of each."""


@asking.route("/ask", methods=("GET", "POST"))
def page_ask() -> tuple[str, int] | Response | Redirect:
    """Show an answer; a form that is sent is answered at the answer's address."""
    question, previous, asked = _asked()
    address = url_for("asking.page_ask", q=question, previous=previous, **asked)
    if request.method == "POST" and len(address) <= LONGEST:
        return redirect(address, 303)
    if "q" not in request.values:
        return redirect(url_for("pages.page"))
    page = {"question": question, "before": carried(previous, None), "asked": asked, "choices": {}, "notice": NOTICE}
    try:
        page["choices"] = _choices()
        wanted = {name: value if name in _SINGLE else [value] for name, value in asked.items()}
        checked = from_body({"question": question, "previous": previous} | wanted, AnswerRequest)
        if service().writes:
            return _written(checked, previous, page)
        return render_template("ask.html", draft=(), done=_done(previous, answer(service(), checked)), **page), 200
    except MedgraphError as error:
        status, problem = problems.status_of(error)
        return render_template("ask.html", draft=(), done={"problem": problem}, **page), status


def _asked() -> tuple[str, list[str], dict[str, Any]]:
    """Give the question, those before it, and the filters that are filled in."""
    sent = request.form if request.method == "POST" else request.args
    filters = {name: value for name in _FILTERS if (value := sent.get(name, "").strip())}
    return sent.get("q", "").strip(), sent.getlist("previous"), filters


def _choices() -> Mapping[str, Sequence[str]]:
    choices = service().choices()
    return {**choices, "pipeline": tuple(PIPELINES)} if service().writes else choices


def _written(checked: AnswerRequest, previous: Sequence[str], page: Mapping[str, Any]) -> Response:
    """Send the page as the answer is written; the head waits for what happens first, so that a problem has a status."""
    events = events_of(told(service(), checked))
    first, done = next(events), dict[str, Any]()
    stream = stream_template("ask.html", draft=_draft(first, events, previous, done), done=done, **page)

    def sent() -> Iterator[str]:
        with closing(events):
            yield from stream

    return Response(sent(), content_type="text/html; charset=utf-8", headers={"X-Accel-Buffering": "no"})


def _draft(first: Event, events: Iterator[Event], previous: Sequence[str], done: dict[str, Any]) -> Iterator[Event]:
    """Give what is shown while the answer is written; then fill in what the page shows last."""
    yield first
    for name, value in events:
        if name == DONE:
            done.update(_done(previous, value))
        elif name == "error":
            done["problem"] = value.detail
        else:
            yield name, value


def _done(previous: Sequence[str], given: Answer) -> dict[str, Any]:
    rows, named = service().evidence(given) if given.sentences else ([], [])
    answered: ShownAnswer = shown(given, rows, named, drawn, link)
    return {"answer": answered, "so_far": carried(previous, given)}
