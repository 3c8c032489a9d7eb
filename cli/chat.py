"""The commands that hold a dialogue, answer again what was answered before, and forget it."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any, Final

import click

from ..errors import InputError
from . import printing
from .shared import AS_JSON, GRAPH, assembly_of, with_database, with_filters, with_model

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..answers.answer_runs import Difference
    from ..graph.database import Database
    from ..models.protocol import Model
    from ..settings import Settings

_ENDS: Final = frozenset({"quit", "exit", "bye", ":q"})


@click.command()
@with_filters
@GRAPH
@AS_JSON
@with_database
def chat(settings: Settings, database: Database, as_json: bool, **filters: Any) -> None:
    """Answer question after question, each in the light of those before; a line each, from the terminal or a file.

    A number stands for one of the questions that were offered last. "quit" or the end of input ends it. With --json
    each answer is one line. Filters hold for all answers.
    """
    from ..answers.dialogue import Conversation
    from ..queries.filters import Filters, restrict

    assembly, asked = assembly_of(settings, database), Filters(**filters)
    restrict(database, asked, assembly.linker)  # which says what is wrong with a filter before anything is asked
    dialogue = Conversation(assembly.answerer.ask, asked)
    for line in _lines():
        try:
            answer = dialogue.say(line)
        except InputError as error:
            click.echo(json.dumps({"question": line, "error": str(error)}) if as_json else str(error))
            continue
        if as_json:
            click.echo(json.dumps(answer.as_dict(), ensure_ascii=False, default=str))
        else:
            printing.answer(answer)
            click.echo()


def _lines() -> Iterator[str]:
    """Read what is typed, line by line, until somebody has done; empty lines are none."""
    while True:
        if sys.stdin.isatty():
            click.echo("> ", nl=False, err=True)
        line = sys.stdin.buffer.readline().decode("utf-8", "replace")
        if not line or line.strip().lower() in _ENDS:
            return
        if line.strip():
            yield line.strip()


@click.command()
@click.argument("name", metavar="ID")
@click.option("--any-model", is_flag=True, help="Go on with the model that is set, where another one wrote the answer.")
@AS_JSON
@with_database
@with_model
def replay(
    settings: Settings, database: Database, name: str, any_model: bool, as_json: bool, model: Callable[[], Model]
) -> None:
    """Answer again what was asked with `ask --keep`, in the same way, and show what is different.

    ID is that of a kept answer, of which the newest run is replayed, or of a run, such as answer:1f2e@1; nothing is
    kept.
    """
    from ..answers.answer_runs import difference, hashes_of, kept_run, pipeline_of, require_model, run_of, settings_of

    before = kept_run(database, name)
    require_model(before, settings, model, any_model=any_model)
    same = settings_of(before, settings)
    pipeline = pipeline_of(before)
    composer = None if pipeline else before.composer
    answerer = assembly_of(same, database, model).answerer
    answer = answerer.ask(before.question, before.narrowed, composer=composer, pipeline=pipeline)
    after = run_of(database, answer, before.composer, before.narrowed, same)
    found = difference(before, after, hashes_of(database, before.evidence))
    printing.result(found.as_dict(), as_json, _print_difference, found)


def _print_difference(found: Difference) -> None:
    run = found.before
    by = f", by {run.model}" if run.model else ""
    click.echo(f"{run.question}\n{run.id}, {run.kept[:10]}, {run.composer}{by}")
    click.secho("the answer is the same" if found.same else "the answer is another one", bold=True)
    for title, told in (
        ("sentences that are new", found.came),
        ("sentences that are no more", found.went),
        ("sentences with another verdict", [_change(one.what, one.before, one.after) for one in found.verdicts]),
        ("evidence that says something else now", found.changed),
        ("evidence that is not in the graph any more", found.gone),
        ("evidence that was not used before", found.used),
        ("evidence that is not used any more", found.unused),
        ("made in another way", [_change(one.what, one.before, one.after) for one in found.made]),
    ):
        if told:
            click.echo(f"{title}:")
        for line in told:
            click.echo(printing.wrapped(line, 2))


def _change(what: str, before: Any, after: Any) -> str:
    old, new = (", ".join(value) if isinstance(value, tuple) else value for value in (before, after))
    none = ("", None)
    return f"{what.replace('_', ' ')}: {'none' if old in none else old} → {'none' if new in none else new}"


@click.command()
@click.argument("answers", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="All answers that were kept.")
@with_database
def forget(settings: Settings, database: Database, answers: tuple[str, ...], everything: bool) -> None:
    """Remove ANSWERS that `ask --keep` kept, and their runs, by their ids; `medgraph query kept_answers` lists them."""
    from ..answers.answer_runs import forget as remove

    if everything == bool(answers):
        raise click.UsageError("give ids of answers, or --all; medgraph query kept_answers lists them")
    count = remove(database, answers, everything=everything)
    click.echo(f"{count:,} answer{'' if count == 1 else 's'} forgotten")


COMMANDS = (chat, replay, forget)
