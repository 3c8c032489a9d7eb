"""imapScore: how well metrics of medical answers agree with people (Wang et al., Findings of ACL 2024)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from medgraph.answers.pipelines.papers import rouge_l
from medgraph.errors import InputError, SourceFileError

from ..statistics import Measured, number
from . import imaps
from .bench import NO_MODEL, Plot, Row, measured, missing, needed
from .imaps import Judged
from .text_metrics import Rarity, bert_score, beyond, matched, matched_phrases, new_words, phrases, plain_sentences

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from medgraph.linking.linker import Linker

    from .bench import Workbench

    Floats = NDArray[np.float64]

FOLDER: Final = "imapscore"
_HUMAN: Final = {"ACC": "Average_accuracy_score", "CMP": "Average_completeness_score", "SPC": "Average_specific_scores"}
_NEEDED: Final = ("Question", "Doctor_Response", *_HUMAN.values())
_PREDICTION: Final = "_prediction"

IMAP: Final = "imap score"
PARTS: Final = (IMAP, "new words", "beyond the question: recall", "beyond the question: precision", "phrases")
EQUAL: Final = "five parts, equal weights"
FITTED: Final = "five parts, ridge regression, ten folds"
PRINTED: Final = {("iCliniq-ChatGPT", metric, "Spearman ACC"): 0.56 for metric in (IMAP, imaps.BY_MODEL)}
NOTES: Final = {
    imaps.BY_MODEL: "not comparable with the paper because it measures all 200 answers, and by GPT-4",
    IMAP: "not comparable with the paper because GPT-4 makes its maps",
    EQUAL: "its parts were chosen on iCliniq-ChatGPT, so that it is optimistic there; no weight is fitted",
    FITTED: "its parts were chosen on iCliniq-ChatGPT; weights are of other folds",
}
_RIDGE: Final = 500.0
_FOLDS: Final = 10
_FEWEST: Final = _FOLDS + 1
_SEEDS: Final = 5  # ways to cut the folds; the mean of what each predicts counts
_BUCKETS: Final = 3
_ENGLISH: Final = 0.9


def rows(bench: Workbench) -> Iterator[Row]:
    """Measure all files of the benchmark."""
    files = sorted(bench.file(FOLDER).glob("*.txt"))
    if not files:
        raise SourceFileError("has no file .txt of the benchmark", bench.file(FOLDER))
    for path in files:
        judged = _load(bench, path.name)
        text = "".join(one.label for one in judged.values())
        if sum(letter.isascii() for letter in text) >= _ENGLISH * len(text):
            yield from _measured(bench, path.stem, judged)
        else:
            yield missing(path.stem, "metrics without a model", "not English, which our linker and encoder know alone")
        yield from _by_model(bench, path.stem, bench.chosen(judged))


def _load(bench: Workbench, name: str) -> dict[str, Judged]:
    found = {}
    for place, row in enumerate(bench.lines(f"{FOLDER}/{name}", *_NEEDED), start=1):
        given = next((key for key in row if key.endswith(_PREDICTION)), None)
        try:
            people = tuple(float(row[key]) for key in _HUMAN.values())
        except (TypeError, ValueError):
            given = None
        if given is None:
            raise SourceFileError(
                f"lacks a model's answer (…{_PREDICTION}) or scores", bench.data / FOLDER / name, place
            )
        question, label, response = (str(row[key] or "") for key in ("Question", "Doctor_Response", given))
        found[f"{place} {number(str(row[given]))}"] = Judged(question, label, response, people)
    return found


def _measured(bench: Workbench, name: str, every: Mapping[str, Judged]) -> Iterator[Row]:
    judged, linker = bench.chosen(every), bench.assembly.linker()
    rarity = Rarity(text for one in every.values() for text in (one.question, one.label, one.response))
    found = bench.each(f"metrics on {name}", judged, lambda one: _metrics(bench, linker, one, rarity))
    if len(found) < _FEWEST:
        raise InputError(f"correlations need {_FEWEST} answers at least, and --sample leaves {len(found)}")
    metrics = {key: np.array([one[key] for one in found.values()]) for key in next(iter(found.values()))}
    people = np.array([one.people for one in judged.values()])
    parts = np.array([_standard(metrics[part]) for part in PARTS]).T
    metrics[EQUAL] = parts.mean(axis=1)
    try:
        fitted: list[Floats] | None = [_fitted(parts, people[:, place]) for place in range(len(_HUMAN))]
    except InputError as error:
        fitted = None
        yield missing(name, FITTED, str(error))
    for metric, values in metrics.items():
        yield from _agreement(name, metric, [values] * len(_HUMAN), people)
    if fitted:
        yield from _agreement(name, FITTED, fitted, people)
    _plotted(bench, name, metrics, people[:, 0])
    if empty := sum(not one.response.strip() for one in judged.values()):
        yield missing(name, f"{empty} of the answers", "empty: all metrics give them 0")
    yield from _compressed(name, metrics, list(judged.values()), people[:, 0])


def _by_model(bench: Workbench, name: str, judged: Mapping[str, Judged]) -> Iterator[Row]:
    if bench.load_model is None:
        yield missing(name, imaps.BY_MODEL)
        return
    found = imaps.metrics(bench, name, judged)
    if len(found) < _FEWEST:
        yield missing(
            name,
            imaps.BY_MODEL,
            f"{len(found)} of {len(judged)} answers have all replies, and correlations need {_FEWEST}",
        )
        return
    people = np.array([judged[key].people for key in found])
    for metric in next(iter(found.values())):
        values = np.array([one[metric] for one in found.values()])
        yield from _agreement(name, metric, [values] * len(_HUMAN), people, bench.model_name)


def _metrics(bench: Workbench, linker: Linker, one: Judged, rarity: Rarity) -> dict[str, float]:
    """Compute all metrics of an answer, each with its variant over maps where it has one."""
    label, response = imaps.values_of(linker, one.label), imaps.values_of(linker, one.response)
    asked = imaps.values_of(linker, one.question)
    kinds = imaps.kinds_among(bench.assembly.database, asked, label, response)
    related = imaps.relations_by_graph
    maps = [imaps.as_text(imaps.names_of(linker, text)) for text in (one.label, one.response)]
    sides = [plain_sentences(one.label), plain_sentences(one.response)]
    runs = [phrases(text) for text in (one.label, one.response, one.question)]
    texts = list(
        dict.fromkeys([one.question, one.label, one.response, *maps, *(t for s in (*sides, *runs) for t in s)])
    )
    vectors = dict(zip(texts, bench.assembly.encoder().encode(texts), strict=True))
    near = [np.array([vectors[text] for text in side]) for side in sides]
    rest = [beyond(vectors[one.question], side) for side in near]
    recall, precision = matched(*rest) if one.response.strip() else (0.0, 0.0)
    return {
        "words of the answer": float(len(one.response.split())),
        "ROUGE-L": rouge_l(one.response, one.label),
        "ROUGE-L +imap": rouge_l(maps[1], maps[0]),
        "cosine": float(vectors[one.label] @ vectors[one.response]),
        "cosine +imap": float(vectors[maps[0]] @ vectors[maps[1]]),
        "sentences, F1 of the nearest": bert_score(*near),
        PARTS[1]: new_words(one.question, one.label, one.response, rarity),
        PARTS[2]: recall,
        PARTS[3]: precision,
        PARTS[4]: matched_phrases(runs, vectors, rarity),
        "imap score without is-a": imaps.score(label, response, related(label, response, ())),
        IMAP: imaps.score(label, response, related(label, response, kinds)),
        "imap score, unlabelled": imaps.score(asked, response, related(asked, response, kinds)),
    }


def _standard(values: Floats) -> Floats:
    found: Floats = (values - values.mean()) / (values.std() or 1.0)
    return found


def _fitted(parts: Floats, people: Floats) -> Floats:
    """Predict each answer's score by what was fitted to the other folds."""
    linear, selection = needed("sklearn.linear_model"), needed("sklearn.model_selection")
    folds = (selection.KFold(_FOLDS, shuffle=True, random_state=seed) for seed in range(_SEEDS))
    ridge = linear.Ridge(_RIDGE)
    found: Floats = np.mean([selection.cross_val_predict(ridge, parts, people, cv=one) for one in folds], axis=0)
    return found


