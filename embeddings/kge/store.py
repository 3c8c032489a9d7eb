"""Learned vectors in the graph: written to concepts in batches, with an index and the model that they are from."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ...errors import EncoderMismatchError, NotInGraphError
from ...graph import catalogue
from ...graph.database import as_vector
from ...progress import progress
from .vectors import SharedParameters, unpacked

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ...graph.database import Database
    from .vectors import Vectors

BATCH: Final = 1024  # vectors a transaction
WRITERS: Final = 2  # transactions at once: one is sent while another is stored, and no two have the same concept


@dataclass(frozen=True, slots=True)
class StoredModel:
    """The model whose vectors the graph has: what asks it, the vectors' dimension, and its card."""

    shared: SharedParameters
    dimension: int
    card: Mapping[str, Any]


def check(database: Database, model: str, dimension: int) -> None:
    """Make sure that the graph's vectors, if any, are from this model; EncoderMismatchError tells what mends others."""
    for row in database.read(catalogue.get("kge_state")):
        if (row["name"], row["dimension"]) != (model, dimension):
            raise EncoderMismatchError(
                f"the graph's vectors of relations are from {row['name']} ({row['dimension']} dimensions), not from "
                f"{model} ({dimension}); to put these in their place: medgraph index kge --rebuild"
            )


def write(
    database: Database, entities: Sequence[str], vectors: Vectors, card: Mapping[str, Any], *, rebuild: bool = False
) -> None:
    """Write vectors to their concepts, and wait for the index; what is not in the graph any more is left out.

    Raises:
        EncoderMismatchError: The graph's vectors are from another model, and it is not a rebuild.
        DatabaseError: The database went away; run it again.
    """
    shared, dimension = vectors.shared, vectors.entities.shape[1]
    if not rebuild:
        check(database, shared.model, dimension)
    # From here on there are no vectors until all are there, so that those of two trainings are never compared.
    database.write(
        catalogue.get("record_kge_model"),
        name=shared.model,
        dimension=dimension,
        relations=list(shared.relations),
        inverses=shared.inverses,
        weights=shared.packed(),
        card=json.dumps(card),
    )
    database.run(catalogue.get("drop_kge_index"))
    database.run(catalogue.get("clear_kge"))
    write_vectors(database, entities, vectors)
    database.run(catalogue.get("create_kge_index"), dimension=dimension)
    database.wait_for_indexes()
    database.write(catalogue.get("complete_kge_model"))


def write_vectors(database: Database, entities: Sequence[str], vectors: Vectors) -> None:
    """Write vectors to their concepts, batch by batch, some at once; what was committed stays if the database goes."""

    def stored(start: int) -> int:
        part = slice(start, start + BATCH)
        ids = list(entities[part])
        database.write(
            catalogue.get("write_kge"),
            ids=ids,
            vectors=[as_vector(vector) for vector in vectors.entities[part]],
            biases=[] if vectors.biases is None else vectors.biases[part].tolist(),
        )
        return len(ids)

    starts = range(0, len(entities), BATCH)
    with progress("writing vectors", "vector", len(entities)) as bar, ThreadPoolExecutor(WRITERS) as pool:
        for number in pool.map(stored, starts):
            bar.update(number)


def model_of(database: Database) -> tuple[str, int]:
    """Tell name and dimension of the model whose vectors the graph has, as `stored` does, without what asks it."""
    row = _complete(database.read(catalogue.get("kge_state")))
    return row["name"], row["dimension"]


def stored(database: Database) -> StoredModel:
    """Read the model whose vectors the graph has.

    Raises:
        NotInGraphError: The graph has no vectors of relations, or not all of them yet.
        InputError: The model is damaged.
    """
    row = _complete(database.read(catalogue.get("kge_model")))
    shared = SharedParameters(row["name"], tuple(row["relations"]), row["inverses"], unpacked(row["weights"]))
    return StoredModel(shared, row["dimension"], json.loads(row["card"]))


def _complete(rows: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    if not rows or not rows[0]["complete"]:
        lacks = "its vectors of relations only in part" if rows else "no vectors of relations"
        raise NotInGraphError(f"the graph has {lacks}; make them: medgraph index kge")
    return rows[0]
