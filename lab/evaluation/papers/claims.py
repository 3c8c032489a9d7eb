"""Claims judged by what stands in answers' verification, and by models fitted in folds: SciFact, HealthVer, CitInt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from medgraph.answers.scoring import RememberedVectors

from ..sets import claims
from ..statistics import Mean, Measured, number
from ..verification import FOLDS, SENTENCES, verdict_of
from .bench import Plot, Row, measured, needed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from ..sets.claims import LabelledClaim
    from .bench import Workbench

    Labels = NDArray[np.int64]

TABLE: Final = "verification"
SHIPPED: Final = "as answers are checked"
FITTED: Final = "fitted to the sentence reader's states, five folds by topic"
PRINTED: Final = {(f"scifact, {FITTED}", "weighted F1"): 0.88}
OTHER: Final = (
    "not comparable with the paper because it fine-tunes DeBERTa-large and has its own pairs without evidence"
)
_RIDGE: Final = 100.0  # set by hand on SciFact's first fold


def verification(bench: Workbench) -> Iterator[Row]:
    """Measure verdicts: F1 of each label, macro and weighted, and the confusion matrix."""
    needed("sklearn")
    encoder = bench.assembly.encoder()
    sets: dict[str, Callable[[], list[LabelledClaim]]] = {
        "scifact": lambda: claims.read_scifact(bench.file(claims.SCIFACT), encoder, bench.sample),
        "healthver": lambda: claims.read_healthver(bench.file(claims.HEALTHVER)),
        "citint": lambda: claims.read_citint(bench.file(claims.CITINT), "dev"),
    }
    for name, read in sets.items():
        pairs = bench.chosen({f"{place} {number(one.claim)}": one for place, one in enumerate(read())})
        truth = labels_of(one.label for one in pairs.values())
        judged = bench.each(f"verdicts on {name}", pairs, verdict_of)
        yield from scores(bench, TABLE, f"{name}, {SHIPPED}", truth, labels_of(judged.values()))
        states = _states(bench, name, pairs)
        if states is None:
            yield Row(TABLE, f"{name}, {FITTED}", "", note="needs what reads sentences: unset MEDGRAPH_READER")
            continue
        topics = [one.topic for one in pairs.values()]
        if len(set(topics)) >= FOLDS:
            yield from scores(bench, TABLE, f"{name}, {FITTED}", truth, _fitted(states, truth, topics))


def labels_of(labels: Iterable[str]) -> Labels:
    """Give the places of labels among `LABELS`."""
    return np.array([claims.LABELS.index(one) for one in labels])


def _states(bench: Workbench, name: str, pairs: Mapping[str, LabelledClaim]) -> NDArray[np.float64] | None:
    reader = bench.assembly.sentence_reader()
    if reader is None:
        return None
    vectors = RememberedVectors(bench.assembly.encoder, SENTENCES)
    evidence = dict(zip(pairs, claims.evidence_of(list(pairs.values()), vectors), strict=True))
    told = {one: (pairs[one].claim, evidence[one]) for one in pairs}
    states = bench.each(
        f"states on {name}", told, lambda pair: [round(float(one), 4) for one in reader.describe(pair[0], [pair[1]])[0]]
    )
    return np.array(list(states.values()))


def _fitted(states: NDArray[np.float64], truth: Labels, topics: list[str]) -> Labels:
    """Judge each fold by what was fitted to the others."""
    linear, pipeline, preprocessing, selection = (
        needed(f"sklearn.{name}") for name in ("linear_model", "pipeline", "preprocessing", "model_selection")
    )
    regression = linear.LogisticRegression(C=1 / _RIDGE, max_iter=1000, class_weight="balanced")
    model = pipeline.make_pipeline(preprocessing.StandardScaler(), regression)
    folds = selection.GroupKFold(FOLDS)
    found: Labels = selection.cross_val_predict(model, states, truth, groups=topics, cv=folds)
    return found


class _F1(Measured):
    """An F1 over claims, for the bootstrap; averaged as scikit-learn names it, `macro` or `weighted`."""

    def __init__(self, truth: Labels, given: Labels, average: str) -> None:
        self._truth, self._given, self._average = truth, given, average

    @property
    def questions(self) -> int:
        return len(self._truth)

    def drawn(self, places: NDArray[np.int64]) -> NDArray[np.float64]:
        pairs = (len(claims.LABELS) * self._truth + self._given)[places]
        counts = np.stack([np.bincount(row, minlength=len(claims.LABELS) ** 2) for row in pairs])
        table = counts.reshape(len(places), len(claims.LABELS), -1).astype(float)  # [sample, truth, given]
        both, truly = table.diagonal(axis1=1, axis2=2), table.sum(axis=2)
        scores = 2 * both / np.maximum(truly + table.sum(axis=1), 1)
        if self._average == "macro":
            macro: NDArray[np.float64] = scores.mean(axis=1)
            return macro
        weighted: NDArray[np.float64] = (scores * truly).sum(axis=1) / truly.sum(axis=1)
        return weighted


def scores(bench: Workbench, table: str, row: str, truth: Labels, given: Labels) -> Iterator[Row]:
    """Measure verdicts beside labels: F1, confusion matrix, accuracy and kappa."""
    metrics = needed("sklearn.metrics")
    for average in ("weighted", "macro"):
        printed = PRINTED.get((row, f"{average} F1"))
        note = OTHER if printed else ""
        yield measured(table, row, f"{average} F1", _F1(truth, given, average), printed=printed, note=note)
    figures = metrics.precision_recall_fscore_support(truth, given, labels=range(len(claims.LABELS)), zero_division=0)
    confusion = metrics.confusion_matrix(truth, given, labels=range(len(claims.LABELS)))
    counts = dict(zip(claims.LABELS, confusion.tolist(), strict=True))
    bench.plots.append(Plot(table, "counts", f"{row}: confusion", ("judged", "labelled"), counts))
    for place, label in enumerate(claims.LABELS):
        precision, recall, f1, count = (float(one[place]) for one in figures)
        judged = ", ".join(f"{other} {n}" for other, n in zip(claims.LABELS, counts[label], strict=True))
        note = f"precision {precision:.3f}, recall {recall:.3f}; judged {judged}"
        yield Row(table, row, f"F1 of {label}", f1, items=int(count), note=note)
    yield measured(table, row, "accuracy", Mean((truth == given).astype(float)))
    kappa = float(metrics.cohen_kappa_score(truth, given)) if len({*truth.tolist(), *given.tolist()}) > 1 else 1.0
    yield Row(table, row, "Cohen's kappa", kappa, items=len(truth))
