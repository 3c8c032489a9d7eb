"""From relations to vectors: read triples, train what is not trained yet, judge it, and write the best one's down.

The baseline that needs no vectors is rules of one or two steps, as AnyBURL learns them, and how often each is right.
Such as: what has a kind that is treated by something may be treated by it too. A rule counts by its confidence, the
share of what follows from it that is known; several that lead to the same count together as doubts that are multiplied.
"""

from __future__ import annotations

import io
import json
import shutil
from collections import Counter, defaultdict
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...files import locked, write_whole
from ...progress import note
from ..kge import learning
from ..kge import vectors as store
from .learning import Preset, preset
from .triples import Split, joined_in_training, leakage, load_triples, split
from .vectors import Scorer, SharedParameters, Vectors, figures, ranks, unpacked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from ...graph.database import Database
    from .triples import Rows
    from .vectors import Floats

    Body = tuple[int, ...]

CARD: Final = "card.json"
SETTINGS: Final = "settings.json"
VECTORS: Final = "vectors.npz"
BASELINES: Final = ("MarginalDistributionBaseline", "SoftInverseTripleBaseline")  # PyKEEN's baselines
_ENTITIES: Final = "entities of the graph"
_BIASES: Final = "biases of the entities"


@dataclass(frozen=True, slots=True)
class Options:
    """What to train."""

    # Models; where there are several, the one of the highest MRR while choosing is taken.
    models: Sequence[str] = ("ComplEx",)
    kind: str = "tuned"
    seed: int = 17
    baselines: bool = False
    # How long each training may take, to the end of an epoch; None for as long as its preset says.
    minutes: float | None = None
    # Threads of the processor; 0 for all. On a busy machine one is faster than several that wait for each other.
    threads: int = 0


@dataclass(frozen=True, slots=True)
class Trained:
    """The card of the model whose vectors the graph has now, a row of figures a model, and what is easy to guess."""

    card: dict[str, Any]
    table: list[dict[str, Any]]
    leakage: dict[str, Any]


def index_kge(database: Database, folder: Path, options: Options, *, rebuild: bool = False) -> Trained:
    """Learn vectors of concepts from their relations and write them to the graph; what was interrupted goes on.

    Raises:
        InputError: PyKEEN is not installed, there are too few relations, or a name is not known.
        EncoderMismatchError: The graph's vectors are from another model, and it is not a rebuild.
    """
    presets = [preset(model, options.kind) for model in options.models]
    learning.require_pykeen()
    if len(presets) == 1 and not rebuild:
        store.check(database, presets[0].model, presets[0].numbers)  # before hours are spent
    with locked(folder / "kge.lock", lambda: note("another command learns vectors; this one waits for it")):
        return _made(database, folder, presets, options, rebuild=rebuild)


def _made(database: Database, folder: Path, presets: Sequence[Preset], options: Options, *, rebuild: bool) -> Trained:
    triples = load_triples(database)
    parts = split(triples, options.seed)
    place = folder / f"{triples.fingerprint}-{options.seed}"
    note(_split_note(parts))
    made = [_trained(parts, one, place / f"{one.model}-{options.kind}", options) for one in presets]
    best = max(made, key=lambda pair: pair[1]["chosen by"].get("mrr", 0.0))
    table = [_row(card["model"], card) for _, card in made]
    if options.baselines:
        table += [_row(name, _figures(parts, learning.Baseline(parts, name))) for name in BASELINES]
        table.append(_row("path rules", _figures(parts, Rules(parts, options.seed))))
    vectors, card = best
    store.write(database, triples.entities, vectors, card, rebuild=rebuild)
    _forget(folder, place)
    return Trained(card, table, leakage(parts))


def _split_note(parts: Split) -> str:
    triples = parts.triples
    return (
        f"{len(triples.rows):,} relations of {len(triples.relations)} types between {len(triples.entities):,} concepts:"
        f" {len(parts.train):,} to learn from, {len(parts.valid):,} to choose by, {len(parts.test):,} to judge by"
    )


