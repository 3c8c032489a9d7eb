"""The commands that ask what was learned from relations: what is alike, and what may be related."""

from __future__ import annotations

import textwrap
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

import click

from . import printing
from .shared import AS_JSON, linker_of, with_database

if TYPE_CHECKING:
    from ..graph.database import Database
    from ..queries.similar import Predictions
    from ..settings import Settings

_LONGEST: Final = 160
"""Characters of a path that are shown."""


@click.command()
@click.argument("name")
@click.option("--limit", type=int, default=10, show_default=True, help="Concepts, at most: 1 to 50.")
@click.option("--label", default="", help="Only of this category, such as Disease.")
@AS_JSON
@with_database
def similar(settings: Settings, database: Database, name: str, limit: int, label: str, as_json: bool) -> None:
    """Find what stands in like relations as NAME does, by the vectors of `medgraph index kge`."""
    from ..queries.concepts import concept_named
    from ..queries.similar import find_similar

    concept = concept_named(database, linker_of(settings, database), name)
    found = find_similar(database, concept, limit=limit, label=label)
    if as_json:
        printing.as_json(asdict(found))
        return
    click.secho(found.name, bold=True, nl=False)
    click.echo(f"  [{found.label}]  {found.concept}, by {found.model}")
    printing.table(
        [
            {"similarity": round(one.similarity, 3), "name": one.name, "label": one.label, "concept": one.concept}
            for one in found.similar
        ]
    )


@click.command()
@click.argument("name")
@click.argument("relation")
@click.option("--limit", type=int, default=10, show_default=True, help="Predictions, at most: 1 to 50.")
@click.option("--paths/--no-paths", default=True, help="Look for paths that speak for what is not known.")
@AS_JSON
@with_database
def predict(
    settings: Settings, database: Database, name: str, relation: str, limit: int, paths: bool, as_json: bool
) -> None:
    """Guess what stands in a RELATION to NAME, such as `gout TREATED_BY`, by the vectors of `medgraph index kge`.

    What is known already is marked; the rest are guesses that no source states, with paths of the graph that speak for
    them. They are not written to the graph, and no answer cites them.
    """
    from ..queries.similar import predict as ask

    found = ask(database, linker_of(settings, database), name, relation, limit=limit, paths=paths)
    if as_json:
        printing.as_json(asdict(found))
    else:
        _show(found)


def _show(found: Predictions) -> None:
    """Print predictions, each with what speaks for it."""
    click.secho(f"{found.name} {found.relation} …", bold=True, nl=False)
    click.echo(f"  {found.concept}, guessed by {found.model}; no source states what is not marked as known")
    for one in found.predictions:
        mark = "known" if one.known else "guess"
        click.echo(f"{one.rank:3}. {mark}  {one.score:8.3f}  {one.name}  [{one.label}]  {one.concept}")
        for path in one.paths:
            click.echo(f"{'':12}{textwrap.shorten(path.text, _LONGEST, placeholder=' …')}")
    if not found.predictions:
        click.echo("Nothing was found.")


COMMANDS = (similar, predict)
