"""The command that trains what tells the roles of mentions."""

from __future__ import annotations

from pathlib import Path

import click

from . import printing
from .shared import AS_JSON
from .train import train

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@train.command("roles")
@click.argument("labelled", type=_FILE)
@click.argument("abstracts", type=_FILE)
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@AS_JSON
def train_roles(labelled: Path, abstracts: Path, file: Path, as_json: bool) -> None:
    """Fit what tells the roles of mentions, and write it to FILE, as linking/roles.tsv has it.

    LABELLED is a table of mentions with their roles (tests/data/linking/roles.tsv), ABSTRACTS the training set of
    BC5CDR. Figures are of weights that were fitted without the set dev; the file has weights fitted to both sets.
    """
    from ..files import check_writable
    from ..linking.roles import write
    from ..training import roles

    check_writable(file)
    examples, pairs = roles.read_labelled(labelled), roles.read_pairs(abstracts)
    model, figures = roles.train(examples, pairs)
    write(model, file, roles.card(figures, examples, pairs))
    printing.figures([{"role": name} | row for name, row in figures.items()], in_json=as_json)
