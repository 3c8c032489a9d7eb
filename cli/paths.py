"""The command that tells how things go together: paths between them."""

from __future__ import annotations

import pathlib
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

import click

from ..progress import note
from . import printing
from .shared import AS_JSON, encoder_of, linker_of, with_database

if TYPE_CHECKING:
    from ..graph.database import Database
    from ..queries.paths import PairPaths, Path
    from ..settings import Settings

_LONGEST: Final = 200
"""Characters of a path that the table shows."""


@click.command()
@click.argument("names", nargs=-1, required=True)
@click.option("--question", default="", help="Keep the paths that come nearest to a part of this question.")
@click.option("--hops", type=int, default=3, show_default=True, help="Relations that a path takes, at most: 1 to 3.")
@click.option("--limit", type=int, default=10, show_default=True, help="Paths of each two, at most: 1 to 50.")
@click.option(
    "--picture", "file", type=click.Path(path_type=pathlib.Path), help="Also draw the paths, into a .svg or .png file."
)
@AS_JSON
@with_database
def paths(
    settings: Settings,
    database: Database,
    names: tuple[str, ...],
    question: str,
    hops: int,
    limit: int,
    file: pathlib.Path | None,
    as_json: bool,
) -> None:
    """Tell how the things of NAMES go together: paths of relations between each two of them, with who says so.

    A path leads from one to the other, both lead to its middle, or its middle leads to both. What has many relations
    says little and stands behind.
    """
    from ..pictures import save
    from ..pictures.relations import picture_of_paths
    from ..queries.paths import find_paths

    files = [file] if file else []
    save.check(files)
    pairs = find_paths(
        database,
        linker_of(settings, database),
        names,
        question=question,
        encoder=encoder_of(settings),
        hops=hops,
        limit=limit,
    )
    if as_json:
        printing.as_json({"pairs": [asdict(pair) for pair in pairs]})
    else:
        for pair in pairs:
            _show(pair)
    if files:
        save.save(picture_of_paths(pairs), files)
        note(f"{file} written")


def _show(pair: PairPaths) -> None:
    """Print what the ends of a pair are, and its paths."""
    for end in (pair.first, pair.second):
        click.secho(end.name, bold=True, nl=False)
        click.echo(f"  [{end.label}]  {end.id}")
        if end.description:
            click.echo(printing.wrapped(f"{end.description} ({end.origin}, {end.source})", 3))
    click.echo()
    if pair.paths:
        printing.table([_row(path) for path in pair.paths], longest=_LONGEST)
    if pair.note:
        click.echo(f"{pair.note[:1].upper()}{pair.note[1:]}.")
    click.echo()


def _row(path: Path) -> dict[str, Any]:
    """Give a line of the table: what is compared with a question is told only where there is one."""
    near = {} if path.similarity is None else {"nearness": round(path.similarity, 3)}
    sources = dict.fromkeys(source for hop in path.hops for source in hop.sources)
    return near | {"rank": round(path.score, 4), "path": path.text, "sources": ", ".join(sources)}


COMMANDS = (paths,)
