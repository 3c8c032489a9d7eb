"""From relations to vectors: read triples, train what is not trained yet, judge it, and write the best one's down."""

from __future__ import annotations

import io
import json
import shutil
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...files import locked, write_whole
from ...progress import note
from . import learning, store
from .presets import preset
from .ranks import figures, ranks
from .rules import Rules
from .triples import joined_in_training, leakage, read_triples, split
from .vectors import SharedParameters, Vectors, unpacked

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ...graph.database import Database
    from .presets import Preset
    from .ranks import Scorer
    from .triples import Split

CARD: Final = "card.json"
SETTINGS: Final = "settings.json"
VECTORS: Final = "vectors.npz"

BASELINES: Final = ("MarginalDistributionBaseline", "SoftInverseTripleBaseline")  # PyKEEN's baselines
_ENTITIES: Final = "entities of the graph"
_BIASES: Final = "biases of the entities"


@dataclass(frozen=True, slots=True)
class Options:
    """What to train.

    Attributes:
        models: Models; where there are several, the one of the highest MRR while choosing is taken.
        kind: Their preset.
        seed: Of everything that is drawn.
        baselines: Whether to judge what needs no vectors, too.
        minutes: How long each training may take, to the end of an epoch; None for as long as its preset says.
        threads: Threads of the processor; 0 for all. On a busy machine one is faster than several that wait for each
            other.
    """

    models: Sequence[str] = ("ComplEx",)
    kind: str = "tuned"
    seed: int = 17
    baselines: bool = False
    minutes: float | None = None
    threads: int = 0


@dataclass(frozen=True, slots=True)
class Trained:
    """What was trained, and what became of it.

    Attributes:
        card: Of the model whose vectors the graph has now.
        table: A row a model or baseline: its figures.
        leakage: What makes triples easy to guess.
    """

    card: dict[str, Any]
    table: list[dict[str, Any]]
    leakage: dict[str, Any]


def index_kge(database: Database, folder: Path, options: Options, *, rebuild: bool = False) -> Trained:
    """Learn vectors of concepts from their relations and write them to the graph; what was interrupted goes on.

    Args:
        rebuild: Whether vectors of another model may be replaced.

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
    triples = read_triples(database)
    parts = split(triples, options.seed)
    place = folder / f"{triples.fingerprint}-{options.seed}"
    note(_told(parts))
    made = [_trained(parts, one, place / f"{one.model}-{options.kind}", options) for one in presets]
    best = max(made, key=lambda pair: pair[1]["chosen by"].get("mrr", 0.0))
    table = [_row(card["model"], card) for _, card in made]
    if options.baselines:
        table += [_row(name, _judged(parts, name, options.seed)) for name in (*BASELINES, "path rules")]
    vectors, card = best
    store.write(database, triples.entities, vectors, card, rebuild=rebuild)
    _forget(folder, place)
    return Trained(card, table, leakage(parts))


def _told(parts: Split) -> str:
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
            return _read(folder, parts, one), card
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


def _judged(parts: Split, name: str, seed: int) -> dict[str, Any]:
    return _figures(parts, learning.Baseline(parts, name) if name in BASELINES else Rules(parts, seed))


def _row(name: str, card: dict[str, Any]) -> dict[str, Any]:
    """Give a line of the table."""
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


def _read(folder: Path, parts: Split, one: Preset) -> Vectors:
    weights = unpacked((folder / VECTORS).read_bytes())
    entities, biases = weights.pop(_ENTITIES), weights.pop(_BIASES, None)
    return Vectors(SharedParameters(one.model, parts.triples.relations, one.inverses, weights), entities, biases)


def _forget(folder: Path, kept: Path) -> None:
    """Delete trainings on triples that the graph no longer has."""
    for other in folder.iterdir():
        if other.is_dir() and other != kept:
            shutil.rmtree(other)