def _trained(parts: Split, one: Preset, folder: Path, options: Options) -> tuple[Vectors, dict[str, Any]]:
    """Train a model, unless this was done before with the same triples and settings."""
    settings = json.loads(json.dumps({**asdict(one), "seed": options.seed, "minutes": options.minutes}))
    if (folder / CARD).is_file():
        card = json.loads((folder / CARD).read_text(encoding="utf-8"))
        if card["settings"] == settings:
            note(f"{one.model} was trained before")
            return _load_vectors(folder, parts, one), card
    begun = folder / SETTINGS
    if begun.is_file() and json.loads(begun.read_text(encoding="utf-8")) != settings:
        shutil.rmtree(folder)  # a checkpoint of other settings
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(begun, json.dumps(settings).encode())
    vectors, told = learning.learn(parts, one, folder, options.seed, minutes=options.minutes, threads=options.threads)
    chosen = {"chosen by": figures(ranks(vectors, parts.triples, parts.valid))}
    told |= chosen | _figures(parts, vectors)
    card = {"model": one.model, "settings": settings, "data": _data(parts), **told}
    _write(folder, vectors)
    write_whole(folder / CARD, json.dumps(card, indent=1).encode())
    return vectors, card


def _data(parts: Split) -> dict[str, Any]:
    triples = parts.triples
    counts = np.bincount(triples.rows[:, 1], minlength=len(triples.relations)).tolist()
    return {
        "fingerprint": triples.fingerprint,
        "concepts": len(triples.entities),
        "relations": dict(zip(triples.relations, counts, strict=True)),
        "learned from": len(parts.train),
        "chosen by": len(parts.valid),
        "judged by": len(parts.test),
    }


def _figures(parts: Split, scorer: Scorer) -> dict[str, Any]:
    """Judge what scores: filtered, both sides; also without what is easy to guess, a side, and a relation."""
    found = ranks(scorer, parts.triples, parts.test)
    same, turned = joined_in_training(parts, parts.test)
    kinds = parts.test[:, 1]
    return {
        "judged": figures(found),
        "judged, tails": figures(found[:, 0]),
        "judged, heads": figures(found[:, 1]),
        "judged, pair not learned": figures(found[~(same | turned)]),
        "judged, by relation": {
            name: figures(found[kinds == number]) for number, name in enumerate(parts.triples.relations)
        },
    }


def _row(name: str, card: dict[str, Any]) -> dict[str, Any]:
    judged = card["judged"]
    return {
        "model": name,
        "mrr": judged["mrr"],
        "hits@1": judged["hits@1"],
        "hits@10": judged["hits@10"],
        "mrr of tails": card["judged, tails"]["mrr"],
        "mrr of heads": card["judged, heads"]["mrr"],
        "pair not learned": card["judged, pair not learned"].get("mrr"),
        "seconds": card.get("seconds"),
        "epochs": card.get("epochs"),
    }


def _write(folder: Path, vectors: Vectors) -> None:
    own = {_ENTITIES: vectors.entities} | ({} if vectors.biases is None else {_BIASES: vectors.biases})
    data = io.BytesIO()
    np.savez(data, **own, **vectors.shared.weights)  # type: ignore[arg-type] # no name is that of its option
    write_whole(folder / VECTORS, data.getvalue())


def _load_vectors(folder: Path, parts: Split, one: Preset) -> Vectors:
    weights = unpacked((folder / VECTORS).read_bytes())
    entities, biases = weights.pop(_ENTITIES), weights.pop(_BIASES, None)
    return Vectors(SharedParameters(one.model, parts.triples.relations, one.inverses, weights), entities, biases)


def _forget(folder: Path, kept: Path) -> None:
    """Delete trainings on triples that the graph no longer has."""
    for other in folder.iterdir():
        if other.is_dir() and other != kept:
            shutil.rmtree(other)


