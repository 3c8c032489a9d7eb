"""The commands of projects: begin one, and build the graph that it describes."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..progress import note
from . import printing
from .index import index_all
from .load import outcome_of
from .shared import AS_JSON, encoder_of, with_database

if TYPE_CHECKING:
    from ..graph.database import Database
    from ..loaders.project import Built
    from ..settings import Settings

_FOLDER = click.Path(file_okay=False, path_type=Path)


@click.command()
@click.argument("project", type=_FOLDER)
def init(project: Path) -> None:
    """Begin PROJECT, a folder that says what a graph is built from: sources, a mapping with its table, and a README."""
    from ..loaders.project import init as begin

    for path in begin(project):
        click.echo(f"made {path}")
    click.echo(f"Now: medgraph build {shlex.quote(str(project))}")


@click.command()
@click.argument("project", type=_FOLDER, default=".")
@click.option("--locked", is_flag=True, help="Take only files that are those of sources.lock.")
@click.option("--no-index", is_flag=True, help="Load only.")
@AS_JSON
@with_database
def build(settings: Settings, database: Database, project: Path, locked: bool, no_index: bool, as_json: bool) -> None:
    """Bring the graph to what PROJECT says: load what changed, take out what is no longer named, index, and audit."""
    from ..files import locked as alone
    from ..loaders import project as projects

    rows, lines = [], list[str]()
    with alone(settings.home / "build.lock", lambda: note("another build is running; waiting for it")):
        for built in projects.build(database, settings, project, locked=locked):
            rows.append(built)
            said = built.reason or (outcome_of(built.report) if built.report else "")
            if not as_json:
                click.echo(said if said.startswith(built.source) else f"{built.source}: {said}")
        if not no_index and not projects.is_indexed(database, settings, project):
            lines = _index(settings, database)
            projects.note_index(database, settings, project, current=True)
    if as_json:
        printing.as_json({"sources": [_row(built) for built in rows], "index": lines})
    else:
        click.echo("\n".join(lines) or "nothing was indexed")
    failed = [built.source for built in rows if built.failed]
    rejected = [built.source for built in rows if built.report and built.report.rejected]
    if failed or rejected:
        raise click.ClickException(f"not loaded whole: {', '.join([*failed, *rejected])}; the lines above say why")


def _row(built: Built) -> dict[str, object]:
    report = built.report.as_dict() if built.report else None
    return {
        "source": built.source,
        "report": report,
        "reason": built.reason,
        "changed": built.changed,
        "failed": built.failed,
    }


def _index(settings: Settings, database: Database) -> list[str]:
    """Index what was loaded, and look whether the graph is sound."""
    from ..audit.run import audit

    lines = list(index_all(settings, database, encoder_of(settings)()))
    found = ", ".join(f"{count:,} {kind}" for kind, count in audit(database).counts().items() if count)
    return [*lines, f"audit: {found or 'no findings'}; medgraph audit lists them"]


COMMANDS = (init, build)
