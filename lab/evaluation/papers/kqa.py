"""K-QA: must-have statements entailed and statements contradicted, by what checks answers (Manes et al., 2024)."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from medgraph.answers.answerer import EXTRACTIVE, GENERATED

from ..halves import number
from ..sets import claims
from ..verification import verdict_of
from .bench import NO_MODEL, Row, measured, missing, needed
from .claims import SHIPPED, labels_of, scores
from .written import QUESTIONS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from medgraph.answers.assembly import Assembly

    from .bench import Workbench

AGREEMENT: Final = "K-QA: agreement with physicians"
STATEMENTS: Final = "K-QA: statements"
PHYSICIANS: Final = "physicians' own answers"
_MUST, _NICE = "Must_have", "Nice_to_have"


def rows(bench: Workbench) -> Iterator[Row]:
    """Measure how what checks answers agrees with physicians, and what it says of answers to K-QA's questions."""
    yield from _agreement(bench)
    yield from _statements(bench)


def _agreement(bench: Workbench) -> Iterator[Row]:
    """Compare verdicts on models' answers with what most physicians say."""
    judged = claims.read_kqa(bench.file(claims.KQA))
    pairs = bench.chosen({f"{place} {number(one.claim)}": one for place, one in enumerate(judged)})
    ours = bench.each("verdicts on kqa", pairs, verdict_of)
    truth = {name: one.label for name, one in pairs.items()}
    yield from scores(bench, AGREEMENT, SHIPPED, labels_of(truth.values()), labels_of(ours.values()))
    must = [name for name, one in pairs.items() if one.kind == _MUST]
    for way, given in (("physicians' majority", truth), (SHIPPED, ours)):
        entailed = [given[name] == claims.SUPPORTS for name in must]
        yield measured(AGREEMENT, f"models' answers, {way}", "must-have statements entailed", entailed)
        contradicted = [label == claims.REFUTES for label in given.values()]
        yield measured(AGREEMENT, f"models' answers, {way}", "statements contradicted", contradicted)
    kappa = needed("sklearn.metrics").cohen_kappa_score
    for first, second in combinations(range(3), 2):
        both = [one.votes for one in pairs.values() if len(one.votes) > second]
        if both:
            value = float(kappa([one[first] for one in both], [one[second] for one in both]))
            row = f"physicians {first + 1} and {second + 1}"
            yield Row(AGREEMENT, row, "Cohen's kappa", float(np.nan_to_num(value, nan=1.0)), items=len(both))


def _statements(bench: Workbench) -> Iterator[Row]:
    """Tell which statements our answers entail and contradict; physicians' own answers show what the check misses."""
    asked = {row["Question"]: row for row in bench.lines(QUESTIONS, "Question", "Free_form_answer", _MUST, _NICE)}
    chosen = {name: row["Free_form_answer"] for name, row in bench.chosen(asked).items()}
    questions = {name: name for name in chosen}
    written = {
        EXTRACTIVE: bench.each("kqa answers: extractive", questions, lambda one: _text(bench.quoting, EXTRACTIVE, one))
    }
    if bench.load_model:
        table = f"kqa answers by {bench.model_name}: {GENERATED}"
        written[GENERATED] = bench.each(table, questions, lambda one: _text(bench.writing, GENERATED, one))
    written[PHYSICIANS] = chosen
    for way, texts in written.items():
        model = bench.model_name if way == GENERATED else NO_MODEL
        told = {name: (text, asked[name]) for name, text in texts.items()}
        judged = bench.each(f"kqa statements by {model}: {way}", told, lambda pair: _judged(*pair))
        yield measured(STATEMENTS, way, "answered", [bool(text) for text in texts.values()], model=model)
        must = [_share(one[_MUST], claims.SUPPORTS) for one in judged.values() if one[_MUST]]
        yield measured(STATEMENTS, way, "must-have statements entailed", must, model=model)
        against = [one[_MUST].count(claims.REFUTES) + one[_NICE].count(claims.REFUTES) for one in judged.values()]
        yield measured(STATEMENTS, way, "statements contradicted, an answer", against, model=model)
    if bench.load_model is None:
        yield missing(STATEMENTS, GENERATED)


def _text(assembly: Assembly, way: str, question: str) -> str:
    return " ".join(one.text for one in assembly.answerer.ask(question, composer=way).sentences)


def _judged(text: str, row: Mapping[str, Any]) -> dict[str, list[str]]:
    passage, found = claims.sentences_of(text), defaultdict(list)
    for kind in (_MUST, _NICE):
        found[kind] = [verdict_of(claims.LabelledClaim(str(one), passage, "", "")) for one in row[kind]]
    return found


def _share(labels: Sequence[str], label: str) -> float:
    return labels.count(label) / len(labels)
