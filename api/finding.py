"""The pages for people who look for something themselves: search, entities by name, paths, and what goes together."""

from __future__ import annotations

from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, Final

from flask import Blueprint, render_template, request

from ..errors import InputError, MedgraphError
from ..pictures.relations import picture_of_paths, picture_of_subgraph
from ..queries.find import MATCHED
from ..queries.relation_sentences import kinds
from . import problems
from .figures import drawn, link
from .request import from_address
from .resources.entities import EntitiesRequest, entities
from .resources.paths import PathsRequest, paths
from .resources.search import SearchRequest, search
from .resources.subgraph import SubgraphRequest, subgraph
from .routes import service

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..queries.subgraphs import Subgraph, SubgraphSentence

finding = Blueprint("finding", __name__)

Wanted = dict[str, list[str]]
"""Parameters of the address that are filled in."""

SECTIONS: Final = 6
"""Sections that a sentence on relations links to, at most."""

FOUND: Final = 25
"""Entities that are listed for a name at once."""


@dataclass(frozen=True, slots=True)
class ShownSentence:
    """A sentence on relations, as the page shows it.

    Attributes:
        sentence: The sentence.
        sections: Ids of sections that tell it.
        aside: Whether it only says what something in another sentence is a kind of.
    """

    sentence: SubgraphSentence
    sections: tuple[str, ...]
    aside: bool


def _shows(template: str) -> Callable[[Callable[[Wanted, dict[str, Any]], None]], Callable[[], tuple[str, int]]]:
    """Make a page of a function that fills in what a template shows; where it raises, the page tells the problem."""

    def page_of(look: Callable[[Wanted, dict[str, Any]], None]) -> Callable[[], tuple[str, int]]:
        @wraps(look)
        def page() -> tuple[str, int]:
            shown: dict[str, Any] = {"problem": None}
            status = 200
            try:
                look(_wanted(), shown)
            except MedgraphError as error:
                status, shown["problem"] = problems.status_of(error)
            return render_template(template, **shown), status

        return page

    return page_of


@finding.get("/search")
@_shows("search.html")
def page_search(wanted: Wanted, shown: dict[str, Any]) -> None:
    """Show the page to search on, with what was found."""
    shown.update(asked={name: values[0] for name, values in wanted.items()}, choices={})
    shown["choices"] = service().choices()
    if "q" in wanted:
        shown["results"] = search(service(), from_address({}, wanted, SearchRequest))


@finding.get("/entities")
@_shows("entities.html")
def page_entities(wanted: Wanted, shown: dict[str, Any]) -> None:
    """Show the page to look entities up on, with what was found."""
    shown.update(name=wanted.get("q", [""])[0], how=MATCHED, found=None, size=FOUND)
    if "q" in wanted:
        shown["asked"] = asked = from_address({}, wanted | {"limit": [str(FOUND)]}, EntitiesRequest)
        shown["found"] = entities(service(), asked)


@finding.get("/paths")
@_shows("paths.html")
def page_paths(wanted: Wanted, shown: dict[str, Any]) -> None:
    """Show the page that tells how things go together, with the paths between them."""
    shown.update(names=wanted.get("name", []), question=wanted.get("question", [""])[0])
    if len(shown["names"]) == 1:
        raise InputError("name a second thing, too: paths lead from one to another, as from gout to uric acid")
    if shown["names"]:
        shown["pairs"] = pairs = paths(service(), from_address({}, wanted, PathsRequest)).pairs
        shown["picture"] = drawn(picture_of_paths(pairs, link)) if any(pair.paths for pair in pairs) else None


@finding.get("/subgraph")
@_shows("subgraph.html")
def page_subgraph(wanted: Wanted, shown: dict[str, Any]) -> None:
    """Show the page that tells what goes with a condition, in words and as a picture."""
    shown.update(name=wanted.get("name", [""])[0], kind=wanted.get("type", [""])[0], kinds=list(kinds()))
    if shown["name"]:
        shown["found"] = found = subgraph(service(), from_address({}, wanted, SubgraphRequest))
        shown["told"] = _told(found)
        shown["picture"] = drawn(picture_of_subgraph(found, link)) if found.relations else None


def _told(found: Subgraph) -> list[tuple[str, list[ShownSentence]]]:
    """Put sentences together by kind, each with the sections whose texts tell it."""
    several: dict[str, list[ShownSentence]] = {}
    for sentence in found.sentences:
        rows = [found.relations[place] for place in sentence.relations]
        voices = (voice for row in rows for voice in row.said if voice.method != "stated")
        sections = tuple(dict.fromkeys(section for voice in voices for section in voice.evidence))[:SECTIONS]
        aside = bool(rows) and rows[0].hops > 1
        several.setdefault(sentence.kind, []).append(ShownSentence(sentence, sections, aside))
    return list(several.items())


def _wanted() -> Wanted:
    """Read the address; a form sends the fields that were left empty, too."""
    given = {name: [value for value in values if value] for name, values in request.args.lists()}
    return {name: values for name, values in given.items() if values}
