"""The page of an answer: its address holds the question, and it comes as it is written where a language model writes.

The page is one document either way. What is written first, as it comes, stands before the answer and is hidden by the
style sheet once that is there; so nothing of it needs a script.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from flask import Blueprint, Response, redirect, render_template, request, stream_template, url_for

from ..answers.conversation import carried
from ..answers.dialogue import MOST_PREVIOUS
from ..answers.pipelines.catalogue import PIPELINES
from ..errors import MedgraphError
from . import problems
from .answered import shown
from .request import from_body
from .resources.answers import AnswerRequest, answer
from .resources.answers import streamed as told
from .routes import service
from .streaming import DONE, closing, events_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from werkzeug import Response as Redirect

    from ..answers.answer import Answer
    from .service import Service
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
    page = {"question": question, "before": carried(previous, None), "asked": asked, "choices": {}}
    try:
        served = service()
        page |= {"choices": _choices(served), "notice": served.notice}
        wanted = {name: value if name in _SINGLE else [value] for name, value in asked.items()}
        checked = from_body({"question": question, "previous": previous} | wanted, AnswerRequest)
        if served.writes:
            return _written(served, checked, previous, page)
        done = _done(served, previous, answer(served, checked))
        return render_template("ask.html", draft=(), done=done, **page), 200
    except MedgraphError as error:
        status, problem = problems.status_of(error)
        return render_template("ask.html", draft=(), done={"problem": problem}, **page), status


def _asked() -> tuple[str, list[str], dict[str, Any]]:
    """Give the question, those before it, and the filters that are filled in."""
    sent = request.form if request.method == "POST" else request.args
    filters = {name: value for name in _FILTERS if (value := sent.get(name, "").strip())}
    previous = sent.getlist("previous")[: MOST_PREVIOUS + 1]  # one too many is told
    return sent.get("q", "").strip(), previous, filters


def _choices(served: Service) -> Mapping[str, Sequence[str]]:
    choices = served.choices()
    return {**choices, "pipeline": tuple(PIPELINES)} if served.writes else choices


def _written(served: Service, checked: AnswerRequest, previous: Sequence[str], page: Mapping[str, Any]) -> Response:
    """Send the page as the answer is written; the head waits for what happens first, so that a problem has a status."""
    events = events_of(told(served, checked))
    first, done = next(events), dict[str, Any]()
    draft = _draft(first, events, done, lambda given: _done(served, previous, given))
    sent = stream_template("ask.html", draft=draft, done=done, **page)
    headers = {"X-Accel-Buffering": "no"}
    return closing(Response(sent, content_type="text/html; charset=utf-8", headers=headers), events)


def _draft(
    first: Event, events: Iterator[Event], done: dict[str, Any], whole: Callable[[Answer], dict[str, Any]]
) -> Iterator[Event]:
    """Give what is shown while the answer is written; then fill in what the page shows last."""
    yield first
    try:
        for name, value in events:
            if name == DONE:
                done.update(whole(value))
            elif name == "error":
                done["problem"] = value.detail
            else:
                yield name, value
    except MedgraphError as error:  # of looking up what it cites
        _, done["problem"] = problems.status_of(error)


def _done(served: Service, previous: Sequence[str], given: Answer) -> dict[str, Any]:
    rows, named = served.evidence(given) if given.sentences else ([], [])
    return {"answer": shown(given, rows, named), "so_far": carried(previous, given)}
