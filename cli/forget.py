"""The command that removes answers that were kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .shared import with_database

if TYPE_CHECKING:
    from ..graph.database import Database
    from ..settings import Settings


@click.command()
@click.argument("answers", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="All answers that were kept.")
@with_database
def forget(settings: Settings, database: Database, answers: tuple[str, ...], everything: bool) -> None:
    """Remove ANSWERS that `ask --keep` kept, and their runs, by their ids; `medgraph query kept_answers` lists them."""
    from ..answers.answer_runs import forget as remove

    if everything == bool(answers):
        raise click.UsageError("give ids of answers, or --all; medgraph query kept_answers lists them")
    count = remove(database, answers, everything=everything)
    click.echo(f"{count:,} answer{'' if count == 1 else 's'} forgotten")


COMMANDS = (forget,)
