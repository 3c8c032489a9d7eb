"""The command that holds a dialogue."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any, Final

import click

from ..errors import InputError
from . import answered
from .shared import AS_JSON, assembly_of, with_database, with_filters

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..graph.database import Database
    from ..settings import Settings

_ENDS: Final = frozenset({"quit", "exit", "bye", ":q"})


@click.command()
@with_filters
@click.option(
    "--graph", is_flag=True, help="Where texts do not answer, quote what `index subgraphs` wrote of relations."
)
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
            answered.answer(answer)
            click.echo()


def _lines() -> Iterator[str]:
    """Read what is typed, line by line, until somebody has done; empty lines are none."""
    while True:
        if _on_terminal():
            click.echo("> ", nl=False, err=True)
        line = sys.stdin.buffer.readline().decode("utf-8", "replace")
        if not line or line.strip().lower() in _ENDS:
            return
        if line.strip():
            yield line.strip()


def _on_terminal() -> bool:
    return sys.stdin.isatty()


COMMANDS = (chat,)
