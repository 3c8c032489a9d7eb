"""Joint reasoning over a graph and a vector store: its ablations beside answers of MedQuAD's own and of physicians."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Final

from medgraph.answers.answerer import EXTRACTIVE
from medgraph.embeddings.kge import vectors as store
from medgraph.errors import InputError, NotInGraphError
from medgraph.graph import catalogue

from ..sets.grades import rows_of
from ..statistics import number
from . import written
from .bench import NEEDS_MODEL, Row, measured, missing
from .written import ReferenceQuestion, answers, by_chance, compared, physicians, scored

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .bench import Workbench
    from .written import Answers

MEDQUAD: Final = "MedQuAD, chronic diseases"
KQA: Final = "K-QA"
LEARNED: Final = "learned relations"
# The pipeline; without joint reasoning; without the vector store; the graph alone; candidates of one length.
WAYS: Final = ("joint", "joint/joint", "joint/search", "joint:graph=alone", "joint:one_length=true", EXTRACTIVE)
# Ways that a language model writes the same candidates for: five requests a question in all.
SHARED: Final = ("joint", "joint/joint", "joint:one_length=true")
CHRONIC: Final = Path(__file__).parent.parent / "chronic.tsv"
KINDS: Final = ("information", "symptoms", "causes", "exams and tests", "treatment")
EACH: Final = 15  # questions of a kind, as the paper has 75 in all
MEASURES: Final = (written.ROUGE, written.BERT, written.STS, written.FLESCH, written.CONTRADICTS)
LACKING: Final = {
    "another encoder": "needs an index of it: set MEDGRAPH_ENCODER, and MEDGRAPH_HOME for a graph of its own",
    "the paper's figures": "not comparable because its questions of MedQuAD, its model and its graph are its own",
}
TESTED: Final = (written.ROUGE, written.BERT, written.STS)


def rows(bench: Workbench) -> Iterator[Row]:
    """Measure what public data allows."""
    asked = physicians(bench)
    try:
        yield from _chronic(bench)
    except InputError as error:
        yield missing(MEDQUAD, "all", str(error))
    found: Answers = {**answers(bench, KQA, asked, WAYS), written.OTHER: by_chance(asked)}
    yield from compared(bench, KQA, found, scored(bench, KQA, found), MEASURES, TESTED)
    yield missing(KQA, "written", f"five requests a question more; {MEDQUAD} has the row")
    yield from _learned(bench)


def _chronic(bench: Workbench) -> Iterator[Row]:
    asked = chronic(bench)
    found = {**answers(bench, MEDQUAD, asked, WAYS), written.OTHER: by_chance(asked)}
    if bench.load_model:
        found |= answers(bench, MEDQUAD, asked, SHARED, written=True)
    scores = scored(bench, MEDQUAD, found)
    yield from compared(bench, MEDQUAD, found, scores, MEASURES, TESTED)
    if not bench.load_model:
        yield missing(MEDQUAD, "written", NEEDS_MODEL)
    for row, why in LACKING.items():
        yield missing(MEDQUAD, row, why)
    for way, kind in product((WAYS[0], EXTRACTIVE), KINDS):
        if values := [one[written.ROUGE] for name, one in scores[way].items() if asked[name].kind == kind]:
            yield measured(f"{MEDQUAD}, by what is asked", f"{way}: {kind}", written.ROUGE, values)


def chronic(bench: Workbench) -> dict[str, ReferenceQuestion]:
    """Choose MedQuAD's questions of each kind on chronic diseases that a page of another collection answers as well."""
    names = {row["name"] for row in rows_of(CHRONIC, ("name",))}
    asked = bench.assembly.database.read(catalogue.get("cross_source_questions"), source="medquad")
    mine = {row["id"]: row["type"] for row in asked if row["name"].lower() in names}
    chosen = [name for kind in KINDS for name in sorted((one for one in mine if mine[one] == kind), key=number)[:EACH]]
    texts = {one.section: one for one in bench.assembly.retriever.texts(chosen)}
    if not texts:
        raise NotInGraphError("the graph has no such question of MedQuAD; run: medgraph load medquad PATH")
    return bench.chosen(
        {name: ReferenceQuestion(one.question, one.text, one.type, (one.document,)) for name, one in texts.items()}
    )


def _learned(bench: Workbench) -> Iterator[Row]:
    try:
        card = store.stored(bench.assembly.database).card
    except NotInGraphError:
        card = {}
    for model in ("TransE", "ConvE", "ComplEx"):
        if card.get("model") != model:
            yield missing(
                LEARNED, model, f"run: medgraph index kge --model {model} (85/5/10); see docs/experiments/kge.md"
            )
            continue
        yield from (
            Row(LEARNED, model, name, card["judged"][name], items=card["data"]["judged by"])
            for name in ("mrr", "hits@1", "hits@10")
        )
