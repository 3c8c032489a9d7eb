"""The commands that train models from the graph."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import printing
from .shared import AS_JSON, encoder_of, linker_of, with_database

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..evaluation.messages import Message
    from ..evaluation.pairs import Pair
    from ..graph.database import Database
    from ..settings import Settings
    from ..training.graded import Graded


_RATE = click.option(
    "--rate", default=5e-5, show_default=True, type=click.FloatRange(min=0, min_open=True), help="Of learning."
)
_SEED = click.option("--seed", default=7, show_default=True, help="Of everything that is drawn.")
MESSAGES = click.option(
    "--messages", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="MeQSum's table of messages."
)
GRADES = click.option(
    "--grades",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    help="Sections graded as their answers; may be repeated.",
)


_BOTH = "With --both-sides:"
_NEEDING = {
    "--both-sides": ("piece", "negatives", "tokens", "dimensions", "generator"),
    "--generator": ("generate", "each"),
}


def _dimensions(_context: click.Context, _option: click.Parameter, value: str | None) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in value.split(",")) if value else ()
    except ValueError as error:
        raise click.BadParameter(f"{value!r} is no list of numbers such as 384,256,128,64") from error


@click.group()
def train() -> None:
    """Train what searches, from the graph itself; what comes with medgraph was made by these commands."""


@train.command("encoder")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--steps", default=1000, show_default=True, type=click.IntRange(min=1), help="Steps of the optimiser.")
@click.option("--batch", default=64, show_default=True, type=click.IntRange(min=3), help="Questions a step.")
@_RATE
@_SEED
@click.option(
    "--pairs", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="RQE's file of pairs of questions."
)
@MESSAGES
@click.option("--both-sides", is_flag=True, help="Train passages too; the graph is embedded anew with the result.")
@click.option(
    "--piece", default=0, show_default=True, type=click.IntRange(min=0), help=f"{_BOTH} texts at once; 0: all."
)
@click.option("--negatives", default=1, show_default=True, type=click.IntRange(0, 8), help=f"{_BOTH} hard ones each.")
@click.option("--tokens", default=96, show_default=True, type=click.IntRange(8, 512), help=f"{_BOTH} of a passage.")
@click.option("--dimensions", callback=_dimensions, help=f"{_BOTH} such as 384,256,128,64: each ranks by itself.")
@click.option(
    "--generator",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help=f"{_BOTH} a seq2seq model that makes questions.",
)
@click.option(
    "--generate", default=1000, show_default=True, type=click.IntRange(min=1), help="With --generator: passages."
)
@click.option("--each", default=3, show_default=True, type=click.IntRange(1, 50), help="With --generator: questions.")
@AS_JSON
@with_database
def train_encoder(
    settings: Settings,
    database: Database,
    folder: Path,
    pairs: Path | None,
    messages: Path | None,
    both_sides: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Train the encoder of questions, and write it to FOLDER; MEDGRAPH_QUESTION_ENCODER=FOLDER uses it.

    Passages keep their vectors: nothing is embedded anew. With --both-sides FOLDER is an encoder of its own, which
    MEDGRAPH_ENCODER=FOLDER uses once everything is embedded with it. An interrupted training goes on when it is called
    again.
    """
    from ..answers.assembly import make_retriever
    from ..evaluation.messages import ALL, read
    from ..evaluation.pairs import read_pairs
    from ..training import encoder as training

    _require_both_sides(both_sides)
    base = training.base_of(settings)
    pairs_read = read_pairs(pairs) if pairs else ()
    messages_read = read(messages, "dev", ALL) if messages else ()
    if both_sides:
        _train_both_sides(settings, database, base, folder, pairs_read, messages_read, options, as_json=as_json)
        return
    retriever, _ = make_retriever(database, encoder_of(settings), linker_of(settings, database))
    material = training.gather(database, retriever, pairs_read, messages_read)
    chosen = training.Options(
        steps=int(options["steps"]), batch=int(options["batch"]), rate=options["rate"], seed=int(options["seed"])
    )
    card = training.train(base, material, folder, chosen)
    if as_json:
        printing.as_json(card)
        return
    click.echo(
        f"{folder}: trained on {card['examples']:,} sections, {card['pairs']:,} pairs and {card['messages']:,} messages"
        f" in {card['seconds']:,} s; use it with MEDGRAPH_QUESTION_ENCODER={folder}"
    )


