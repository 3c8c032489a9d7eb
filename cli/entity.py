"""The command for looking at one entity or concept: its card, and a picture of what is around it."""

from __future__ import annotations

import textwrap
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Final, TypeVar

import click

from ..progress import note
from . import printing
from .printing import wrapped
from .shared import AS_JSON, linker_of, with_database, with_picture

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ..graph.database import Database
    from ..pictures.graph import Picture
    from ..queries.cards import Card, CardDocument, CardRelation
    from ..queries.concepts import ConceptCard, ConceptEntity
    from ..queries.find import Namesake
    from ..queries.meanings import Meaning, Member, RelationKind, VoicedRelation
    from ..settings import Settings


@click.command()
@click.argument("name")
@with_picture("what stands around it")
@click.option("--language", default="en", show_default=True, help="Show its name in this language first, such as de.")
@click.option("--by-source", is_flag=True, help="Show which source says which name, definition and id elsewhere.")
@AS_JSON
@with_database
def entity(
    settings: Settings,
    database: Database,
    name: str,
    language: str,
    by_source: bool,
    as_json: bool,
) -> Callable[[], Picture]:
    """Tell what the graph knows about the entity NAME, an id, a name or words that name it; or a concept, by its CUI.

    What other sources have for the same concept is told with it: names, definitions and relations by all who say so. Of
    several that are called so and mean different things, the best described is shown, with the others beneath it.
    """
    return _show_concept(database, name, as_json) or _show_entity(
        settings, database, name, language, by_source=by_source, as_json=as_json
    )


def _show_concept(database: Database, name: str, as_json: bool) -> Callable[[], Picture] | None:
    from ..pictures.entity import picture_of_concept_card
    from ..queries.concepts import concept_card

    card = concept_card(database, name)
    if card is None:
        return None
    printing.result(asdict(card), as_json, print_concept, card)
    return lambda: picture_of_concept_card(card)


def _show_entity(
    settings: Settings, database: Database, name: str, language: str, *, by_source: bool, as_json: bool
) -> Callable[[], Picture]:
    from ..pictures.entity import picture_of_entity
    from ..queries.cards import entity_card
    from ..queries.find import resolve

    chosen = resolve(database, linker_of(settings, database, joins=False), name)
    card = entity_card(database, chosen.entity)
    if card is None:
        raise click.ClickException(f"{chosen.entity} was taken out of the graph just now")
    for line in chosen.notes:
        note(line)
    local = card.name_in(language)
    shown = replace(card, name=f"{local} ({card.name})") if local else card
    if as_json:
        printing.as_json(asdict(card) | {"others": [asdict(other) for other in chosen.others]})
    elif by_source:
        print_voices(shown)
    else:
        print_card(shown, name, chosen.others)
    return lambda: picture_of_entity(shown)


_Row = TypeVar("_Row", "VoicedRelation", "CardRelation")

_SHOWN: Final = 20
_DEEPER: Final = "   "
_NAMES: Final = {
    "also": "synonyms",
    "narrower words": "narrow_synonyms",
    "broader words": "broad_synonyms",
    "related words": "related_synonyms",
    "in other languages": "translations",
    "formerly": "alternative_ids",
    "elsewhere": "xrefs",
}


def print_card(given: Card, name: str = "", others: Sequence[Namesake] = ()) -> None:
    """Print what is known about an entity, and which others are called so."""
    if given.meaning and len(given.meaning.members) > 1:
        print_meaning(given.meaning, given.documents, given.counts.documents, given)
    else:
        _alone(given)
    lines = [_with_sources(row) for row in others]
    _listed(f"others called {textwrap.shorten(name, 80, placeholder=' …')}", len(lines), lines[:_SHOWN])


