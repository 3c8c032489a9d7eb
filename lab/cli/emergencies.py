"""The commands that train and measure what recognises emergencies."""

from __future__ import annotations

from functools import cache, partial
from random import Random
from typing import TYPE_CHECKING, Any

import click

from medgraph.cli import printing
from medgraph.cli.shared import AS_JSON, emergencies_of
from medgraph.progress import note

from .evaluate import evaluate
from .train import FILE, FOLDER, SEED, count, train

if TYPE_CHECKING:
    from pathlib import Path

    from medgraph.settings import Settings

PLAIN = 1500  # questions of RQE that are learned from, at most


@train.command("emergencies")
@click.argument("folder", type=FOLDER)
@click.argument("pairs", type=FILE)
@click.argument("messages", type=FILE)
@click.option("--texts", type=FOLDER, help="A folder of other texts, a file of JSON lines a writer.")
@click.option("--onto", type=FOLDER, help="Trained layers to go on from, in place of those of the default encoder.")
@click.option("--without", multiple=True, help="A writer that is left out, to measure by; may be repeated.")
@count("--epochs", 4, "Rounds through all texts.")
@SEED
@AS_JSON
@click.pass_obj
def train_emergencies(
    settings: Settings,
    /,
    folder: Path,
    pairs: Path,
    messages: Path,
    texts: Path | None,
    onto: Path | None,
    without: tuple[str, ...],
    as_json: bool,
    **chosen: Any,
) -> None:
    """Train what recognises emergencies, and write it to FOLDER, as embeddings/encoders/emergencies has it.

    PAIRS is RQE's file of questions and MESSAGES MeQSum's table: what tells of no emergency, as far as the layers that
    stand see none. An interrupted training goes on when it is called again.
    """
    from medgraph.answers.emergencies import Emergencies
    from medgraph.embeddings.encoders.named import default_model

    from ..evaluation.emergencies import read_texts
    from ..evaluation.sets.meqsum import ALL, load_messages
    from ..training import emergencies as training
    from ..training.questions import read_pairs

    options = training.Options(**chosen)
    found = read_texts(sorted((texts or training.TEXTS).glob("*.jsonl")))
    learned = [one for one in found if one.writer not in without]
    asked = sorted({text for pair in read_pairs(pairs) for text in (pair.asked, pair.short)})
    known = Emergencies(emergencies_of(settings))
    told = [one.text for one in load_messages(messages, "dev", ALL) if not known.urgent_in(one.text)]
    plain = [*Random(options.seed).sample(asked, min(PLAIN, len(asked))), *told]  # noqa: S311 # not for secrets
    card = training.train(default_model(settings, note), learned, plain, folder, options, onto)
    if as_json:
        printing.as_json(card)
        return
    click.echo(
        f"{folder}: trained on {card['texts']:,} texts of {len(card['writers'])} writers in {card['seconds']:,} s"
    )


@evaluate.command("emergencies")
@click.argument("files", type=FILE, nargs=-1, required=True)
@click.option("--layers", type=FOLDER, help="Trained layers to measure, in place of those that come with medgraph.")
@click.option("--show", is_flag=True, help="Print what is missed and what is flagged though it tells of none.")
@AS_JSON
@click.pass_obj
def evaluate_emergencies(
    settings: Settings, files: tuple[Path, ...], layers: Path | None, show: bool, as_json: bool
) -> None:
    """Measure how many emergencies are recognised, and how many near misses are flagged.

    FILES have JSON lines with `text` and `kind`, `none` for what tells of no emergency; a file is a set.
    """
    from medgraph.answers.emergencies import Emergencies
    from medgraph.embeddings.encoders.bert import precision_of
    from medgraph.embeddings.encoders.encoder import TextClassifier
    from medgraph.embeddings.encoders.named import default_model

    from ..evaluation.emergencies import figures, read_texts, wrong

    base = default_model(settings, note)
    load = emergencies_of(settings)
    if layers:
        load = cache(partial(TextClassifier, base, layers, settings.threads, precision_of(settings)))
    recognised = Emergencies(load)
    texts = read_texts(files)
    printing.figures(figures(recognised, texts), in_json=as_json)
    for one, kinds in wrong(recognised, texts) if show else ():
        click.echo(f"{one.writer}\t{one.kind}\t{' '.join(kinds)}\t{one.text}", err=True)