def _require_both_sides(both_sides: bool) -> None:
    """Refuse options that would change nothing."""
    context = click.get_current_context()
    for needed, given in (("--both-sides", both_sides), ("--generator", context.params["generator"])):
        for name in _NEEDING[needed]:
            if not given and context.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT:
                raise click.UsageError(f"--{name} is of use only with {needed}")


def _train_both_sides(
    settings: Settings,
    database: Database,
    base: Path,
    folder: Path,
    pairs: Sequence[Pair],
    messages: Sequence[Message],
    options: Mapping[str, Any],
    *,
    as_json: bool,
) -> None:
    from ..answers.assembly import make_retriever
    from ..training import both_sides as training
    from ..training.generated import Wanted

    _, encoder = make_retriever(database, encoder_of(settings), linker_of(settings, database))
    material = training.gather(database, pairs, messages)
    if options["generator"]:
        wanted = Wanted(options["generate"], options["each"], options["seed"])
        material = training.with_generated(material, options["generator"], wanted, encoder(), folder)
    names = ("steps", "batch", "piece", "negatives", "tokens", "dimensions", "rate", "seed")
    card = training.train(base, material, folder, training.Options(**{name: options[name] for name in names}))
    if as_json:
        printing.as_json(card)
        return
    others = ", ".join(
        [f"{card['examples']:,} sections", *(f"{card[kind]:,} {kind}" for kind in training.SHARES if kind in card)]
    )
    click.echo(
        f"{folder}: trained on {others} in {card['seconds']:,} s; use it with MEDGRAPH_ENCODER={folder}, after:"
        " medgraph index embeddings --rebuild"
    )
    measured = card["nDCG@10"]
    if "base" in measured:
        click.echo(f"nDCG@10 by vectors alone, {measured['by']}:")
        printing.table(
            [
                {"dimensions": name, "base": f"{before:.3f}", "trained": f"{measured['trained'][name]:.3f}"}
                for name, before in measured["base"].items()
            ]
        )


@train.command("reranker")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--steps", default=1200, show_default=True, type=click.IntRange(min=1), help="Steps of the optimiser.")
@click.option("--questions", default=4, show_default=True, type=click.IntRange(min=1), help="Questions a step.")
@click.option("--passages", default=6, show_default=True, type=click.IntRange(min=2), help="Passages of each question.")
@_RATE
@_SEED
@MESSAGES
@GRADES
@AS_JSON
@with_database
def train_reranker(
    settings: Settings,
    database: Database,
    folder: Path,
    messages: Path | None,
    grades: tuple[Path, ...],
    as_json: bool,
    **options: float,
) -> None:
    """Train the reranker, and write it to FOLDER; MEDGRAPH_RERANKER=FOLDER uses it.

    A quarter of the graded questions is held out, or without these of MedQuAD's subjects: by them its scores become
    probabilities, with a threshold below which none of the results seems to answer.

    An interrupted training goes on when it is called again.

    Raises:
        UsageError: Messages are given without grades, or grades without messages.
    """
    from dataclasses import replace

    from ..answers.assembly import make_retriever
    from ..training import calibrating, corpus
    from ..training import reranker as training
    from ..training.encoder import base_of
    from ..training.questions import examples

    graded = _graded(messages, grades)
    base = base_of(settings)
    linker = linker_of(settings, database)
    _, encoder = make_retriever(database, encoder_of(settings), linker)
    material = training.Material(examples(database), corpus.passages(database), graded)
    chosen = training.Options(
        steps=int(options["steps"]),
        questions=int(options["questions"]),
        passages=int(options["passages"]),
        rate=options["rate"],
        seed=int(options["seed"]),
    )
    material, held = calibrating.apart(material, chosen.seed)

    def calibrate(made: Path) -> dict[str, Any]:
        reading = encoder_of(replace(settings, reranker=str(made)))
        return calibrating.calibrate(make_retriever(database, reading, linker)[0], held, made)

    card = training.train(base, encoder(), material, folder, chosen, calibrate)
    if as_json:
        printing.as_json(card)
        return
    click.echo(
        f"{folder}: trained on {card['examples']:,} sections and {card['graded questions']:,} graded questions"
        f" in {card['seconds']:,} s; use it with MEDGRAPH_RERANKER={folder}"
    )
    _print_calibration(card)


