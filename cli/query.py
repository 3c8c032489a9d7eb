"""The command that runs saved queries."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from . import printing
from .shared import AS_JSON, with_any_database

if TYPE_CHECKING:
    from ..graph.database import Database
    from ..settings import Settings


@click.command()
@click.argument("name", required=False)
@click.option("--param", "-p", "given", multiple=True, metavar="NAME=VALUE", help="A parameter; may be repeated.")
@AS_JSON
@with_any_database
def query(settings: Settings, database: Database, name: str | None, given: tuple[str, ...], as_json: bool) -> None:
    """Run the saved query NAME; without a name, list the saved queries."""
    from ..queries.saved import list_saved, run_saved

    rows = run_saved(database, name, given) if name else list_saved()
    printing.figures(rows, in_json=as_json)


COMMANDS = (query,)
