"""The command that makes chunks and vectors, changes the encoder meanwhile, and computes here or on a Ray cluster."""

from __future__ import annotations

import functools
import os
import sys
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from ..graph.engine import LOCAL, Engine, Processes
from ..text import counted
from . import printing
from .shared import BATCH, encoder_of, linker_of, opened_model, with_database

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ..embeddings.encoders.encoder import TextEncoder
    from ..graph.database import Database
    from ..linking.mentions import Links, Reading
    from ..settings import Settings


# What can be computed elsewhere.
ON_RAY: Final = ("embeddings", "chunks", "links", "all")
STEPS: Final = tuple("chunks embeddings concepts links relations subgraphs kge all compare switch".split())


def _check_engine(_context: click.Context, _option: click.Parameter, engine: str) -> str:
    if engine.partition(":")[0] not in {"local", "ray"} or engine.startswith("local:"):
        raise click.BadParameter(f"{engine!r} is none; write local, ray, or ray:ADDRESS such as ray:head-node:6379")
    return engine


@dataclass(frozen=True, slots=True)
class ChosenEngine:
    """What `--engine` (`local`, `ray` or `ray:ADDRESS`) and `--shards` say."""

    name: str
    shards: Path | None

    @property
    def is_local(self) -> bool:
        """Whether this process computes."""
        return self.name == "local"

    @contextmanager
    def opened(self, settings: Settings) -> Iterator[Engine]:
        """Open the engine; an InputError tells that Ray is not installed, or there is no such cluster."""
        if self.is_local:
            yield LOCAL
            return
        from ..graph.ray_engine import ray_engine

        address = self.name.partition(":")[2]
        with ray_engine(address, self.shards or settings.home / "shards", settings.threads) as opened:
            yield opened


