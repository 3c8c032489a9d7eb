"""The commands that train models from the graph."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from medgraph.cli import printing
from medgraph.cli.shared import AS_JSON, assembly_of, encoder_of, with_database
from medgraph.progress import note

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from medgraph.graph.database import Database
    from medgraph.settings import Settings

    from ..training.questions import GradedQuestion

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
NEW = click.Path(dir_okay=False, path_type=Path)
FOLDER = click.Path(file_okay=False, path_type=Path)
DATA = click.Path(exists=True, file_okay=False, path_type=Path)
_RATE = click.option(
    "--rate", default=5e-5, show_default=True, type=click.FloatRange(min=0, min_open=True), help="Of learning."
)
SEED = click.option("--seed", default=7, show_default=True, help="Of everything that is drawn.")
_MESSAGES = click.option("--messages", type=FILE, help="MeQSum's table of messages.")
GRADES = click.option("--grades", type=FILE, multiple=True, help="Sections graded as their answers; may be repeated.")


def count(option: str, number: int, what: str, least: int = 1) -> Callable[[Any], Any]:
    """Give an option that is a number of things."""
    return click.option(option, default=number, show_default=True, type=click.IntRange(min=least), help=what)


def _dimensions(_context: click.Context, _option: click.Parameter, value: str | None) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in value.split(",")) if value else ()
    except ValueError as error:
        raise click.BadParameter(f"{value!r} is no list of numbers such as 384,256,128,64") from error


@click.group()
def train() -> None:
    """Train what searches, from the graph itself; what comes with medgraph was made by these commands."""


@train.command("encoder")
@click.argument("folder", type=FOLDER)
@count("--steps", 1000, "Steps of the optimiser.")
@count("--batch", 64, "Questions a step.", 3)
@_RATE
@SEED
@click.option("--pairs", type=FILE, help="RQE's file of pairs of questions.")
@_MESSAGES
@click.option("--both-sides", is_flag=True, help="Train passages too; the graph is embedded anew with the result.")
@count("--negatives", 1, "With --both-sides: mined negatives of each question.", 0)
@count("--piece", 32, "With --both-sides: texts that are encoded at once.")
@click.option(
    "--dimensions", callback=_dimensions, help="With --both-sides: such as 384,256,128,64; each ranks by itself."
)
@click.option(
    "--pseudo-queries",
    "queries",
    type=DATA,
    help="With --both-sides: in place of questions made by rule, what `train pseudo-queries` wrote into this folder.",
)
@click.option("--subgraphs-only", is_flag=True, help="With --both-sides: learn from questions of relations alone.")
@AS_JSON
@with_database
def train_encoder(
    settings: Settings,
    database: Database,
    folder: Path,
    pairs: Path | None,
    messages: Path | None,
    queries: Path | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Train the encoder of questions, and write it to FOLDER; MEDGRAPH_QUESTION_ENCODER=FOLDER uses it.

    Passages keep their vectors: nothing is embedded anew. With --both-sides FOLDER is an encoder of its own, which
    MEDGRAPH_ENCODER=FOLDER uses once everything is embedded with it. An interrupted training goes on when it is called
    again.

    Raises:
        UsageError: An option is given that is of use only with --both-sides.
    """
    from ..evaluation.sets.meqsum import ALL, load_messages
    from ..training import encoder as training
    from ..training.library import base_of
    from ..training.pseudo_queries import read_accepted
    from ..training.questions import read_pairs

    context, both = click.get_current_context(), ("negatives", "piece", "dimensions", "queries", "subgraphs_only")
    for option in context.command.params if not options["both_sides"] else ():
        if option.name in both and context.get_parameter_source(option.name) is not click.core.ParameterSource.DEFAULT:
            raise click.UsageError(f"{option.opts[0]} is of use only with --both-sides")
    chosen = training.Options(**options)
    base = base_of(settings)
    pairs_read = read_pairs(pairs) if pairs else ()
    messages_read = load_messages(messages, "dev", ALL) if messages else ()
    accepted = read_accepted(queries) if queries else ()
    retriever = assembly_of(settings, database).retriever
    material = training.gather(database, retriever, pairs_read, messages_read, accepted)
    card = training.train(base, material, folder, chosen)
    if as_json:
        printing.as_json(card)
        return
    use = (
        f"MEDGRAPH_ENCODER={folder}, after: medgraph index embeddings --rebuild"
        if chosen.both_sides
        else f"MEDGRAPH_QUESTION_ENCODER={folder}"
    )
    click.echo(
        f"{folder}: trained on {card['examples']:,} sections, {card['pairs']:,} pairs and {card['messages']:,} messages"
        f" in {card['seconds']:,} s; use it with {use}"
    )
    reached = card.get("trained reaches", {})
    rows = [
        {"dimensions": name} | {f"{one}, base": value for one, value in card["base reaches"][name].items()} | values
        for name, values in reached.items()
    ]
    printing.table(rows)


