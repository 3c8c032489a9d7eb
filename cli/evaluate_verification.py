"""The command that measures how answers are checked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from .evaluate import evaluate, show
from .shared import AS_JSON, encoder_of, reader_of, with_database

if TYPE_CHECKING:
    from ..evaluation.verification import Learn
    from ..graph.database import Database
    from ..settings import Settings


@evaluate.command("verification")
@click.option("--sample", default=500, show_default=True, type=click.IntRange(min=10), help="Faults, at most.")
@click.option(
    "--data",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Also judge labelled claims: a folder with healthver/ and citint/.",
)
@click.option(
    "--train",
    "work",
    type=click.Path(file_okay=False, path_type=Path),
    help="Also go on training the cross-encoder that MEDGRAPH_VERIFIER names on other claims (extra train); in this"
    " folder, where an interrupted training goes on.",
)
@AS_JSON
@with_database
def evaluate_verification(
    settings: Settings, database: Database, sample: int, data: Path | None, work: Path | None, as_json: bool
) -> None:
    """Measure whether faults put into cited sentences are caught, and right sentences left alone.

    The sentences are of MedQuAD's half held. Claims of HealthVer and Citation-Integrity give development figures only.

    Raises:
        UsageError: --train is given without --data, or where no cross-encoder is set.
    """
    from ..evaluation import claims, verification

    if work and not (data and settings.verifier):
        raise click.UsageError("--train needs --data, and MEDGRAPH_VERIFIER set to a folder to begin with")
    reader = reader_of(settings)()
    rows, claimed = verification.faults(database, sample, reader), {}
    if data is not None:
        pairs = {
            "healthver": claims.read_healthver(data / claims.HEALTHVER),
            "citint": claims.read_citint(data / claims.CITINT, "dev"),
        }
        learned = claims.read_citint(data / claims.CITINT, "train")
        learn = _learner(settings, work) if work else None
        claimed["claims"] = verification.labelled(pairs, learned, encoder_of(settings)(), reader, learn)
    show(settings, rows, in_json=as_json, **claimed)


def _learner(settings: Settings, work: Path) -> Learn:
    """Give what goes on training the cross-encoder that is set."""
    from ..training.encoder import base_of
    from ..training.entailment import Options, learner_of

    return learner_of(base_of(settings), Path(settings.verifier or "").expanduser(), work, Options())
