"""The commands that measure answers, what they quote and pipelines beside each other, and fit what weighs answers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from medgraph.cli.shared import (
    AS_JSON,
    assembly_of,
    encoder_of,
    linker_of,
    sentence_reader_of,
    with_database,
    with_model,
)

from .evaluate import FILE, FOLDER, KEEP, NEW, OUT, PART, evaluate, graph_apart, sampled, show

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from medgraph.answers.answerer import Answerer
    from medgraph.graph.database import Database
    from medgraph.models.protocol import Model
    from medgraph.settings import Settings

    from ..evaluation.sets.grades import Grades
    from ..evaluation.sets.meqsum import Message

MADE: Final = 200  # questions of each kind made from MedQuAD, to fit to
QUESTIONS: Final = click.option(
    "--questions",
    multiple=True,
    type=FILE,
    help="More questions that have grades: a table like MEQSUM, with `question` empty where there is no message.",
)


@evaluate.command("pipelines")
@click.argument("questions", nargs=-1, required=True, type=FILE)
@click.option(
    "--way",
    "ways",
    metavar="WAY",
    multiple=True,
    help="A composer or pipeline, such as `hyke/hypothesis` (without that stage) or `joint:graph=alone`; may be"
    " repeated. All by default.",
)
@sampled(20, "Questions of each file, of its half dev")
@click.option(
    "--out",
    required=True,
    type=OUT,
    help="Keep the answers in this folder; those that are there are not asked for again.",
)
@AS_JSON
@with_database
@with_model
def evaluate_pipelines(
    settings: Settings,
    database: Database,
    questions: Sequence[Path],
    ways: Sequence[str],
    sample: int,
    out: Path,
    as_json: bool,
    model: Callable[[], Model],
) -> None:
    """Answer the same QUESTIONS, files of JSON lines, in several ways: calls, tokens and time, stage by stage."""
    from medgraph.errors import RequestsWaitError

    from ..evaluation import pipelines

    chosen = [pipelines.way_of(way) for way in ways or pipelines.WAYS]
    asked = [question for path in questions for question in pipelines.questions_of(path, sample)]
    kept = pipelines.kept_in(out)
    waiting = pipelines.ask(assembly_of(settings, database, model).answerer, asked, chosen, kept)
    rows = list(pipelines.rows_of(asked, chosen, kept))
    show(settings, rows, in_json=as_json, stages=list(pipelines.stage_rows(asked, chosen, kept)))
    if waiting:
        raise RequestsWaitError(f"{waiting} answers wait for replies")


def _fits(option: str, name: str, what: str = "Fit to the grades, and write this file.") -> Callable[[Any], Any]:
    return click.option(option, name, type=NEW, help=what)


@evaluate.command("answers")
@click.argument("ontology", type=click.Path(path_type=Path))
@PART
@sampled(300, "Questions of each kind")
@AS_JSON
@with_database
def evaluate_answers(
    settings: Settings, database: Database, ontology: Path, part: str, sample: int, as_json: bool
) -> None:
    """Measure when answers are given and how rightly; ONTOLOGY is an OBO file with diseases that MedQuAD lacks."""
    from ..evaluation import abstention

    answerer = assembly_of(settings, database).answerer
    rows = abstention.measure(answerer, abstention.cases(database, ontology, part, sample))
    show(settings, rows, in_json=as_json)


@evaluate.command("judged")
@click.argument("mediqa", type=FOLDER)
@KEEP
@AS_JSON
@with_database
def evaluate_judged(settings: Settings, database: Database, mediqa: Path, keep: Path | None, as_json: bool) -> None:
    """Measure answers by what experts said of the sections that they cite.

    MEDIQA is as `evaluate consumer` has it. Each question is asked with its own answers, without them, and without
    those of all questions about the same. These are development figures: nothing may be trained on these questions.
    """
    from ..evaluation import graded
    from ..evaluation.sets.mediqa import load

    asking = assembly_of(settings, database)
    questions, answers = load(mediqa)
    with graph_apart(settings, database, keep, asking.encoder, answers) as (apart, _):
        searching = graded.SeparateRetriever(apart, asking.encoder, asking.linker, asking.retriever.named)
        rows = graded.ask(questions, searching, asking.encoder, asking.load_sentence_reader)
    show(settings, rows, in_json=as_json)


@evaluate.command("graded")
@click.argument("meqsum", type=FILE)
@click.argument("grades", nargs=-1, required=True, type=FILE)
@_fits("--fit", "model")
@click.option(
    "--ontology",
    type=click.Path(exists=True, path_type=Path),
    help="For --fit: an OBO file, as `evaluate answers` has.",
)
@click.option(
    "--plot",
    type=NEW,
    help="Plot accuracy against coverage at every threshold, and write this .svg or .png (extra `plots`).",
)
@QUESTIONS
@AS_JSON
@with_database
def evaluate_graded(  # noqa: PLR0913, PLR0917 - one argument an option
    settings: Settings,
    database: Database,
    meqsum: Path,
    grades: tuple[Path, ...],
    model: Path | None,
    ontology: Path | None,
    plot: Path | None,
    questions: tuple[Path, ...],
    as_json: bool,
) -> None:
    """Measure answers to real questions; GRADES say how well sections answer messages of MEQSUM, a table of MeQSum.

    With --plot it is measured how rightly each threshold of confidence would answer how much, and what that costs.

    With --fit nothing is measured: how likely a section answers is fitted to the grades, and with --ontology also to
    questions made from MedQuAD, and written as the table that medgraph has in answers/confidence.tsv.
    """
    from medgraph.logistic import write_models

    from ..evaluation import abstention, graded
    from ..evaluation.sets.grades import read_grades

    answerer, given = assembly_of(settings, database).answerer, read_grades(*grades)
    messages = graded.graded_messages(_messages(meqsum, questions), given)
    if model is not None:
        made = abstention.cases(database, ontology, "dev", MADE) if ontology else []
        names = " ".join(path.name for path in grades)
        made_by = f"by `medgraph evaluate graded MEQSUM {names} --fit FILE`, from {len(messages)} questions"
        made_by += f" and {len(made)} made from MedQuAD" if made else ""
        write_models(graded.train(answerer, messages, given, made), model, made_by)
    elif plot is not None:
        show(settings, _plotted(answerer, messages, given, plot, reads=settings.reads), in_json=as_json)
    else:
        show(settings, graded.evaluate(answerer, messages, given), in_json=as_json)


def _messages(meqsum: Path, questions: Sequence[Path]) -> list[Message]:
    from ..evaluation.sets.meqsum import load_all_messages

    return [one for table in (meqsum, *questions) for one in load_all_messages(table)]


def _plotted(
    answerer: Answerer, messages: Sequence[Message], grades: Grades, file: Path, *, reads: bool
) -> list[dict[str, Any]]:
    """Plot accuracy against coverage, and sum up the thresholds that are marked."""
    from medgraph.answers.signs import ANSWERS, KINDS, READ
    from medgraph.pictures import svg

    from ..evaluation import coverage

    svg.check([file])
    found = coverage.tried(answerer, messages, grades)
    used = ANSWERS | ({KINDS[0]: READ} if reads else {})
    coverage.save_coverage(coverage.lines_of(found, used), file)
    return coverage.table(found, used)


@evaluate.command("sentences")
@click.argument("meqsum", type=FILE)
@click.argument("grades", nargs=-1, required=True, type=FILE)
@_fits("--fit-reading", "reading", "Fit how likely a sentence helps to the grades, and write this file.")
@_fits("--fit-labels", "labels", "The same for sentences of labels of the medicine that is asked about.")
@_fits("--fit-promising", "promising", "Fit which sentences are read to what reading says of all, and write this file.")
@QUESTIONS
@AS_JSON
@with_database
def evaluate_sentences(
    settings: Settings,
    database: Database,
    meqsum: Path,
    grades: tuple[Path, ...],
    questions: tuple[Path, ...],
    as_json: bool,
    **files: Path | None,
) -> None:
    """Measure what answers quote; GRADES say how far sentences help to answer short questions of MEQSUM, of MeQSum.

    With --fit-… nothing is measured: how likely a sentence helps is fitted, and written as the tables that medgraph has
    in answers/reading.tsv, which --fit-promising uses for answers/promising.tsv, and answers/labels.tsv.

    Raises:
        UsageError: What reads is to be fitted to, and MEDGRAPH_READER says that nothing reads.
    """
    from medgraph.logistic import write_models

    from ..evaluation import quoted
    from ..evaluation.sets.grades import read_sentences

    answerer, messages = assembly_of(settings, database).answerer, _messages(meqsum, questions)
    given = {place: grade for file in grades for place, grade in read_sentences(file).items()}
    wanted = {name: file for name, file in files.items() if file is not None}
    if wanted and sentence_reader_of(settings)() is None:
        raise click.UsageError("to fit needs what reads sentences: unset MEDGRAPH_READER")
    for name, file in wanted.items():
        fitted = quoted.FITS[name](answerer, messages, given, sentence_reader_of(settings)())
        names = " ".join(path.name for path in grades)
        made_by = f"by `medgraph evaluate sentences MEQSUM {names} --fit-{name} FILE`"
        write_models({"promises" if name == "promising" else "reads": fitted}, file, made_by)
    if not wanted:
        show(settings, quoted.evaluate(answerer, messages, given), in_json=as_json)


@evaluate.command("pages")
@click.argument("meqsum", type=FILE)
@click.argument("grades", type=FILE)
@_fits("--fit", "weights")
@QUESTIONS
@AS_JSON
@with_database
def evaluate_pages(
    settings: Settings,
    database: Database,
    meqsum: Path,
    grades: Path,
    weights: Path | None,
    questions: tuple[Path, ...],
    as_json: bool,
) -> None:
    """Measure which pages elsewhere are shown; GRADES say which help with questions and messages of MEQSUM, of MeQSum.

    With --fit nothing is measured: how likely a page helps is fitted to the grades, and written as the table that
    medgraph has in answers/pages.tsv.
    """
    from medgraph.logistic import write_models
    from medgraph.queries.retriever import Retriever

    from ..evaluation import pages
    from ..evaluation.sets.grades import read_pages

    retriever = Retriever(database, encoder_of(settings), linker_of(settings, database))
    given, messages = read_pages(grades), _messages(meqsum, questions)
    if weights is not None:
        made_by = f"by `medgraph evaluate pages MEQSUM {grades.name} --fit FILE`"
        write_models({"helps": pages.train(retriever, messages, given)}, weights, made_by)
        return
    show(settings, pages.evaluate(retriever, messages, given), in_json=as_json)