# Triples of a relation from which its rules are gathered, and beginnings by which a rule is judged; set by hand.
SAMPLE: Final = 500
RULES: Final = 50  # rules of a relation, at most: the surest
LEAST: Final = 3  # how often a rule holds, at least
DOUBT: Final = 5  # wrong guesses that are added to each rule's, so that one which hardly ever applies is not sure
FAN_OUT: Final = 500  # things that one step of a rule leads to, at most: through hubs anything follows from anything


class Rules:
    """Rules learned from the first part of a split of triples."""

    def __init__(self, parts: Split, seed: int) -> None:
        self._size = len(parts.triples.entities)
        self._kinds = len(parts.triples.relations)
        self._beside = _neighbours(parts.train, self._kinds)
        rng = np.random.default_rng(seed)
        self._rules = {kind: self._learned(kind, parts.train, rng) for kind in range(2 * self._kinds)}

    def tails(self, heads: NDArray[np.int64], relations: NDArray[np.int64]) -> Floats:
        """Score all concepts as tails, a row a question; 0 for what does not follow."""
        return self._scores(heads, relations)

    def heads(self, tails: NDArray[np.int64], relations: NDArray[np.int64]) -> Floats:
        """Score all concepts as heads."""
        return self._scores(tails, relations + self._kinds)

    def _scores(self, given: NDArray[np.int64], kinds: NDArray[np.int64]) -> Floats:
        doubts = np.ones((len(given), self._size), dtype=np.float32)
        for line, (start, kind) in enumerate(zip(given.tolist(), kinds.tolist(), strict=True)):
            for body, sure in self._rules[kind]:
                doubts[line, list(self._reached(start, body) - {start})] *= 1 - sure
        return 1 - doubts

    def _learned(self, kind: int, train: Rows, rng: np.random.Generator) -> list[tuple[Body, float]]:
        """Gather the rules of a relation, or of its inverse, from some of its triples, and judge the commonest."""
        pairs = train[train[:, 1] == kind % self._kinds][:, [0, 2]]
        pairs = pairs if kind < self._kinds else pairs[:, ::-1]
        drawn = pairs[rng.permutation(len(pairs))[:SAMPLE]].tolist()
        bodies = Counter(body for start, end in drawn for body in self._bodies(start, end, kind))
        starts = list(dict.fromkeys(start for start, _ in drawn))
        rules = []
        for body, times in bodies.most_common(4 * RULES):
            if times >= LEAST and (sure := self._confidence(kind, body, starts)) > 0:
                rules.append((body, sure))
        return sorted(rules, key=lambda rule: (-rule[1], rule[0]))[:RULES]

    def _bodies(self, start: int, end: int, kind: int) -> Iterator[Body]:
        """Yield every way from one to the other in one or two steps, but the relation itself."""
        firsts = self._beside.get(start, {})
        for first, reached in firsts.items():
            if first != kind and end in reached:
                yield (first,)
        turned = {step: ends for step, ends in self._beside.get(end, {}).items() if len(ends) <= FAN_OUT}
        for first, reached in firsts.items():
            if len(reached) <= FAN_OUT:
                for back, ends in turned.items():
                    if reached & ends - {start, end}:
                        yield first, (back + self._kinds) % (2 * self._kinds)

    def _confidence(self, kind: int, body: Body, starts: Iterable[int]) -> float:
        right = reached = 0
        for start in starts:
            found = self._reached(start, body) - {start}
            known = self._beside.get(start, {}).get(kind, set())
            reached += len(found)
            right += len(found & known)
        return right / (reached + DOUBT)

    def _reached(self, start: int, body: Body) -> set[int]:
        ends = {start}
        for step in body:
            ends = set[int]().union(
                *(found for end in ends if len(found := self._beside.get(end, {}).get(step, set())) <= FAN_OUT)
            )
        return ends


def _neighbours(train: Rows, kinds: int) -> dict[int, dict[int, set[int]]]:
    """Give what stands beside each concept, by relation; the other way round by numbers behind those of relations."""
    beside: dict[int, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    for head, kind, tail in train.tolist():
        beside[head][kind].add(tail)
        beside[tail][kind + kinds].add(head)
    return {end: dict(steps) for end, steps in beside.items()}
