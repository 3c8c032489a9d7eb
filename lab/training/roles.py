"""The model of roles: fitted to labelled mentions, and to pairs of a chemical and a disease in abstracts."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from medgraph.errors import SourceFileError
from medgraph.files import table_lines
from medgraph.linking import roles
from medgraph.linking.roles import NAMES, ROLES, Name, RoleModel, features, words_of
from medgraph.linking.statements import overrules

from ..evaluation.logistic import train_weights as fit_logistic
from ..evaluation.sets.pubtator import pairs_of, read_corpus
from ..evaluation.statistics import number

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from medgraph.linking.roles import SentenceWords

    Floats = NDArray[Any]

COLUMNS: Final = ("set", "section", "start", "kind", "label", "role", "head", "before", "sentence")
# The role of a name that means something else there: weights are not fitted to it, the calibration is.
WRONG: Final = "wrong"
LEAST_SEEN: Final = 2  # examples that a feature must have
RIDGE: Final = 1.0
ABSTRACTS: Final = 0.1  # how much a pair of an abstract counts, beside a labelled mention
_STEPS: Final = 300
_FOLDS: Final = 5
_SURE: Final = 0.9
_NAME: Final = re.compile(r"\[(\[)?(@\w) ([^\]]*)\]\]?")


@dataclass(frozen=True, slots=True)
class Example:
    """A mention whose role is known, at least in part."""

    document: str
    label: str
    features: tuple[str, ...]
    roles: frozenset[str]  # the roles that it may have: one, or several where only that much is known
    weight: float = 1.0
    held: bool = False
    overruled: frozenset[str] = frozenset()


def read_labelled(path: Path) -> list[Example]:
    """Read labelled mentions."""
    found = []
    for line_number, line in table_lines(path):
        cells = dict(zip(COLUMNS, line.split("\t"), strict=False))
        if tuple(cells.values()) == COLUMNS:
            continue
        place, words, told, span = _parsed(cells.get("sentence", ""))
        if place < 0 or cells["label"] not in roles.LABELS or cells["role"] not in {*NAMES, WRONG}:
            raise SourceFileError("is no labelled mention", path, line_number)
        head = words_of(cells["head"], (0, len(cells["head"])), ())
        described = features(words, place, cells["kind"], cells["label"], head, _parsed(cells["before"])[1])
        role, document = frozenset([cells["role"]]), cells["section"].partition("#")[0]
        lead = f"{cells['head']}: " if cells["head"] else ""
        where = (len(lead) + span[0], len(lead) + span[1])
        text = f"{lead}{told}"
        refused = (
            name for name, (relation, _) in ROLES.items() if overrules(relation, text, (len(lead), len(text)), where)
        )
        held = cells["set"] == "dev"
        found.append(Example(document, cells["label"], tuple(described), role, held=held, overruled=frozenset(refused)))
    return found


def _parsed(marked: str) -> tuple[int, SentenceWords, str, tuple[int, int]]:
    """Read a text in which names are marked."""
    text, names, last, place = "", list[Name](), 0, (-1, -1)
    for found in _NAME.finditer(marked):
        text += marked[last : found.start()]
        names.append(Name(len(text), len(text) + len(found[3]), found[2]))
        place = (names[-1].start, names[-1].end) if found[1] else place
        text += found[3]
        last = found.end()
    text += marked[last:]
    words = words_of(text, (0, len(text)), names)
    return words.at.get(place[0], -1), words, text, place


def read_pairs(path: Path, weight: float = ABSTRACTS) -> list[Example]:
    """Read pairs of a chemical and a disease: which induce which, and which do anything else."""
    others = frozenset(NAMES) - {"causes"}
    return [
        Example(one.id, "Chemical", tuple(described), frozenset(["causes"]) if pair in one.induced else others, weight)
        for one in read_corpus(path)
        for pair, described in pairs_of(one)
    ]


def train(labelled: Sequence[Example], pairs: Sequence[Example]) -> tuple[RoleModel, dict[str, Any]]:
    """Fit a model, calibrate it on mentions that it has not seen, and measure it on those that are held out."""
    folds = [number(one.document) % _FOLDS for one in labelled]
    chances = np.zeros((len(labelled), len(NAMES)), np.float32)
    for fold in sorted({*folds}):
        apart = train_model([*(one for one, of in zip(labelled, folds, strict=True) if of != fold), *pairs])
        mine = [index for index, of in enumerate(folds) if of == fold]
        chances[mine] = apart.chances([(labelled[index].label, labelled[index].features) for index in mine])
    best = [NAMES[place] for place in chances.argmax(axis=1)]
    left = np.array([role not in one.overruled for role, one in zip(best, labelled, strict=True)])
    right = np.array([role in one.roles for role, one in zip(best, labelled, strict=True)])
    slopes, shifts = _calibration(chances[left], right[left])
    whole = train_model([*labelled, *pairs])
    apart = train_model([*(one for one in labelled if not one.held), *pairs])
    figures = _measured(replace(apart, slopes=slopes, shifts=shifts), [one for one in labelled if one.held])
    return replace(whole, slopes=slopes, shifts=shifts), figures


def _calibration(chances: Floats, right: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Fit how likely the best role is right, as Platt did, with one slope, and a shift for each role."""
    best = np.clip(chances.max(axis=1), 1e-6, 1 - 1e-6)
    logits = np.log(best / (1 - best))
    kinds = np.eye(len(NAMES))[chances.argmax(axis=1)]
    fitted = fit_logistic(np.c_[logits, kinds], right.astype(float), np.ones(len(right)), 1.0)
    slopes = np.full(len(NAMES), fitted[0], np.float32)
    return slopes, (fitted[1:-1] + fitted[-1]).astype(np.float32)