@train.command("reranker")
@click.argument("folder", type=FOLDER)
@count("--steps", 1200, "Steps of the optimiser.")
@count("--questions", 4, "Questions a step.")
@count("--passages", 6, "Passages of each question.", 2)
@_RATE
@SEED
@_MESSAGES
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
    **options: Any,
) -> None:
    """Train the reranker, and write it to FOLDER; MEDGRAPH_RERANKER=FOLDER uses it.

    A quarter of the graded questions is held out, or without these of MedQuAD's subjects: by them its scores become
    probabilities, with a threshold below which none of the results seems to answer.

    An interrupted training goes on when it is called again.
    """
    from dataclasses import replace

    from ..training import calibrating
    from ..training import reranker as training
    from ..training.library import base_of
    from ..training.questions import examples, passages

    graded, base, searching = read_graded(messages, grades), base_of(settings), assembly_of(settings, database)
    chosen = training.Options(**options)
    whole = training.Material(examples(database), passages(database), graded)
    material, held = calibrating.apart(whole, chosen.seed)

    def calibrate(made: Path) -> dict[str, Any]:
        reading = replace(searching, load_encoder=encoder_of(replace(settings, reranker=str(made))))
        return calibrating.calibrate(reading.retriever, held, made)

    card = training.train(base, searching.encoder(), material, folder, chosen, calibrate)
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
    from medgraph.embeddings.reranking import KEY

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
@click.argument("file", type=NEW)
@count("--sample", 1000, "Questions, at most.")
@click.option("--abstracts", type=FILE, help="PubMedQA's questions, as loaded.")
@_MESSAGES
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
    """Fit the weights of the search mode `learned`, and write them to FILE, as queries/fusion.tsv has them."""
    from dataclasses import replace

    from medgraph.embeddings.encoders.encoder import NO_LAYERS
    from medgraph.graph import catalogue

    from ..evaluation.sets import pubmedqa
    from ..training.fusion import train_file
    from ..training.likelihood import describe

    # Layers that were trained on the same questions would seem to know more than they do.
    plain = replace(settings, question_encoder=NO_LAYERS, reranker=None)
    searching = assembly_of(plain, database)
    encoder = searching.encoder
    cases = []
    if abstracts is not None:
        known = database.read(catalogue.get("all_documents"), sources=[pubmedqa.SOURCE])
        cases = pubmedqa.load(abstracts, {row["id"] for row in known}, "dev", sample)
    made_with = f"{encoder().name} in {encoder().precision}"
    graded = describe(assembly_of(settings, database).retriever, read_graded(messages, grades))
    model = train_file(database, searching.retriever, sample, file, made_with, cases, graded)
    rows = [{"feature": name, "weight": weight} for name, weight in model.weights.items()]
    printing.figures(rows, in_json=as_json)


def read_graded(messages: Path | None, grades: Sequence[Path], *, both_halves: bool = False) -> list[GradedQuestion]:
    """Read graded questions; none where no files are given."""
    from ..evaluation.sets.grades import read_grades
    from ..evaluation.sets.meqsum import ALL, load_all_messages, load_messages
    from ..training.questions import graded_of

    if bool(messages) != bool(grades):
        raise click.UsageError("--messages and --grades belong together: grades are of what messages ask")
    if messages is None:
        return []
    return graded_of(
        load_all_messages(messages) if both_halves else load_messages(messages, "dev", ALL), read_grades(*grades)
    )