def _print_calibration(card: Mapping[str, Any]) -> None:
    """Say how well the reranker was calibrated; that it was not is said where it is found out."""
    from ..embeddings.rerankers.calibration import KEY

    if told := card.get(KEY):
        none = (
            f'"none of these" where the best is below {told["threshold"]:.2f}, right for {told["accuracy"]:.0%} of them'
            f" ({told['accepting all']:.0%} if it were never said, {1 - told['accepting all']:.0%} if always)"
        )
        click.echo(
            f"calibrated on {told['passages']:,} passages of {told['questions']:,} questions held out: expected error"
            f" {told['ece']:.3f} ({told['ece before']:.3f} before); "
            + (none if told["threshold"] else '"none of these" is never said, as no threshold gains anything')
        )


@train.command("fusion")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--sample", default=1000, show_default=True, type=click.IntRange(min=1), help="Questions, at most.")
@click.option(
    "--abstracts", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="PubMedQA's questions, as loaded."
)
@MESSAGES
@GRADES
@AS_JSON
@with_database
def train_fusion(
    settings: Settings,
    database: Database,
    file: Path,
    sample: int,
    abstracts: Path | None,
    messages: Path | None,
    grades: tuple[Path, ...],
    as_json: bool,
) -> None:
    """Fit the weights of the search mode `learned`, and write them to FILE, as queries/fusion.tsv has them.

    Raises:
        UsageError: Messages are given without grades, or grades without messages.
    """
    from dataclasses import replace

    from ..answers.assembly import make_retriever
    from ..embeddings.encoders.encoder import NO_LAYERS
    from ..evaluation import literature
    from ..graph import catalogue
    from ..training.fusion import fit_file

    # Layers that were trained on the same questions would seem to know more than they do.
    plain = replace(settings, question_encoder=NO_LAYERS, reranker=None)
    retriever, encoder = make_retriever(database, encoder_of(plain), linker_of(settings, database))
    cases = []
    if abstracts is not None:
        known = database.read(catalogue.get("all_documents"), sources=[literature.SOURCE])
        cases = literature.read(abstracts, {row["id"] for row in known}, "dev", sample)
    made_with = f"{encoder().name} in {encoder().precision}"
    model = fit_file(database, retriever, sample, file, made_with, cases, _graded(messages, grades))
    rows = [{"feature": name, "weight": weight} for name, weight in model.weights.items()]
    printing.figures(rows, in_json=as_json)


def _graded(messages: Path | None, grades: Sequence[Path]) -> list[Graded]:
    """Read graded questions.

    Returns:
        The questions; none where no files are given.

    Raises:
        UsageError: Messages are given without grades, or grades without messages.
    """
    from ..evaluation.graded import read_grades
    from ..evaluation.messages import ALL, read
    from ..training.graded import graded_of

    if bool(messages) != bool(grades):
        raise click.UsageError("--messages and --grades belong together: grades are of what messages ask")
    if messages is None:
        return []
    return graded_of(read(messages, "dev", ALL), read_grades(*grades))


@train.command("patients")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--messages",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    required=True,
    help="MeQSum's table of messages.",
)
@AS_JSON
@with_database
def train_patients(settings: Settings, database: Database, folder: Path, messages: Path, as_json: bool) -> None:
    """Learn how patients ask, and write it to FOLDER, as queries/frames.tsv and queries/patients.tsv have it.

    Wordings come from MedQuAD's questions, and what is like a patient's from messages, both of the half dev.
    """
    from ..evaluation.messages import ALL, read
    from ..training.patients import write_files

    card = write_files(database, linker_of(settings, database), read(messages, "dev", ALL), folder)
    if as_json:
        printing.as_json(card)
    else:
        printing.table([{"what": name, "value": value} for name, value in card.items()])


COMMANDS = (train,)
