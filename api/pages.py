"""The pages for people: the first one, answers, a section with the quoted span marked, an entity, and the routes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from flask import Blueprint, Response, copy_current_request_context, current_app, render_template, request, url_for
from markupsafe import Markup

from ..answers.answer import NOTICE
from ..answers.conversation import carried
from ..answers.pipelines.catalogue import PIPELINES
from ..errors import MedgraphError
from ..pictures import neighbourhood, palette, svg
from ..queries import relation_sentences
from ..queries.cards import property_texts
from ..queries.voices import apart
from ..schema.vocabulary import ENTITY_LABELS
from ..text import asked_plainly
from . import openapi, problems
from .answered import shown
from .registry import ROUTES
from .request import from_body
from .resources.answers import AnswerRequest, answer
from .resources.answers import streamed as told
from .resources.entities import EntityRequest, entity
from .resources.sections import SectionRequest, section
from .resources.similar import SimilarRequest, similar
from .route import EVENTS
from .routes import service, streamed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..answers.answer import Answer
    from ..pictures.graph import Picture
    from ..queries.cards import CardRelation
    from ..queries.meanings import RelationKind
    from ..queries.voices import Standing
    from .answered import ShownAnswer
    from .overview import Overview

pages = Blueprint("pages", __name__)
pages.add_app_template_filter(relation_sentences.unjoined, "unjoined")
pages.add_app_template_filter(asked_plainly, "asked")
pages.add_app_template_filter(apart, "apart")

_SINGLE: Final = ("since", "until", "pipeline")
_FILTERS: Final = ("sources", "types", "licences", "authors", "journals", "concepts", "mesh", *_SINGLE)
"""Fields of `AnswerRequest` that a question may be limited to or answered by; pages take one value of each."""


@pages.app_template_test("web")
def is_web(url: str) -> bool:
    """Tell addresses of pages from scripts and the like: a document's url is whatever its source says."""
    return url.lower().startswith(("http://", "https://"))


@pages.app_template_filter("in_browser")
def in_browser(cypher: str) -> str:
    """Make an address that opens a statement in Neo4j Browser; empty where no Browser is known."""
    browser: str = current_app.extensions["medgraph-options"].browser
    # Browser decodes the whole address before it takes it apart, so these would cut the statement short; where they can
    # stand, in strings, Cypher reads escapes.
    for special in "%#&+?":
        cypher = cypher.replace(special, f"\\u{ord(special):04x}")
    return f"{browser}{'&' if '?' in browser else '?'}{urlencode({'cmd': 'edit', 'arg': cypher})}" if browser else ""


@pages.app_template_filter("said_of")
def said_of(kind: RelationKind, label: str, standing: Standing) -> str:
    """Write what stands over relations of one kind, such as `Symptoms of it include …`; `label` is of the first."""
    told, sentence = relation_sentences.saying(kind.relation, kind.direction, label or "")
    if standing == "listed":
        return f"What one uncurated table alone lists under {told} for it"
    lead = "According to one source alone, " if standing == "single" else ""
    return relation_sentences.say(sentence, "it", ["\u2026"], lead=lead).rstrip(".")


@pages.app_template_filter("details")
def details(row: CardRelation) -> str:
    """Say in brief what a source adds to a relation."""
    return "; ".join(row.details())


@pages.get("/picture.css")
def picture_style() -> Response:
    """Give the colours of pictures."""
    return Response(palette.stylesheet(), content_type="text/css")


@pages.get("/")
def page() -> str:
    """Show the page to begin on."""
    return render_template("home.html", overview=_overview(), notice=NOTICE, streams=service().writes)


@pages.post("/")
def page_answer() -> tuple[str, int] | Response:
    """Show the page with an answer, whole, or the answer event by event and the page last."""
    choices: Mapping[str, Sequence[str]] = {}
    try:
        wanted = {name: value if name in _SINGLE else [value] for name, value in _asked().items()}
        body = {"question": request.form.get("question", ""), "previous": request.form.getlist("previous")} | wanted
        choices = service().choices()
        checked = from_body(body, AnswerRequest)
        if request.accept_mimetypes.best_match(("text/html", EVENTS)) == EVENTS:
            return streamed(told(service(), checked), copy_current_request_context(partial(_answer_page, choices)))
        return _answer_page(choices, answer(service(), checked)), 200
    except MedgraphError as error:
        status, problem = problems.status_of(error)
        return _answer_page(choices, problem=problem), status


def _asked() -> dict[str, str]:
    """Give the filters that a form was filled in with."""
    return {name: value for name in _FILTERS if (value := request.form.get(name, "").strip())}


def _answer_page(choices: Mapping[str, Sequence[str]], given: Answer | None = None, problem: str | None = None) -> str:
    """Write the page of an answer, or of what is wrong with what was asked."""
    previous = request.form.getlist("previous")
    if service().writes:
        choices = {**choices, "pipeline": tuple(PIPELINES)}
    return render_template(
        "answer.html",
        question=request.form.get("question", ""),
        answer=_answered(given) if given else None,
        problem=problem,
        asked=_asked(),
        choices=choices,
        notice=NOTICE,
        before=carried(previous, None),
        so_far=carried(previous, given),
        streams=service().writes,
    )


@pages.get("/sections/<id:name>")
def page_section(name: str) -> str:
    """Show a section, with the quoted span marked."""
    found = section(service(), SectionRequest(id=name))
    text = found.text
    start, end = (min(max(request.args.get(key, 0, type=int), 0), len(text)) for key in ("start", "end"))
    if end < start:
        start = end = 0
    return render_template("section.html", section=found, before=text[:start], quote=text[start:end], after=text[end:])


@pages.get("/entities/<id:name>")
def page_entity(name: str) -> str:
    """Show what is known about an entity."""
    card = entity(service(), EntityRequest(id=name))
    picture = drawn(neighbourhood.picture_of(card, link, sections=False))
    texts = property_texts(card.properties)
    alike, unlike = None, ""
    try:
        alike = similar(service(), SimilarRequest(id=card.id))
    except MedgraphError as error:
        _, unlike = problems.status_of(error)
    return render_template("entity.html", entity=card, picture=picture, properties=texts, similar=alike, unlike=unlike)


@pages.get("/docs")
def page_docs() -> str:
    """Show what programs can ask for."""
    return render_template("docs.html", api=openapi.document(ROUTES))


def _overview() -> Overview | None:
    """Look up what is loaded; without it there still is the page to ask on, which tells what is wrong."""
    try:
        return service().overview()
    except MedgraphError as error:
        problems.status_of(error)  # which logs it
        return None


def _answered(given: Answer) -> ShownAnswer:
    rows, named = service().evidence(given) if given.sentences else ([], [])
    return shown(given, rows, named, drawn, link)


def drawn(picture: Picture) -> Markup:
    """Draw a picture into a page."""
    # Whatever is written in it was escaped where it was drawn.
    return Markup(svg.draw(picture, standalone=False))  # noqa: S704


def link(label: str, name: str) -> str:
    """Give the address of the page of a node of a picture; empty where it has none."""
    if label == "Section":
        return url_for("pages.page_section", name=name)
    return url_for("pages.page_entity", name=name) if label in ENTITY_LABELS or label == "Entity" else ""
