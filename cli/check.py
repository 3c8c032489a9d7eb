"""The commands that look for faults: in the installation, and in what the graph says."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..progress import note
from . import printing
from .shared import AS_JSON, with_database

if TYPE_CHECKING:
    from ..graph.database import Database
    from ..settings import Settings


@click.command()
@AS_JSON
@click.pass_obj
def doctor(settings: Settings, as_json: bool) -> None:
    """Look whether the installation is sound; it starts and changes nothing. Exit status 1 when something is broken."""
    from ..doctor import findings
    from ..doctor.examine import examine

    rows = examine(settings)
    data = findings.as_dict(rows)
    if as_json:
        printing.as_json(data)
    else:
        printing.findings(rows)
    if not data["sound"]:
        raise click.ClickException(f"{data['broken']} broken, {data['warning']} to look at; each says what mends it")


@click.command()
@click.option("--source", default="", help="Look only at what this source says.")
@click.option("--check", "only", multiple=True, help="Run only this check; may be repeated.")
@click.option("--examples", default=5, show_default=True, type=click.IntRange(0), help="Elements to name a finding.")
@click.option("--markdown", "file", type=click.Path(path_type=Path, dir_okay=False), help="Also write a report.")
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning", "never"]),
    default="error",
    show_default=True,
    help="Exit status 1 from this severity on.",
)
@click.option(
    "--known",
    type=click.Path(path_type=Path, dir_okay=False),
    help="An earlier audit's --json: fail only for what is new or has grown since.",
)
@AS_JSON
@with_database
def audit(  # noqa: PLR0913, PLR0917 - one argument an option
    settings: Settings,
    database: Database,
    source: str,
    only: tuple[str, ...],
    examples: int,
    file: Path | None,
    fail_on: str,
    known: Path | None,
    as_json: bool,
) -> None:
    """Look whether what the graph says is sound: provenance, relations, names, cross-references and texts."""
    from ..audit.findings import markdown, read_known
    from ..audit.run import audit as look
    from ..files import check_writable, write_whole

    earlier = read_known(known)
    if file is not None:
        check_writable(file)
    done = look(database, source, examples, only)
    if as_json:
        printing.as_json(done.as_dict())
    else:
        printing.audit(done)
    if file is not None:
        write_whole(file, markdown(done).encode())
        note(f"{file} written")
    failing, failed = done.failing(fail_on, earlier), done.counts()["failed"]
    if failing or (failed and fail_on != "never"):
        new = ", new or grown since" if known else ""
        also = f"; {failed} checks could not be run" if failed else ""
        raise click.ClickException(f"{len(failing):,} findings of severity {fail_on} or worse{new}{also}")


COMMANDS = (doctor, audit)
