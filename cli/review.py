"""The commands that find what texts and names stand for, and that decide on equivalences."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from . import printing
from .shared import AS_JSON, with_database

if TYPE_CHECKING:
    from ..graph.database import Database
    from ..linking.review import EquivalenceCard, Side
    from ..settings import Settings

_STATUS = click.Choice(["proposed", "accepted", "rejected", "refused"])
_RELATION = click.option("--relation", metavar="TYPE", help="Of the relation from ONE to OTHER that a model told.")


@click.group()
def review() -> None:
    """Equivalences of entities, and relations that models told: list them, show one, accept, reject, undo, export."""


@review.command("list")
@click.option("--status", type=_STATUS, default="proposed", show_default=True, help="Those of which this was said.")
@click.option("--limit", type=click.IntRange(1, 1000), default=25, show_default=True, help="Equivalences, at most.")
@click.option("--method", default="", help="Only what was found in this way, such as name, xref or embedding.")
@click.option("--relations", is_flag=True, help="Relations that language models told of sections instead.")
@AS_JSON
@with_database
def review_list(
    settings: Settings, database: Database, status: str, limit: int, method: str, relations: bool, as_json: bool
) -> None:
    """List equivalences with what they rest on, the surest first."""
    from ..linking.review import listed, model_relations

    if relations:
        found = model_relations(database, status, limit)
        printing.result({"relations": found}, as_json, printing.table, found)
        return
    rows = [asdict(pair) for pair in listed(database, status, limit, method)]
    if as_json:
        printing.as_json({"equivalences": rows})
        return
    for row in rows:
        row["chain"] = "; ".join(row["chain"])
        del row["id"]
    printing.table(rows)


@review.command("show")
@click.argument("one")
@click.argument("other", default="")
@AS_JSON
@with_database
def review_show(settings: Settings, database: Database, one: str, other: str, as_json: bool) -> None:
    """Show all that tells whether ONE and OTHER mean the same, and what accepting it would join.

    ONE and OTHER are ids of entities; the id of an equivalence, 'ONE|OTHER', names both.
    """
    from ..linking.review import equivalence_card

    found = equivalence_card(database, one, other)
    printing.result(asdict(found), as_json, _print, found)


def _print(found: EquivalenceCard) -> None:
    pair = found.equivalence
    click.secho(f"{pair.one_name or pair.one} = {pair.other_name or pair.other}?", bold=True)
    _line(f"{pair.status}; found by {pair.method}: {pair.evidence or 'nothing but a curator'}; score {pair.score}")
    for step in pair.chain:
        _line(f"refused for: {step}")
    for side in found.sides:
        _print_side(side)
    for gone in {pair.one, pair.other} - {side.id for side in found.sides}:
        _line(f"{gone} is not in the graph now")
    click.secho("Together", bold=True)
    _line(f"both have: {'; '.join(found.in_common) or 'nothing'}")
    for row in found.between:
        _line(f"also {row['status']}: {row['id']} ({row['method']}: {row['evidence']}, {row['score']})")
    if found.joined:
        _line("they stand for one concept already")
    elif len(found.sides) > 1:
        others = f"both, and with them {', '.join(found.gains)}" if found.gains else "these two alone"
        _line(f"accepting would join {others}")
    for prefix, terms in found.clashes.items():
        _line(f"{prefix} tells apart what would be one: {', '.join(terms)}")


def _print_side(side: Side) -> None:
    printing.heading(side.name, f"[{side.label}]  {side.id}{'  obsolete' if side.obsolete else ''}")
    for title, said in (
        ("from", side.sources),
        ("also", side.synonyms),
        ("narrower, broader or related", side.other_names),
        ("definition", [side.definition] if side.definition else []),
        ("elsewhere", [*side.xrefs, *(f"UMLS:{cui}" for cui in side.concepts)]),
    ):
        if said:
            _line(f"{title}: {'; '.join(said)}")
    for page in side.titles:
        _line(f"document: {page['title']} ({', '.join(filter(None, (page['source'], page['url'])))})")
    if side.documents > len(side.titles):
        _line(f"and {side.documents - len(side.titles)} documents more")
    for member in side.members:
        why = ": ".join(filter(None, (member["method"], ", ".join(member["evidence"]))))
        _line(f"joined with {member['name']}  [{member['label']}]  {member['id']}  ({why})")


def _line(text: str) -> None:
    click.echo(printing.wrapped(text, 3))


@review.command("accept")
@click.argument("one")
@click.argument("other")
@_RELATION
@with_database
def review_accept(settings: Settings, database: Database, one: str, other: str, relation: str | None) -> None:
    """Say that ONE and OTHER, ids of entities, mean the same, or have a relation."""
    _decide(database, one, other, relation, same=True)


@review.command("reject")
@click.argument("one")
@click.argument("other")
@_RELATION
@with_database
def review_reject(settings: Settings, database: Database, one: str, other: str, relation: str | None) -> None:
    """Say that ONE and OTHER, ids of entities, do not mean the same, or do not have a relation."""
    _decide(database, one, other, relation, same=False)


def _decide(database: Database, one: str, other: str, relation: str | None, *, same: bool) -> None:
    from ..linking.review import decide, decide_relation

    said = "accepted" if same else "rejected"
    former = (
        decide_relation(database, one, relation, other, said) if relation else decide(database, one, other, same=same)
    )
    click.echo(f"{said}{f' (was {former})' if former else ''}; {_in_effect(relation)}")


def _in_effect(relation: str | None) -> str:
    return f"medgraph index {'relations' if relation else 'concepts'} puts it into effect"


@review.command("undo")
@click.argument("one")
@click.argument("other")
@_RELATION
@with_database
def review_undo(settings: Settings, database: Database, one: str, other: str, relation: str | None) -> None:
    """Take back what was said of ONE and OTHER."""
    from ..linking.review import decide_relation, undo

    former = decide_relation(database, one, relation, other, None) if relation else undo(database, one, other)
    click.echo(f"{former} no more; {_in_effect(relation)}")


@review.command("export")
@click.argument("path", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--proposed", is_flag=True, help="Those that nobody has decided on, too.")
@click.option("--force", is_flag=True, help="Replace a file that is there.")
@with_database
def review_export(settings: Settings, database: Database, path: Path, proposed: bool, force: bool) -> None:
    """Write what was decided to PATH, as SSSOM."""
    from ..exports.export import export_reviews
    from ..progress import note

    for line in export_reviews(database, path, proposed=proposed, force=force):
        note(line)
    click.echo(f"written: {path}")


_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.argument("texts", type=_FILE, required=False)
@click.option("--names", type=_FILE, help="Link names, one a line, instead of texts.")
@click.option(
    "--run", "out", type=click.Path(dir_okay=False, writable=True, path_type=Path), help="Write the table to this file."
)
@click.option("--top-k", type=click.IntRange(1, 100), default=1, show_default=True, help="Lines a name, at most.")
@with_database
def link(
    settings: Settings, database: Database, texts: Path | None, names: Path | None, out: Path | None, top_k: int
) -> None:
    """Find the concepts that TEXTS name: JSON lines with "id" and "text".

    Writes a table with a line a mention: its place in characters, concept, entity, all ids of the concept with |
    between, score and whether it is negated. With --names, a line a name, the surest concept first.
    """
    from ..files import writing_whole
    from ..linking.names import link_names, link_texts, load_linker
    from ..progress import note

    file = texts or names
    if file is None or (texts and names):
        raise click.UsageError("give a file of texts, or --names with a file of names")
    linker = load_linker(settings, database)

    def write(target: TextIO) -> str:
        if names is not None:
            return _counted(link_names(linker, file, target, top_k), "name")
        return _counted(link_texts(linker, file, target), "text")

    if out is None:
        note(f"{write(sys.stdout)} linked")
        return
    with writing_whole([out], force=True) as (target,):
        done = write(target)
    click.echo(f"{done} linked: {out}")


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


COMMANDS = (review, link)
