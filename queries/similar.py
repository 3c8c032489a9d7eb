"""Finds concepts with similar relations and predicts relations, by vectors learned from all relations.

Predictions are guesses. Nothing here writes, and no answer cites them: what cites takes relations of the graph alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..embeddings.kge.vectors import model_of, stored
from ..errors import EncoderMismatchError, InputError, NotInGraphError
from ..graph import catalogue
from ..schema.checks import Count  # noqa: TC001 # the service reads the annotations
from ..schema.vocabulary import ENTITY_LABELS, RELATION_ENDS
from ..text import did_you_mean
from .concepts import concept_named, quoted
from .paths import find_paths

if TYPE_CHECKING:
    from ..graph.database import Database
    from .entities import LinkerOf
    from .paths import Path

MOST: Final = 50  # concepts that are given, at most
SHOWN: Final = 10  # concepts that are given where nobody asks for another number
PATHS: Final = 3  # paths that are given in support of a prediction
_REACH: Final = 100  # concepts that the index is asked for, as it misses some of the nearest where it is asked for few
_REACH_OF_LABEL: Final = 1000  # the same where only those of a category are wanted


@dataclass(frozen=True, slots=True)
class SimilarConcept:
    """A concept that stands in like relations."""

    concept: str  # its id
    name: str  # what it is called
    label: str  # its category
    entity: str  # id of the entity that fits it best; empty where there is none
    similarity: float  # the cosine of the two vectors, from -1 to 1


@dataclass(frozen=True, slots=True)
class SimilarConcepts:
    """What is like something."""

    concept: str  # id of the concept that others are compared with
    name: str  # what it is called
    label: str  # its category
    model: str  # the model that learned the vectors
    similar: tuple[SimilarConcept, ...]  # the others, the nearest first


@dataclass(frozen=True, slots=True)
class Prediction:
    """A concept that something may be related to: a guess, unless it is known."""

    rank: Count  # its place among all concepts that the relation may lead to
    concept: str
    name: str
    label: str
    score: float  # what the model makes of it; to be compared with others of the same question alone
    known: bool  # whether a source states it or a section tells it
    paths: tuple[Path, ...] = ()  # what of the graph speaks for it; none where it is known, or nothing was looked for


@dataclass(frozen=True, slots=True)
class Predictions:
    """What something may be related to."""

    concept: str
    name: str
    label: str
    relation: str
    model: str  # the model that was asked
    predictions: tuple[Prediction, ...]  # what it says, the likeliest first


def find_similar(database: Database, concept: str, *, limit: int = SHOWN, label: str = "") -> SimilarConcepts:
    """Find what stands in like relations as a concept does, of a category or of any, the nearest first.

    Raises:
        InputError: A number cannot be used.
        NotInGraphError: There is no such category, or the concept has no vector.
        EncoderMismatchError: Its vector is from another model.
    """
    _check(limit)
    if label and label not in ENTITY_LABELS:
        raise NotInGraphError(f"there is no category {quoted(label)}{did_you_mean(label, ENTITY_LABELS)}")
    name, dimension = model_of(database)
    row = _vector(database, name, dimension, concept)
    rows = database.read(
        catalogue.get("similar"),
        concept=concept,
        labels=[label] * bool(label),
        reach=_REACH_OF_LABEL if label else _REACH,
        limit=limit,
    )
    return SimilarConcepts(concept, row["name"], row["label"], name, tuple(SimilarConcept(**one) for one in rows))


def predict(
    database: Database, linker: LinkerOf, name: str, relation: str, *, limit: int = SHOWN, paths: bool = True
) -> Predictions:
    """Predict what something is related to, the likeliest first, with paths that speak for it; none of it is a fact.

    Raises:
        InputError: A number cannot be used, or the model knows no such relation.
        NotInGraphError: Nothing is called so, or it has no vector.
        EncoderMismatchError: Its vector is from another model.
    """
    _check(limit)
    model = stored(database)
    kind = relation.strip().upper().replace(" ", "_")
    if kind not in model.shared.relations:
        known = did_you_mean(kind, model.shared.relations)
        raise InputError(f"{model.shared.model} knows no relation {quoted(relation)}{known}")
    concept = concept_named(database, linker, name)
    row = _vector(database, model.shared.model, model.dimension, concept)
    given = np.array([row["vector"]], dtype=np.float32)
    asked = model.shared.question(given, np.array([model.shared.relations.index(kind)]))  # where the tail should lie
    rows = database.read(
        catalogue.get("predicted"),
        concept=concept,
        relation=kind,
        vector=asked[0].tolist(),
        dimension=model.dimension,
        by_distance=model.shared.by_distance,
        labels=list(RELATION_ENDS[kind][1]) if kind in RELATION_ENDS else [],
        limit=limit,
    )
    found = [Prediction(**one) for one in rows]
    for place, one in enumerate(found):
        if paths and not one.known:
            (pair,) = find_paths(database, linker, (concept, one.concept), limit=PATHS)
            found[place] = replace(one, paths=pair.paths)
    return Predictions(concept, row["name"], row["label"], kind, model.shared.model, tuple(found))


def _check(limit: int) -> None:
    if not 1 <= limit <= MOST:
        raise InputError(f"from 1 to {MOST} concepts are given, not {limit}")


def _vector(database: Database, model: str, dimension: int, concept: str) -> dict[str, Any]:
    rows = database.read(catalogue.get("kge_vector"), concept=concept)
    if not rows or not rows[0]["vector"]:
        name = rows[0]["name"] if rows else concept
        raise NotInGraphError(
            f"{quoted(name)} has no vector, as no relation between concepts was learned of it; if there is one by now: "
            "medgraph index kge"
        )
    (row,) = rows
    if len(row["vector"]) != dimension:
        raise EncoderMismatchError(
            f"the vector of {quoted(row['name'])} has {len(row['vector'])} dimensions, those of {model} "
            f"have {dimension}; make all of them anew: medgraph index kge --rebuild"
        )
    return row
