"""The command that measures how answers are checked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from .evaluate import evaluate, show
from .shared import AS_JSON, encoder_of, reader_of, with_database

if TYPE_CHECKING:
    from ..graph.database import Database
    from ..settings import Settings


@evaluate.command("verification")
@click.option("--sample", default=500, show_default=True, type=click.IntRange(min=10), help="Faults, at most.")
@click.option(
    "--data",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Also judge labelled claims: a folder with healthver/ and citint/.",
)
@AS_JSON
@with_database
def evaluate_verification(
    settings: Settings, database: Database, sample: int, data: Path | None, as_json: bool
) -> None:
    """Measure whether faults put into cited sentences are caught, and right sentences left alone.

    The sentences are of MedQuAD's half held. Claims of HealthVer and Citation-Integrity give development figures only.
    """
    from ..evaluation import claims, verification

    reader = reader_of(settings)()
    rows, claimed = verification.faults(database, sample, reader), {}
    if data is not None:
        pairs = {
            "healthver": claims.read_healthver(data / claims.HEALTHVER),
            "citint": claims.read_citint(data / claims.CITINT, "dev"),
        }
        learned = claims.read_citint(data / claims.CITINT, "train")
        claimed["claims"] = verification.labelled(pairs, learned, encoder_of(settings)(), reader)
    show(settings, rows, in_json=as_json, **claimed)
