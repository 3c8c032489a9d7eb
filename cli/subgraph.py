"""The command that tells what goes with a condition: its relations, as a text and as a picture."""

from __future__ import annotations

import pathlib
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from ..progress import note
from . import printing
from .shared import AS_JSON, linker_of, with_database

if TYPE_CHECKING:
    from ..graph.database import Database
    from ..queries.subgraphs import Subgraph
    from ..settings import Settings


@click.command()
@click.argument("name")
@click.option("--type", "types", multiple=True, help="Only what tells this, such as treatment; may be repeated.")
@click.option("--relation", "relations", multiple=True, help="Only relations of this type; may be repeated.")
@click.option("--limit", type=int, default=25, show_default=True, help="Relations of each type, at most: 1 to 200.")
@click.option(
    "--picture",
    "file",
    type=click.Path(path_type=pathlib.Path),
    help="Also draw the relations, into a .svg or .png file.",
)
@AS_JSON
@with_database
def subgraph(
    settings: Settings,
    database: Database,
    name: str,
    types: tuple[str, ...],
    relations: tuple[str, ...],
    limit: int,
    file: pathlib.Path | None,
    as_json: bool,
) -> None:
    """Tell in words what the graph holds of NAME, each sentence with the sources that say so.

    What it is, its symptoms, causes, tests, treatments and whatever else its relations tell; with what each of these is
    a kind of.
    """
    from ..pictures import save
    from ..pictures.relations import picture_of_subgraph
    from ..queries.subgraphs import find_subgraph

    files = [file] if file else []
    save.check(files)
    found = find_subgraph(database, linker_of(settings, database), name, types=types, relations=relations, limit=limit)
    if as_json:
        printing.as_json(asdict(found))
    else:
        _show(found)
    if files:
        save.save(picture_of_subgraph(found), files)
        note(f"{file} written")


def _show(found: Subgraph) -> None:
    """Print the text, with a heading for each kind, and who says so behind each sentence."""
    click.secho(found.centre.name, bold=True, nl=False)
    click.echo(f"  [{found.centre.label}]  {found.centre.id}")
    kind = ""
    for sentence in found.sentences:
        if sentence.kind != kind:
            kind = sentence.kind
            click.secho(f"\n{kind[:1].upper()}{kind[1:]}", bold=True)
        who = f" ({sentence.who})" if sentence.who else ""
        click.secho(printing.wrapped(f"{sentence.text}{who}", 3), dim=sentence.standing == "listed")
    licences = dict.fromkeys(licence for sentence in found.sentences for licence in sentence.licences)
    if licences:
        click.secho(f"\nLicences: {', '.join(licences)}", dim=True)
    if found.note:
        click.echo(f"\n{found.note[:1].upper()}{found.note[1:]}.")


COMMANDS = (subgraph,)
