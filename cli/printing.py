"""What commands print: tables and cards for people, JSON for programs."""

from __future__ import annotations

import json
import shutil
import textwrap
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from ..audit.findings import Audit, Result
    from ..doctor.findings import Finding as DoctorFinding
    from ..queries.cards import Card, CardDocument, CardRelation
    from ..queries.concepts import ConceptCard, ConceptEntity
    from ..queries.find import Namesake
    from ..queries.meanings import Meaning, Member, RelationKind, VoicedRelation

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


def as_json(data: Any) -> None:
    """Print data as JSON."""
    click.echo(json.dumps(data, ensure_ascii=False, indent=2, default=str))


def table(rows: Sequence[Mapping[str, Any]], columns: Sequence[str] | None = None, longest: int = 80) -> None:
    """Print rows as a table.

    Args:
        columns: Which columns, in order; all of the first row by default.
        longest: Characters of a text that are printed, at most.
    """
    if not rows:
        click.echo("Nothing was found.")
        return
    names = list(columns or rows[0])
    cells = [[_cell(row.get(name), longest) for name in names] for row in rows]
    widths = [max([len(name), *(len(line[i]) for line in cells)]) for i, name in enumerate(names)]
    numeric = [all(isinstance(row.get(name), int | float) for row in rows) for name in names]
    for line in [names, ["-" * width for width in widths], *cells]:
        padded = [c.rjust(w) if n else c.ljust(w) for c, w, n in zip(line, widths, numeric, strict=True)]
        click.echo("  ".join(padded).rstrip())


def figures(
    rows: Sequence[Mapping[str, Any]],
    *,
    in_json: bool,
    made_with: Mapping[str, str] | None = None,
    **others: Sequence[Mapping[str, Any]],
) -> None:
    """Print rows as a table, or as JSON.

    Args:
        rows: The rows; in JSON they are called so.
        others: More rows, by what they are called; each are a table of their own under that name.
    """
    if in_json:
        as_json({"rows": rows, **others, **(made_with or {})})
        return
    table(rows)
    for name, more in others.items():
        click.echo(f"\n{name}")
        table(more)


def findings(rows: Sequence[DoctorFinding]) -> None:
    """Print what the doctor found.

    Args:
        rows: The findings, the worst first.
    """
    colours = {"broken": "red", "warning": "yellow", "ok": "green"}
    for row in rows:
        click.secho(f"{row.level:8}", fg=colours[row.level], nl=False)
        click.echo(f"{row.id}: {' '.join(row.what.split())}  ", nl=False)
        click.secho(f"[{row.where}]", dim=True)
        if row.remedy:
            click.echo(f"        to mend it: {row.remedy}")


def audit(data: Audit, limit: int = 10) -> None:
    """Print what an audit found."""
    for result in data.results:
        if result.failure:
            click.secho(f"\n{result.check}: could not be run: {result.failure}", fg="red")
        if result.findings:
            _result(result, limit)
    sound = sum(1 for result in data.results if not result.findings and not result.failure)
    counts = data.counts()
    click.echo(
        f"\n{counts['error']:,} errors, {counts['warning']:,} warnings, {counts['note']:,} notes; "
        f"{sound} of {len(data.results)} checks found nothing"
    )


def _result(result: Result, limit: int) -> None:
    colours = {"error": "red", "warning": "yellow", "note": None}
    click.secho(f"\n{result.check}", bold=True, nl=False)
    click.echo(f": {result.purpose}")
    for row in result.findings[:limit]:
        click.secho(f"  {row.severity:8}", fg=colours[row.severity], nl=False)
        count = "" if row.counts_itself else f"{row.count:,} "
        click.echo(f"{count}{row.what}{f' [{row.source}]' if row.source else ''}  ", nl=False)
        click.secho(row.id, dim=True)
        for example in row.examples:
            click.secho(f"           {textwrap.shorten(example, 150, placeholder=' …')}", dim=True)
    if len(result.findings) > limit:
        click.echo(f"  and {len(result.findings) - limit:,} more; --markdown FILE or --json has them all")
    click.echo(f"  to mend it: {result.remedy}")


