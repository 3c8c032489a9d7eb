"""The command that has a language model write what an encoder is trained on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from medgraph.cli import printing
from medgraph.cli.shared import AS_JSON, with_database, with_model

from .train import SEED, train

if TYPE_CHECKING:
    from collections.abc import Callable

    from medgraph.graph.database import Database
    from medgraph.models.protocol import Model
    from medgraph.settings import Settings


@train.command("pseudo-queries")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--sample", type=click.IntRange(min=1), help="Documents, at most; all by default.")
@SEED
@AS_JSON
@with_database
@with_model
def train_pseudo_queries(
    _settings: Settings,
    database: Database,
    folder: Path,
    sample: int | None,
    seed: int,
    as_json: bool,
    model: Callable[[], Model],
) -> None:
    """Have MEDGRAPH_MODEL write what patients would ask each document of relations, and keep it in FOLDER.

    The model writes a query and judges it, five times at most, until it is in a patient's style and relevant. Train on
    these with `train encoder --both-sides --pseudo-queries FOLDER`. What is kept is not asked for again.

    Raises:
        RequestsWaitError: Requests wait for replies of a batch.
    """
    from dataclasses import asdict

    from medgraph.errors import RequestsWaitError

    from ..training import pseudo_queries

    written = pseudo_queries.write(database, model(), folder, sample, seed)
    if as_json:
        printing.as_json(asdict(written) | {"kept": len(written.kept)})
    else:
        click.echo(f"{folder}: {written.summary()}")
    if written.waiting:
        raise RequestsWaitError(f"{written.waiting} documents wait for replies")
