"""The commands that measure answers and what they quote."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from .evaluate import PART, evaluate, show
from .shared import AS_JSON, encoder_of, linker_of, sentence_reader_of, with_database

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..answers.answerer import Answerer
    from ..evaluation.graded import Grades
    from ..evaluation.messages import Message
    from ..graph.database import Database
    from ..settings import Settings

MADE: Final = 200
"""Questions of each kind made from MedQuAD, to fit to."""

QUESTIONS: Final = click.option(
    "--questions",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="More questions that have grades: a table like MEQSUM, with `question` empty where there is no message.",
)


@evaluate.command("answers")
@click.argument("ontology", type=click.Path(path_type=Path))
@PART
@click.option("--sample", default=300, show_default=True, help="Questions of each kind.")
@AS_JSON
@with_database
def evaluate_answers(
    settings: Settings, database: Database, ontology: Path, part: str, sample: int, as_json: bool
) -> None:
    """Measure when answers are given and how rightly; ONTOLOGY is an OBO file with diseases that MedQuAD lacks."""
    from ..evaluation import abstention

    answerer = _answerer(settings, database)
    measured = abstention.measure(answerer, abstention.cases(database, ontology, part, sample))
    rows = abstention.table(measured)
    show(settings, rows, in_json=as_json)


@evaluate.command("graded")
@click.argument("meqsum", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("grades", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--fit", "model", type=click.Path(dir_okay=False, path_type=Path), help="Fit to the grades, and write this file."
)
@click.option(
    "--ontology",
    type=click.Path(exists=True, path_type=Path),
    help="For --fit: an OBO file, as `evaluate answers` has.",
)
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Plot accuracy against coverage at every threshold, and write this .svg or .png.",
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
    from ..answers import confidence
    from ..evaluation import abstention, graded
    from ..evaluation.messages import read_all

    answerer = _answerer(settings, database)
    given = graded.read_grades(*grades)
    messages = graded.asked([one for table in (meqsum, *questions) for one in read_all(table)], given)
    if model is not None:
        made = abstention.cases(database, ontology, "dev", MADE) if ontology else []
        names = " ".join(path.name for path in grades)
        made_by = f"by `medgraph evaluate graded MEQSUM {names} --fit FILE`, from {len(messages)} questions"
        made_by += f" and {len(made)} made from MedQuAD" if made else ""
        confidence.write(graded.fit(answerer, messages, given, made), model, made_by)
        return
    if plot is not None:
        rows = _plotted(answerer, messages, given, plot, reads=settings.reads)
    else:
        rows = graded.evaluate(answerer, messages, given)
    show(settings, rows, in_json=as_json)


def _answerer(settings: Settings, database: Database) -> Answerer:
    """Make what answers as `medgraph ask` does."""
    from ..answers.assembly import make_answerer

    return make_answerer(
        database,
        encoder_of(settings),
        linker_of(settings, database),
        load_sentence_reader=sentence_reader_of(settings),
    )


def _plotted(
    answerer: Answerer, messages: Sequence[Message], grades: Grades, file: Path, *, reads: bool
) -> list[dict[str, Any]]:
    """Plot accuracy against coverage, and sum up the thresholds that are marked."""
    from ..answers.confidence import ANSWERS, KINDS, READ
    from ..evaluation import coverage
    from ..pictures import plot, save
    from ..pictures.coverage import plot_of

    save.check([file])
    found = coverage.tried(answerer, messages, grades)
    used = ANSWERS | ({KINDS[0]: READ} if reads else {})
    lines = [plot.Line(*line) for line in coverage.lines_of(found, used)]
    save.write(plot.draw(plot_of(lines, coverage.COST)), [file])
    return coverage.table(found, used)


@evaluate.command("sentences")
@click.argument("meqsum", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("grades", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--fit", "weights", type=click.Path(dir_okay=False, path_type=Path), help="Fit to the grades, and write this file."
)
@click.option(
    "--fit-reading",
    "reading",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Fit to the grades, with what reading tells, and write this file.",
)
@click.option(
    "--fit-promising",
    "promising",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Fit which sentences are read to what reading says of all, and write this file.",
)
@QUESTIONS
@AS_JSON
@with_database
def evaluate_sentences(  # noqa: PLR0913, PLR0917 - one argument an option
    settings: Settings,
    database: Database,
    meqsum: Path,
    grades: Path,
    weights: Path | None,
    reading: Path | None,
    promising: Path | None,
    questions: tuple[Path, ...],
    as_json: bool,
) -> None:
    """Measure what answers quote; GRADES say how far sentences help to answer short questions of MEQSUM, of MeQSum.

    With --fit nothing is measured: how likely a sentence helps is fitted to the grades, and written as the table that
    medgraph has in answers/helping.tsv; with --fit-reading as the one in answers/reading.tsv, which --fit-promising
    uses for answers/promising.tsv.

    Raises:
        UsageError: What reads is to be fitted to, and MEDGRAPH_READER says that nothing reads.
    """
    from ..answers import helping
    from ..evaluation import quoted
    from ..evaluation.messages import read_all

    answerer = _answerer(settings, database)
    given = quoted.read(grades)
    messages = [one for table in (meqsum, *questions) for one in read_all(table)]
    by = f"by `medgraph evaluate sentences MEQSUM {grades.name}"
    if weights is not None:
        helping.write(quoted.fit(answerer, messages, given), weights, f"{by} --fit FILE`")
    for kind, fit, file in (
        ("reading", quoted.fit_reading, reading),
        ("promising", quoted.fit_promising, promising),
    ):
        if file is not None:
            reader = sentence_reader_of(settings)()
            if reader is None:
                raise click.UsageError(f"--fit-{kind} needs what reads sentences: unset MEDGRAPH_READER")
            helping.write(fit(answerer, messages, given, reader), file, f"{by} --fit-{kind} FILE`")
    if weights is reading is promising is None:
        show(settings, quoted.evaluate(answerer, messages, given), in_json=as_json)


@evaluate.command("pages")
@click.argument("meqsum", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("grades", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--fit", "weights", type=click.Path(dir_okay=False, path_type=Path), help="Fit to the grades, and write this file."
)
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
    from ..answers import helping
    from ..evaluation import pages as measured
    from ..evaluation.messages import read_all
    from ..queries.retriever import Retriever

    retriever = Retriever(database, encoder_of(settings), linker_of(settings, database))
    given = measured.read(grades)
    messages = [one for table in (meqsum, *questions) for one in read_all(table)]
    if weights is not None:
        made_by = f"by `medgraph evaluate pages MEQSUM {grades.name} --fit FILE`"
        helping.write(measured.fit(retriever, messages, given), weights, made_by)
        return
    show(settings, measured.evaluate(retriever, messages, given), in_json=as_json)