def _alone(given: Card) -> None:
    """Print what is known about an entity with which no other was joined."""
    from ..queries.cards import definition_texts, property_texts

    printing.heading(given.name, f"[{given.label}]  {given.id}")
    if given.obsolete:
        click.echo(wrapped(_obsolete_note(given), 3))
    for title, key in _NAMES.items():
        if names := getattr(given, key):
            click.echo(wrapped(f"{title}: {_few(names)}", 3))
    for text in definition_texts(None, given):
        click.echo(wrapped(text, 3))
    for text in property_texts(given.properties):
        click.echo(wrapped(textwrap.shorten(text, 320, placeholder=" …"), 3))
    for row in given.sources:
        says = f": {row.name}" if row.name not in {"", given.name} else ""
        click.echo(f"   from {', '.join(filter(None, (row.source, row.version, row.licence)))}{says}")
    _around(given)


def print_meaning(given: Meaning, documents: Sequence[CardDocument], count: int, shown: Card | None = None) -> None:
    """Print what all sources say of a concept, and what else is known of the entity, if any, that was asked for."""
    from ..queries.cards import definition_texts, property_texts

    printing.heading(given.name, f"[{given.label or 'Concept'}]  {given.id}")
    if shown and (shown.name, shown.id) != (given.name, given.id):
        click.echo(wrapped(f"asked for as {shown.name}  {shown.id}", 3))
    if shown and shown.obsolete:
        click.echo(wrapped(_obsolete_note(shown), 3))
    if shown:
        for title in ("narrower words", "broader words", "related words", "in other languages", "formerly"):
            if names := getattr(shown, _NAMES[title]):
                click.echo(wrapped(f"{title}: {_few(names)}", 3))
    if given.semantic_types:
        click.echo(wrapped(f"semantic types: {', '.join(given.semantic_types)}", 3))
    click.echo(wrapped(f"ids: {_few(given.ids)}", 3))
    for text in definition_texts(given, shown):
        click.echo(wrapped(text, 3))
    for text in property_texts(shown.properties) if shown else ():
        click.echo(wrapped(textwrap.shorten(text, 320, placeholder=" …"), 3))
    licences = {said.source: said.licence for said in given.told}
    click.echo(wrapped(f"from {'; '.join(', '.join(filter(None, pair)) for pair in licences.items())}", 3))
    names = [f"{row.name}  ({', '.join(row.sources)})" for row in given.names]
    _listed("names", len(names), names[:_SHOWN])
    _listed("joined here", len(given.members), [_member(row) for row in given.members[:_SHOWN]])
    _print_relations(given)
    _documents(documents, count)


def print_voices(given: Card) -> None:
    """Print what each source says of an entity: names, definition, ids elsewhere; then of others that mean the same."""
    printing.heading(given.name, f"[{given.label}]  {given.id}")
    for row in given.sources:
        click.secho(f"   {', '.join(filter(None, (row.source, row.version, row.licence)))}", bold=True)
        _print_parts(
            calls_it=row.name,
            also=row.synonyms,
            in_other_languages=row.translations,
            defines_it=row.definition,
            elsewhere=row.xrefs,
        )
        if row.obsolete:
            click.echo(wrapped("has given it up", 6))
    for said in given.meaning.told if given.meaning else ():
        if said.entity != given.id:
            click.secho(f"   {', '.join(filter(None, (said.source, said.licence)))}: {said.entity}", bold=True)
            _print_parts(calls_it=said.name, also=said.synonyms, defines_it=said.definition)


def _print_parts(**parts: str | Sequence[str]) -> None:
    """Print what a source says, each part under its name; what it leaves out is no line."""
    for title, said in parts.items():
        if said:
            text = said if isinstance(said, str) else "; ".join(said)
            click.echo(wrapped(f"{title.replace('_', ' ')}: {text}", 6))


def _obsolete_note(given: Card) -> str:
    instead = ", ".join(f"{row.id} {row.name}".rstrip() for row in given.replaced_by)
    return f"obsolete{f'; use {instead}' if instead else ''}"


