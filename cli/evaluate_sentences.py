"""The command that measures what sentences answers quote."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from . import printing
from .evaluate import evaluate
from .shared import AS_JSON, encoder_of, linker_of, with_database

if TYPE_CHECKING:
    from ..graph.database import Database
    from ..settings import Settings


@evaluate.command("sentences")
@click.argument("meqsum", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("grades", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--fit", "weights", type=click.Path(dir_okay=False, path_type=Path), help="Fit to the grades, and write this file."
)
@AS_JSON
@with_database
def evaluate_sentences(
    settings: Settings, database: Database, meqsum: Path, grades: Path, weights: Path | None, as_json: bool
) -> None:
    """Measure what answers quote; GRADES say how far sentences help to answer short questions of MEQSUM, of MeQSum.

    With --fit nothing is measured: how likely a sentence helps is fitted to the grades, and written as the table that
    medgraph has in answers/helping.tsv.
    """
    from ..answers import helping
    from ..answers.assembly import make_answerer
    from ..evaluation import quoted
    from ..evaluation.messages import ALL, read

    answerer = make_answerer(database, encoder_of(settings), linker_of(settings, database))
    given = quoted.read(grades)
    messages = [*read(meqsum, "dev", ALL), *read(meqsum, "held", ALL)]
    if weights is not None:
        made_by = f"by `medgraph evaluate sentences MEQSUM {grades.name} --fit FILE`"
        helping.write(quoted.fit(answerer, messages, given), weights, made_by)
        return
    rows = quoted.evaluate(answerer, messages, given)
    if as_json:
        printing.as_json({"rows": rows})
    else:
        printing.table(rows)
