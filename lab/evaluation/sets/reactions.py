"""Adverse reactions that drug labels give, marked by people: what rules find, and what a fitted tagger finds.

The corpus is TAC 2017 (Demner-Fushman et al., A dataset of 200 structured product labels annotated for adverse drug
reactions, Scientific Data 5, 2018): a JSON list of sections. Each reaction of a label counts once. Labels are divided
into folds: the tagger, its dictionary and the weights that choose strings come from the other folds alone.
"""

from __future__ import annotations

import gzip
import zlib
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec
import numpy as np

from medgraph.errors import InputError, SourceFileError
from medgraph.graph import catalogue
from medgraph.linking.context import contexts
from medgraph.linking.statements import gives
from medgraph.linking.words import normalise
from medgraph.progress import progress
from medgraph.text import sentences

from .tagging import LONGEST, TaggedText, Tagger, Token, spans_of, text_of, tokens_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence, Set
    from pathlib import Path

    from medgraph.graph.database import Database
    from medgraph.linking.linker import Linker

    Key = tuple[str, ...]

FOLDS: Final = 5
_INNER: Final = 2
_ENOUGH: Final = 0.45  # chance from which a string counts: between what precision and recall ask for
_LOWER: Final = (1.0, 0.3, 0.08)  # what the chance of `outside` is multiplied by, to find strings to choose from
_TINY: Final = 1e-6


class Reaction(msgspec.Struct, array_like=True):
    """A reaction as it is marked: its words and MedDRA's preferred term; what else the row has is left out."""

    words: str
    term: str | None


class Section(msgspec.Struct):
    """A section of a label, with the reactions marked in it."""

    label_id: str
    section_name: str
    section_text: str
    adverse_events: list[Reaction]


@dataclass(slots=True)
class Labelled:
    """A label: its sections, and the reactions that it gives, by their words, with their terms."""

    texts: list[TaggedText] = field(default_factory=list)
    gold: dict[str, str] = field(default_factory=dict)
    runs: set[Key] = field(default_factory=set)

    @property
    def keys(self) -> set[Key]:
        """The reactions, in words as they are compared."""
        return {key_of(name) for name in self.gold}


class Found(NamedTuple):
    """A string that may be a reaction of a label, what speaks for it, and whether it is one."""

    label: str
    words: str
    features: list[float]
    right: bool


def key_of(name: str) -> Key:
    """Give the words of a name as they are compared."""
    return tuple(token.normal for token in tokens_of(name))


def plain(text: str) -> str:
    """Write words in small letters with single blanks."""
    return " ".join(text.lower().split())


def read_labels(path: Path) -> dict[str, Labelled]:
    """Read the sections, by label."""
    try:
        data = path.read_bytes()
        data = gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data
        sections = msgspec.json.decode(data, type=list[Section])
    except (OSError, EOFError, zlib.error, msgspec.DecodeError) as error:
        raise SourceFileError(f"is no list of sections with adverse_events: {error}", path) from error
    found: defaultdict[str, Labelled] = defaultdict(Labelled)
    for section in sections:
        label = found[section.label_id]
        if tokens := tokens_of(section.section_text):
            label.texts.append(text_of(section.section_name, section.section_text))
            label.runs.update(_runs(tokens))
        label.gold |= {plain(one.words): one.term or one.words for one in section.adverse_events}
    if len(found) < FOLDS:
        raise InputError(f"{path} has {len(found)} labels; {FOLDS} folds need as many at least")
    return dict(sorted(found.items()))


def _runs(tokens: Sequence[Token]) -> Iterable[Key]:
    normals = [token.normal for token in tokens]
    return (tuple(normals[at : at + n]) for at in range(len(normals)) for n in range(1, LONGEST + 1))


def measure(database: Database, linker: Linker, path: Path) -> list[dict[str, Any]]:
    """Measure what names and rules find, in sections on adverse reactions and in all, and what the tagger finds."""
    labels = read_labels(path)
    names = {key_of(row["name"]) for row in database.read(catalogue.get("condition_names"))} - {()}
    listed = {name: _named(linker, label, "adverse reactions") for name, label in labels.items()}
    every = {name: _named(linker, label, "") for name, label in labels.items()}
    rows = [_figures("names and rules, adverse reactions", labels, listed)]
    rows.append(_figures("names and rules, all sections", labels, every))
    return [*rows, _figures(f"tagger, {FOLDS} folds", labels, tagged(labels, names))]


def _named(linker: Linker, label: Labelled, kind: str) -> set[str]:
    """Give the conditions that sections name as effects, as the product tells them."""
    found = set()
    for text in (one.text for one in label.texts if kind in one.kind):
        named = [one for one in linker.text(text) if linker.holdings.is_condition(one.entity)]
        places = [(one.start, one.end) for one in named]
        for place, (sentence, how) in zip(places, contexts(text, sentences(text), places), strict=True):
            if not (how.negated or how.family) and gives("effect", text, sentence, place):
                found.add(plain(text[slice(*place)]))
    return found


