"""The command that tunes a language model on consultations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from medgraph.cli import printing
from medgraph.cli.shared import AS_JSON

from .train import SEED, count, train

_FOLDER = click.Path(file_okay=False, path_type=Path)


@train.command("generator")
@click.argument("folder", type=_FOLDER)
@click.option("--model", required=True, type=_FOLDER, help="The folder of a causal model with a chat template.")
@click.option(
    "--consultations",
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="JSON lines: question or message, answer, evidence.",
)
@count("--epochs", 3, "How often each consultation is learned from.")
@count("--batch", 4, "Consultations a step.")
@count("--rank", 16, "Of the adapter.")
@count("--alpha", 16, "What the adapter's changes are multiplied by, divided by the rank.")
@click.option(
    "--rate", default=2e-5, show_default=True, type=click.FloatRange(min=0, min_open=True), help="Of learning."
)
@count("--tokens", 2048, "Consultations that are longer are left out.")
@SEED
@click.option("--licence", default="", help="Of the consultations; the card says it.")
@click.option("--minutes", default=0.0, type=click.FloatRange(min=0), help="Stop after as many, to go on later.")
@AS_JSON
def train_generator(
    folder: Path, model: Path, consultations: Path, licence: str, minutes: float, as_json: bool, **options: Any
) -> None:
    """Tune a language model on consultations by LoRA, and write it to FOLDER.

    Each line of --consultations is put into the prompt `consult`. An answer is a text, or a list of sentences, each
    with `text` and the `ids` (S1, S2 …) of the evidence that says it; sentences of a text cite the nearest evidence.
    MEDGRAPH_MODEL=transformers:FOLDER uses the result. An interrupted training goes on when it is called again.
    """
    from ..training import generator as training
    from ..training.consultations import read

    card = training.train(model, read(consultations), folder, training.Options(**options), licence, minutes)
    if as_json:
        printing.as_json(card)
    elif "steps" in card:
        click.echo(f"{folder}: stopped after {card['step']:,} of {card['steps']:,} steps; the same command goes on")
    else:
        click.echo(
            f"{folder}: trained on {card['consultations']:,} consultations in {card['seconds']:,} s; loss on"
            f" {card['held out']:,} held out {card['loss after']:.3f} ({card['loss before']:.3f} before); use it with"
            f" MEDGRAPH_MODEL=transformers:{folder}"
        )
