"""The commands that tune a language model, have one write queries, and fit how likely results of search answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from medgraph.cli import printing
from medgraph.cli.shared import AS_JSON, assembly_of, with_database, with_model

from .train import FILE, FOLDER, GRADES, NEW, SEED, count, read_graded, train

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from medgraph.graph.database import Database
    from medgraph.models.protocol import Model
    from medgraph.settings import Settings


@train.command("likelihood")
@click.argument("file", type=NEW)
@click.argument("messages", type=FILE)
@GRADES
@click.option("--held", type=FILE, multiple=True, help="Grades to measure by, of other questions; may be repeated.")
@AS_JSON
@with_database
def train_likelihood(
    settings: Settings,
    database: Database,
    file: Path,
    messages: Path,
    grades: tuple[Path, ...],
    held: tuple[Path, ...],
    as_json: bool,
) -> None:
    """Fit how likely results of search answer, and write it to FILE, as queries/likelihood.tsv has it.

    MESSAGES is MeQSum's table, or one of its form. Figures are of the first ten results.
    """
    from medgraph.files import check_writable

    from ..training import likelihood

    check_writable(file)
    graded, retriever = read_graded(messages, grades), assembly_of(settings, database).retriever
    known = likelihood.describe(retriever, graded)
    weights = likelihood.train_weights(known)
    likelihood.write(weights, file, known, len(graded))
    measured = {"fitted to": known}
    for one in held:
        measured[one.name] = likelihood.describe(retriever, read_graded(messages, (one,), both_halves=True))
    rows = [{"grades": name} | likelihood.figures(questions, weights) for name, questions in measured.items()]
    printing.figures(rows, in_json=as_json)


@train.command("pseudo-queries")
@click.argument("folder", type=FOLDER)
@click.option("--sample", type=click.IntRange(min=1), help="Documents, at most; all by default.")
@SEED
@AS_JSON
@with_database
@with_model
def train_pseudo_queries(
    _settings: Settings,
    database: Database,
    folder: Path,
    sample: int | None,
    seed: int,
    as_json: bool,
    model: Callable[[], Model],
) -> None:
    """Have MEDGRAPH_MODEL write what patients would ask each document of relations, and keep it in FOLDER.

    The model writes a query and judges it, five times at most, until it is in a patient's style and relevant. Train on
    these with `train encoder --both-sides --pseudo-queries FOLDER`. What is kept is not asked for again.

    Raises:
        RequestsWaitError: Requests wait for replies of a batch.
    """
    from dataclasses import asdict

    from medgraph.errors import RequestsWaitError

    from ..training import pseudo_queries

    written = pseudo_queries.write(database, model(), folder, sample, seed)
    if as_json:
        printing.as_json(asdict(written) | {"kept": len(written.kept)})
    else:
        click.echo(f"{folder}: {written.summary()}")
    if written.waiting:
        raise RequestsWaitError(f"{written.waiting} documents wait for replies")


@train.command("generator")
@click.argument("folder", type=FOLDER)
@click.option("--model", required=True, type=FOLDER, help="The folder of a causal model with a chat template.")
@click.option("--consultations", required=True, type=FILE, help="JSON lines: question or message, answer, evidence.")
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
    from ..training.generator import load

    card = training.train(model, load(consultations), folder, training.Options(**options), licence, minutes)
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