def with_engine(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options `--engine` and `--shards`, and what they say as `engine`."""

    @click.option(
        "--engine",
        default="local",
        show_default=True,
        metavar="local|ray[:ADDRESS]",
        callback=_check_engine,
        help="Where to compute: in this process, or by Ray on this machine or on the cluster at ADDRESS (extra `ray`).",
    )
    @click.option(
        "--shards",
        type=click.Path(path_type=Path, file_okay=False),
        metavar="FOLDER",
        help="With --engine ray: where workers write what they have computed until it is stored; all of them see it."
        " Otherwise `shards` in the data folder.",
    )
    @functools.wraps(command)
    def chosen(*args: Any, engine: str, shards: Path | None, **kwargs: Any) -> None:
        command(*args, engine=ChosenEngine(engine, shards), **kwargs)

    return chosen


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
@click.option(
    "--drop",
    metavar="OLD",
    help="With switch: drop the vectors of an encoder that nobody uses any more. With relations: what a model told.",
)
@click.option("--by-model", is_flag=True, help="With relations: have the language model read sections for them.")
@click.option(
    "--types",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="With --by-model: a table of the types of relations to read, each with a tab and what it means.",
)
@click.option("--source", default="", help="With --by-model: read sections of this source alone.")
@click.option("--most", type=click.IntRange(min=1), help="With --by-model: sections that are read, at most.")
@BATCH
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

    `relations --by-model` has the language model of MEDGRAPH_MODEL read sections that it has not read for relations;
    what passes the checks counts beside what rules find, and `review list --relations` shows what waits for a curator.

    `kge`, which `all` leaves out, learns vectors of concepts from their relations, for `similar` and `predict`; it
    needs the extra `kge`, and goes on where it was interrupted.

    Another encoder: `embeddings --encoder NEW --beside` makes its vectors while the former ones serve, `compare OLD NEW
    --questions FILE` shows what changes, and `switch NEW` puts them in place at once.
    """
    from ..embeddings.index import index as make_index
    from ..linking.names import has_names, index_names

    other = {name: options.pop(name) for name in ("names", "encoder", "beside", "questions", "drop")}
    reading = _by_model(what, **{name: options.pop(name) for name in ("by_model", "types", "source", "most", "batch")})
    _check_other(what, **other)
    _check(what, by_embedding=by_embedding, pipeline=pipeline, engine=engine)
    if what == "kge":
        _index_kge(settings, database, rebuild=rebuild, **options)
        return
    if what == "relations":
        _index_relations(settings, database, reading, rebuild=rebuild, drop=other["drop"])
    if what == "compare":
        _compare(settings, database, other["names"], other["questions"])
    if what == "switch":
        _switch(settings, database, other["names"], other["drop"])
    if other["beside"]:
        own = replace(settings, encoder=other["encoder"] or settings.encoder)
        _embed_second(own, database, encoder_of(own)(), engine)
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


def _index_links(settings: Settings, database: Database, pipeline: str, engine: Engine) -> Links:
    from ..linking.context import open_pipeline
    from ..linking.mentions import index_links
    from ..linking.names import names_in_use, renamed_since

    reading = open_pipeline(pipeline)
    linker, names = names_in_use(settings, database)
    load = linker_elsewhere(settings, database, pipeline)
    elsewhere = Processes(load, settings.threads or os.cpu_count() or 1) if engine is LOCAL else engine.loading(load)
    with renamed_since(settings, database, linker) as renamed:
        return index_links(database, linker, names, reading, elsewhere, renamed)


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
    from ..queries.made_questions import make_questions
    from ..queries.subgraphs import graph_documents
    from ..schema.rows import to_json

    encoder = encoder_of(settings)()
    lines = [to_json(document) for document in graph_documents(database, encoder)]
    if lines:
        file = settings.home / "subgraphs.jsonl"
        write_whole(file, "\n".join([*lines, ""]).encode())
        click.echo(load_named(database, settings, "graph", file, LoadOptions(replace=True, shrink=True)).summary())
        click.echo(make_index(database, encoder, "all").summary())
        click.echo(make_questions(database, encoder, linker_of(settings, database)).summary())
        return
    if sources_of(database, "graph"):
        unload_named(database, settings, "graph")
    click.echo("no relation tells anything; load sources with relations, or run: medgraph index links")


def _by_model(what: str, *, by_model: bool, **options: Any) -> dict[str, Any] | None:
    """Give what is said of reading by a model; None where none is to read. Refuse what does not go together."""
    if (any(options.values()) and not by_model) or (by_model and what != "relations"):
        raise click.UsageError(
            "--by-model, --types, --source, --most and --batch go with medgraph index relations --by-model"
        )
    return options if by_model else None


def _index_relations(
    settings: Settings, database: Database, reading: dict[str, Any] | None, *, rebuild: bool, drop: str | None
) -> None:
    """Forget what a model told, have it read what it has not read, and find what sections tell now."""
    from ..answers.relation_reading import TYPES, RelationReader, forget, load_types
    from ..linking.mentions import index_relations
    from ..linking.names import load_linker

    if forgotten := settings.model if reading and rebuild else drop:
        click.echo(f"what {forgotten} told of {counted(forget(database, forgotten), 'section')} is forgotten")
    if reading is not None:
        types = load_types(reading["types"] or TYPES)
        with opened_model(settings, reading["batch"]) as model:
            reader = RelationReader(model(), types, load_linker(settings, database))
            click.echo(reader.index(database, reading["source"], reading["most"]).summary())
    found = index_relations(database)
    click.echo("relations as they were" if found is None else f"{counted(found, 'relation')} found")


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
    from ..embeddings.kge.build import Options, index_kge
    from ..embeddings.kge.learning import MODELS

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


def _check_other(
    what: str, *, names: Sequence[str], encoder: str | None, beside: bool, questions: Path | None, drop: str | None
) -> None:
    """Refuse what does not go together of what is said of other encoders, by a UsageError."""
    wanted = {"compare": {2}, "switch": {0, 1} if drop else {1}}.get(what, {0})
    if len(names) not in wanted or (questions is None) is (what == "compare"):
        raise click.UsageError("write medgraph index compare OLD NEW --questions FILE, or index switch NEW")
    if beside is not (encoder is not None) or (beside and what != "embeddings"):
        raise click.UsageError("write medgraph index embeddings --encoder NEW --beside")
    if drop and what not in {"switch", "relations"}:
        raise click.UsageError("--drop goes with switch, or relations: medgraph index switch NEW --drop OLD")


def _embed_second(settings: Settings, database: Database, encoder: TextEncoder, engine: ChosenEngine) -> None:
    from ..embeddings.index import index_second

    with engine.opened(settings) as running:
        elsewhere = running.loading(encoder_elsewhere(settings, encoder))
        made = index_second(database, encoder, elsewhere)
    click.echo(made.summary())


def _compare(settings: Settings, database: Database, names: Sequence[str], questions: Path) -> None:
    from ..queries.question_files import compare_encoders, load_questions

    topics = load_questions(questions)
    encoders = [_load(settings, name) for name in names]
    rows = list(compare_encoders(database, encoders, linker_of(settings, database, joins=False), topics))
    printing.table(rows)
    same = sum(row["first"] == "same" for row in rows)
    shared = sum(row["shared"] for row in rows) / max(1, len(rows))
    click.echo(f"{len(rows):,} questions: {shared:.1f} of 10 results are the same, and the first one for {same:,}")


def _switch(settings: Settings, database: Database, names: Sequence[str], drop: str | None) -> None:
    from ..embeddings import index as vectors
    from ..schema import migrate

    for name in names:
        encoder = _load(settings, name)
        vectors.switch(database, encoder)
        click.echo(f"{encoder.name} serves; set MEDGRAPH_ENCODER={name} and restart services, which go on meanwhile")
    if drop:
        known = {model.name for model in migrate.recorded_encoders(database)}
        dropped = drop if drop in known else _load(settings, drop).name
        vectors.drop(database, dropped)
        click.echo(f"the vectors of {dropped} are dropped")


def _load(settings: Settings, name: str) -> TextEncoder:
    return encoder_of(replace(settings, encoder=name))()


def encoder_elsewhere(settings: Settings, encoder: TextEncoder) -> Callable[[], TextEncoder]:
    """Give a function that loads the same encoder in a worker, for one processor and in the same precision."""
    from ..embeddings.encoders.encoder import load_encoder

    return partial(load_encoder, replace(settings, threads=1, precision=encoder.precision))


def linker_elsewhere(settings: Settings, database: Database, pipeline: str) -> Callable[[], Reading]:
    """Give a function that opens the linker of the graph's names in a worker."""
    from ..linking.names import names_folder

    return partial(_reading, names_folder(settings, database), settings.home, pipeline)


def _reading(names: Path, home: Path, pipeline: str) -> Reading:
    from ..linking.context import open_pipeline
    from ..linking.curated import load_never
    from ..linking.mentions import Reading
    from ..linking.names import open_linker

    return Reading(open_linker(names, load_never(home)), open_pipeline(pipeline))


COMMANDS = (index,)
