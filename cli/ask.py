"""The command that answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..progress import note
from ..settings import COMPOSERS, Settings
from . import printing
from .shared import AS_JSON, GRAPH, assembly_of, with_database, with_filters, with_model, with_pipeline

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..answers.pipelines.pipeline import Chosen
    from ..graph.database import Database
    from ..models.protocol import Model


@click.command()
@click.argument("question")
@with_filters
@GRAPH
@click.option(
    "--composer",
    type=click.Choice(COMPOSERS),
    help="Quote texts, answer by relations alone, which takes no filter, or let MEDGRAPH_MODEL write what is then"
    " checked; by default as MEDGRAPH_COMPOSER says.",
)
@with_pipeline
@click.option("--explain", is_flag=True, help="Show how a pipeline came to its answer: stages, candidates, paths.")
@click.option("--stream", is_flag=True, help="Print each sentence of a language model once it is checked.")
@click.option(
    "--keep",
    is_flag=True,
    help="Keep the answer in the graph, with its claims what speaks for each, and how it came about.",
)
@AS_JSON
@with_database
@with_model
def ask(  # noqa: PLR0913, PLR0917 - one argument an option
    settings: Settings,
    database: Database,
    question: str,
    composer: str | None,
    pipeline: Chosen | None,
    explain: bool,
    stream: bool,
    keep: bool,
    as_json: bool,
    model: Callable[[], Model],
    **filters: Any,
) -> None:
    """Answer QUESTION in sentences that are cited and checked."""
    if stream and as_json:
        raise click.UsageError("--stream prints sentences and --json one object; leave one of them out")
    if pipeline and composer:
        raise click.UsageError("a pipeline composes its answer itself; leave --composer or --pipeline out")
    if explain and not pipeline:
        raise click.UsageError("--explain shows what a pipeline did; name one with --pipeline")
    from ..answers.part_answers import untold
    from ..queries.filters import Filters

    assembly, asked = assembly_of(settings, database, model), Filters(**filters)
    tell = printing.event if stream else untold
    answer = assembly.answerer.ask(question, asked, composer=composer, tell=tell, pipeline=pipeline)
    if as_json:
        printing.as_json(answer.as_dict())
    else:
        printing.answer(answer)
        if explain and answer.pipeline:
            printing.pipeline_trace(answer.pipeline)
    if keep:
        from ..answers.answer_runs import keep as store
        from ..answers.answer_runs import run_of

        way = pipeline.pipeline.name if pipeline else composer or settings.composer
        run = run_of(database, answer, way, asked, settings)
        name, claims = store(database, answer, run, assembly.reader())
        note(f"kept as {name}, with {claims} claim{'' if claims == 1 else 's'}; medgraph query claim_graph shows it")
        note(f"medgraph replay {name} answers it again, and shows what is different")


COMMANDS = (ask,)
