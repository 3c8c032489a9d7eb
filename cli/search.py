"""The commands that search, and that run saved queries."""

from __future__ import annotations

import textwrap
from dataclasses import asdict, fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..text import counted
from . import printing
from .shared import AS_JSON, assembly_of, with_database, with_filters

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..graph.database import Database
    from ..queries.hits import Evidence, Hit
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
@with_database
def search(settings: Settings, database: Database, as_json: bool, **options: Any) -> None:
    """Find the sections that answer QUESTION best."""
    from ..queries.filters import Filters
    from ..queries.fusion import mode_of
    from ..queries.question_files import load_questions, write_run

    retriever = assembly_of(settings, database).retriever
    preset = options["preset"]
    wanted = {"mode": mode_of(options["mode"], preset), "top_k": options["top_k"], "preset": preset}
    filters = Filters(**{one.name: options[one.name] for one in fields(Filters) if one.name in options})
    made = partial(retriever.question, filters=filters, as_typed=options["as_typed"])
    question, topics, run_file = options["question"], options["topics"], options["run_file"]
    if (topics is None) != (run_file is None) or (topics is None) == (question is None):
        raise click.UsageError("give a QUESTION, or --topics FILE and --run FILE together")
    if topics is not None:
        written = write_run(load_questions(topics), run_file, lambda text: retriever.search(made(text), **wanted))
        click.echo(f"{written:,} lines written to {run_file}", err=True)
        return
    _print_remarks(retriever.search(made(question), **wanted), question, filters.summary(), options, as_json=as_json)


def _print_remarks(found: Evidence, question: str, within: str, options: dict[str, Any], *, as_json: bool) -> None:
    from ..queries.hits import none_of_these
    from ..schema.languages import foreign_to

    remark = foreign_to(question)
    if as_json:
        printing.as_json(
            {
                "results": [asdict(hit) for hit in found],
                "understood": [asdict(one) for one in found.question.understood],
                "within": within,
                "none_of_these": none_of_these(found),
                "remark": remark,
                "timing_ms": found.timing_ms,
                **(_known(found) if options["evidence"] else {}),
            }
        )
    else:
        for said in filter(None, (remark, *(f"understood as: {one.summary()}" for one in found.question.understood))):
            click.echo(said, err=True)
        _show(found, within, explain=options["explain"])
        if options["evidence"]:
            _show_known(found)


def _known(found: Evidence) -> dict[str, Any]:
    return {
        "concepts": [asdict(one) for one in found.concepts()],
        "facts": [asdict(one) for one in found.facts()],
        "paths": [asdict(one) for one in found.paths()],
    }


def _show_known(found: Evidence) -> None:
    from ..queries.voices import WORTH

    about = ", ".join(f"{one.name} ({one.label})" for one in found.concepts())
    click.secho(f"Asked about: {about or 'nothing that is known'}", bold=True)
    for fact in found.facts():
        said = f"{fact.head_name} {fact.relation} {fact.tail_name}"
        click.echo(printing.wrapped(f"{said} ({WORTH[fact.standing]}, {fact.backing.text}; {fact.score:.2f})", 3))
    for pair in found.paths():
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
        scores = ", ".join(f"{name} {value:.3f}" for name, value in hit.scores.items() if value is not None)
        click.secho(f"{number}. {hit.title}", bold=True, nl=False)
        if hit.probability is not None:
            scores += f"; probability {hit.probability:.2f}{', too low' if hit.accepted is False else ''}"
        click.echo(f"  [{hit.type or 'text'}]  {hit.score:.3f} ({scores})")
        if explain and hit.why:
            told = ", ".join(f"{name} {value:+.2f}" for name, value in hit.why.items())
            click.echo(printing.wrapped(f"because of {told}", 3))
        if hit.question:
            click.echo(printing.wrapped(hit.question, 3))
        click.echo(printing.wrapped(textwrap.shorten(hit.text, 320, placeholder=" …"), 3))
        for notice in filter(None, (*hit.notices, hit.retired)):
            click.secho(printing.wrapped(notice, 3), fg="yellow")
        also = hit.also and f"also in {counted(hit.also, 'other label')}"
        where = (hit.section or hit.document, hit.url, hit.licence, hit.dated, hit.study, also)
        click.secho(f"   {'  '.join(filter(None, where))}\n", dim=True)


@click.command()
@click.argument("name", required=False)
@click.option("--param", "-p", "given", multiple=True, metavar="NAME=VALUE", help="A parameter; may be repeated.")
@AS_JSON
@click.pass_obj
def query(settings: Settings, name: str | None, given: tuple[str, ...], as_json: bool) -> None:
    """Run the saved query NAME; without a name, list the saved queries."""
    from ..queries.saved import list_saved, parameters_of, run_with, why_empty

    if not name:
        rows = list_saved()
    else:
        from ..graph.connect import connect

        with connect(settings) as database:
            values = parameters_of(name, given)
            if not (rows := run_with(database, name, values)) and (why := why_empty(database, name, values)):
                click.echo(why, err=True)
    printing.figures(rows, in_json=as_json)


COMMANDS = (search, query)
