"""The commands that measure search, linking, subgraphs and verification, and the gate."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from medgraph.cli import printing
from medgraph.cli.shared import (
    AS_JSON,
    assembly_of,
    encoder_of,
    linker_of,
    reader_of,
    require_schema,
    sentence_reader_of,
    with_database,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from medgraph.embeddings.encoders.encoder import TextEncoder
    from medgraph.graph.database import Database
    from medgraph.queries.retriever import Retriever
    from medgraph.settings import Settings

    from ..evaluation.gate_outcomes import Row
    from ..evaluation.retrieval import Bench
    from ..evaluation.sets.mediqa import CandidateAnswer

PART = click.option(
    "--part",
    type=click.Choice(["dev", "held"]),
    default="held",
    show_default=True,
    help="The half to choose by, or the one to report.",
)
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
NEW = click.Path(dir_okay=False, path_type=Path)
OUT = click.Path(file_okay=False, path_type=Path)
KEEP = click.option("--keep", type=OUT, help="Keep the graph of MEDIQA's answers in this folder.")


def sampled(number: int, what: str = "Questions of each style") -> Callable[[Any], Any]:
    """Give the option `--sample`."""
    return click.option(
        "--sample", default=number, show_default=True, type=click.IntRange(min=1), help=f"{what}, at most."
    )


def show(
    settings: Settings, rows: Sequence[Mapping[str, Any]], *, in_json: bool, **others: Sequence[Mapping[str, Any]]
) -> None:
    """Print figures, and others by what they are called; in JSON with the encoder, and in what models computed."""
    from medgraph.embeddings.encoders.bert import precision_of

    made_with = {"encoder": settings.encoder, "precision": precision_of(settings)}
    printing.figures(rows, in_json=in_json, made_with=made_with, **others)


@click.group()
def evaluate() -> None:
    """Quality figures, most on development questions made from MedQuAD as it is in the graph."""


@evaluate.command("retrieval")
@PART
@sampled(300)
@click.option("--data", type=FOLDER, help="Measure all sets of this folder, not MedQuAD alone.")
@click.option("--set", "sets", multiple=True, help="With --data, only this set; may be repeated.")
@KEEP
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
    """Measure search: every mode and ablation on MedQuAD, or with --data on all sets for development.

    These sets are mediqa, medquad, meqsum and pubmedqa (lab/evaluation/search.py). The graph should have everything
    loaded; MEDIQA's answers go into a graph of their own, which takes minutes to embed.

    Raises:
        UsageError: Sets, or a folder to keep, are given without data.
    """
    from ..evaluation import search

    if data is None and (sets or keep):
        raise click.UsageError("--set and --keep go with --data FOLDER")
    if data is not None:
        search.check(data, sets or tuple(search.FILES))
    bench = _bench(settings, database, data or Path(), part, sample, keep)
    _show_ways(settings, search.evaluate(bench, sets if data else ("medquad",)), as_json=as_json)


def _show_ways(settings: Settings, rows: list[dict[str, Any]], *, as_json: bool) -> None:
    if not as_json:
        for row in rows:
            row["also"] = ", ".join(f"{name} {value:.3f}" for name, value in row["also"].items())
    show(settings, rows, in_json=as_json)


def _bench(
    settings: Settings, database: Database, data: Path, part: str, sample: int, keep: Path | None = None
) -> Bench:
    from ..evaluation.retrieval import Bench

    searching = assembly_of(settings, database)
    apart = partial(graph_apart, settings, database, keep, searching.encoder)
    return Bench(database, searching.retriever, searching.encoder(), data, part, sample, apart)


@contextmanager
def graph_apart(
    settings: Settings,
    database: Database,
    keep: Path | None,
    encoder: Callable[[], TextEncoder],
    answers: Sequence[CandidateAnswer],
) -> Iterator[tuple[Database, Retriever]]:
    """Open a graph of MEDIQA's answers, and what searches it."""
    from medgraph.answers.assembly import Assembly
    from medgraph.graph.connect import scratch_graph

    from ..evaluation.sets import mediqa

    with scratch_graph(settings, keep) as (apart, own):
        require_schema(own, apart)
        mediqa.fill(apart, own, answers, encoder())
        yield apart, Assembly(apart, encoder, linker_of(settings, database)).retriever


@evaluate.command("consumer")
@click.argument("mediqa", type=FOLDER)
@KEEP
@AS_JSON
@with_database
def evaluate_consumer(settings: Settings, database: Database, mediqa: Path, keep: Path | None, as_json: bool) -> None:
    """Measure search on graded answers; MEDIQA is the folder of alexa.xml and validation.xml of MEDIQA 2019, task 3.

    The answers go into a graph of their own, on a server that is stopped afterwards; embedding them takes minutes,
    which --keep spares the next time. These are development figures: nothing may be trained on these questions.
    """
    from ..evaluation.retrieval import compared
    from ..evaluation.sets.mediqa import results

    bench = _bench(settings, database, mediqa, "", 0, keep)
    _show_ways(settings, compared(list(results(bench, mediqa))), as_json=as_json)


