"""The commands that measure quality."""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import printing
from .shared import AS_JSON, encoder_of, linker_of, require_schema, sentence_reader_of, with_database

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from ..embeddings.encoders.encoder import TextEncoder
    from ..evaluation.mediqa import Answer
    from ..graph.database import Database
    from ..queries.retriever import Retriever
    from ..settings import Settings

PART = click.option(
    "--part",
    type=click.Choice(["dev", "held"]),
    default="held",
    show_default=True,
    help="The half to choose by, or the one to report.",
)

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


def show(
    settings: Settings, rows: Sequence[Mapping[str, Any]], *, in_json: bool, **others: Sequence[Mapping[str, Any]]
) -> None:
    """Print figures; in JSON with the encoder, and in what models computed.

    Args:
        settings: Which encoder, and which precision.
        rows: The figures.
        in_json: Whether as JSON.
        others: More figures, by what they are called.
    """
    printing.figures(rows, in_json=in_json, made_with=made_with(settings), **others)


def made_with(settings: Settings) -> dict[str, str]:
    """Name the encoder, and in what models compute.

    Args:
        settings: Both.

    Returns:
        `encoder` and `precision`.
    """
    from ..embeddings.encoders.precision import precision_of

    return {"encoder": settings.encoder, "precision": precision_of(settings)}


@click.group()
def evaluate() -> None:
    """Quality figures, most on development questions made from MedQuAD as it is in the graph."""


_KEEP = click.option(
    "--keep",
    type=click.Path(file_okay=False, path_type=Path),
    help="Keep the graph of MEDIQA's answers in this folder.",
)


@evaluate.command("retrieval")
@PART
@click.option("--sample", default=300, show_default=True, type=click.IntRange(min=1), help="Questions of each style.")
@click.option(
    "--data",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Measure all sets of this folder, not MedQuAD alone.",
)
@click.option("--set", "sets", multiple=True, help="With --data, only this set; may be repeated.")
@_KEEP
@AS_JSON
@with_database
def evaluate_retrieval(
    settings: Settings,
    database: Database,
    part: str,
    sample: int,
    data: Path | None,
    sets: tuple[str, ...],
    keep: Path | None,
    as_json: bool,
) -> None:
    """Measure search: every mode on MedQuAD, or with --data every mode and ablation on all sets for development.

    These sets are mediqa, medquad, meqsum, pubmedqa, mqp and rqe (evaluation/devsets.py says what each asks). The graph
    should have everything loaded; MEDIQA's answers go into a graph of their own, which takes minutes to embed.
    """
    from ..answers.assembly import make_retriever

    _refuse_without(data, sets, keep)
    retriever, encoder = make_retriever(database, encoder_of(settings), linker_of(settings, database))
    if data is None:
        from ..evaluation.retrieval import evaluate as measure

        show(settings, measure(database, retriever, part, sample), in_json=as_json)
        return
    from ..evaluation import devsets

    devsets.check(data, sets or tuple(devsets.FILES))
    apart = partial(_apart, settings, database, keep, encoder)
    rows = devsets.evaluate(devsets.Bench(database, retriever, encoder(), data, part, sample, apart), sets)
    if not as_json:
        for row in rows:
            row["also"] = ", ".join(f"{name} {value:.3f}" for name, value in row["also"].items())
    show(settings, rows, in_json=as_json)


def _refuse_without(data: Path | None, *others: object) -> None:
    if data is None and any(others):
        raise click.UsageError("--set and --keep go with --data FOLDER")


@contextmanager
def _apart(
    settings: Settings,
    database: Database,
    keep: Path | None,
    encoder: Callable[[], TextEncoder],
    answers: Sequence[Answer],
) -> Iterator[tuple[Database, Retriever]]:
    """Open a graph of MEDIQA's answers, and what searches it."""
    from ..answers.assembly import make_retriever
    from ..evaluation import consumer
    from ..graph.scratch import scratch_graph

    with scratch_graph(settings, keep) as (apart, own):
        require_schema(own, apart)
        consumer.fill(apart, own, answers, encoder())
        yield apart, make_retriever(apart, encoder, linker_of(settings, database))[0]


