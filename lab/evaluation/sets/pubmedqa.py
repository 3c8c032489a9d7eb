"""PubMedQA: is the abstract found that a question was made from?

A question is its article's title. The graph has neither: the loader of PubMedQA leaves out what the set asks, and calls
a document by its PMID, so that nothing but what the abstract says can find it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from medgraph.errors import InputError, SourceFileError

from ..retrieval import Case, but, measure
from ..retrieval import results as results_of
from ..statistics import number, part_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from ..retrieval import Bench, SearchResult

SOURCE: Final = "pubmedqa"


def load(path: Path, documents: Collection[str], part: str, sample: int) -> list[Case]:
    """Read questions."""
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
        questions = {f"{SOURCE}:{pmid}": entry["QUESTION"] for pmid, entry in entries.items()}
    except (OSError, ValueError, AttributeError, KeyError, TypeError) as error:
        raise SourceFileError(f"is not PubMedQA's file of questions: {error!r}", path) from error
    known = sorted((one for one in questions.keys() & set(documents) if part_of(one) == part), key=number)
    if not known:
        raise InputError(f"the graph has no abstract of PubMedQA's half {part}; run: medgraph load pubmedqa {path}")
    return [Case(one, str(questions[one]), frozenset({one}), kind="document") for one in known[:sample]]


def results(bench: Bench, path: Path) -> Iterator[SearchResult]:
    """Measure every way, but those that abstracts have nothing for."""
    documents = {place.document for place in bench.floor.places.values()}
    cases = load(path, documents, bench.part, bench.sample)
    rows = measure(bench, "PubMedQA", cases, but("questions", "messages"), "mrr")
    kept = {way: {name: values[name] for name in ("mrr", "recall@10")} for way, values in rows.items()}
    yield from results_of("pubmedqa", "title", kept, "mrr")
