"""Updates the index after a load, and puts vectors of another encoder in the place of those that serve.

These are made beside the others, put in their place at once, and dropped. A process goes on with the vectors of its own
encoder as long as the graph has them, so that services are restarted with the new one after a switch, one by one, and
no request fails.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import InputError
from ..graph import catalogue, slots
from ..graph.engine import LOCAL
from ..schema import migrate, rules
from . import store
from .chunking import cut_by, index_chunks
from .sentence_vectors import index_sentences

if TYPE_CHECKING:
    from ..graph.database import Database
    from ..graph.engine import Engine
    from ..schema.migrate import Model
    from ..schema.rules import Rule
    from .encoders.encoder import TextEncoder


@dataclass(frozen=True, slots=True)
class Indexed:
    """What was made: chunks that were cut, and how many chunks, questions and sentences the encoder gave vectors."""

    encoder: str
    chunks: int
    embedded_chunks: int
    embedded_questions: int
    embedded_sentences: int

    def summary(self) -> str:
        """Say it in a sentence."""
        embedded = (
            f"{self.embedded_chunks:,} chunks, {self.embedded_questions:,} questions"
            f" and {self.embedded_sentences:,} sentences"
        )
        return f"{self.chunks:,} chunks made; {embedded} embedded by {self.encoder}"


def index(
    database: Database, encoder: TextEncoder, what: str, *, rebuild: bool = False, engine: Engine = LOCAL
) -> Indexed:
    """Cut and embed whatever is new or stale.

    Args:
        what: `chunks`, `embeddings` or `all`.
        rebuild: Forget all vectors first, as a change of encoder needs.

    Raises:
        SchemaMissingError: The schema has not been applied.
        EncoderMismatchError: The graph's vectors are from another encoder, and it is not a rebuild.
        DatabaseError: The database went away; what was committed stays.
    """
    if rebuild:
        store.rebuild(database, encoder)
    migrate.check(database, encoder.name, encoder.dimension)
    made = index_chunks(database, encoder, engine) if what != "embeddings" else 0
    if what == "chunks":
        return Indexed(encoder.name, made, 0, 0, 0)
    embedded = store.index_embeddings(database, encoder, engine)
    return Indexed(encoder.name, made, *embedded, index_sentences(database, encoder, engine))


def index_beside(database: Database, encoder: TextEncoder, engine: Engine = LOCAL) -> Indexed:
    """Make vectors of another encoder for the chunks that there are, with indexes of their own.

    Raises:
        InputError: The encoder serves already, or a third one's vectors stand beside.
        DatabaseError: The database went away; what was committed stays, and a second call goes on.
    """
    serving, *others = migrate.recorded_encoders(database)
    if serving.name == encoder.name:
        raise InputError(f"{encoder.name} serves already; name another encoder")
    for other in others:
        if other.name != encoder.name:
            raise InputError(f"vectors of {other.name} stand beside; run: medgraph index switch --drop {other.name}")
    slot = slots.SECOND if serving.slot == slots.FIRST else slots.FIRST
    beside = database.in_slot(slot)
    noted = catalogue.get("record_encoder_beside")
    database.write(noted, name=encoder.name, dimension=encoder.dimension, slot=slot)
    for rule in _rules(slot):
        migrate.create(beside, rule.statement, encoder.dimension)
    embedded = store.index_embeddings(beside, encoder, engine)
    return Indexed(encoder.name, 0, *embedded, index_sentences(beside, encoder, engine))


def switch(database: Database, encoder: TextEncoder) -> None:
    """Let an encoder serve whose vectors stand beside; a second time it completes what was interrupted.

    Raises:
        InputError: There are no vectors of it, or not of everything.
    """
    serving = migrate.recorded_encoder(database)
    if serving is None or serving.name != encoder.name:
        beside = _beside(database, encoder.name)
        left = database.in_slot(beside.slot).read(catalogue.get("count_unembedded"), model=encoder.name)[0]
        if any(left.values()):
            raise InputError(
                f"{left['chunks']:,} chunks and {left['questions']:,} questions have no vector of {encoder.name} yet; "
                f"run: medgraph index embeddings --encoder {encoder.name} --beside"
            )
        database.write(catalogue.get("switch_encoders"))
    database.run(catalogue.get("adopt_chunks"), cut=cut_by(encoder))


def drop(database: Database, name: str) -> None:
    """Drop the vectors and indexes of an encoder that does not serve; a second time it completes what was interrupted.

    Raises:
        InputError: It serves, or there are none of it.
    """
    if migrate.recorded_encoders(database)[0].name == name:
        raise InputError(f"{name} serves; let another one serve first: medgraph index switch NEW")
    beside = database.in_slot(_beside(database, name).slot)
    for rule in _rules(beside.slot or slots.FIRST):
        rules.clear(database, rule)
    beside.run(catalogue.get("clear_embeddings"))
    database.write(catalogue.get("forget_encoder_beside"))


def _beside(database: Database, name: str) -> Model:
    for model in migrate.recorded_encoders(database)[1:]:
        if model.name == name:
            return model
    raise InputError(f"no vectors of {name} stand beside; run: medgraph index embeddings --encoder {name} --beside")


def _rules(slot: str) -> list[Rule]:
    """Give the indexes of vectors, and of what vectors are by, in a place."""
    return [rule for name, rule in migrate.declared(slot=slot).items() if "_embedding" in name]
