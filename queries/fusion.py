"""Rank candidates by what all branches of search say of them, with few, readable weights.

Weights are fitted to graded sections and to made questions with known answers (`medgraph train fusion FILE`), and stand
in `fusion.tsv`, beside how many of MedQuAD's sections have a word, by which words of a question count.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, get_args

import numpy as np

from ..errors import InputError
from ..files import write_table
from ..logistic import INTERCEPT, Calibration, read_models
from ..patterns import threshold
from ..settings import DEFAULT_ENCODER
from ..text import did_you_mean
from . import lucene
from .salience import name_stem, rows_by_kind, stem

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from ..graph.database import Row
    from .question import Question

Mode = Literal["lexical", "semantic", "hybrid", "learned"]
MODES: Final[tuple[str, ...]] = get_args(Mode)
DEFAULT: Final = "learned"


class Weights(NamedTuple):
    """What counts how much: the branches of `hybrid`, and words in a document's title beside those in its text at 1."""

    lexical: float
    semantic: float
    title: float


Preset = Literal["default", "literature"]
# Name → weights. `literature` is for papers: the branches as VerifAI weighs them for PubMed, and a low weight of
# titles, which are sentences there; those of pages name what they are about.
PRESETS: Final = {"default": Weights(0.6, 0.4, 3.0), "literature": Weights(0.7, 0.3, 0.3)}
STANDARD: Final[Preset] = "default"  # the preset that holds where none is asked for


def mode_of(mode: str | None, preset: str = STANDARD) -> str:
    """Choose the mode of search, `hybrid` for a preset without a mode; InputError where one of both is unknown."""
    asked = DEFAULT if mode is None else mode
    for kind, name, known in (("mode", asked, MODES), ("preset", preset, PRESETS)):
        if name not in known:
            raise InputError(f"there is no {kind} {name!r}{did_you_mean(name, known)}")
    return "hybrid" if mode is None and preset != STANDARD else asked


FILE: Final = Path(__file__).with_name("fusion.tsv")
# What each candidate is described by, from -1 to 1: BM25 and cosine as they are and scaled over the candidates, the
# share of the question that is in each field, and in the title where the graph knows nothing of any candidate, how much
# nearer than its text the question is that it answers, and what its page is about. Nothing that a section has only
# since its source gives it more, such as a question at all.
FEATURES: Final = (
    "words", "first by words", "meaning", "nearest", "question in title", "question in heading", "question in text",
    "title alone", "asked", "about it", "about the same", "meaning where about", "type", "other type",
    "type where about",
)  # fmt: skip
# Those that only sources with questions, types and subjects give; plain documents have none of them.
BY_GRAPH: Final = frozenset(FEATURES[FEATURES.index("asked") :])
# Content words of titles that name what documents are about, at most, by the median of a source; longer ones, as of
# papers, are sentences. Of MedQuAD's pages 98 % have titles no longer, of BioASQ's abstracts 20 %.
LONGEST_NAME: Final = 6
_LEAST: Final = 1e-9
_LONGEST_NUMBER: Final = 3
_LEAST_PART: Final = threshold("queries.fusion.told")


@dataclass(frozen=True, slots=True)
class FusionModel:
    """What makes a candidate answer."""

    weights: Mapping[str, float]
    sections: int  # how many sections words were counted in
    holding: Mapping[str, int]  # stem → sections that have it; of a stem that is not here few have it

    def rarity(self, word_stem: str) -> float:
        """Say how much a word tells."""
        return math.log(1 + self.sections / (1 + self.holding.get(word_stem, 0)))

    def scores(self, features: NDArray[np.float64]) -> NDArray[np.float64]:
        """Score candidates by (candidates, `FEATURES`): log odds, up to what all of a question's candidates share."""
        scores: NDArray[np.float64] = features @ self._values()
        return scores

    def _values(self) -> NDArray[np.float64]:
        return np.array([self.weights[name] for name in FEATURES])

    def reasons(self, features: NDArray[np.float64], places: Sequence[int]) -> list[dict[str, float]]:
        """Say for candidates at some places which features speak for them beside the average, the most first."""
        average = features.sum(axis=0) / max(1, len(features))
        parts = (features[list(places)] - average) * self._values()
        return [
            {
                FEATURES[place]: round(float(row[place]), 2)
                for place in np.argsort(-row)
                if abs(row[place]) >= _LEAST_PART
            }
            for row in parts
        ]


def features_of(question: Question, rows: Sequence[Row], given: FusionModel) -> NDArray[np.float64]:
    """Describe rows of the statement `candidates`: (candidates, `FEATURES`)."""
    wanted = rarities(question.weights, given)
    lexical = np.array([row["lexical"] or 0.0 for row in rows])
    near = np.array([-1.0 if row["semantic"] is None else row["semantic"] for row in rows])
    words, nearest, best = scaled(lexical), scaled(near), max(lexical.max(initial=0.0), _LEAST)
    named = {
        tuple(map(name_stem, lucene.all_words(name))) for one in question.about for name in (one.name, one.matched)
    }
    # Beside pages that are known to be about it, a document that nothing links to anything goes by its title.
    others = any(row["far"] is not None for row in rows)
    sentences = _titled_by_sentences(rows)
    described = np.zeros((len(rows), len(FEATURES)))
    for place, row in enumerate(rows):
        titled = others and not row["linked"] and has_name(row["title"].lower(), named)
        about, typed = row["far"] is not None or titled, row["type"] in question.intents
        title, text = _fields(row, sentence=row["source"] in sentences)
        described[place] = (
            words[place],
            lexical[place] / best,
            near[place],
            nearest[place],
            coverage(wanted, title),
            coverage(wanted, f"{row['heading']} {row['question']}"),
            coverage(wanted, text),
            0.0,
            0.0 if row["asked"] is None else row["asked"] - near[place],
            row["far"] == 0,
            row["far"] == 1 or titled,
            near[place] * about,
            typed,
            bool(row["type"] and question.intents and not typed),
            about and typed,
        )
    known = described[:, [name in BY_GRAPH for name in FEATURES]].any()
    return described if known else as_plain(described)


