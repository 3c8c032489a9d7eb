"""The command that makes chunks and vectors."""

from __future__ import annotations

import sys
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from ..graph.engine import LOCAL
from . import printing
from .engines import encoder_elsewhere, linker_elsewhere, with_engine
from .reembed import Reembedding
from .shared import encoder_of, linker_of, with_database

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..embeddings.encoders.encoder import TextEncoder
    from ..graph.database import Database
    from ..linking.mentions import Links
    from ..settings import Settings
    from .engines import AnyEngine, ChosenEngine


ON_RAY: Final = ("embeddings", "chunks", "links", "all")
"""What can be computed elsewhere."""


STEPS: Final = ("chunks", "embeddings", "concepts", "links", "subgraphs", "kge", "all", "compare", "switch")


@click.command()
@click.argument("what", type=click.Choice(STEPS), default="all")
@click.argument("names", nargs=-1, metavar="[ENCODER]...")
@click.option("--rebuild", is_flag=True, help="Make every vector anew, for another encoder, or another model of `kge`.")
@click.option("--by-embedding", is_flag=True, help="With concepts: propose what has near names by vectors, for review.")
@click.option(
    "--pipeline",
    default="",
    metavar="scispacy[:MODEL]",
    help="With links or all: find short forms by scispaCy and negation by negspaCy; with a scispaCy or spaCy MODEL also"
    " mentions. Needs the extra `scispacy`. Sections that another pipeline linked are linked anew.",
)
@click.option("--model", default="ComplEx", show_default=True, help="With kge: ComplEx, TransE, RotatE or ConvE.")
@click.option("--preset", default="tuned", show_default=True, help="With kge: tuned, or plain as PyKEEN has it.")
@click.option("--compare", is_flag=True, help="With kge: train all four models, and judge baselines beside them.")
@click.option("--minutes", type=click.FloatRange(min=0, min_open=True), help="With kge: of each training, at most.")
@click.option("--seed", default=17, show_default=True, help="With kge: of the split, and of everything that is drawn.")
@click.option("--encoder", metavar="NEW", help="With embeddings --beside: the encoder, as MEDGRAPH_ENCODER takes it.")
@click.option("--beside", is_flag=True, help="With embeddings: make vectors of NEW while the former ones serve.")
@click.option("--questions", type=click.Path(path_type=Path), help="With compare: a file of id<TAB>question lines.")
@click.option("--drop", metavar="OLD", help="With switch: drop the vectors of an encoder that nobody uses any more.")
@with_engine
@with_database
def index(
    settings: Settings,
    database: Database,
    what: str,
    rebuild: bool,
    by_embedding: bool,
    pipeline: str,
    engine: ChosenEngine,
    **options: Any,
) -> None:
    """Join entities at concepts, cut new sections into chunks, embed these, and note what they mention.

    `subgraphs`, which `all` leaves out, writes what relations tell as texts of the
    source graph, with chunks and vectors, and with questions like a patient's.

    `kge`, which `all` leaves out, learns vectors of concepts from their relations, for `similar` and `predict`; it
    needs the extra `kge`, and goes on where it was interrupted.

    Another encoder: `embeddings --encoder NEW --beside` makes its vectors while the former ones serve, `compare OLD NEW
    --questions FILE` shows what changes, and `switch NEW` puts them in place at once.
    """
    from ..embeddings.index import index as make_index
    from ..linking.names import has_names, index_names

    other = Reembedding(**{name.name: options.pop(name.name) for name in fields(Reembedding)})
    other.check(what)
    _check(what, by_embedding=by_embedding, pipeline=pipeline, engine=engine)
    if what == "kge":
        _index_kge(settings, database, rebuild=rebuild, **options)
        return
    if what == "compare":
        other.compare(settings, database)
    if what == "switch":
        other.switch(settings, database)
    if other.beside:
        other.embed(settings, database, engine)
        return
    out = sys.stdout  # an engine puts another in its place
    with engine.opened(settings) as running:
        if what in {"chunks", "embeddings", "all"}:
            encoder = encoder_of(settings)()
            elsewhere = running.loading(encoder_elsewhere(settings, encoder))
            click.echo(make_index(database, encoder, what, rebuild=rebuild, engine=elsewhere).summary(), out)
        if what in {"links", "all"} and has_names(database):
            click.echo(_index_links(settings, database, pipeline, running).summary(), out)
    if what == "concepts":
        click.echo(index_names(settings, database, encoder_of(settings)() if by_embedding else None).summary())
    if what == "subgraphs":
        _index_subgraphs(settings, database)


