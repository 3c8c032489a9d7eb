"""The command that brings everything up, for a first try."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from ..progress import note
from . import answered, printing
from .index import index_all
from .shared import AS_JSON, encoder_of, linker_of, sentence_reader_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..answers.answer import Answer
    from ..embeddings.encoders.encoder import TextEncoder
    from ..graph.database import Database
    from ..settings import Settings
FIRST_QUESTION: Final = "What are the symptoms of type 2 diabetes?"


@click.command()
@AS_JSON
@click.pass_obj
def quickstart(settings: Settings, as_json: bool) -> None:
    """Bring everything up: server, schema, built-in sample, indexes, and one cited answer."""
    from ..graph.connect import connect

    with connect(settings) as database:
        answer = _bring_up(settings, database, encoder_of(settings))
    if as_json:
        printing.as_json(answer.as_dict())
        return
    click.secho(f"\nQ: {answer.question}\n", bold=True)
    answered.answer(answer)
    click.echo(
        "\nTry next:\n"
        '  medgraph ask "How is gout treated?"\n'
        '  medgraph search "chest pain when climbing stairs" --top-k 5\n'
        "  medgraph query counts\n"
        "  medgraph load medquad PATH/TO/medquad.zip && medgraph index\n"
        "  medgraph neo4j browser"
    )


def _bring_up(settings: Settings, database: Database, encoder: Callable[[], TextEncoder]) -> Answer:
    """Bring up schema, sample and indexes, and ask a first question."""
    from ..answers.assembly import Assembly
    from ..loaders.commands import load_named
    from ..schema import migrate

    migrate.apply(database, encoder().name, encoder().dimension, note)
    note(load_named(database, settings, "sample").summary())
    for line in index_all(settings, database, encoder()):
        note(line)
    linker, reads = linker_of(settings, database), sentence_reader_of(settings)
    return Assembly(database, encoder, linker, load_sentence_reader=reads).answerer.ask(FIRST_QUESTION)


COMMANDS = (quickstart,)
