"""The commands that measure mentions, and relations told by texts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from . import printing
from .evaluate import evaluate
from .shared import AS_JSON, with_database

if TYPE_CHECKING:
    from ..graph.database import Database
    from ..settings import Settings

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@evaluate.command("mentions")
@click.argument("labelled", type=_FILE)
@AS_JSON
@with_database
def evaluate_mentions(_settings: Settings, database: Database, labelled: Path, as_json: bool) -> None:
    """Measure how many mentions are right; LABELLED says of places in sections what they name."""
    from ..evaluation.mentions import measure_mentions

    printing.figures(measure_mentions(database, labelled), in_json=as_json)


@evaluate.command("relations")
@click.argument("labelled", type=_FILE)
@AS_JSON
def evaluate_relations(labelled: Path, as_json: bool) -> None:
    """Measure how many told relations are right, by type and score; LABELLED is a filled file of draw-relations."""
    from ..evaluation.relations import measure_labelled

    printing.figures(measure_labelled(labelled), in_json=as_json)


@evaluate.command("draw-relations")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--each", default=100, show_default=True, type=click.IntRange(min=1), help="Relations of each type.")
@click.option("--seed", default=1, show_default=True, help="Of what is drawn.")
@click.option(
    "--without", type=_FILE, multiple=True, help="A table with a column section, whose documents are left out."
)
@with_database
def draw_relations(
    _settings: Settings, database: Database, file: Path, each: int, seed: int, without: tuple[Path, ...]
) -> None:
    """Draw told relations at random, each with its sentence, and write FILE; fill its column right with yes or no."""
    from ..evaluation.relations import draw
    from ..files import check_writable

    check_writable(file)
    click.echo(f"{draw(database, file, each, seed, without):,} relations drawn; fill the column right of {file}")


@evaluate.command("induced")
@click.argument("abstracts", type=_FILE)
@AS_JSON
def evaluate_induced(abstracts: Path, as_json: bool) -> None:
    """Measure which chemicals are told to induce which diseases, names given; ABSTRACTS is a file of BC5CDR."""
    from ..evaluation.induced import measure

    printing.figures(measure(abstracts), in_json=as_json)
