"""The commands that search, and that run saved queries."""

from __future__ import annotations

import textwrap
from dataclasses import asdict, fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from ..text import counted
from . import printing
from .remote import as_fields, service_of
from .shared import AS_JSON, assembly_of, loading, opened, with_filters

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..client.client import Medgraph
    from ..queries.hits import Hit
    from ..queries.results import SearchResults
    from ..queries.retriever import Retriever
    from ..settings import Settings


@click.command()
@click.argument("question", required=False)
@click.option("--mode", help="learned (the default), lexical, semantic or hybrid.")
@click.option("--top-k", default=10, show_default=True, help="How many results.")
@with_filters
@click.option("--language", default="", help="Search titles and abstracts in this language, such as fr.")
@click.option("--graph", is_flag=True, help="Also search what relations tell, in sentences (index subgraphs).")
@click.option("--preset", default="default", show_default=True, help="Weights: default, or literature for papers.")
@click.option("--as-typed", is_flag=True, help="Let all words of a message count alike, instead of what it asks.")
@click.option("--explain", is_flag=True, help="Tell what each result is ranked by.")
@click.option("--evidence", is_flag=True, help="Also tell facts and paths of what the question is about.")
@click.option("--topics", type=click.Path(path_type=Path), help="A file of id<TAB>question lines.")
@click.option("--run", "run_file", type=click.Path(path_type=Path), help="Write TREC run lines to this file.")
@AS_JSON
@click.pass_obj
def search(settings: Settings, /, as_json: bool, **options: Any) -> None:
    """Find the sections that answer QUESTION best."""
    question, topics, run_file = options["question"], options["topics"], options["run_file"]
    if (topics is None) != (run_file is None) or (topics is None) == (question is None):
        raise click.UsageError("give a QUESTION, or --topics FILE and --run FILE together")
    from ..queries.fusion import mode_of

    options["mode"] = mode_of(options["mode"], options["preset"])
    if service := service_of(settings):
        _search(partial(_by_service, service, options), options, as_json=as_json)
        return
    with loading(settings, question or "", "load_encoder") as loads, opened(settings) as database:
        searching = replace(assembly_of(settings, database), **loads).retriever
        _search(partial(_found, searching, options), options, as_json=as_json)


_TAKEN: Final = (
    "mode",
    "top_k",
    "preset",
    "as_typed",
    "evidence",
    "language",
)  # options that requests take as they are


def _by_service(service: Medgraph, options: dict[str, Any], text: str) -> SearchResults:
    """Let a service search."""
    from ..api.request import FilteredRequest

    fields = {name: value for name, value in as_fields(options).items() if name in FilteredRequest.__struct_fields__}
    return service.search(text, **fields, **{name: options[name] for name in _TAKEN})


def _found(retriever: Retriever, options: dict[str, Any], text: str) -> SearchResults:
    """Search here, and tell what was found as a service does."""
    from ..queries.filters import Filters
    from ..queries.results import results_of

    filters = Filters(**{one.name: options[one.name] for one in fields(Filters) if one.name in options})
    wanted = {name: options[name] for name in ("mode", "top_k", "preset")}
    found = retriever.search(retriever.question(text, filters=filters, as_typed=options["as_typed"]), **wanted)
    return results_of(found, text, filters, evidence=options["evidence"])


def _search(search_for: Callable[[str], SearchResults], options: dict[str, Any], *, as_json: bool) -> None:
    """Print what was found for a question, or write what was for a file of them."""
    from ..queries.question_files import load_questions, write_run

    if options["topics"] is None:
        _print_remarks(search_for(options["question"]), options, as_json=as_json)
        return
    questions = load_questions(options["topics"])
    written = write_run(questions, options["run_file"], lambda text: search_for(text).results)
    click.echo(f"{written:,} lines written to {options['run_file']}", err=True)


def _print_remarks(found: SearchResults, options: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        said = asdict(found)
        del said["next"]
        for name in () if options["evidence"] else _KNOWN:
            del said[name]
        printing.as_json(said)
        return
    for line in filter(None, (found.remark, *(f"understood as: {one.summary()}" for one in found.understood))):
        click.echo(line, err=True)
    _show(found.results, found.within, explain=options["explain"])
    if options["evidence"]:
        _show_known(found)


_KNOWN: Final = ("concepts", "facts", "paths")


def _show_known(found: SearchResults) -> None:
    from ..queries.voices import WORTH

    about = ", ".join(f"{one.name} ({one.label})" for one in found.concepts)
    click.secho(f"Asked about: {about or 'nothing that is known'}", bold=True)
    for fact in found.facts:
        said = f"{fact.head_name} {fact.relation} {fact.tail_name}"
        click.echo(printing.wrapped(f"{said} ({WORTH[fact.standing]}, {fact.backing.text}; {fact.score:.2f})", 3))
    for pair in found.paths:
        for path in pair.paths:
            click.echo(printing.wrapped(path.text, 3))


def _show(hits: Sequence[Hit], within: str, *, explain: bool) -> None:
    from ..queries.hits import none_of_these

    if none_of_these(hits):
        best = max(hit.probability for hit in hits if hit.probability is not None)
        click.echo(f"None of these seems to answer: the likeliest does with a probability of {best:.2f}.\n")
    if not hits:
        click.echo(f"Nothing was found within: {within}." if within else "Nothing was found.")
    for number, hit in enumerate(hits, 1):
        scores = ", ".join(f"{name} {value:.3f}" for name, value in sorted(hit.scores.items()) if value is not None)
        click.secho(f"{number}. {hit.title}", bold=True, nl=False)
        if hit.probability is not None:
            scores += f"; probability {hit.probability:.2f}{', too low' if hit.accepted is False else ''}"
        click.echo(f"  [{hit.type or 'text'}]  {hit.score:.3f} ({scores})")
        if explain and hit.why:
            told = ", ".join(
                f"{name} {value:+.2f}" for name, value in sorted(hit.why.items(), key=lambda one: (-one[1], one[0]))
            )
            click.echo(printing.wrapped(f"because of {told}", 3))
        if hit.question:
            click.echo(printing.wrapped(hit.question, 3))
        click.echo(printing.wrapped(textwrap.shorten(hit.text, 320, placeholder=" …"), 3))
        for notice in filter(None, (*hit.notices, hit.retired)):
            click.secho(printing.wrapped(notice, 3), fg="yellow")
        also = f"also in {counted(hit.also, 'other label')}" if hit.also else ""
        where = (hit.section or hit.document, hit.url, hit.licence, hit.dated, hit.study, also)
        click.secho(f"   {'  '.join(filter(None, where))}\n", dim=True)


@click.command()
@click.argument("name", required=False)
@click.option("--param", "-p", "given", multiple=True, metavar="NAME=VALUE", help="A parameter; may be repeated.")
@AS_JSON
@click.pass_obj
def query(settings: Settings, name: str | None, given: tuple[str, ...], as_json: bool) -> None:
    """Run the saved query NAME; without a name, list the saved queries."""
    from ..queries.saved import list_saved, parameters_of, run_with, shown, why_empty

    if not name:
        rows = list_saved()
    else:
        from ..graph.connect import connect

        with connect(settings) as database:
            values = parameters_of(name, given)
            if not (rows := run_with(database, name, values)) and (why := why_empty(database, name, values)):
                click.echo(why, err=True)
    if as_json:
        printing.figures(rows, in_json=True)
        return
    longest = printing.LONGEST_PATH if rows and "path" in rows[0] else 80
    printing.table([{column: shown(value) for column, value in row.items()} for row in rows], longest=longest)


COMMANDS = (search, query)
