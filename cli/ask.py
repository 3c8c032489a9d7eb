"""The command that answers."""

from __future__ import annotations

import functools
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

import click

from ..progress import note
from ..settings import COMPOSERS, Settings
from . import printing
from .index import index_all
from .remote import as_fields, service_of
from .shared import AS_JSON, GRAPH, assembly_of, loading, opened, with_filters, with_model, with_pipeline

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..answers.answer import Answer
    from ..answers.assembly import Assembly
    from ..answers.pipelines.pipeline import Chosen
    from ..client.client import Medgraph
    from ..graph.database import Database
    from ..models.protocol import Model
    from ..queries.filters import Filters

_FILES: Final = frozenset(("question", "file", "out", "batch"))  # options that change no answer


@click.command()
@click.argument("question", required=False)
@click.option(
    "--questions",
    "file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Answer each line of this file: a JSON object with `question`, and `id` if it has one.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="With --questions: add answers to this file, a JSON object a line; those that it has are not made again.",
)
@with_filters
@GRAPH
@click.option(
    "--composer",
    type=click.Choice(COMPOSERS),
    help="Quote texts, answer by relations alone, which takes no filter, or let MEDGRAPH_MODEL write what is then"
    " checked; by default as MEDGRAPH_COMPOSER says.",
)
@with_pipeline
@click.option("--explain", is_flag=True, help="Show how a pipeline came to its answer: stages, candidates, paths.")
@click.option("--stream", is_flag=True, help="Print each sentence of a language model once it is checked.")
@click.option(
    "--keep",
    is_flag=True,
    help="Keep the answer in the graph, with its claims what speaks for each, and how it came about.",
)
@click.option(
    "--find",
    is_flag=True,
    help="Where nothing loaded answers, ask PubMed for the question's key words, which leave this machine, load what it"
    " finds as a source of its own, and answer again.",
)
@AS_JSON
@click.pass_obj
@with_model
def ask(  # noqa: PLR0913, PLR0917 - one argument an option
    settings: Settings,
    question: str | None,
    file: Path | None,
    out: Path | None,
    composer: str | None,
    pipeline: Chosen | None,
    explain: bool,
    stream: bool,
    keep: bool,
    find: bool,
    as_json: bool,
    model: Callable[[], Model],
    **filters: Any,
) -> None:
    """Answer QUESTION, or a file of questions, in sentences that are cited and checked."""
    service = service_of(settings)
    _check(click.get_current_context().params | {"served": service is not None})
    if service:
        asking = functools.partial(_by_service, service, pipeline, printing.event if stream else None)
        ask_one = functools.partial(asking, composer=composer, **as_fields(filters))
        _show(settings, ask_one, question, file, out, explain=explain, as_json=as_json)
        return
    from ..answers.part_answers import untold
    from ..queries.filters import Filters

    with loading(settings, question or "") as loads, opened(settings) as database:
        assembly, asked = replace(assembly_of(settings, database, model), **loads), Filters(**filters)
        ask_one = functools.partial(
            assembly.answerer.ask,
            filters=asked,
            composer=composer,
            tell=printing.event if stream else untold,
            pipeline=pipeline,
        )
        if find:
            ask_one = functools.partial(_finding, settings, database, assembly, ask_one)
        answer = _show(settings, ask_one, question, file, out, explain=explain, as_json=as_json)
        if keep and answer:
            way = pipeline.pipeline.name if pipeline else composer or settings.composer
            _keep(settings, database, assembly, answer, way, asked)


def _check(given: dict[str, Any]) -> None:
    """Refuse options that do not go together."""
    of_file, single = bool(given["file"]), ("stream", "explain", "as_json", "keep", "find")
    wrong = {
        "ask one QUESTION, or name a file with --questions and another with --out": (given["question"] is None)
        is not of_file
        or of_file is not bool(given["out"]),
        "with --questions answers go to --out; leave --stream, --explain, --json, --keep, --find out": of_file
        and any(given[name] for name in single),
        "--find answers twice, from what it finds as well; leave --stream and --source out": given["find"]
        and (given["stream"] or given["sources"]),
        "--stream prints sentences and --json one object; leave one of them out": given["stream"] and given["as_json"],
        "a pipeline composes its answer itself; leave --composer or --pipeline out": given["pipeline"]
        and given["composer"],
        "--explain shows what a pipeline did; name one with --pipeline": given["explain"] and not given["pipeline"],
        "the service of MEDGRAPH_SERVICE takes no --keep, --find and --batch; unset it": given["served"]
        and any(given[name] for name in ("keep", "find", "batch")),
    }
    for said, is_so in wrong.items():
        if is_so:
            raise click.UsageError(said)