@dataclass(frozen=True, slots=True)
class Spearman(Measured):
    """Spearman's correlation of two figures of the same answers."""

    mine: Floats
    people: Floats

    @property
    def questions(self) -> int:
        """How many answers."""
        return len(self.mine)

    def drawn(self, places: NDArray[np.int64]) -> Floats:
        """Give the correlation for samples of the answers; 0 where one of both is the same for all."""
        rank: Callable[..., Floats] = needed("scipy.stats").rankdata
        first, second = (rank(one[places], axis=1) for one in (self.mine, self.people))
        first, second = (one - one.mean(axis=1, keepdims=True) for one in (first, second))
        spread = np.sqrt((first**2).sum(axis=1) * (second**2).sum(axis=1))
        found: Floats = (first * second).sum(axis=1) / np.where(spread, spread, 1.0)
        return found


def _agreement(
    name: str, metric: str, values: Sequence[Floats], people: Floats, model: str = NO_MODEL
) -> Iterator[Row]:
    for place, human in enumerate(_HUMAN):
        told = {
            "model": model,
            "printed": PRINTED.get((name, metric, f"Spearman {human}")),
            "note": NOTES.get(metric, ""),
        }
        spearman = Spearman(values[place], people[:, place])
        yield measured(name, metric, f"Spearman {human}", spearman, **told)
    kendall = [needed("scipy.stats").kendalltau(values[place], people[:, place])[0] for place in range(len(_HUMAN))]
    for human, value in zip(_HUMAN, kendall, strict=True):
        yield Row(name, metric, f"Kendall {human}", float(np.nan_to_num(value)), items=len(people), model=model)


