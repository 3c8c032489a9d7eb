"""The command that trains what checks answers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..progress import note
from . import printing
from .shared import AS_JSON, encoder_of, with_database
from .train import train

if TYPE_CHECKING:
    from ..graph.database import Database
    from ..settings import Settings


@train.command("verifier")
@click.argument("path", type=click.Path(path_type=Path))
@click.option(
    "--sample", default=1000, show_default=True, type=click.IntRange(min=50), help="Sentences of each kind, at most."
)
@click.option("--cross", is_flag=True, help="Train a cross-encoder instead, and write it to the folder PATH.")
@click.option(
    "--claims",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="With --cross: learn from labelled claims, too; a folder with scifact/.",
)
@click.option("--folds", is_flag=True, help="With --claims: also train five times, and judge the fifth left out.")
@click.option(
    "--epochs", type=click.IntRange(min=1), help="With --cross: how often each pair is learned from, 3 unless told."
)
@click.option("--seed", type=int, help="With --cross: of everything that is drawn, 7 unless told.")
@click.option(
    "--written",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Fit what checks sentences of a language model, as answers/verify/together.tsv has it, to a table of such.",
)
@AS_JSON
@with_database
def train_verifier(
    settings: Settings,
    database: Database,
    path: Path,
    sample: int,
    cross: bool,
    claims: Path | None,
    folds: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Fit how sure a claim is, and write it to the file PATH, as answers/verify/verifier.tsv has it.

    It is fitted to sentences of MedQuAD's half dev: as they are, reworded, with faults, and beside other sentences.
    With --cross these train what reads a claim together with its evidence; MEDGRAPH_VERIFIER=PATH uses it. An
    interrupted training goes on when it is called again.

    Raises:
        UsageError: What belongs to --cross is given without it, or PATH is a folder without it or a file with it.
    """
    written: Path | None = options.pop("written")
    chosen: dict[str, int] = {name: value for name, value in options.items() if value is not None}
    if not cross and (claims or chosen):
        raise click.UsageError("--claims, --epochs and --seed belong to --cross")
    if folds and not claims:
        raise click.UsageError("--folds needs --claims")
    if path.is_file() if cross else path.is_dir():
        raise click.UsageError(f"{path} is a {'file' if cross else 'folder'}; name a {'folder' if cross else 'file'}")
    if cross and written:
        raise click.UsageError("--written does not go with --cross")
    if cross:
        _train_cross(settings, database, path, sample, claims, chosen, folds=folds, as_json=as_json)
        return
    if written:
        from ..training import supporting

        weights = supporting.fit_file(database, written, path)
        printing.figures([{"sign": name, "weight": weight} for name, weight in weights.items()], in_json=as_json)
        return
    from ..training.verifier import fit_file

    model, _ = fit_file(database, sample, path)
    rows = [
        {"sign": name} | {level: weights[name] for level, weights in model.weights.items()}
        for name in model.weights["supports"]
    ]
    printing.figures(rows, in_json=as_json)


def _train_cross(
    settings: Settings,
    database: Database,
    folder: Path,
    sample: int,
    claims: Path | None,
    options: dict[str, int],
    *,
    folds: bool,
    as_json: bool,
) -> None:
    """Train a cross-encoder, and print what it learned from."""
    from ..embeddings.rerankers.sentence_reader import fetched
    from ..training import entailment
    from ..training.claim_pairs import gather

    base = fetched(settings, note)
    material = gather(database, sample, claims, encoder_of(settings))
    chosen = entailment.Options(**options)
    judged = entailment.folds(base, material, folder, chosen) if folds else None
    card = entailment.train(base, material, folder, chosen, judged)
    if as_json:
        printing.as_json(card)
        return
    held = card[entailment.HELD_OUT]
    click.echo(
        f"{folder}: trained on {card['made pairs']:,} made and {card['labelled pairs']:,} labelled pairs in"
        f" {card['seconds']:,} s; macro-F1 {held.get('macro_f1', 0):.3f} on {held['pairs']:,} pairs held out; use it"
        f" with MEDGRAPH_VERIFIER={folder}"
    )
    if judged:
        printing.figures([judged], in_json=False)
