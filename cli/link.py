"""The commands that find what texts and names stand for, and that decide on equivalences."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from .shared import with_database

if TYPE_CHECKING:
    from ..graph.database import Database
    from ..settings import Settings

_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.argument("texts", type=_FILE, required=False)
@click.option("--names", type=_FILE, help="Link names, one a line, instead of texts.")
@click.option(
    "--run", "out", type=click.Path(dir_okay=False, writable=True, path_type=Path), help="Write the table to this file."
)
@click.option("--top-k", type=click.IntRange(1, 100), default=1, show_default=True, help="Lines a name, at most.")
@with_database
def link(
    settings: Settings, database: Database, texts: Path | None, names: Path | None, out: Path | None, top_k: int
) -> None:
    """Find the concepts that TEXTS name: JSON lines with "id" and "text".

    Writes a table with a line a mention: its place in characters, concept, entity, all ids of the concept with |
    between, score and whether it is negated. With --names, a line a name, the surest concept first.
    """
    from ..files import writing_whole
    from ..linking.linked_files import link_names, link_texts
    from ..linking.names import load_linker
    from ..progress import note

    file = _only(texts, names)
    linker = load_linker(settings, database)

    def write(target: TextIO) -> str:
        if names is not None:
            return _counted(link_names(linker, file, target, top_k), "name")
        return _counted(link_texts(linker, file, target), "text")

    if out is None:
        note(f"{write(sys.stdout)} linked")
        return
    with writing_whole([out], force=True) as (target,):
        done = write(target)
    click.echo(f"{done} linked: {out}")


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _only(texts: Path | None, names: Path | None) -> Path:
    if texts is not None and names is None:
        return texts
    if names is not None and texts is None:
        return names
    raise click.UsageError("give a file of texts, or --names with a file of names")


COMMANDS = (link,)
