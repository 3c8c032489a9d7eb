"""The command that measures pipelines beside each other."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from medgraph.cli.shared import AS_JSON, assembly_of, with_database, with_model

from .evaluate import FILE, evaluate, sampled, show

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from medgraph.graph.database import Database
    from medgraph.models.protocol import Model
    from medgraph.settings import Settings


@evaluate.command("pipelines")
@click.argument("questions", nargs=-1, required=True, type=FILE)
@click.option(
    "--way",
    "ways",
    metavar="WAY",
    multiple=True,
    help="A composer or pipeline, such as `hyke/hypothesis` (without that stage) or `joint:graph=alone`; may be"
    " repeated. All by default.",
)
@sampled(20, "Questions of each file, of its half dev")
@click.option(
    "--out",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Keep the answers in this folder; those that are there are not asked for again.",
)
@AS_JSON
@with_database
@with_model
def evaluate_pipelines(
    settings: Settings,
    database: Database,
    questions: Sequence[Path],
    ways: Sequence[str],
    sample: int,
    out: Path,
    as_json: bool,
    model: Callable[[], Model],
) -> None:
    """Answer the same QUESTIONS, files of JSON lines, in several ways: calls, tokens and time, stage by stage."""
    from medgraph.errors import RequestsWaitError

    from ..evaluation import pipelines

    chosen = [pipelines.way_of(way) for way in ways or pipelines.WAYS]
    asked = [question for path in questions for question in pipelines.questions_of(path, sample)]
    kept = pipelines.kept_in(out)
    waiting = pipelines.ask(assembly_of(settings, database, model).answerer, asked, chosen, kept)
    rows = list(pipelines.rows_of(asked, chosen, kept))
    show(settings, rows, in_json=as_json, stages=list(pipelines.stage_rows(asked, chosen, kept)))
    if waiting:
        raise RequestsWaitError(f"{waiting} answers wait for replies")