def _figures(method: str, labels: Mapping[str, Labelled], found: Mapping[str, Set[str]]) -> dict[str, Any]:
    """Compare what was found with what people marked, by string and by MedDRA's term."""
    terms: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for label in labels.values():
        for words, term in label.gold.items():
            terms[_same(words)][term] += 1
    row: dict[str, Any] = {"method": method, "labels": len(labels), "n": sum(len(one.gold) for one in labels.values())}
    for by in ("string", "term"):
        right = told = wanted = 0
        for name, label in labels.items():
            gold, own = set(label.gold), set(found[name])
            if by == "term":
                others = {words: terms[_same(words)] - Counter([term]) for words, term in label.gold.items()}
                gold = {_same(term) for term in label.gold.values()}
                own = {_term(words, others.get(words, terms[_same(words)])) for words in own}
            right, told, wanted = right + len(gold & own), told + len(own), wanted + len(gold)
        ratios = {
            "precision": right / max(1, told),
            "recall": right / max(1, wanted),
            "f1": 2 * right / (told + wanted),
        }
        row |= {f"{what} by {by}": round(value, 3) for what, value in ratios.items()}
    return row


def _same(words: str) -> str:
    return " ".join(sorted(normalise(word) for word in words.split()))


def _term(words: str, known: Counter[str]) -> str:
    """Give the term that other labels have for the words, or else the words themselves."""
    return _same(known.most_common(1)[0][0]) if known else _same(words)


def tagged(labels: Mapping[str, Labelled], names: Set[Key]) -> dict[str, set[str]]:
    """Give the reactions that a tagger finds in each label, fitted to labels of other folds."""
    found: dict[str, set[str]] = {name: set() for name in labels}
    with progress("fitting", "fold", FOLDS) as bar:
        for fold in range(FOLDS):
            others, held = _parted(list(labels), fold, FOLDS)
            choose = _Chooser(labels, others, names)
            for one, chance in choose.judged(held):
                if chance >= _ENOUGH:
                    found[one.label].add(one.words)
            bar.update(1)
    return found


def _parted(names: Sequence[str], fold: int, folds: int) -> tuple[list[str], list[str]]:
    held = [name for at, name in enumerate(names) if at % folds == fold]
    return [name for name in names if name not in held], held


class _Chooser:
    """Weighs strings by a regression that is fitted to labels whose taggers did not see them."""

    def __init__(self, labels: Mapping[str, Labelled], names: Sequence[str], vocabulary: Set[Key]) -> None:
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        self._labels, self._vocabulary = labels, vocabulary
        rows: list[Found] = []
        for fold in range(_INNER):
            others, held = _parted(names, fold, _INNER)
            rows += self._strings(self._tagger(others), held)
        self._weigh = make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000))
        self._weigh.fit(np.array([one.features for one in rows]), [one.right for one in rows])
        self._whole = self._tagger(names)

    def judged(self, held: Sequence[str]) -> list[tuple[Found, float]]:
        """Give the strings of labels, and how likely each is a reaction."""
        rows = self._strings(self._whole, held)
        chances = self._weigh.predict_proba(np.array([one.features for one in rows]))[:, 1]
        return list(zip(rows, chances.tolist(), strict=True))

    def _tagger(self, names: Sequence[str]) -> Tagger:
        chosen = [self._labels[name] for name in names]
        return Tagger([(one.texts, one.keys, one.runs) for one in chosen], self._vocabulary)

    def _strings(self, tagger: Tagger, names: Sequence[str]) -> list[Found]:
        found = []
        for name in names:
            label = self._labels[name]
            scores: defaultdict[str, list[float]] = defaultdict(list)
            keys: dict[str, Key] = {}
            for text in label.texts:
                chances, tokens = tagger.chances(text), text.tokens
                spans = {span for lower in _LOWER for span in spans_of(chances * [lower, 1, 1])}
                for start, end in spans | tagger.known(tokens):
                    words = plain(text.text[tokens[start].start : tokens[end - 1].end])
                    keys[words] = tuple(token.normal for token in tokens[start:end])
                    scores[words].append(_log_chance(chances, start, end))
            for words, logs in scores.items():
                features = [*_score_features(logs), *tagger.known_features(keys[words])]
                found.append(Found(name, words, features, words in label.gold))
        return found


def _log_chance(chances: np.ndarray[Any, Any], start: int, end: int) -> float:
    inside = float(np.log(chances[start + 1 : end, 2] + _TINY).sum())
    after = 1 - chances[end, 2] if end < len(chances) else 1.0
    return inside + float(np.log(chances[start, 1] + _TINY) + np.log(after + _TINY))


def _score_features(logs: Sequence[float]) -> list[float]:
    best, chances = max(logs), np.minimum(np.exp(logs), 1 - 1e-3)
    high = float(chances.max())
    any_of = 1 - float(np.prod(1 - chances))
    return [best, float(np.log(1 - high)), float(np.log(high + 1e-4)), float(chances.mean()), high, any_of, len(logs)]
