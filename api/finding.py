"""The pages for people who look for something themselves: search, entities by name, paths, and what goes together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from flask import Blueprint, render_template, request

from ..errors import InputError, MedgraphError
from ..pictures.paths import picture_of
from ..pictures.subgraph import picture_of as subgraph_picture
from ..queries.find import MATCHED
from ..queries.sentences import kinds
from . import problems
from .pages import drawn, link
from .request import from_address
from .resources.entities import EntitiesRequest, entities
from .resources.paths import PathsRequest, paths
from .resources.search import SearchRequest, search
from .resources.subgraph import SubgraphRequest, subgraph
from .routes import service

if TYPE_CHECKING:
    from ..queries.subgraphs import Sentence, Subgraph

finding = Blueprint("finding", __name__)

SECTIONS: Final = 6
"""Sections that a sentence on relations links to, at most."""

FOUND: Final = 25
"""Entities that are listed for a name."""


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence on relations, as the page shows it.

    Attributes:
        sentence: The sentence.
        sections: Ids of sections that tell it.
        aside: Whether it only says what something in another sentence is a kind of.
    """

    sentence: Sentence
    sections: tuple[str, ...]
    aside: bool


@finding.get("/search")
def page_search() -> tuple[str, int]:
    """Show the page to search on, with what was found."""
    wanted = _wanted()
    results, choices, problem, status = None, None, None, 200
    try:
        choices = service().choices()
        if "q" in wanted:
            results = search(service(), from_address({}, wanted, SearchRequest))
    except MedgraphError as error:
        status, problem = problems.status_of(error)
    return render_template(
        "search.html",
        asked={name: values[0] for name, values in wanted.items()},
        choices=choices or {},
        results=results,
        problem=problem,
    ), status


@finding.get("/entities")
def page_entities() -> tuple[str, int]:
    """Show the page to look entities up on, with what was found."""
    wanted = _wanted()
    found, problem, status = None, None, 200
    try:
        if "q" in wanted:
            asked = from_address({}, wanted | {"limit": [str(FOUND)]}, EntitiesRequest)
            found = entities(service(), asked).entities
    except MedgraphError as error:
        status, problem = problems.status_of(error)
    name = wanted.get("q", [""])[0]
    return render_template("entities.html", name=name, found=found, how=MATCHED, problem=problem), status


@finding.get("/paths")
def page_paths() -> tuple[str, int]:
    """Show the page that tells how things go together, with the paths between them."""
    wanted = _wanted()
    pairs, picture, problem, status = None, None, None, 200
    try:
        if len(wanted.get("name", [])) == 1:
            raise InputError("name a second thing, too: paths lead from one to another, as from gout to uric acid")
        if "name" in wanted:
            pairs = paths(service(), from_address({}, wanted, PathsRequest)).pairs
            picture = drawn(picture_of(pairs, link)) if any(pair.paths for pair in pairs) else None
    except MedgraphError as error:
        status, problem = problems.status_of(error)
    return render_template(
        "paths.html",
        names=wanted.get("name", []),
        question=wanted.get("question", [""])[0],
        pairs=pairs,
        picture=picture,
        problem=problem,
    ), status


@finding.get("/subgraph")
def page_subgraph() -> tuple[str, int]:
    """Show the page that tells what goes with a condition, in words and as a picture."""
    wanted = _wanted()
    found, picture, problem, status = None, None, None, 200
    try:
        if "name" in wanted:
            found = subgraph(service(), from_address({}, wanted, SubgraphRequest))
            picture = drawn(subgraph_picture(found, link)) if found.relations else None
    except MedgraphError as error:
        status, problem = problems.status_of(error)
    return render_template(
        "subgraph.html",
        name=wanted.get("name", [""])[0],
        kind=wanted.get("type", [""])[0],
        kinds=list(kinds()),
        found=found,
        told=_told(found) if found else [],
        picture=picture,
        problem=problem,
    ), status


def _told(found: Subgraph) -> list[tuple[str, list[Told]]]:
    """Put sentences together by kind, each with the sections whose texts tell it."""
    several: dict[str, list[Told]] = {}
    for sentence in found.sentences:
        rows = [found.relations[place] for place in sentence.relations]
        voices = (voice for row in rows for voice in row.said if voice.method != "stated")
        sections = tuple(dict.fromkeys(section for voice in voices for section in voice.evidence))[:SECTIONS]
        aside = bool(rows) and rows[0].hops > 1
        several.setdefault(sentence.kind, []).append(Told(sentence, sections, aside))
    return list(several.items())


def _wanted() -> dict[str, list[str]]:
    """Read the address; a form sends the fields that were left empty, too."""
    given = {name: [value for value in values if value] for name, values in request.args.lists()}
    return {name: values for name, values in given.items() if values}