@evaluate.command("messages")
@click.argument("meqsum", type=FILE)
@PART
@sampled(150, "Messages")
@click.option("--fit", "model", type=NEW, help="Fit to the half dev, and write this file.")
@AS_JSON
@with_database
def evaluate_messages(
    settings: Settings, database: Database, meqsum: Path, part: str, sample: int, model: Path | None, as_json: bool
) -> None:
    """Measure whether long messages find what their short questions find; MEQSUM is a table of MeQSum.

    With --fit nothing is measured: how much each word of a message matters is fitted to all messages of the half that
    one chooses by, and written as the table that medgraph has in queries/salience.tsv.
    """
    from ..evaluation.retrieval import compared
    from ..evaluation.sets.meqsum import ALL, load_messages, results, train_file

    bench = _bench(settings, database, meqsum, part, sample)
    if model is not None:
        train_file(load_messages(meqsum, "dev", ALL), bench.retriever.named, model)
        return
    _show_ways(settings, compared(list(results(bench, meqsum))), as_json=as_json)


@evaluate.command("linking")
@click.argument("corpus", type=FILE)
@click.option("--common", type=FILE, help="A table of everyday names.")
@click.option("--relations", "labelled", type=FILE, help="A table of labelled relations.")
@AS_JSON
@with_database
def evaluate_linking(
    settings: Settings, database: Database, corpus: Path, common: Path | None, labelled: Path | None, as_json: bool
) -> None:
    """Measure how names and texts are linked; CORPUS is a file of the NCBI Disease corpus, or of BC5CDR."""
    from medgraph.linking.names import load_linker

    from ..evaluation.linking import evaluate as measure

    rows = measure(database, load_linker(settings, database), corpus, common, labelled)
    show(settings, rows, in_json=as_json)


# Command → its help, what measures, and the files that it takes.
_TABLES: Final[dict[str, tuple[str, str, tuple[str, ...]]]] = {
    "mentions": (
        "Measure how many mentions are right; LABELLED says of places in sections what they name.",
        "linking.measure_mentions",
        ("labelled",),
    ),
    "relations": (
        "Measure how many told relations are right, by type and score; LABELLED has columns relation, score and right.",
        "linking.measure_labelled",
        ("labelled",),
    ),
    "induced": (
        "Measure which chemicals are told to induce which diseases, names given; ABSTRACTS is a file of BC5CDR.",
        "sets.pubtator.measure",
        ("abstracts",),
    ),
    "paths": (
        "Measure how often one of the first five paths of PAIRS is among those judged USEFUL; both are tables.",
        "linking.measure_paths",
        ("pairs", "useful"),
    ),
    "subgraphs": (
        "Measure how documents of subgraphs are found by questions of MEQSUM; JUDGED says which tell what each asks.",
        "subgraphs.measure_search",
        ("meqsum", "judged"),
    ),
    "medicines": (
        "Measure how often the first five sections hold what an expert cites; QUESTIONS is MedicationQA's file.",
        "sets.medicationqa.measure",
        ("questions",),
    ),
    "adverse-reactions": (
        "Measure which adverse reactions are found in LABELS, each once a label; these are a JSON list of TAC 2017.",
        "sets.reactions.measure",
        ("labels",),
    ),
}
# Command → what it takes besides files.
_ARGUMENTS: Final[dict[str, Callable[[Settings, Database], tuple[Any, ...]]]] = {
    "mentions": lambda _, database: (database,),
    "paths": lambda settings, database: (database, linker_of(settings, database)),
    "subgraphs": lambda settings, database: (_bench(settings, database, Path(), "", 0).retriever,),
}
_ARGUMENTS["medicines"] = _ARGUMENTS["subgraphs"]
_ARGUMENTS["adverse-reactions"] = _ARGUMENTS["paths"]


def _add(name: str, told: str, measure: str, files: tuple[str, ...]) -> None:
    def run(settings: Settings, /, *database: Database, as_json: bool, **given: Path) -> None:
        module, function = f"medgraph_lab.evaluation.{measure}".rsplit(".", 1)
        first = _ARGUMENTS[name](settings, *database) if database else ()
        rows = getattr(import_module(module), function)(*first, *(given[file] for file in files))
        show(settings, rows, in_json=as_json)

    command = AS_JSON((with_database if name in _ARGUMENTS else click.pass_obj)(run))
    for file in reversed(files):
        command = click.argument(file, type=FILE)(command)
    evaluate.command(name, help=told)(command)


