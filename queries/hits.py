"""Search results, merged of several ranked lists, with the age of documents and short forms that texts explain."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ..graph import catalogue
from ..linking.words import find_abbreviations
from ..patterns import read_pairs
from ..schema.checks import Count  # noqa: TC001 # the service reads the annotations
from ..schema.vocabulary import studies_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ..graph.database import Database
    from .concepts import Fact
    from .entities import LinkerOf, Mention
    from .paths import PairPaths
    from .question import Question

RANK_OFFSET: Final = 61  # what is added to a rank from 0 before it is inverted, here as in the statements
OLD: Final = 10  # years from which on it is said that a document is older than that
_SITES: Final = read_pairs(Path(__file__).with_name("retired.tsv"))
# How the version of a source begins that is the date of its release.
_RELEASED: Final = re.compile(r"(?:19|20)\d\d(?=\d{4}\Z|\D|\Z)")
_ADDRESS: Final = re.compile(r"https?://", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Hit:
    """One result."""

    section: str | None  # the section's id; None for a question whose answer stands on the document's page only
    document: str  # the document's id
    title: str  # the document's title
    url: str  # where people read it
    source: str  # the source's id
    collection: str  # the part of the source
    type: str  # what the section is about
    question: str  # the question it answers
    text: str  # its best passage
    start: Count  # offset of the passage in the section's text
    end: Count  # offset behind it
    score: float  # what results are ranked by
    scores: dict[str, float | None] = field(default_factory=dict)  # the raw score of each branch that found it
    licence: str = ""  # the source's licence
    notices: tuple[str, ...] = ()  # what was made known of the document later, such as `expression of concern PMID:1`
    # what learned weights rank it by: how much each feature speaks for it, beside the other candidates
    why: dict[str, float] = field(default_factory=dict)
    # how likely it answers, as `likelihood` or a calibrated reranker says; None where nothing does
    probability: float | None = None
    # whether that is enough for the best of the results to answer; None where mere words are searched for
    accepted: bool | None = None
    publisher: str = ""  # the journal, the institute, the maker of a label, or else the source that the document is of
    published: str = ""  # when the document came out, an ISO date or the first parts of one; empty where nobody says so
    # of when it is, in words: `from 2011, more than ten years old`; `from 2019 or before` where only the release of its
    # source is known; empty where nobody says so
    dated: str = ""
    retired: str = ""  # what became of the site that `url` leads to, where that is retired; empty otherwise
    # how many other labels of the medicine say the same but for names, numbers of products and addresses
    also: Count = 0
    study: str = ""  # what kind of study the document is, such as `randomised trial`; empty where nobody says so


def merged(found: Sequence[Sequence[Hit]]) -> list[Hit]:
    """Merge what several searches found, by rank, so that each has its turn.

    Each section, or page without one, once; those that stand high in several first, the score being the sum of
    reciprocal ranks, and each as likely as the question that it answers best makes it.
    """
    scores: dict[str, float] = {}
    hits: dict[str, Hit] = {}
    for results in found:
        for rank, hit in enumerate(results):
            key = hit.section or f"{hit.document} {hit.question}"
            scores[key] = scores.get(key, 0.0) + 1 / (RANK_OFFSET + rank)
            hits[key] = _surer(hits.setdefault(key, hit), hit)
    return [replace(hits[key], score=scores[key]) for key in sorted(hits, key=lambda key: -scores[key])]


def _surer(hit: Hit, again: Hit) -> Hit:
    """Give a result as likely as the search says that finds it the likelier."""
    if again.probability is None or (hit.probability is not None and hit.probability >= again.probability):
        return hit
    return replace(hit, probability=again.probability, accepted=again.accepted)


def none_of_these(hits: Sequence[Hit]) -> bool | None:
    """Tell whether all results that were read are too unlikely to answer; None where none was."""
    known = [hit.accepted for hit in hits if hit.accepted is not None]
    return not any(known) if known else None


THINGS: Final = 3  # things named by a question of which facts and paths are read, at most; set by hand
FACTS: Final = 10  # facts of each of them, or between two of them, at most; set by hand
PATHS: Final = 3  # paths of each pair, at most; set by hand


class Evidence(list[Hit]):
    """The sections that a search found, best first, each with its best passage and the scores of each branch.

    What the graph knows besides is read when it is asked for, as it takes round trips of its own.
    """

    def __init__(
        self,
        hits: Iterable[Hit],
        question: Question,
        timing_ms: dict[str, float],
        database: Database,
        linker: LinkerOf,
        *,
        next: int | None = None,  # noqa: A002 # as answers of the service call it
    ) -> None:
        found = list(hits)
        documents = list(dict.fromkeys(hit.document for hit in found if not hit.publisher))
        rows = database.read(catalogue.get("document_dates"), documents=documents) if documents else ()
        dates = {row["document"]: aged(row) for row in rows}
        super().__init__(replace(hit, **dates.get(hit.document, {})) for hit in found)
        self.next = next  # `offset` of the next page; None at the end
        self.question = question
        self.timing_ms = timing_ms
        self._database = database
        self._linker = linker

    def concepts(self) -> tuple[Mention, ...]:
        """Give what the question asks about, of what it names, the longest and surest first."""
        return tuple(self.question.about)

    def facts(self) -> list[Fact]:
        """Read the surest facts between the things asked about or, where nothing is said, of each of them."""
        found = [fact for one, other in permutations(self._names, 2) for fact in self._facts(one, other)]
        return found or [fact for name in self._names for fact in self._facts(name)]

    def paths(self) -> list[PairPaths]:
        """Find how the things asked about hang together: the best paths of each pair."""
        from .paths import find_paths

        few = len(self._names) < 2
        return [] if few else find_paths(self._database, self._linker, self._names, limit=PATHS)

    def _facts(self, head: str, tail: str = "?") -> list[Fact]:
        from .concepts import ANY, find_facts

        return find_facts(self._database, self._linker(), head, ANY, tail, limit=FACTS)

    @cached_property
    def _names(self) -> list[str]:
        """The concepts of what is asked about, each once."""
        from .concepts import concept_named

        found = (concept_named(self._database, self._linker, one.entity) for one in self.question.about)
        return list(dict.fromkeys(found))[:THINGS]


def dated(published: str, version: str, today: date | None = None) -> str:
    """Say of when a document is, such as `from 2011, more than ten years old`; empty where nobody says so.

    Args:
        published: When it came out, an ISO date or the first parts of one; empty where nobody says so.
        version: The version of its source, which no document is younger than where it is a date: `from 2019 or before`.
        today: The day from which years are counted back; this one by default.
    """
    today = today or date.today()  # the reader's own day
    released = _RELEASED.match(version)
    if not published and (not released or released[0] > f"{today.year}"):
        return ""
    when = published or (released[0] if released else "")
    said = f"from {published}" if published else f"from {when} or before"
    limit = f"{today.year - OLD:04}-{today:%m-%d}"
    return f"{said}, more than ten years old" if when < limit[: len(when)] else said


def retired(url: str) -> str:
    """Say what became of the site that an address leads to; empty where that is not known to be retired."""
    address = _ADDRESS.sub("", url).lower()
    return next((remark for site, remark in _SITES if f"{address}/".startswith(f"{site}/")), "")


def aged(row: Mapping[str, Any]) -> dict[str, Any]:
    """Say of a row with `url`, `published`, `version` and `kinds` its age, where it leads and which study it is."""
    told = {"dated": dated(row["published"], row["version"]), "retired": retired(row["url"])}
    kept = {name: value for name, value in row.items() if name not in {"version", "kinds"}}
    return kept | told | {"study": studies_of(row["kinds"])}


def long_forms(text: str) -> dict[str, str]:
    """Find the short forms that a text explains, without the s of several, with the first long form of each."""
    explaining: dict[str, str] = {}
    for one in find_abbreviations(text):
        short = one.short[:-1] if one.short.endswith("s") and one.short[:-1].isupper() else one.short
        explaining.setdefault(short, " ".join(text[_begins(text, one.start) : one.end].split()))
    return explaining


def _begins(text: str, start: int) -> int:
    """Give where a word begins that a long form begins within: `proton-pump inhibitors`."""
    while start and (text[start - 1].isalnum() or text[start - 1] in "-'\u2019"):
        start -= 1
    return start