def card(given: Card, name: str = "", others: Sequence[Namesake] = ()) -> None:
    """Print what is known about an entity.

    Args:
        others: Other entities that are called so.
    """
    if given.meaning and len(given.meaning.members) > 1:
        meaning(given.meaning, given.documents, given.counts.documents, given)
    else:
        _alone(given)
    lines = [_with_sources(row) for row in others]
    _listed(f"others called {textwrap.shorten(name, 80, placeholder=' …')}", len(lines), lines[:_SHOWN])


def _alone(given: Card) -> None:
    """Print what is known about an entity with which no other was joined."""
    from ..queries.cards import definition_texts, property_texts

    click.secho(given.name, bold=True, nl=False)
    click.echo(f"  [{given.label}]  {given.id}")
    if given.obsolete:
        click.echo(wrapped(_given_up(given), 3))
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


def meaning(given: Meaning, documents: Sequence[CardDocument], count: int, shown: Card | None = None) -> None:
    """Print what all sources say of a concept.

    Args:
        count: How many there are of all.
        shown: The card of one of its entities, by which it was asked for: what else the graph knows of it; none where
            the concept was asked for itself.
    """
    from ..queries.cards import definition_texts, property_texts

    click.secho(given.name, bold=True, nl=False)
    click.echo(f"  [{given.label or 'Concept'}]  {given.id}")
    if shown and (shown.name, shown.id) != (given.name, given.id):
        click.echo(wrapped(f"asked for as {shown.name}  {shown.id}", 3))
    if shown and shown.obsolete:
        click.echo(wrapped(_given_up(shown), 3))
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
    _told(given)
    _documents(documents, count)


def voices(given: Card) -> None:
    """Print what each source says of an entity: names, definition, ids elsewhere; then of others that mean the same."""
    click.secho(given.name, bold=True, nl=False)
    click.echo(f"  [{given.label}]  {given.id}")
    for row in given.sources:
        click.secho(f"   {', '.join(filter(None, (row.source, row.version, row.licence)))}", bold=True)
        _said(
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
            _said(calls_it=said.name, also=said.synonyms, defines_it=said.definition)


def _said(**parts: str | Sequence[str]) -> None:
    """Print what a source says, each part under its name; what it leaves out is no line."""
    for title, said in parts.items():
        if said:
            text = said if isinstance(said, str) else "; ".join(said)
            click.echo(wrapped(f"{title.replace('_', ' ')}: {text}", 6))


def _given_up(given: Card) -> str:
    instead = ", ".join(f"{row.id} {row.name}".rstrip() for row in given.replaced_by)
    return f"obsolete{f'; use {instead}' if instead else ''}"


def _around(given: Card) -> None:
    counts = given.counts
    _listed("concepts", counts.concepts, [f"{c.cui}  {c.name}".rstrip() for c in given.concepts])
    if given.meaning and given.meaning.relations:
        _told(given.meaning)
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


def _told(given: Meaning) -> None:
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


def concept(given: ConceptCard) -> None:
    """Print what is known about a concept."""
    if given.meaning:
        meaning(given.meaning, given.documents, given.counts["documents"])
        return
    click.secho(given.name or given.cui, bold=True, nl=False)
    click.echo(f"  [Concept]  {given.cui}")
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


def _cell(value: Any, longest: int) -> str:
    if value is None:
        return ""
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, str):
        return textwrap.shorten(value, longest, placeholder=" …")
    return textwrap.shorten(json.dumps(value, ensure_ascii=False, default=str), longest, placeholder=" …")


def wrapped(text: str, indent: int) -> str:
    """Wrap a text for the terminal.

    Args:
        text: The text; line breaks in it do not count.
        indent: How many spaces each line begins with.
    """
    width = min(shutil.get_terminal_size().columns, 100)
    blank = " " * indent
    return textwrap.fill(" ".join(text.split()), width, initial_indent=blank, subsequent_indent=blank)