@train.command("roles")
@click.argument("labelled", type=FILE)
@click.argument("abstracts", type=FILE)
@click.argument("file", type=NEW)
@AS_JSON
def train_roles(labelled: Path, abstracts: Path, file: Path, as_json: bool) -> None:
    """Fit what tells the roles of mentions, and write it to FILE, as linking/roles.tsv has it.

    LABELLED is a table of mentions with their roles (tests/data/linking/roles.tsv), ABSTRACTS the training set of
    BC5CDR. Figures are of weights that were fitted without the set dev; the file has weights fitted to both sets.
    """
    from medgraph.files import check_writable
    from medgraph.linking.roles import write

    from ..training import roles

    check_writable(file)
    examples, pairs = roles.read_labelled(labelled), roles.read_pairs(abstracts)
    model, figures = roles.train(examples, pairs)
    write(model, file, roles.card(figures, examples, pairs))
    printing.figures([{"role": name} | row for name, row in figures.items()], in_json=as_json)


@train.command("verifier")
@click.argument("path", type=click.Path(path_type=Path))
@count("--sample", 1000, "Sentences of each kind, at most.", 50)
@click.option("--cross", is_flag=True, help="Train a cross-encoder instead, and write it to the folder PATH.")
@click.option("--claims", type=DATA, help="With --cross: learn from labelled claims, too; a folder with scifact/.")
@click.option("--folds", is_flag=True, help="With --claims: also train five times, and judge the fifth left out.")
@click.option(
    "--epochs", type=click.IntRange(min=1), help="With --cross: how often each pair is learned from, 3 unless told."
)
@click.option("--seed", type=int, help="With --cross: of everything that is drawn, 7 unless told.")
@click.option(
    "--written",
    type=FILE,
    help="Fit what checks sentences of a language model, as answers/verify/together.tsv has it, to a table of such.",
)
@AS_JSON
@with_database
def train_verifier(
    settings: Settings,
    database: Database,
    path: Path,
    sample: int,
    cross: bool,
    claims: Path | None,
    folds: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Fit how sure a claim is, and write it to the file PATH, as answers/verify/verifier.tsv has it.

    It is fitted to sentences of MedQuAD's half dev: as they are, reworded, with faults, and beside other sentences.
    With --cross these train what reads a claim together with its evidence; MEDGRAPH_VERIFIER=PATH uses it. An
    interrupted training goes on when it is called again.

    Raises:
        UsageError: What belongs to --cross is given without it, or PATH is a folder without it or a file with it.
    """
    written: Path | None = options.pop("written")
    chosen: dict[str, int] = {name: value for name, value in options.items() if value is not None}
    if not cross and (claims or chosen):
        raise click.UsageError("--claims, --epochs and --seed belong to --cross")
    if folds and not claims:
        raise click.UsageError("--folds needs --claims")
    if path.is_file() if cross else path.is_dir():
        raise click.UsageError(f"{path} is a {'file' if cross else 'folder'}; name a {'folder' if cross else 'file'}")
    if cross and written:
        raise click.UsageError("--written does not go with --cross")
    if cross:
        _train_cross(settings, database, path, sample, claims, chosen, folds=folds, as_json=as_json)
        return
    if written:
        from ..training import supporting

        fitted = supporting.train_file(database, written, path)
        printing.figures([{"sign": name, "weight": weight} for name, weight in fitted.items()], in_json=as_json)
        return
    from ..training.verifier import train_file

    weights = train_file(database, sample, path)
    rows = [{"sign": name} | {level: told[name] for level, told in weights.items()} for name in weights["supports"]]
    printing.figures(rows, in_json=as_json)


def _train_cross(
    settings: Settings,
    database: Database,
    folder: Path,
    sample: int,
    claims: Path | None,
    options: dict[str, int],
    *,
    folds: bool,
    as_json: bool,
) -> None:
    from medgraph.embeddings.reranking import fetched_reader

    from ..training import entailment
    from ..training.verifier import gather

    base = fetched_reader(settings, note)
    material = gather(database, sample, claims, encoder_of(settings))
    chosen = entailment.Options(**options)
    judged = entailment.folds(base, material, folder, chosen) if folds else None
    card = entailment.train(base, material, folder, chosen, judged)
    if as_json:
        printing.as_json(card)
        return
    held = card[entailment.HELD_OUT]
    click.echo(
        f"{folder}: trained on {card['made pairs']:,} made and {card['labelled pairs']:,} labelled pairs in"
        f" {card['seconds']:,} s; macro-F1 {held.get('macro_f1', 0):.3f} on {held['pairs']:,} pairs held out; use it"
        f" with MEDGRAPH_VERIFIER={folder}"
    )
    if judged:
        printing.figures([judged], in_json=False)


COMMANDS = (train,)