FOUND: Final = 50  # citations that are looked up for a question, at most


def _finding(
    settings: Settings, database: Database, assembly: Assembly, ask_one: Callable[[str], Answer], question: str
) -> Answer:
    """Answer; where nothing loaded does, load what PubMed finds as a source of its own, and answer again."""
    from ..answers.answer import ANSWERED
    from ..errors import DownloadError, SourceError
    from ..loaders.commands import LoadOptions, load_named
    from ..queries import lucene

    answer = ask_one(question)
    if answer.status == ANSWERED or answer.urgent or answer.remark or answer.ask_back:
        return answer
    words = " ".join(lucene.content_words(lucene.all_words(answer.understood or question)))
    note(f"nothing that is loaded answers this; asking PubMed for: {words}")
    try:
        report = load_named(database, settings, "pubmed", None, LoadOptions(search=words, most=FOUND))
    except (DownloadError, SourceError) as error:
        note(str(error))
        return answer
    note(f"{report.summary()}; medgraph unload {report.source} takes it out")
    for line in index_all(settings, database, assembly.encoder()):
        note(line)
    return ask_one(question)


def _keep(settings: Settings, database: Database, assembly: Assembly, answer: Answer, way: str, asked: Filters) -> None:
    """Keep an answer in the graph, and say how to see it."""
    from ..answers.answer_runs import keep, run_of

    name, claims = keep(database, answer, run_of(database, answer, way, asked, settings), assembly.reader())
    note(f"kept as {name}, with {claims} claim{'' if claims == 1 else 's'}; medgraph query claim_graph shows it")
    note(f"medgraph replay {name} answers it again, and shows what is different")


def _show(
    settings: Settings,
    ask_one: Callable[[str], Answer],
    question: str | None,
    file: Path | None,
    out: Path | None,
    *,
    explain: bool,
    as_json: bool,
) -> Answer | None:
    """Print the answer to a question, and give it, or write those to a file of questions."""
    if file and out:
        from ..answers.question_files import answer_all

        options = click.get_current_context().params
        options = {**options, "composer": options["composer"] or settings.composer}
        chosen = {name: value for name, value in options.items() if value and name not in _FILES}
        way = ", ".join(f"{name} {value}" for name, value in {"model": settings.model, **chosen}.items() if value)
        answer_all(file, out, way, ask_one)
        return None
    answer = ask_one(str(question))
    if as_json:
        printing.as_json(answer.as_dict())
    else:
        printing.answer(answer)
        if explain and answer.pipeline:
            printing.pipeline_trace(answer.pipeline)
    return answer


def _by_service(
    service: Medgraph, pipeline: Chosen | None, tell: Callable[[str, object], None] | None, question: str, **fields: Any
) -> Answer:
    """Let a service answer, and tell what it streams."""
    if pipeline:
        changed = {k: v for k, v in pipeline.values.items() if v != pipeline.pipeline.parameters[k].default}
        changed = {k: str(v).lower() if isinstance(v, bool) else v for k, v in changed.items()}
        fields |= {"pipeline": pipeline.pipeline.name, "without": sorted(pipeline.without)}
        fields["set"] = [f"{k}={v}" for k, v in changed.items()]
    if tell is None:
        return service.ask(question, **fields)
    import msgspec

    from ..answers.answer import Sentence

    value: Any = None
    for name, value in service.stream(question, **fields):
        if name == "sentence":
            tell(name, msgspec.convert(value, Sentence))
    return cast("Answer", value)


COMMANDS = (ask,)
