"""The `medgraph` command: every command parses, calls one function and prints."""

from __future__ import annotations

import functools
import logging
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import output
from .cli_check import audit, doctor
from .cli_explore import entity, schema_picture
from .cli_export import export
from .cli_load import diff, load, sources, undo, unload
from .cli_server import neo4j
from .cli_shared import AS_JSON
from .cli_shared import with_database as _with_database
from .cli_sources import mapping
from .errors import MedgraphError
from .progress import note
from .settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .database import Database
    from .embeddings.encoder import TextEncoder


class _Group(click.Group):
    """Turns every foreseen error into one line and exit status 1."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        with _one_line_errors():
            return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        with _one_line_errors():
            return super().invoke(ctx)


@contextmanager
def _one_line_errors() -> Iterator[None]:
    try:
        yield
    except MedgraphError as error:
        raise click.ClickException(" ".join(str(error).split())) from error
    except click.UsageError as error:
        if isinstance(error, getattr(click.exceptions, "NoArgsIsHelpError", ())):
            raise
        command = error.ctx.command_path if error.ctx else "medgraph"
        message = " ".join(error.format_message().split())
        raise click.ClickException(f"{message} (see {command} --help)") from error
    except KeyboardInterrupt:
        raise click.ClickException("interrupted; run the same command again to go on") from None
    except BrokenPipeError:
        raise click.exceptions.Exit(0) from None


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="medgraph")
@click.pass_context
def main(ctx: click.Context) -> None:
    """A biomedical knowledge graph in Neo4j that answers questions with checked citations."""
    logging.getLogger("neo4j").setLevel(logging.CRITICAL)  # what it retries is no news, what it gives up is raised
    if not isinstance(ctx.obj, Settings):
        ctx.obj = Settings.from_environment()


for _command in (audit, diff, doctor, entity, export, load, mapping, neo4j, sources, undo, unload):
    main.add_command(_command)


def _encoder(settings: Settings) -> Callable[[], TextEncoder]:
    """Give a function that loads the encoder when it is first asked for."""

    @functools.cache
    def load() -> TextEncoder:
        from .embeddings.encoder import load_encoder

        return load_encoder(settings, note)

    return load


@main.command()
@AS_JSON
@click.pass_obj
def quickstart(settings: Settings, as_json: bool) -> None:
    """Bring everything up: server, schema, built-in sample, indexes, and one cited answer."""
    from .database import connect
    from .pipeline import quickstart as bring_up

    with connect(settings) as database:
        data = bring_up(settings, database, _encoder(settings), note)
    if as_json:
        output.as_json(data)
        return
    click.secho(f"\nQ: {data['question']}\n", bold=True)
    output.answer(data)
    click.echo(
        "\nTry next:\n"
        '  medgraph ask "How is gout treated?"\n'
        '  medgraph search "chest pain when climbing stairs" --top-k 5\n'
        "  medgraph query counts\n"
        "  medgraph load medquad PATH/TO/medquad.zip && medgraph index\n"
        "  medgraph neo4j browser"
    )


@main.group()
def schema() -> None:
    """Constraints and indexes of the graph, and what it is made of."""


schema.add_command(schema_picture)


@schema.command("apply")
@_with_database
def schema_apply(settings: Settings, database: Database) -> None:
    """Apply the migrations that the graph lacks, and wait for its indexes."""
    from .schema import migrate

    encoder = _encoder(settings)()
    applied = migrate.apply(database, encoder.name, encoder.dimension, note)
    click.echo(f"{len(applied)} applied; the schema is complete and all indexes are online")


@schema.command("status")
@AS_JSON
@_with_database
def schema_status(settings: Settings, database: Database, as_json: bool) -> None:
    """List migrations and indexes with their state."""
    from . import cypher
    from .schema import migrate

    migrations = migrate.status(database)
    indexes = database.run(cypher.get("index_states"))
    if as_json:
        output.as_json({"migrations": migrations, "indexes": indexes})
        return
    output.table(migrations, ["version", "name", "applied"])
    click.echo()
    output.table(indexes)


@main.command()
@click.argument("what", type=click.Choice(["chunks", "embeddings", "all"]), default="all")
@click.option("--rebuild", is_flag=True, help="Make every vector anew, for another encoder.")
@_with_database
def index(settings: Settings, database: Database, what: str, rebuild: bool) -> None:
    """Cut new sections into chunks, and embed what is new or stale."""
    from .pipeline import index as make_index

    click.echo(make_index(database, _encoder(settings)(), what, rebuild=rebuild))


@main.command()
@click.argument("question", required=False)
@click.option("--mode", default="linked", show_default=True, help="lexical, semantic, questions, hybrid or linked.")
@click.option("--top-k", default=10, show_default=True, help="How many results.")
@click.option("--source", "sources", multiple=True, help="Only this source or collection; may be repeated.")
@click.option("--licence", "licences", multiple=True, help="Only sources of this licence; may be repeated.")
@click.option("--type", "types", multiple=True, help="Only sections of this type; may be repeated.")
@click.option("--since", default="", help="Only documents published on or after this date.")
@click.option("--until", default="", help="Only documents published on or before this date.")
@click.option("--preset", default="default", show_default=True, help="Weights: default or literature.")
@click.option("--weights", help="Weights of the lexical and the semantic branch, such as 0.7,0.3.")
@click.option("--by-rank", is_flag=True, help="Fuse the branches by reciprocal rank.")
@click.option("--topics", type=click.Path(path_type=Path), help="A file of id<TAB>question lines.")
@click.option("--run", "run_file", type=click.Path(path_type=Path), help="Write TREC run lines to this file.")
@AS_JSON
@_with_database
def search(settings: Settings, database: Database, as_json: bool, **options: Any) -> None:
    """Find the sections that answer QUESTION best."""
    from dataclasses import asdict

    from .answers.assembly import make_retriever
    from .queries.topics import read_topics, write_run

    retriever, _ = make_retriever(database, _encoder(settings))
    wanted = _search_options(options)
    question, topics, run_file = options["question"], options["topics"], options["run_file"]
    if (topics is None) != (run_file is None) or (topics is None) == (question is None):
        raise click.UsageError("give a QUESTION, or --topics FILE and --run FILE together")
    if topics is not None:
        written = write_run(read_topics(topics), run_file, lambda text: retriever.search(text, **wanted))
        click.echo(f"{written:,} lines written to {run_file}", err=True)
        return
    hits = [asdict(hit) for hit in retriever.search(question, **wanted)]
    if as_json:
        output.as_json({"results": hits})
    else:
        output.results(hits)


def _search_options(options: dict[str, Any]) -> dict[str, Any]:
    from .queries.filters import Filters
    from .queries.retriever import weights_of

    return {
        "mode": options["mode"],
        "top_k": options["top_k"],
        "filters": Filters(*(options[name] for name in ("sources", "types", "since", "until", "licences"))),
        "weights": weights_of(options["preset"], options["weights"]),
        "by_rank": options["by_rank"],
    }


@main.command()
@click.argument("question")
@click.option("--source", "sources", multiple=True, help="Only this source or collection; may be repeated.")
@click.option("--licence", "licences", multiple=True, help="Only sources of this licence; may be repeated.")
@click.option("--type", "types", multiple=True, help="Only sections of this type; may be repeated.")
@AS_JSON
@_with_database
def ask(
    settings: Settings,
    database: Database,
    question: str,
    sources: tuple[str, ...],
    licences: tuple[str, ...],
    types: tuple[str, ...],
    as_json: bool,
) -> None:
    """Answer QUESTION in sentences that are cited and checked."""
    from .answers.assembly import make_answerer
    from .queries.filters import Filters

    wanted = Filters(sources=sources, types=types, licences=licences)
    data = make_answerer(database, _encoder(settings)).ask(question, wanted).as_dict()
    if as_json:
        output.as_json(data)
    else:
        output.answer(data)


@main.command()
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="An address; one that others can reach needs a key."
)
@click.option(
    "--port", default=8080, show_default=True, type=click.IntRange(0, 65_535), help="0 takes any that is free."
)
@click.option("--trusted-proxy", metavar="ADDRESS", help="A proxy that says from which address a request comes.")
@click.option("--log-questions", is_flag=True, help="Also write down what is asked.")
@click.pass_obj
def serve(settings: Settings, host: str, port: int, trusted_proxy: str | None, log_questions: bool) -> None:
    """Serve answers and search to programs, and a page to ask on."""
    from .api.options import make_options
    from .api.server import serve as run
    from .api.service import RETRY_TIME, TIME_LIMIT, Service
    from .database import browser_address, connect

    browser = browser_address(settings)
    options = make_options(settings, host, browser, proxy=trusted_proxy, log_questions=log_questions)
    with connect(settings, RETRY_TIME, TIME_LIMIT) as database:
        run(Service(database, _encoder(settings)), options, host, port, note, trusted_proxy)


@main.command()
@click.argument("name", required=False)
@click.option("--param", "-p", "given", multiple=True, metavar="NAME=VALUE", help="A parameter; may be repeated.")
@AS_JSON
@_with_database
def query(settings: Settings, database: Database, name: str | None, given: tuple[str, ...], as_json: bool) -> None:
    """Run the saved query NAME; without a name, list the saved queries."""
    from .queries.saved import list_saved, run_saved

    rows = run_saved(database, name, given) if name else list_saved()
    if as_json:
        output.as_json({"rows": rows})
    else:
        output.table(rows)


_PART = click.option(
    "--part",
    type=click.Choice(["dev", "held"]),
    default="held",
    show_default=True,
    help="The half to choose by, or the one to report.",
)


@main.group()
def evaluate() -> None:
    """Quality figures, on development questions made from MedQuAD as it is in the graph."""


@evaluate.command("retrieval")
@_PART
@click.option("--sample", default=300, show_default=True, help="Questions of each style.")
@AS_JSON
@_with_database
def evaluate_retrieval(settings: Settings, database: Database, part: str, sample: int, as_json: bool) -> None:
    """Measure every mode of search: nDCG@10, recall@10 and reciprocal rank."""
    from .answers.assembly import make_retriever
    from .evaluation.retrieval import evaluate as measure

    retriever, _ = make_retriever(database, _encoder(settings))
    rows = measure(database, retriever, part, sample)
    if as_json:
        output.as_json({"rows": rows})
    else:
        output.table(rows)


@evaluate.command("answers")
@click.argument("ontology", type=click.Path(path_type=Path))
@_PART
@click.option("--sample", default=300, show_default=True, help="Questions of each kind.")
@click.option("--fit", "fit_it", is_flag=True, help="Also fit the weights of confidence.")
@AS_JSON
@_with_database
def evaluate_answers(
    settings: Settings, database: Database, ontology: Path, part: str, sample: int, fit_it: bool, as_json: bool
) -> None:
    """Measure when answers are given and how rightly; ONTOLOGY is an OBO file with diseases that MedQuAD lacks."""
    from .answers.assembly import make_answerer
    from .evaluation import abstention

    answerer = make_answerer(database, _encoder(settings))
    measured = abstention.measure(answerer, abstention.cases(database, ontology, part, sample))
    rows = abstention.table(measured)
    weights = abstention.fit(measured) if fit_it else None
    if as_json:
        output.as_json({"rows": rows, "weights": weights})
        return
    output.table(rows)
    if weights:
        click.echo(f"weights: {weights}")
