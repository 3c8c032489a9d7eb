"""The commands that measure quality."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from . import printing
from .shared import AS_JSON, encoder_of, linker_of, with_database

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


@click.group()
def evaluate() -> None:
    """Quality figures, on development questions made from MedQuAD as it is in the graph."""


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


@evaluate.command("answers")
@click.argument("ontology", type=click.Path(path_type=Path))
@_PART
@click.option("--sample", default=300, show_default=True, help="Questions of each kind.")
@click.option("--fit", "fit_it", is_flag=True, help="Also fit the weights of confidence.")
@AS_JSON
@with_database
def evaluate_answers(
    settings: Settings, database: Database, ontology: Path, part: str, sample: int, fit_it: bool, as_json: bool
) -> None:
    """Measure when answers are given and how rightly; ONTOLOGY is an OBO file with diseases that MedQuAD lacks."""
    from ..answers.assembly import make_answerer
    from ..evaluation import abstention

    answerer = make_answerer(database, encoder_of(settings), linker_of(settings, database))
    measured = abstention.measure(answerer, abstention.cases(database, ontology, part, sample))
    rows = abstention.table(measured)
    weights = abstention.fit(measured) if fit_it else None
    if as_json:
        printing.as_json({"rows": rows, "weights": weights})
        return
    printing.table(rows)
    if weights:
        click.echo(f"weights: {weights}")


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
