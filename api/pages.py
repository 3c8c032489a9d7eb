"""The pages for people: one to ask on, one that shows a section with the quoted span marked, and one on the routes."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from flask import Blueprint, Response, current_app, render_template, request, url_for
from markupsafe import Markup

from ..answers.answer import NOTICE
from ..errors import MedgraphError
from ..pictures import evidence, neighbourhood, palette, svg
from ..queries.lookup import property_texts, relation_details
from ..schema.vocabulary import ENTITY_LABELS
from ..text import lines_of
from . import openapi, problems
from .routes import ask, found, service

if TYPE_CHECKING:
    from ..pictures.graph import Picture

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
def details(row: dict[str, Any]) -> str:
    """Say in brief what a source adds to a relation.

    Args:
        row: A relation of an entity's card.

    Returns:
        The source, its own word, evidence and the like.
    """
    return "; ".join(relation_details(row))


@pages.get("/picture.css")
def picture_style() -> Response:
    """Give the colours of pictures."""
    return Response(palette.stylesheet(), content_type="text/css")


@pages.get("/")
def page() -> str:
    """Show the page to ask on."""
    return render_template("ask.html", question="", answer=None, problem=None, notice=NOTICE)


@pages.post("/")
def page_answer() -> tuple[str, int]:
    """Show the page with an answer."""
    question = request.form.get("question", "")
    answer, problem, status = None, None, 200
    try:
        answer = _with_picture(_numbered(ask({"question": question})))
    except MedgraphError as error:
        status, problem = problems.status_of(error)
    return render_template("ask.html", question=question, answer=answer, problem=problem, notice=NOTICE), status


@pages.get("/sections/<id:name>")
def page_section(name: str) -> str:
    """Show a section, with the quoted span marked."""
    row = found("section", service().section(name))
    bounds = [request.args.get(key, 0, type=int) for key in ("start", "end")]
    start, end = (min(max(bound, 0), len(row["text"])) for bound in bounds)
    if end < start:
        start = end = 0
    text = row["text"]
    return render_template("section.html", section=row, before=text[:start], quote=text[start:end], after=text[end:])


@pages.get("/entities/<id:name>")
def page_entity(name: str) -> str:
    """Show what is known about an entity."""
    card = found("entity", service().entity(name))
    picture = _drawn(neighbourhood.picture_of(card, _link, sections=False))
    texts = property_texts(card["properties"])
    return render_template("entity.html", entity=card, picture=picture, properties=texts)


@pages.get("/docs")
def page_docs() -> str:
    """Show what programs can ask for."""
    return render_template("docs.html", api=openapi.document())


def _with_picture(answer: dict[str, Any]) -> dict[str, Any]:
    """Add a picture of what the answer rests on; a section that was taken out meanwhile is not in it."""
    cited = {citation["section"]: citation for citation in answer["references"]}
    rows = service().evidence(list(cited)) if cited else []
    for row in rows:
        cited[row["section"]]["collection"] = row["source"]
    numbered = {cited[row["section"]]["number"]: row for row in rows}
    return answer | {"picture": _drawn(evidence.picture_of(numbered, _link)) if rows else ""}


def _drawn(picture: Picture) -> Markup:
    # Whatever is written in it was escaped where it was drawn.
    return Markup(svg.draw(picture, standalone=False))  # noqa: S704


def _link(label: str, name: str) -> str:
    if label == "Section":
        return url_for("pages.page_section", name=name)
    return url_for("pages.page_entity", name=name) if label in ENTITY_LABELS or label == "Entity" else ""


def _numbered(answer: dict[str, Any]) -> dict[str, Any]:
    """Number the sections that an answer cites, in the order of its sentences, and set lists apart from paragraphs."""
    numbers: dict[str, int] = {}
    for sentence in answer["sentences"]:
        for citation in sentence["citations"]:
            citation["number"] = numbers.setdefault(citation["section"], len(numbers) + 1)
            sentence["text"], *sentence["items"] = lines_of(citation["quote"])
    cited = [citation for sentence in answer["sentences"] for citation in sentence["citations"]]
    first = {citation["number"]: citation for citation in reversed(cited)}
    blocks = [list(group) for _, group in itertools.groupby(answer["sentences"], lambda sentence: sentence["items"])]
    return answer | {"blocks": blocks, "references": [first[number] for number in sorted(first)]}