def _around(given: Card) -> None:
    counts = given.counts
    _listed("concepts", counts.concepts, [f"{c.cui}  {c.name}".rstrip() for c in given.concepts])
    if given.meaning and given.meaning.relations:
        _print_relations(given.meaning)
    else:
        lines = _apart(given.relations, lambda row: _relation(given.name, row))
        _listed("relations", counts.relations, lines, len(given.relations))
        if counts.relations > len(given.relations):
            click.secho(wrapped(f"of all: {', '.join(_kind(row) for row in given.kinds)}", 3), dim=True)
    same = [f"{row.name}  {row.id}" for row in given.same_concept]
    _listed("others of the same concepts", counts.same_concept, same)
    _documents(given.documents, given.counts.documents)


def _documents(rows: Sequence[CardDocument], count: int) -> None:
    _listed("documents about it", count, [f"{row.title}  {row.id}  {row.url}".rstrip() for row in rows])


def _print_relations(given: Meaning) -> None:
    """Print a concept's relations, kind by kind, each with who says so; apart what one source alone says."""
    for kind in given.kinds:
        rows = [row for row in given.relations if (row.relation, row.direction) == (kind.relation, kind.direction)]
        title = kind.relation if kind.direction == "out" else f"{kind.relation} to it"
        _listed(title, kind.count, _apart(rows, lambda row: f"{row.name}  {row.concept}  ({row.text()})"), len(rows))


def _apart(rows: Iterable[_Row], line: Callable[[_Row], str]) -> list[str]:
    """Write relations, those that may be told in the same way under a head."""
    from ..queries.voices import WORTH, apart

    lines = []
    for standing, several in apart(rows):
        if standing == "listed":
            lines.append(f"{WORTH[standing]}: {len(several):,}, not named here")
            continue
        lines += [f"{WORTH[standing]}:"] * (standing != "corroborated")
        lines += [f"{_DEEPER * (standing != 'corroborated')}{line(row)}" for row in several]
    return lines


def print_concept(given: ConceptCard) -> None:
    """Print what is known about a concept."""
    if given.meaning:
        print_meaning(given.meaning, given.documents, given.counts["documents"])
        return
    printing.heading(given.name or given.cui, f"[Concept]  {given.cui}")
    if given.names:
        click.echo(wrapped(f"also: {_few(given.names)}", 3))
    if given.semantic_types:
        click.echo(wrapped(f"semantic types: {', '.join(given.semantic_types)}", 3))
    click.echo(wrapped(f"from {', '.join(given.sources)}", 3))
    _listed("entities", given.counts["entities"], [_with_sources(row) for row in given.entities])
    _documents(given.documents, given.counts["documents"])


def _member(row: Member) -> str:
    why = ": ".join(filter(None, (row.method, ", ".join(row.evidence))))
    sure = "" if row.score is None or row.method == "itself" else f", {row.score:.2f}"
    return f"{row.name}  [{row.label}]  {row.id}  ({why}{sure}){'  obsolete' if row.obsolete else ''}"


def _with_sources(row: Namesake | ConceptEntity) -> str:
    return f"{row.name}  [{row.label}]  {row.id}  ({', '.join(row.sources)})"


def _few(texts: Sequence[str]) -> str:
    more = [f"and {len(texts) - _SHOWN:,} more"] if len(texts) > _SHOWN else []
    return "; ".join([*texts[:_SHOWN], *more])


def _kind(row: RelationKind) -> str:
    return f"{row.relation} {'to it ' if row.direction == 'in' else ''}{row.count:,}"


def _listed(what: str, count: int, lines: Sequence[str], shown: int | None = None) -> None:
    shown = len(lines) if shown is None else shown
    if lines:
        click.echo(f"\n{what}: {count:,}")
    for line in lines:
        click.echo(f"   {_DEEPER * line.startswith(_DEEPER)}{' '.join(line.split())}")
    if count > shown:
        click.secho(f"   and {count - shown:,} more", dim=True)


def _relation(name: str, row: CardRelation) -> str:
    subject, target = (name, row.name) if row.direction == "out" else (row.name, name)
    return f"{subject} {row.relation} {target}  {row.id}  ({'; '.join(row.details())})"


COMMANDS = (entity,)
