"""The steps of `medgraph index` that change the encoder while the graph serves: `--beside`, `compare`, `switch`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

from . import printing
from .engines import encoder_elsewhere
from .shared import encoder_of, linker_of

if TYPE_CHECKING:
    from pathlib import Path

    from ..embeddings.encoders.encoder import TextEncoder
    from ..graph.database import Database
    from ..settings import Settings
    from .engines import ChosenEngine


@dataclass(frozen=True, slots=True)
class Reembedding:
    """What the command line says of other encoders.

    Attributes:
        names: Encoders after `compare` or `switch`.
        encoder: What `--encoder` names.
        beside: Whether its vectors are made beside those that serve.
        questions: The file of questions to compare by.
        drop: The encoder whose vectors go.
    """

    names: tuple[str, ...]
    encoder: str | None
    beside: bool
    questions: Path | None
    drop: str | None

    def check(self, what: str) -> None:
        """Refuse what does not go together.

        Raises:
            UsageError: Something is missing, or is too much.
        """
        wanted = {"compare": {2}, "switch": {0, 1} if self.drop else {1}}.get(what, {0})
        if len(self.names) not in wanted or (self.questions is None) is (what == "compare"):
            raise click.UsageError("write medgraph index compare OLD NEW --questions FILE, or index switch NEW")
        if self.beside is not (self.encoder is not None) or (self.beside and what != "embeddings"):
            raise click.UsageError("write medgraph index embeddings --encoder NEW --beside")
        if self.drop and what != "switch":
            raise click.UsageError("--drop goes with switch: medgraph index switch NEW --drop OLD")

    def embed(self, settings: Settings, database: Database, engine: ChosenEngine) -> None:
        """Make vectors of another encoder beside those that serve."""
        from ..embeddings.index import index_beside

        own = replace(settings, encoder=self.encoder or settings.encoder)
        encoder = encoder_of(own)()
        with engine.opened(own) as running:
            elsewhere = running.loading(encoder_elsewhere(own, encoder))
            made = index_beside(database, encoder, elsewhere)
        click.echo(made.summary())

    def compare(self, settings: Settings, database: Database) -> None:
        """Show what another encoder changes."""
        from ..queries.compare_encoders import compare_encoders
        from ..queries.question_files import read_questions

        topics = read_questions(self.questions) if self.questions else []
        encoders = [_load(settings, name) for name in self.names]
        rows = list(compare_encoders(database, encoders, linker_of(settings, database, joins=False), topics))
        printing.table(rows)
        same = sum(row["first"] == "same" for row in rows)
        shared = sum(row["shared"] for row in rows) / max(1, len(rows))
        click.echo(f"{len(rows):,} questions: {shared:.1f} of 10 results are the same, and the first one for {same:,}")

    def switch(self, settings: Settings, database: Database) -> None:
        """Let another encoder serve, or drop the one that has served."""
        from ..embeddings import index
        from ..schema import migrate

        for name in self.names:
            encoder = _load(settings, name)
            index.switch(database, encoder)
            click.echo(
                f"{encoder.name} serves; set MEDGRAPH_ENCODER={name} and restart services, which go on meanwhile"
            )
        if self.drop:
            known = {model.name for model in migrate.recorded_encoders(database)}
            dropped = self.drop if self.drop in known else _load(settings, self.drop).name
            index.drop(database, dropped)
            click.echo(f"the vectors of {dropped} are dropped")


def _load(settings: Settings, name: str) -> TextEncoder:
    return encoder_of(replace(settings, encoder=name))()