def as_plain(described: NDArray[np.float64]) -> NDArray[np.float64]:
    """Describe candidates, (candidates, `FEATURES`), as if the graph knew nothing of them but their texts."""
    plain = np.where([name in BY_GRAPH for name in FEATURES], 0.0, described)
    plain[:, FEATURES.index("title alone")] = plain[:, FEATURES.index("question in title")]
    return plain


def _titled_by_sentences(rows: Sequence[Row]) -> set[str]:
    """Find the sources whose documents are called by sentences, as papers are, instead of what they are about."""
    lengths: dict[str, dict[str, int]] = {}
    for row in rows:
        words = lucene.content_words(lucene.all_words(row["title"]))
        lengths.setdefault(row["source"], {})[row["document"]] = len(words)
    return {source for source, found in lengths.items() if median(found.values()) > LONGEST_NAME}


def _fields(row: Row, *, sentence: bool) -> tuple[str, str]:
    title, text = row["title"], row["text"]
    if untitled(title, row["document"]):
        return text, text
    if sentence:
        whole = f"{title} {text}"
        return whole, whole
    return " ".join((title, *row["aliases"])), text


def untitled(title: str, document: str) -> bool:
    """Tell whether a title says nothing but the number of its document, as of an abstract that came without one."""
    number = document.rpartition(":")[2]
    return number.isdigit() and number in title


def rarities(words: Mapping[str, float], given: FusionModel) -> dict[str, float]:
    """Say how much each stem of a question tells, by words with how much each counts."""
    stems = {stem(word): weight for word, weight in words.items()}
    return {name: weight * given.rarity(name) for name, weight in stems.items()}


def coverage(wanted: Mapping[str, float], text: str) -> float:
    """Give the share of wanted stems, by how much each tells, that a text has; 0 where nothing is wanted."""
    total = sum(wanted.values())
    small = text.lower()
    return sum(tells for name, tells in wanted.items() if has_stem(small, name)) / total if total else 0.0


def has_name(text: str, names: Iterable[Sequence[str]]) -> bool:
    """Tell whether a text has all words of one of some names."""
    return any(all(has_stem(text, word) for word in name) for name in names)


def has_stem(text: str, beginning: str) -> bool:
    """Tell whether a word of a text begins so; a short number, or a single letter, is a word by itself."""
    if len(beginning) == 1 or (len(beginning) <= _LONGEST_NUMBER and beginning.isdigit()):
        return re.search(rf"(?<![^\W_])(?<!\.){re.escape(beginning)}(?![^\W_])(?!\.\d)", text) is not None
    at = text.find(beginning)
    while at > 0 and text[at - 1].isalnum():
        at = text.find(beginning, at + 1)
    return at >= 0


def scaled(scores: NDArray[np.floating]) -> NDArray[np.float64]:
    """Scale the scores of one branch from 0 for the worst to 1 for the best; 0 for all where they are the same."""
    low, high = float(scores.min(initial=np.inf)), float(scores.max(initial=-np.inf))
    return (scores.astype(np.float64) - low) / (high - low) if high > low else np.zeros(len(scores))


@cache
def model() -> FusionModel:
    """Read the model that the package has."""
    return load(FILE)


def load(path: Path) -> FusionModel:
    """Read a model that `write` wrote."""
    rows = rows_by_kind(path)
    weights = {name: float(value) for name, value in rows["weight"]}
    return FusionModel(weights, int(rows["sections"][0][0]), {name: int(count) for name, count in rows.get("word", [])})


def write(given: FusionModel, path: Path, made_by: str) -> None:
    """Write a model as a table that people can read."""
    rows = [
        ("sections", str(given.sections)),
        *(("weight", name, f"{given.weights[name]:.3f}") for name in FEATURES),
        *(("word", name, str(count)) for name, count in sorted(given.holding.items())),
    ]
    write_table(path, made_by, "kind\tname\tweight, or sections that have the word", rows)


# The weights of the model rank the candidates of one question, up to what these share. Those of `likelihood.tsv`
# estimate how likely a result answers, comparable across questions: they are fitted to sections graded by reading
# (`medgraph train likelihood`), each by itself.
LIKELIHOOD_FILE: Final = Path(__file__).with_name("likelihood.tsv")
SECTION: Final = "section"
CALIBRATION: Final = Calibration(threshold=threshold("queries.fusion.answers"))
# Whose cosines the weights of likelihood know; those of others mean something else.
CALIBRATED_ENCODER: Final = DEFAULT_ENCODER


def logits(described: NDArray[np.float64], weights: Mapping[str, float] | None = None) -> NDArray[np.float64]:
    """Give the log odds that candidates answer, (candidates,), by (candidates, `FEATURES`)."""
    used = weights or likelihood_weights()
    found: NDArray[np.float64] = described @ np.array([used[name] for name in FEATURES]) + used[INTERCEPT]
    return found


@cache
def likelihood_weights() -> Mapping[str, float]:
    """Read the weights of likelihood that the package has."""
    remedy = "medgraph train likelihood FILE MEQSUM --grades GRADES"
    return read_models(LIKELIHOOD_FILE, remedy, {SECTION: FEATURES})[SECTION].weights
