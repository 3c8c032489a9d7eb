"""Questions with what answers them, searched for in the whole graph in every way, beside the floor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, Protocol

from ..graph import catalogue
from ..progress import progress
from . import ways
from .blend import FLOOR, WEIGHTS, blend_of, chosen
from .retrieval import DEPTH, measures

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from ..embeddings.encoders.encoder import TextEncoder
    from ..graph.database import Database
    from ..queries.retriever import Retriever
    from .ways import Way

_PAGE: Final = 2000


class Result(Protocol):
    """A result of a search, or of the floor."""

    @property
    def section(self) -> str | None:
        """The section's id, if it has one."""

    @property
    def document(self) -> str:
        """The document's id."""

    @property
    def collection(self) -> str:
        """The part of the source."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a section is."""

    section: str
    document: str
    collection: str


@dataclass(frozen=True, slots=True)
class Case:
    """A question with what answers it."""

    id: str
    text: str
    relevant: frozenset[str]
    kind: Literal["section", "document"] = "section"
    but: str = ""

    def ranking(self, results: Iterable[Result]) -> list[str]:
        """Give what counts of results."""
        counting = (one for one in results if not self.but or one.collection != self.but)
        return list(dict.fromkeys(name for one in counting if (name := getattr(one, self.kind))))


class Floor:
    """The blend of BM25 and vectors over a whole graph."""

    def __init__(self, database: Database, encoder: TextEncoder) -> None:
        texts, self.places = {}, {}
        for page in database.pages(catalogue.get("section_places"), _PAGE):
            for row in page:
                self.places[row["id"]] = Place(row["id"], row["document"], row["collection"])
                texts[row["id"]] = "\n".join((row["title"], row["heading"], row["question"], row["text"]))
        self._blend = blend_of(database, texts, encoder)

    @property
    def documents(self) -> set[str]:
        """The graph's documents that have sections."""
        return {place.document for place in self.places.values()}

    def results(self, text: str, depth: int) -> dict[float, list[Place]]:
        """Search.

        Returns:
            Weight of BM25 → results, best first.
        """
        branches = self._blend.branches(text)
        return {
            weight: [self.places[name] for name in self._blend.ranked(branches, weight, depth)] for weight in WEIGHTS
        }


def measure(
    name: str, cases: Sequence[Case], retriever: Retriever, floor: Floor, searched: Sequence[Way], main: str
) -> dict[str, dict[str, NDArray[np.float64]]]:
    """Measure ways of searching, and the floor, question by question.

    Returns:
        Way → measure of `retrieval.MEASURES` → (questions,), the floor first.
    """
    relevant = {case.id: case.relevant for case in cases}
    found: dict[str, dict[str, list[str]]] = {way.name: {} for way in searched}
    tried: dict[float, dict[str, list[str]]] = {weight: {} for weight in WEIGHTS}
    with progress(name, "question", len(cases)) as bar:
        for case in cases:
            asked = ways.asked(retriever, case.text)
            for way in searched:
                found[way.name][case.id] = case.ranking(way.search(retriever, asked, DEPTH))
            for weight, results in floor.results(case.text, DEPTH).items():
                tried[weight][case.id] = case.ranking(results)
            bar.update(1)
    best = _best(tried, relevant, main)
    return {way: measures(rankings, relevant) for way, rankings in ({FLOOR: best} | found).items()}


def _best(
    tried: Mapping[float, Mapping[str, Sequence[str]]], relevant: Mapping[str, frozenset[str]], main: str
) -> dict[str, Sequence[str]]:
    gains = {weight: measures(rankings, relevant)[main].tolist() for weight, rankings in tried.items()}
    lists = {weight: [rankings[name] for name in relevant] for weight, rankings in tried.items()}
    return dict(zip(relevant, chosen(lists, gains, list(relevant)), strict=True))