@evaluate.command("consumer")
@click.argument("mediqa", type=click.Path(exists=True, file_okay=False, path_type=Path))
@_KEEP
@AS_JSON
@with_database
def evaluate_consumer(settings: Settings, database: Database, mediqa: Path, keep: Path | None, as_json: bool) -> None:
    """Measure search on graded answers; MEDIQA is the folder of alexa.xml and validation.xml of MEDIQA 2019, task 3.

    The answers go into a graph of their own, on a server that is stopped afterwards; embedding them takes minutes,
    which --keep spares the next time. These are development figures: nothing may be trained on these questions.
    """
    from ..answers.assembly import make_retriever
    from ..evaluation.consumer import evaluate as measure
    from ..evaluation.mediqa import read

    asking, encoder = make_retriever(database, encoder_of(settings), linker_of(settings, database))
    questions, answers = read(mediqa)
    with _apart(settings, database, keep, encoder, answers) as (apart, searching):
        rows = measure(questions, answers, apart, asking, searching, encoder())
    show(settings, rows, in_json=as_json)


@evaluate.command("judged")
@click.argument("mediqa", type=click.Path(exists=True, file_okay=False, path_type=Path))
@_KEEP
@click.option(
    "--curve", is_flag=True, help="Also tell what other thresholds of confidence would answer, and how rightly."
)
@AS_JSON
@with_database
def evaluate_judged(
    settings: Settings, database: Database, mediqa: Path, keep: Path | None, curve: bool, as_json: bool
) -> None:
    """Measure answers by what experts said of the sections that they cite, and how long they take; MEDIQA as above.

    Each question is asked with its own answers, without them, and without those of all questions about the same. These
    are development figures: nothing may be trained on these questions.
    """
    from ..answers.assembly import make_retriever
    from ..evaluation import judged
    from ..evaluation.mediqa import read

    asking, encoder = make_retriever(database, encoder_of(settings), linker_of(settings, database))
    questions, answers = read(mediqa)
    with _apart(settings, database, keep, encoder, answers) as (apart, _):
        searching = judged.Apart(apart, encoder, linker_of(settings, database), asking.mentions)
        asked = judged.ask(questions, searching, encoder, sentence_reader_of(settings))
    curves = {"curve": judged.curve(asked)} if curve else {}
    show(settings, judged.table(asked), in_json=as_json, milliseconds=judged.latency(asked), **curves)


@evaluate.command("messages")
@click.argument("meqsum", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@PART
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
    show(settings, rows, in_json=as_json)


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
    """Measure how names and texts are linked; CORPUS is a file of the NCBI Disease corpus, or of BC5CDR."""
    from ..evaluation.linking import evaluate as measure
    from ..linking.names import load_linker

    rows = measure(database, load_linker(settings, database), corpus, common, labelled)
    show(settings, rows, in_json=as_json)


@evaluate.command("paths")
@click.argument("pairs", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("useful", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@AS_JSON
@with_database
def evaluate_paths(settings: Settings, database: Database, pairs: Path, useful: Path, as_json: bool) -> None:
    """Measure how often one of the first five paths of PAIRS is among those judged USEFUL; both are tables."""
    from ..evaluation.paths import measure_paths

    show(settings, measure_paths(database, linker_of(settings, database), pairs, useful), in_json=as_json)


@evaluate.command("subgraphs")
@PART
@click.option("--sample", default=300, show_default=True, type=click.IntRange(min=1), help="Pages, at most.")
@click.option("--found", type=(_FILE, _FILE), help="MeQSum's messages, and which documents tell what each asks.")
@AS_JSON
@with_database
def evaluate_subgraphs(
    settings: Settings, database: Database, part: str, sample: int, found: tuple[Path, Path] | None, as_json: bool
) -> None:
    """Measure how many words of MedQuAD's pages on conditions their subgraphs have, or how well these are found."""
    from ..answers.assembly import make_retriever
    from ..evaluation.made_questions import measure_search
    from ..evaluation.subgraphs import measure_subgraphs

    retriever, _ = make_retriever(database, encoder_of(settings), linker_of(settings, database))
    rows = measure_search(retriever, *found) if found else measure_subgraphs(database, part, sample)
    show(settings, rows, in_json=as_json)


COMMANDS = (evaluate,)
