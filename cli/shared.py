"""Shared parts of commands: options, the open database and its schema, and loaders of models."""

from __future__ import annotations

import functools
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from ..errors import InputError, RequestsWaitError, SchemaMissingError, install_line
from ..progress import note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from mcp.server import MCPServer

    from ..answers.assembly import Assembly
    from ..answers.verify.reader import CrossReader
    from ..api.service import Service
    from ..embeddings.encoders.encoder import TextClassifier, TextEncoder
    from ..embeddings.reranking import SentenceReader
    from ..graph.database import Database
    from ..linking.linker import Linker
    from ..models.protocol import Model
    from ..pictures.graph import Picture
    from ..settings import Settings

T = TypeVar("T")
Command = TypeVar("Command", bound="Callable[..., None]")

AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
BATCH = click.option(
    "--batch",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Call no model: write requests into FOLDER, and answer from the replies that lie there.",
)

GRAPH = click.option(
    "--graph", is_flag=True, help="Where texts do not answer, quote what `index subgraphs` wrote of relations."
)
CYPHER = click.option(
    "--cypher", is_flag=True, help="Let agents write Cypher of their own; it may only read, within bounds."
)


def with_options(*given: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Give a command several options, in this order."""

    def give(command: Command) -> Command:
        for option in reversed(given):
            command = option(command)
        return command

    return give


def _many(option: str, name: str, what: str) -> Callable[[Command], Command]:
    return click.option(option, name, multiple=True, help=f"{what}; may be repeated.")


# What results may be: options that are named like the fields of `Filters`.
with_filters = with_options(
    _many("--source", "sources", "Only this source or collection"),
    _many("--licence", "licences", "Only sources of this licence"),
    _many("--type", "types", "Only sections of this type"),
    click.option("--since", default="", help="Only documents published on or after this date."),
    click.option("--until", default="", help="Only documents published on or before this date."),
    _many("--author", "authors", "Only what this author wrote, such as Smith J"),
    _many("--journal", "journals", "Only what came out in this journal"),
    _many("--mesh", "headings", "Only under this MeSH heading, or one below it: a name or an id"),
    _many("--notice", "notices", "Only documents with such a notice (erratum), or without any (none)"),
    _many("--study", "studies", "Only such studies: guideline, meta-analysis, randomised trial, case report, …"),
    _many("--concept", "concepts", "Only sections that mention this or are about it: a name, an id or a CUI"),
)


def with_database(command: Callable[..., T]) -> Callable[..., T]:
    """Give a command first the settings and an open database that has the schema, and close that afterwards."""

    @functools.wraps(command)
    def ready(settings: Settings, *args: Any, **kwargs: Any) -> T:
        with opened(settings) as database:
            return command(settings, database, *args, **kwargs)

    return click.pass_obj(ready)


@contextmanager
def opened(settings: Settings) -> Iterator[Database]:
    """Open the database, with the schema, and close it afterwards."""
    from ..graph.connect import connect

    with connect(settings) as database:
        require_schema(settings, database)
        yield database


def with_any_database(command: Callable[..., T]) -> Callable[..., T]:
    """Give a command first the settings and an open database, with or without the schema, and close that afterwards."""

    @click.pass_obj
    @functools.wraps(command)
    def wrapped(settings: Settings, *args: Any, **kwargs: Any) -> T:
        from ..graph.connect import connect

        with connect(settings) as database:
            return command(settings, database, *args, **kwargs)

    return wrapped


def with_picture(what: str) -> Callable[[Callable[..., Callable[[], Picture]]], Callable[..., None]]:
    """Give a command the option `--picture`, to draw by what it returns; it stands above `with_database`."""

    def drawing(command: Callable[..., Callable[[], Picture]]) -> Callable[..., None]:
        @click.option(
            "--picture",
            "file",
            type=click.Path(path_type=Path),
            help=f"Also draw {what}, into a .svg or .png file.",
        )
        @functools.wraps(command)
        def wrapped(*args: Any, file: Path | None, **kwargs: Any) -> None:
            from ..pictures import svg

            paths = [file] if file else []
            svg.check(paths)
            draw = command(*args, **kwargs)
            if paths:
                svg.save(draw(), paths)
                note(f"{file} written")

        return wrapped

    return drawing


def with_model(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the option `--batch`, and as `model` a function that opens the language model.

    It stands below `with_database`, which gives the settings. When requests wait for replies, the command ends with a
    line that says how to go on, and exit status 3.
    """

    @BATCH
    @functools.wraps(command)
    def wrapped(settings: Settings, *args: Any, batch: Path | None, **kwargs: Any) -> None:
        with opened_model(settings, batch) as model:
            command(settings, *args, model=model, **kwargs)

    return wrapped


def with_pipeline(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options `--pipeline`, `--without` and `--set`, and as `pipeline` what they choose, or None."""

    @click.option("--pipeline", metavar="NAME", help="Answer by a published pipeline: see `medgraph pipelines`.")
    @click.option(
        "--without", metavar="STAGE", multiple=True, help="Leave a stage of the pipeline out; may be repeated."
    )
    @click.option("--set", "values", metavar="KEY=VALUE", multiple=True, help="Set a parameter; may be repeated.")
    @functools.wraps(command)
    def wrapped(
        *args: Any, pipeline: str | None, without: tuple[str, ...], values: tuple[str, ...], **kwargs: Any
    ) -> None:
        chosen = None
        if pipeline is not None:
            from ..answers.pipelines.catalogue import pipeline_named
            from ..answers.pipelines.pipeline import choose

            chosen = choose(pipeline_named(pipeline), without, values)
        elif without or values:
            raise click.UsageError("--without and --set change a pipeline; name one with --pipeline")
        command(*args, pipeline=chosen, **kwargs)

    return wrapped


@contextmanager
def opened_model(settings: Settings, batch: Path | None) -> Iterator[Callable[[], Model]]:
    """Give a function that opens the language model, or one that collects requests in `batch`; Exit 3 if any wait."""
    if batch is None:
        yield model_of(settings)
        return
    from ..models.batch import REQUESTS, BatchModel

    answering = BatchModel(batch, settings)
    waiting = 0
    try:
        yield lambda: answering
    except RequestsWaitError:
        pass
    finally:
        waiting = answering.write()
    if waiting:
        wait = "request waits" if waiting == 1 else "requests wait"
        note(f"{waiting:,} {wait} in {batch / REQUESTS}, which any batch service of OpenAI's format takes")
        note(f"put the results into {batch} as another file .jsonl, and run the same command again")
        raise click.exceptions.Exit(3)


def require_schema(settings: Settings, database: Database) -> None:
    """Make sure that the graph has the schema; the embedded server's is given what it lacks, with a line that says so.

    Raises:
        SchemaMissingError: The server is another one and its graph lacks a migration.
        MigrationChangedError: A migration that was applied has been edited since.
        SchemaError: The graph is one of a newer medgraph, or a constraint cannot be made.
        EncoderError: The graph has no encoder yet, and the one that the settings name cannot be had.
    """
    from ..schema import migrate

    if settings.neo4j_uri is not None:
        migrate.check(database)
        return
    from ..files import locked

    # Whoever comes while another command applies it waits here until the indexes are online.
    with locked(settings.home / "schema.lock"):
        try:
            migrate.check(database)
        except SchemaMissingError:
            from ..embeddings.encoders.encoder import model_of

            missing = [f"V{state.version:03d}" for state in migrate.status(database) if state.applied is None]
            note(f"the graph lacks the schema {', '.join(missing)}; it is applied now")
            model = migrate.recorded_encoder(database) or model_of(settings, note)
            migrate.apply(database, model.name, model.dimension, lambda _: None)


def linker_of(settings: Settings, database: Database, *, joins: bool = True) -> Callable[[], Linker]:
    """Give a function that opens the linker of the graph's names; `joins`, which writes, joins new entities first."""
    from ..linking.names import GraphNames

    return GraphNames(settings, database, joins=joins)


def _cached(load: Callable[[Settings], T]) -> Callable[[Settings], Callable[[], T]]:
    """Make of a function that loads by the settings one that gives what loads, when it is first asked for, and once."""

    @functools.wraps(load)
    def of(settings: Settings) -> Callable[[], T]:
        return functools.cache(functools.partial(load, settings))

    return of


@_cached
def encoder_of(settings: Settings) -> TextEncoder:
    """Give a function that loads the encoder."""
    from ..embeddings.encoders.encoder import load_encoder

    return load_encoder(settings, note)


@_cached
def reader_of(settings: Settings) -> CrossReader | None:
    """Give a function that loads what reads claims together with their evidence; it gives None where none is set."""
    if settings.verifier is None:
        return None
    from ..answers.verify.reader import load_reader

    return load_reader(settings)


@_cached
def sentence_reader_of(settings: Settings) -> SentenceReader | None:
    """Give a function that loads what reads sentences together with questions; it gives None where nothing does."""
    from ..embeddings.reranking import load_reader

    return load_reader(settings, note)


@_cached
def emergencies_of(settings: Settings) -> TextClassifier:
    """Give a function that loads what tells emergencies."""
    from ..embeddings.encoders.encoder import load_emergencies

    return load_emergencies(settings, note)


@_cached
def model_of(settings: Settings) -> Model:
    """Give a function that opens the language model."""
    from ..models.open import open_model

    return open_model(settings)


# By the field of `Assembly` that gives it, what loads what reads a question, and what makes it read a first one.
_READERS: Final[Mapping[str, tuple[Callable[[Settings], Callable[[], Any]], Callable[[Any, str], Any]]]] = {
    "load_emergencies": (emergencies_of, lambda tells, text: tells.kinds([text])),
    "load_encoder": (encoder_of, lambda encoder, text: (encoder.encode_questions([text]), encoder.encode([text]))),
    "load_sentence_reader": (sentence_reader_of, lambda reader, text: reader and reader.describe(text, [text])),
}


@contextmanager
def loading(settings: Settings, text: str, *names: str) -> Iterator[dict[str, Any]]:
    """Begin to load what reads a text, all or some by `names`, beside what follows; gives fields for `Assembly`."""
    from concurrent.futures import ThreadPoolExecutor

    def ready(name: str) -> Any:
        load, read = _READERS[name]
        read(loaded := load(settings)(), text)
        return loaded

    beside = ThreadPoolExecutor(1)
    try:
        yield {name: beside.submit(ready, name).result for name in names or _READERS}
    finally:
        beside.shutdown(wait=False, cancel_futures=True)


def assembly_of(
    settings: Settings, database: Database, load_model: Callable[[], Model] | None = None, *, joins: bool = True
) -> Assembly:
    """Put together what searches and answers as the settings say, none of its parts made yet."""
    from ..answers.assembly import Assembly

    return Assembly(
        database,
        encoder_of(settings),
        linker_of(settings, database, joins=joins),
        unsupported=settings.unsupported,
        composer=settings.composer,
        load_reader=reader_of(settings),
        load_sentence_reader=sentence_reader_of(settings),
        load_model=load_model or model_of(settings),
        model_reads=settings.model_reads if settings.model else (),
        load_emergencies=emergencies_of(settings),
        emergency_number=settings.emergency_number,
    )


def agents_of(service: Service, *, cypher: int) -> MCPServer[Any]:
    """Make the server for agents; an InputError names the extra that is missing.

    Args:
        cypher: Seconds that a statement of theirs may take; 0 where none is taken.
    """
    try:
        from ..api.agents.server import make_server
    except ModuleNotFoundError as error:
        raise InputError(f"agents need {error.name}; {install_line('mcp')}") from error
    from importlib.metadata import version

    return make_server(service, version("medgraph"), cypher=cypher)
