"""The commands with which curators decide on equivalences."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from . import printing
from .shared import AS_JSON, with_database

if TYPE_CHECKING:
    from ..graph.database import Database
    from ..settings import Settings

_STATUS = click.Choice(["proposed", "accepted", "rejected", "refused"])


@click.group()
def review() -> None:
    """Equivalences of entities: list them, accept, reject, undo, export."""


@review.command("list")
@click.option("--status", type=_STATUS, default="proposed", show_default=True, help="Those of which this was said.")
@click.option("--limit", type=click.IntRange(1, 1000), default=25, show_default=True, help="Equivalences, at most.")
@click.option("--method", default="", help="Only what was found in this way, such as name, xref or embedding.")
@AS_JSON
@with_database
def review_list(settings: Settings, database: Database, status: str, limit: int, method: str, as_json: bool) -> None:
    """List equivalences with what they rest on, the surest first."""
    from ..linking.review import listed

    rows = [asdict(pair) for pair in listed(database, status, limit, method)]
    if as_json:
        printing.as_json({"equivalences": rows})
        return
    for row in rows:
        row["chain"] = "; ".join(row["chain"])
        del row["id"]
    printing.table(rows)


@review.command("accept")
@click.argument("one")
@click.argument("other")
@with_database
def review_accept(settings: Settings, database: Database, one: str, other: str) -> None:
    """Say that ONE and OTHER, ids of entities, mean the same."""
    _decide(database, one, other, same=True)


@review.command("reject")
@click.argument("one")
@click.argument("other")
@with_database
def review_reject(settings: Settings, database: Database, one: str, other: str) -> None:
    """Say that ONE and OTHER, ids of entities, do not mean the same."""
    _decide(database, one, other, same=False)


def _decide(database: Database, one: str, other: str, *, same: bool) -> None:
    from ..linking.review import decide

    former = decide(database, one, other, same=same)
    said = "accepted" if same else "rejected"
    click.echo(f"{said}{f' (was {former})' if former else ''}; medgraph index concepts puts it into effect")


@review.command("undo")
@click.argument("one")
@click.argument("other")
@with_database
def review_undo(settings: Settings, database: Database, one: str, other: str) -> None:
    """Take back what was said of ONE and OTHER."""
    from ..linking.review import undo

    click.echo(f"{undo(database, one, other)} no more; medgraph index concepts puts it into effect")


@review.command("export")
@click.argument("path", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--proposed", is_flag=True, help="Those that nobody has decided on, too.")
@click.option("--force", is_flag=True, help="Replace a file that is there.")
@with_database
def review_export(settings: Settings, database: Database, path: Path, proposed: bool, force: bool) -> None:
    """Write what was decided to PATH, as SSSOM."""
    from ..exports.reviews import export
    from ..progress import note

    for line in export(database, path, proposed=proposed, force=force):
        note(line)
    click.echo(f"written: {path}")


COMMANDS = (review,)