def _plotted(bench: Workbench, name: str, metrics: Mapping[str, Floats], people: Floats) -> None:
    """Plot metrics against people's accuracy, and how they part what people find right from what they do not."""
    chosen, labels = {metric: metrics[metric] for metric in (IMAP, EQUAL)}, ("people's accuracy", "standardised")
    points = {metric: (people.tolist(), _standard(values).tolist()) for metric, values in chosen.items()}
    bench.plots.append(Plot(name, "points", "Metrics against people", labels, points))
    better = people > np.median(people)
    parted = {
        "accuracy over the median": metrics[EQUAL][better].tolist(),
        "the others": metrics[EQUAL][~better].tolist(),
    }
    bench.plots.append(Plot(name, "densities", f"{EQUAL}: density", ("metric", "density"), parted))


def _compressed(name: str, metrics: Mapping[str, Floats], judged: Sequence[Judged], people: Floats) -> Iterator[Row]:
    """Correlate within thirds of how much longer answers are than the doctor's."""
    longer = np.array([len(one.response.split()) / max(1, len(one.label.split())) for one in judged])
    edges = np.quantile(longer, np.linspace(0, 1, _BUCKETS + 1))
    for place in range(_BUCKETS):
        low, high = edges[place], edges[place + 1]
        inside = (longer >= low) & ((longer < high) | (place == _BUCKETS - 1))
        for metric in ("ROUGE-L", IMAP, EQUAL):
            found = Spearman(metrics[metric][inside], people[inside])
            row = f"{metric}, answers {low:.1f} to {high:.1f} times as long"
            yield measured(f"{name}, by length", row, "Spearman ACC", found)
