"""The command that fits how likely results of search answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from medgraph.cli import printing
from medgraph.cli.shared import AS_JSON, assembly_of, with_database

from .train import FILE, GRADES, NEW, read_graded, train

if TYPE_CHECKING:
    from pathlib import Path

    from medgraph.graph.database import Database
    from medgraph.settings import Settings


@train.command("likelihood")
@click.argument("file", type=NEW)
@click.argument("messages", type=FILE)
@GRADES
@click.option("--held", type=FILE, multiple=True, help="Grades to measure by, of other questions; may be repeated.")
@AS_JSON
@with_database
def train_likelihood(
    settings: Settings,
    database: Database,
    file: Path,
    messages: Path,
    grades: tuple[Path, ...],
    held: tuple[Path, ...],
    as_json: bool,
) -> None:
    """Fit how likely results of search answer, and write it to FILE, as queries/likelihood.tsv has it.

    MESSAGES is MeQSum's table, or one of its form. Figures are of the first ten results.
    """
    from medgraph.files import check_writable

    from ..training import likelihood

    check_writable(file)
    graded, retriever = read_graded(messages, grades), assembly_of(settings, database).retriever
    known = likelihood.describe(retriever, graded)
    weights = likelihood.fit(known)
    likelihood.write(weights, file, known, len(graded))
    measured = {"fitted to": known}
    for one in held:
        measured[one.name] = likelihood.describe(retriever, read_graded(messages, (one,), both_halves=True))
    rows = [{"grades": name} | likelihood.figures(questions, weights) for name, questions in measured.items()]
    printing.figures(rows, in_json=as_json)
