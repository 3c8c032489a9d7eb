"""The commands that measure quality."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from . import printing
from .shared import AS_JSON, encoder_of, linker_of, require_schema, with_database

if TYPE_CHECKING:
    from ..graph.database import Database
    from ..settings import Settings

_PART = click.option(
    "--part",
    type=click.Choice(["dev", "held"]),
    default="held",
    show_default=True,
    help="The half to choose by, or the one to report.",
)

MADE = 200
"""Questions of each kind made from MedQuAD, to fit to."""


@click.group()
def evaluate() -> None:
    """Quality figures, most on development questions made from MedQuAD as it is in the graph."""


@evaluate.command("retrieval")
@_PART
@click.option("--sample", default=300, show_default=True, help="Questions of each style.")
@AS_JSON
@with_database
def evaluate_retrieval(settings: Settings, database: Database, part: str, sample: int, as_json: bool) -> None:
    """Measure every mode of search: nDCG@10, recall@10 and reciprocal rank."""
    from ..answers.assembly import make_retriever
    from ..evaluation.retrieval import evaluate as measure

    retriever, _ = make_retriever(database, encoder_of(settings), linker_of(settings, database))
    rows = measure(database, retriever, part, sample)
    if as_json:
        printing.as_json({"rows": rows})
    else:
        printing.table(rows)


@evaluate.command("consumer")
@click.argument("mediqa", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--keep", type=click.Path(file_okay=False, path_type=Path), help="Keep the answers' graph in this folder."
)
@AS_JSON
@with_database
def evaluate_consumer(settings: Settings, database: Database, mediqa: Path, keep: Path | None, as_json: bool) -> None:
    """Measure search on graded answers; MEDIQA is the folder of alexa.xml and validation.xml of MEDIQA 2019, task 3.

    The answers go into a graph of their own, on a server that is stopped afterwards; embedding them takes minutes,
    which --keep spares the next time. These are development figures: nothing may be trained on these questions.
    """
    from ..answers.assembly import make_retriever
    from ..evaluation import consumer
    from ..evaluation.mediqa import read
    from ..graph.scratch import scratch_graph

    asking, encoder = make_retriever(database, encoder_of(settings), linker_of(settings, database))
    questions, answers = read(mediqa)
    with scratch_graph(settings, keep) as (apart, own):
        require_schema(own, apart)
        consumer.fill(apart, own, answers, encoder())
        searching, _ = make_retriever(apart, encoder, linker_of(settings, database))
        rows = consumer.evaluate(questions, answers, apart, asking, searching, encoder())
    if as_json:
        printing.as_json({"rows": rows})
    else:
        printing.table(rows)


@evaluate.command("messages")
@click.argument("meqsum", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@_PART
@click.option("--sample", default=150, show_default=True, help="Messages, at most.")
@click.option(
    "--fit", "model", type=click.Path(dir_okay=False, path_type=Path), help="Fit to the half dev, and write this file."
)
@AS_JSON
@with_database
def evaluate_messages(
    settings: Settings, database: Database, meqsum: Path, part: str, sample: int, model: Path | None, as_json: bool
) -> None:
    """Measure whether long messages find what their short questions find; MEQSUM is a table of MeQSum.

    With --fit nothing is measured: how much each word of a message matters is fitted to all messages of the half that
    one chooses by, and written as the table that medgraph has in queries/salience.tsv.
    """
    from ..answers.assembly import make_retriever
    from ..evaluation.messages import ALL, read
    from ..evaluation.messages import evaluate as measure

    retriever, _ = make_retriever(database, encoder_of(settings), linker_of(settings, database))
    if model is not None:
        from ..evaluation.salience import fit_file

        fit_file(read(meqsum, "dev", ALL), retriever.mentions, model)
        return
    rows = measure(retriever, read(meqsum, part, sample))
    if as_json:
        printing.as_json({"rows": rows})
    else:
        printing.table(rows)


@evaluate.command("answers")
@click.argument("ontology", type=click.Path(path_type=Path))
@_PART
@click.option("--sample", default=300, show_default=True, help="Questions of each kind.")
@AS_JSON
@with_database
def evaluate_answers(
    settings: Settings, database: Database, ontology: Path, part: str, sample: int, as_json: bool
) -> None:
    """Measure when answers are given and how rightly; ONTOLOGY is an OBO file with diseases that MedQuAD lacks."""
    from ..answers.assembly import make_answerer
    from ..evaluation import abstention

    answerer = make_answerer(database, encoder_of(settings), linker_of(settings, database))
    measured = abstention.measure(answerer, abstention.cases(database, ontology, part, sample))
    rows = abstention.table(measured)
    if as_json:
        printing.as_json({"rows": rows})
    else:
        printing.table(rows)


@evaluate.command("graded")
@click.argument("meqsum", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("grades", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--fit", "model", type=click.Path(dir_okay=False, path_type=Path), help="Fit to the grades, and write this file."
)
@click.option(
    "--ontology",
    type=click.Path(exists=True, path_type=Path),
    help="For --fit: an OBO file, as `evaluate answers` has.",
)
@AS_JSON
@with_database
def evaluate_graded(
    settings: Settings,
    database: Database,
    meqsum: Path,
    grades: Path,
    model: Path | None,
    ontology: Path | None,
    as_json: bool,
) -> None:
    """Measure answers to real questions; GRADES says how well sections answer messages of MEQSUM, a table of MeQSum.

    With --fit nothing is measured: how likely a section answers is fitted to the grades, and with --ontology also to
    questions made from MedQuAD, and written as the table that medgraph has in answers/confidence.tsv.
    """
    from ..answers import confidence
    from ..answers.assembly import make_answerer
    from ..evaluation import abstention, graded
    from ..evaluation.messages import ALL, read

    answerer = make_answerer(database, encoder_of(settings), linker_of(settings, database))
    given = graded.read_grades(grades)
    messages = graded.asked([*read(meqsum, "dev", ALL), *read(meqsum, "held", ALL)], given)
    if model is not None:
        made = abstention.cases(database, ontology, "dev", MADE) if ontology else []
        made_by = f"by `medgraph evaluate graded MEQSUM {grades.name} --fit FILE`, from {len(messages)} questions"
        made_by += f" and {len(made)} made from MedQuAD" if made else ""
        confidence.write(graded.fit(answerer, messages, given, made), model, made_by)
        return
    rows = graded.evaluate(answerer, messages, given)
    if as_json:
        printing.as_json({"rows": rows})
    else:
        printing.table(rows)


@evaluate.command("linking")
@click.argument("corpus", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--common", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="A table of everyday names."
)
@click.option(
    "--relations",
    "labelled",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A table of labelled relations.",
)
@AS_JSON
@with_database
def evaluate_linking(
    settings: Settings, database: Database, corpus: Path, common: Path | None, labelled: Path | None, as_json: bool
) -> None:
    """Measure how names and texts are linked; CORPUS is a file of the NCBI Disease corpus."""
    from ..evaluation.linking import evaluate as measure
    from ..linking.names import load_linker

    rows = measure(database, load_linker(settings, database), corpus, common, labelled)
    if as_json:
        printing.as_json({"rows": rows})
    else:
        printing.table(rows)


COMMANDS = (evaluate,)
