"""The command that measures a reranker's probabilities."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import printing
from .evaluate import evaluate, made_with
from .shared import AS_JSON, encoder_of, linker_of, with_database
from .train import GRADES, MESSAGES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..graph.database import Database
    from ..settings import Settings


@evaluate.command("reranker")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@MESSAGES
@GRADES
@click.option(
    "--plot", type=click.Path(dir_okay=False, path_type=Path), help="Plot the curve, and write this .svg or .png."
)
@AS_JSON
@with_database
def evaluate_reranker(
    settings: Settings,
    database: Database,
    folder: Path,
    messages: Path | None,
    grades: tuple[Path, ...],
    plot: Path | None,
    as_json: bool,
) -> None:
    """Measure how far the probabilities of the reranker in FOLDER can be believed, and how rightly it says "none".

    It reads what search finds for graded questions, which should be others than it was trained on.

    Raises:
        UsageError: There are no messages, or no grades.
        InputError: The reranker has no calibration.
    """
    from ..answers.assembly import make_retriever
    from ..errors import InputError
    from ..evaluation import graded, reliability
    from ..evaluation.messages import ALL, read
    from ..pictures import save
    from ..training.calibrating import cases_of
    from ..training.graded import graded_of

    save.check([plot] if plot else [])
    if not messages or not grades:
        raise click.UsageError("give questions: --messages FILE --grades FILE")
    given = graded.read_grades(*grades)
    asked = graded.asked([*read(messages, "dev", ALL), *read(messages, "held", ALL)], given)
    reading = encoder_of(replace(settings, reranker=str(folder)))
    retriever, encoder = make_retriever(database, reading, linker_of(settings, database))
    calibration = encoder().calibration
    if calibration is None:
        raise InputError(f"the reranker in {folder} has no calibration; train it again")
    measured = reliability.tables(reliability.read(retriever, cases_of(graded_of(asked, given))), calibration)
    threshold = calibration.threshold
    if plot:
        _plot(measured["curve"], threshold, plot)
    if as_json:
        printing.as_json({"threshold": threshold, **measured, **made_with(settings)})
        return
    printing.table(measured["rows"])
    click.echo(f'\nthreshold of "none of these": {f"{threshold:.3f}" if threshold else "none is worth anything"}\n')
    printing.table(measured["curve"])


def _plot(curve: Sequence[Mapping[str, Any]], threshold: float, file: Path) -> None:
    from ..pictures import plot, save
    from ..pictures.reliability import plot_of

    curves: dict[str, list[tuple[float, float, int]]] = {}
    for row in curve:
        curves.setdefault(row["asked"], []).append((row["predicted"], row["observed"], row["count"]))
    save.write(plot.draw(plot_of(curves, threshold)), [file])
