"""The pages for people: the first one, answers, a section with the quoted span marked, an entity, and the routes."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

from flask import Blueprint, Response, current_app, render_template, request, url_for
from markupsafe import Markup

from ..answers.answer import NOTICE
from ..answers.conversation import carried
from ..answers.outline import numbers_of
from ..errors import MedgraphError
from ..pictures import neighbourhood, palette, svg
from ..queries.cards import property_texts
from ..schema.vocabulary import ENTITY_LABELS
from . import openapi, problems
from .answered import shown
from .registry import ROUTES
from .request import from_body
from .resources.answers import AnswerRequest, answer
from .resources.entities import EntityRequest, entity
from .resources.sections import SectionRequest, section
from .routes import service

if TYPE_CHECKING:
    from ..answers.answer import Answer
    from ..pictures.graph import Picture
    from ..queries.cards import CardRelation
    from .answered import ShownAnswer
    from .overview import Overview

pages = Blueprint("pages", __name__)


@pages.app_template_test("web")
def is_web(url: str) -> bool:
    """Tell addresses of pages from scripts and the like: a document's url is whatever its source says.

    Args:
        url: What a source says.

    Returns:
        Whether it may become a link.
    """
    return url.lower().startswith(("http://", "https://"))


@pages.app_template_filter("in_browser")
def in_browser(cypher: str) -> str:
    """Make an address that opens a statement in Neo4j Browser.

    Args:
        cypher: The statement.

    Returns:
        The address; empty where no Browser is known.
    """
    browser: str = current_app.extensions["medgraph-options"].browser
    # Browser decodes the whole address before it takes it apart, so these would cut the statement short; where they can
    # stand, in strings, Cypher reads escapes.
    for special in "%#&+?":
        cypher = cypher.replace(special, f"\\u{ord(special):04x}")
    return f"{browser}{'&' if '?' in browser else '?'}{urlencode({'cmd': 'edit', 'arg': cypher})}" if browser else ""


@pages.app_template_filter("details")
def details(row: CardRelation) -> str:
    """Say in brief what a source adds to a relation.

    Args:
        row: A relation of an entity's card.

    Returns:
        The source, its own word, evidence and the like.
    """
    return "; ".join(row.details())


@pages.get("/picture.css")
def picture_style() -> Response:
    """Give the colours of pictures."""
    return Response(palette.stylesheet(), content_type="text/css")


@pages.get("/")
def page() -> str:
    """Show the page to begin on."""
    return render_template("home.html", overview=_overview(), notice=NOTICE)


@pages.post("/")
def page_answer() -> tuple[str, int]:
    """Show the page with an answer."""
    question, previous = request.form.get("question", ""), request.form.getlist("previous")
    given, problem, status = None, None, 200
    try:
        asked = from_body({"question": question, "previous": previous}, AnswerRequest)
        given = _answered(answer(service(), asked))
    except MedgraphError as error:
        status, problem = problems.status_of(error)
    return render_template(
        "answer.html",
        question=question,
        answer=given,
        problem=problem,
        notice=NOTICE,
        before=carried(previous, None),
        so_far=carried(previous, given.given if given else None),
    ), status


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
    return render_template("entity.html", entity=card, picture=picture, properties=texts)


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
    rows = service().evidence(list(numbers_of(given))) if given.sentences else []
    return shown(given, rows, service().follow_ups(given) if given.entities else (), drawn, link)


def drawn(picture: Picture) -> Markup:
    """Draw a picture into a page.

    Args:
        picture: The picture.

    Returns:
        Its SVG.
    """
    # Whatever is written in it was escaped where it was drawn.
    return Markup(svg.draw(picture, standalone=False))  # noqa: S704


def link(label: str, name: str) -> str:
    """Give the page of a node of a picture.

    Args:
        label: Its label.
        name: Its id.

    Returns:
        The address; empty where it has no page.
    """
    if label == "Section":
        return url_for("pages.page_section", name=name)
    return url_for("pages.page_entity", name=name) if label in ENTITY_LABELS or label == "Entity" else ""