for _name, _row in _TABLES.items():
    _add(_name, *_row)


@evaluate.command("encoders")
@click.argument("meqsum", type=FILE)
@click.argument("judged", type=FILE)
@click.argument("folders", nargs=-1, type=FOLDER)
@AS_JSON
@with_database
def evaluate_encoders(
    settings: Settings, database: Database, meqsum: Path, judged: Path, folders: tuple[Path, ...], as_json: bool
) -> None:
    """Measure how encoders find documents of subgraphs: the one that is set, and those of FOLDERS.

    Questions are as in `evaluate subgraphs`. Passages are encoded for this alone, so that nothing in the graph changes.
    """
    from ..evaluation.subgraphs import measure_encoder

    chosen = [settings, *(replace(settings, encoder=str(folder), question_encoder=None) for folder in folders)]
    rows = [row for one in chosen for row in measure_encoder(database, encoder_of(one)(), meqsum, judged)]
    show(settings, rows, in_json=as_json)


@evaluate.command("verification")
@click.option("--sample", default=500, show_default=True, type=click.IntRange(min=10), help="Faults, at most.")
@click.option("--data", type=FOLDER, help="Also judge labelled claims: a folder with healthver/ and citint/.")
@AS_JSON
@with_database
def evaluate_verification(
    settings: Settings, database: Database, sample: int, data: Path | None, as_json: bool
) -> None:
    """Measure whether faults put into cited sentences are caught, and right sentences left alone.

    The sentences are of MedQuAD's half held. Claims of HealthVer and Citation-Integrity give development figures only.
    """
    from ..evaluation import verification
    from ..evaluation.sets import claims

    reader = reader_of(settings)()
    rows, claimed = verification.faults(database, sample, reader), {}
    if data is not None:
        pairs = {
            "healthver": claims.read_healthver(data / claims.HEALTHVER),
            "citint": claims.read_citint(data / claims.CITINT, "dev"),
        }
        claimed["claims"] = verification.labelled(pairs, encoder_of(settings)(), reader)
    show(settings, rows, in_json=as_json, **claimed)


@evaluate.command("gate")
@click.option("--data", type=FOLDER, default="../shared/data", envvar="MEDGRAPH_DATA", help="The folder of data.")
@click.option("--grades", type=FOLDER, default="tests/data/answers", show_default=True, help="The folder of grades.")
@click.option(
    "--frozen", type=NEW, default="tests/data/gate/frozen.jsonl", show_default=True, help="The file of frozen outcomes."
)
@click.option("--freeze", "reason", metavar="REASON", help="Choose and ask everything anew, and write that file.")
@AS_JSON
@click.pass_obj
def evaluate_gate(
    settings: Settings, data: Path, grades: Path, frozen: Path, reason: str | None, as_json: bool
) -> None:
    """Tell whether answers, search and linking are as good as when the gate was frozen; exit status 1 where not.

    Some 220 graded questions and messages, and 120 that are emergencies or mention one, are asked of a part of the
    data, on a server of its own that is stopped afterwards. Most of the time is spent encoding, once a machine. Set
    MEDGRAPH_PRECISION=f32, so that every machine computes the same.
    """
    from medgraph.graph.connect import scratch_graph

    from ..evaluation import gate, gate_outcomes, gate_sets

    gate.check(data)
    given = gate_sets.grades_of(grades)
    inputs = gate.read_inputs(data, grades, given)
    if reason is None:
        chosen, before = gate_outcomes.load(frozen)
    else:
        chosen, before = gate_sets.choose(given, gate_sets.pages_of(data)), None
    with scratch_graph(settings) as (database, own):
        require_schema(own, database)
        now = gate.run(database, own, encoder_of(own), sentence_reader_of(own), data, inputs, chosen)
    if reason is not None:
        gate_outcomes.write(frozen, reason, chosen, now)
    _print(gate_outcomes.rows(now, before or now), gate_outcomes.latency(now), as_json=as_json)


def _print(rows: list[Row], latency: list[dict[str, object]], *, as_json: bool) -> None:
    told = [{name: value for name, value in asdict(row).items() if as_json or name != "changed"} for row in rows]
    printing.figures(told, in_json=as_json, milliseconds=latency)
    failed = [row for row in rows if row.failed]
    if not failed:
        return
    for row in failed:
        click.echo(f"\n{row.measure} ({row.set}) fell from {row.frozen:.3f} to {row.now:.3f}:", err=True)
        for line in row.changed:
            click.echo(f"  {line}", err=True)
    raise click.ClickException(f"{len(failed)} of {len(rows)} figures are worse than frozen")


COMMANDS = (evaluate,)