def _measured(model: RoleModel, held: Sequence[Example]) -> dict[str, Any]:
    """Tell of each role how many are labelled so, how many are found and how many are right, likely ones apart."""
    told = model.predict([(one.label, one.features) for one in held])
    told = [
        ("mentioned", 0.0) if role in one.overruled else (role, score)
        for (role, score), one in zip(told, held, strict=True)
    ]
    figures: dict[str, Any] = {}
    for name in NAMES:
        mine = [(score, name in one.roles) for (role, score), one in zip(told, held, strict=True) if role == name]
        sure = [right for score, right in mine if score >= _SURE]
        figures[name] = {
            "labelled": sum(name in one.roles for one in held),
            "found": len(mine),
            "right": sum(right for _, right in mine),
            "sure": len(sure),
            "sure and right": sum(sure),
        }
    return figures


def card(figures: dict[str, Any], labelled: Sequence[Example], pairs: Sequence[Example]) -> str:
    """Say what a model was made of, and how good it is."""
    held = sum(one.held for one in labelled)
    lines = [
        f"Weights of roles.py, by `medgraph train roles`, fitted to {len(labelled):,} labelled mentions of MedQuAD",
        f"(CC BY 4.0) and {len(pairs):,} pairs of BC5CDR's training set (US Government work); nothing is by chance.",
        f"Calibrated on {_FOLDS} folds of documents, each by weights fitted to the others. Of the {held} mentions of",
        f"the set dev, by weights fitted without them: labelled; found, right; found and right at {_SURE} and above.",
    ]
    lines += [
        f"{name}: {row['labelled']}; {row['found']}, {row['right']}; {row['sure']}, {row['sure and right']}"
        for name, row in figures.items()
    ]
    return "\n".join(lines)


def train_model(examples: Sequence[Example], ridge: float = RIDGE) -> RoleModel:
    """Fit the weights, with a penalty on large ones; the result is the same each time, and is not calibrated."""
    from scipy.optimize import minimize
    from scipy.sparse import csr_array
    from scipy.special import logsumexp

    examples = [one for one in examples if WRONG not in one.roles]
    seen = Counter(name for one in examples for name in {*one.features})
    rows = {name: row for row, name in enumerate(name for name, times in seen.items() if times >= LEAST_SEEN)}
    known = [[rows[name] for name in one.features if name in rows] for one in examples]
    starts = np.cumsum([0, *map(len, known)])
    flat = np.array([row for some in known for row in some], dtype=np.int64)
    table = csr_array((np.ones(len(flat)), flat, starts), shape=(len(examples), len(rows)))
    allowed = np.array([[one.label in labels for _, labels in ROLES.values()] for one in examples])
    right = np.array([[name in one.roles for name in NAMES] for one in examples]) & allowed
    counts = np.array([one.weight for one in examples])

    def lost(weights: Floats) -> tuple[float, Floats]:
        matrix = weights.reshape(len(rows), len(NAMES))
        logits = np.where(allowed, table @ matrix, -np.inf)
        both = [logsumexp(np.where(mask, logits, -np.inf), axis=1) for mask in (allowed, right)]
        chances = [
            np.where(mask, np.exp(logits - whole[:, None]), 0)
            for mask, whole in zip((allowed, right), both, strict=True)
        ]
        slope = table.T @ (counts[:, None] * (chances[0] - chances[1])) + ridge * matrix
        return float(counts @ (both[0] - both[1]) + ridge / 2 * (matrix**2).sum()), slope.ravel()

    begin = np.zeros(len(rows) * len(NAMES))
    found = minimize(lost, begin, jac=True, method="L-BFGS-B", options={"maxiter": _STEPS}).x
    one = np.ones(len(NAMES), np.float32)
    return RoleModel(rows, found.reshape(len(rows), len(NAMES)).astype(np.float32), one, one * 0)