def index_all(settings: Settings, database: Database, encoder: TextEncoder) -> Iterator[str]:
    """Cut, embed and link here what is new, and say what was done."""
    from ..embeddings.index import index as make_index
    from ..linking.names import has_names

    yield make_index(database, encoder, "all").summary()
    if has_names(database):
        yield _index_links(settings, database, "", LOCAL).summary()


def _index_links(settings: Settings, database: Database, pipeline: str, engine: AnyEngine) -> Links:
    from ..linking.context import open_pipeline
    from ..linking.mentions import index_links
    from ..linking.names import names_in_use

    reading = open_pipeline(pipeline)
    linker, names = names_in_use(settings, database)
    elsewhere = engine.loading(linker_elsewhere(settings, database, pipeline))
    return index_links(database, linker, names, reading, engine=elsewhere)


def _check(what: str, *, by_embedding: bool, pipeline: str, engine: ChosenEngine) -> None:
    if by_embedding and what != "concepts":
        raise click.UsageError("--by-embedding goes with concepts: medgraph index concepts --by-embedding")
    if pipeline and what not in {"links", "all"}:
        raise click.UsageError("--pipeline goes with links or all: medgraph index links --pipeline scispacy")
    if not engine.is_local and what not in ON_RAY:
        raise click.UsageError(f"--engine goes with {', '.join(ON_RAY)}: medgraph index {ON_RAY[0]} --engine ray")


def _index_subgraphs(settings: Settings, database: Database) -> None:
    """Write what relations tell, load what is new of it, cut and embed that, and make questions for it."""
    from ..embeddings.index import index as make_index
    from ..files import write_whole
    from ..loaders.commands import LoadOptions, load_named, unload_named
    from ..loaders.life.withdraw import sources_of
    from ..queries.graph_texts import graph_documents
    from ..queries.made_questions import make_questions
    from ..schema.rows import to_json

    encoder = encoder_of(settings)()
    lines = [to_json(document) for document in graph_documents(database, encoder)]
    if lines:
        file = settings.home / "subgraphs.jsonl"
        write_whole(file, "\n".join([*lines, ""]).encode())
        click.echo(load_named(database, settings, "graph", file, LoadOptions(replace=True)).summary())
        click.echo(make_index(database, encoder, "all").summary())
        click.echo(make_questions(database, encoder, linker_of(settings, database)).summary())
        return
    if sources_of(database, "graph"):
        unload_named(database, settings, "graph")
    click.echo("no relation tells anything; load sources with relations, or run: medgraph index links")


def _index_kge(
    settings: Settings,
    database: Database,
    *,
    rebuild: bool,
    model: str,
    preset: str,
    compare: bool,
    **options: Any,
) -> None:
    """Learn vectors from relations, and tell how well they predict."""
    from ..embeddings.kge.build import Options, index_kge
    from ..embeddings.kge.presets import MODELS

    chosen = Options(MODELS if compare else (model,), preset, baselines=compare, threads=settings.threads, **options)
    made = index_kge(database, settings.home / "kge", chosen, rebuild=rebuild)
    printing.table(made.table)
    guessed = made.leakage["same pair learned by another relation"] + made.leakage["pair learned the other way round"]
    click.echo(
        f"Of {made.leakage['judged']:,} relations to judge by, {guessed:,} have a pair that is learned from by another "
        f"relation or the other way round; {len(made.leakage['alike'])} relations have the pairs of another."
    )
    for row in made.leakage["alike"]:
        way = "turned round" if row["way"] == "turned" else "as well"
        click.echo(f"  {row['share']:.0%} of the pairs of {row['relation']} are those of {row['other']} {way}")
    concepts = made.card["data"]["concepts"]
    click.echo(f"{concepts:,} concepts have vectors of {made.card['model']}; try: medgraph similar gout")


COMMANDS = (index,)
