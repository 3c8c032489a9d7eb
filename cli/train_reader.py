"""The command that tunes what reads sentences."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..progress import note
from . import printing
from .evaluate_answers import QUESTIONS, answerer_of, messages_of
from .shared import AS_JSON, with_database
from .train import SEED, count, train

if TYPE_CHECKING:
    from ..graph.database import Database
    from ..settings import Settings

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@train.command("reader")
@click.argument("meqsum", type=_FILE)
@click.argument("grades", nargs=-1, required=True, type=_FILE)
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@QUESTIONS
@count("--epochs", 2, "How often each sentence is learned from.")
@count("--batch", 32, "Sentences a step.")
@count("--rank", 16, "Of the adapter.")
@click.option(
    "--rate", default=4e-4, show_default=True, type=click.FloatRange(min=0, min_open=True), help="Of learning."
)
@SEED
@count("--held", 7, "One of so many questions is held out, to measure by; 0 for none.", 0)
@AS_JSON
@with_database
def train_reader(
    settings: Settings,
    database: Database,
    meqsum: Path,
    grades: tuple[Path, ...],
    folder: Path,
    questions: tuple[Path, ...],
    as_json: bool,
    **options: Any,
) -> None:
    """Tune what reads sentences by LoRA on sentences that were graded by reading, and write it to FOLDER.

    GRADES say how far sentences help to answer short questions of MEQSUM, of MeQSum, and of --questions. The adapter
    is what medgraph has in embeddings/rerankers/reading, the table reading.tsv what it has in answers. An interrupted
    training goes on when it is called again.
    """
    from ..embeddings.rerankers import sentence_reader
    from ..evaluation.quoted import graded_sentences
    from ..evaluation.sets.grades import read_sentences
    from ..logistic import write_models
    from ..training import reader as training

    answerer, messages = answerer_of(settings, database), messages_of(meqsum, questions)
    given = {place: grade for file in grades for place, grade in read_sentences(file).items()}
    graded = [training.GradedSentence(*one) for one in graded_sentences(answerer, messages, given)]
    card, head = training.train(sentence_reader.fetched(settings, note), graded, folder, training.Options(**options))
    files = " ".join(file.name for file in grades)
    write_models(head, folder / "reading.tsv", f"by `medgraph train reader MEQSUM {files} FOLDER`")
    if as_json:
        printing.as_json(card)
        return
    told = ", ".join(f"{name} {value:,}" for name, value in card["held out"].items())
    click.echo(f"{folder}: trained on {card['sentences']:,} sentences in {card['seconds']:,} s; held out: {told}")
