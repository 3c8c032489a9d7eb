"""The command that answers from the graph's relations alone."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from . import printing
from .shared import AS_JSON, with_database

if TYPE_CHECKING:
    from ..graph.database import Database
    from ..queries.concepts import Fact
    from ..settings import Settings


@click.command()
@click.argument("head")
@click.argument("relation")
@click.argument("tail")
@click.option("--limit", type=click.IntRange(1, 1000), default=50, show_default=True, help="Facts, at most.")
@AS_JSON
@with_database
def facts(
    settings: Settings, database: Database, head: str, relation: str, tail: str, limit: int, as_json: bool
) -> None:
    """Find facts by HEAD, RELATION and TAIL, of which one or two may be `?`.

    `gout HAS_SYMPTOM ?` gives the symptoms of gout, `? TREATED_BY insulin` what insulin is given for, and
    `gout ? fever` how the two go together.
    """
    from ..linking.names import load_linker
    from ..queries.concepts import ANY, find_facts

    found = find_facts(database, load_linker(settings, database), head, relation, tail, limit)
    if as_json:
        printing.as_json({"facts": [asdict(fact) for fact in found]})
        return
    if not found:
        kind = "of any type" if relation == ANY else relation
        click.echo(f"Nothing was found: the graph has no relation {kind} from {_thing(head)} to {_thing(tail)}.")
        return
    printing.table([_row(fact) for fact in found])


def _row(fact: Fact) -> dict[str, Any]:
    """Write a line of the table; `backing` says what all voices of the fact together are worth."""
    from ..queries.voices import WORTH

    return {
        "head_name": fact.head_name,
        "relation": fact.relation,
        "tail_name": fact.tail_name,
        "backing": WORTH[fact.standing],
        "sources": ", ".join(fact.sources),
        "method": fact.method,
        "score": round(fact.score, 2),
        "evidence": ", ".join(fact.evidence[:2]),
    }


def _thing(name: str) -> str:
    return "anything" if name == "?" else repr(name)


COMMANDS = (facts,)
