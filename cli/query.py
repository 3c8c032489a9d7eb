"""The command that runs saved queries."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from . import printing
from .shared import AS_JSON

if TYPE_CHECKING:
    from ..settings import Settings


@click.command()
@click.argument("name", required=False)
@click.option("--param", "-p", "given", multiple=True, metavar="NAME=VALUE", help="A parameter; may be repeated.")
@AS_JSON
@click.pass_obj
def query(settings: Settings, name: str | None, given: tuple[str, ...], as_json: bool) -> None:
    """Run the saved query NAME; without a name, list the saved queries."""
    from ..queries.saved import list_saved, run_saved

    if not name:
        rows = list_saved()
    else:
        from ..graph.connect import connect

        with connect(settings) as database:
            rows = run_saved(database, name, given)
    printing.figures(rows, in_json=as_json)


COMMANDS = (query,)
