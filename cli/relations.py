"""The commands that ask what relations tell: facts, paths, what goes with a condition, and what is alike."""

from __future__ import annotations

import textwrap
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from . import printing
from .shared import AS_JSON, encoder_of, linker_of, with_database, with_picture

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..graph.database import Database
    from ..pictures.graph import Picture
    from ..queries.concepts import Fact
    from ..queries.enrichment import Enrichment, LeftOut
    from ..queries.paths import PairPaths
    from ..queries.paths import Path as GraphPath
    from ..queries.similar import Predictions
    from ..queries.subgraphs import Subgraph
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
    printing.table([_fact_row(fact) for fact in found])


def _fact_row(fact: Fact) -> dict[str, Any]:
    """Write a line of the table; `backing` says what all voices of the fact together are worth."""
    from ..queries.voices import WORTH

    return {
        "head_name": fact.head_name,
        "relation": fact.relation,
        "tail_name": fact.tail_name,
        "backing": WORTH[fact.standing],
        "sources": ", ".join(fact.sources),
        "method": fact.method,
        "source_score": round(fact.score, 2),  # `score` of the relation weighs all who say so
        "evidence": ", ".join(fact.evidence[:2]),
    }


def _thing(name: str) -> str:
    return "anything" if name == "?" else repr(name)


@click.command()
@click.argument("names", nargs=-1, required=True)
@click.option("--question", default="", help="Keep the paths that come nearest to a part of this question.")
@click.option("--hops", type=int, default=3, show_default=True, help="Relations that a path takes, at most: 1 to 3.")
@click.option("--limit", type=int, default=10, show_default=True, help="Paths of each two, at most: 1 to 50.")
@with_picture("the paths")
@AS_JSON
@with_database
def paths(
    settings: Settings,
    database: Database,
    names: tuple[str, ...],
    question: str,
    hops: int,
    limit: int,
    as_json: bool,
) -> Callable[[], Picture]:
    """Tell how the things of NAMES go together: paths of relations between each two of them, with who says so.

    A path leads from one to the other, both lead to its middle, or its middle leads to both. What has many relations
    says little and stands behind.
    """
    from ..pictures.relations import picture_of_paths
    from ..queries.paths import find_paths

    pairs = find_paths(
        database,
        linker_of(settings, database),
        names,
        question=question,
        encoder=encoder_of(settings),
        hops=hops,
        limit=limit,
    )
    if as_json:
        printing.as_json({"pairs": [asdict(pair) for pair in pairs]})
    else:
        for pair in pairs:
            _show_paths(pair)
    return lambda: picture_of_paths(pairs)


def _show_paths(pair: PairPaths) -> None:
    for end in (pair.first, pair.second):
        printing.heading(end.name, f"[{end.label}]  {end.id}")
        if end.description:
            click.echo(printing.wrapped(f"{end.description} ({end.origin}, {end.source})", 3))
    click.echo()
    if pair.paths:
        printing.table([_path_row(path) for path in pair.paths], longest=printing.LONGEST_PATH)
    if pair.note:
        click.echo(f"{pair.note[:1].upper()}{pair.note[1:]}.")
    click.echo()


def _path_row(path: GraphPath) -> dict[str, Any]:
    """Give a line of the table: what is compared with a question is told only where there is one."""
    near = {} if path.similarity is None else {"nearness": round(path.similarity, 3)}
    sources = dict.fromkeys(source for hop in path.hops for source in hop.sources)
    return near | {"rank": round(path.score, 4), "path": path.text, "sources": ", ".join(sources)}


@click.command()
@click.argument("name")
@click.option("--type", "types", multiple=True, help="Only what tells this, such as treatment; may be repeated.")
@click.option("--relation", "relations", multiple=True, help="Only relations of this type; may be repeated.")
@click.option("--limit", type=int, default=25, show_default=True, help="Relations of each type, at most: 1 to 200.")
@with_picture("the relations")
@AS_JSON
@with_database
def subgraph(
    settings: Settings,
    database: Database,
    name: str,
    types: tuple[str, ...],
    relations: tuple[str, ...],
    limit: int,
    as_json: bool,
) -> Callable[[], Picture]:
    """Tell in words what the graph holds of NAME, each sentence with the sources that say so.

    What it is, its symptoms, causes, tests, treatments and whatever else its relations tell; with what each of these is
    a kind of.
    """
    from ..pictures.relations import picture_of_subgraph
    from ..queries.subgraphs import find_subgraph

    found = find_subgraph(database, linker_of(settings, database), name, types=types, relations=relations, limit=limit)
    printing.result(asdict(found), as_json, _show_subgraph, found)
    return lambda: picture_of_subgraph(found)


def _show_subgraph(found: Subgraph) -> None:
    """Print the text, with a heading for each kind, and who says so behind each sentence."""
    printing.heading(found.centre.name, f"[{found.centre.label}]  {found.centre.id}")
    kind = ""
    for sentence in found.sentences:
        if sentence.kind != kind:
            kind = sentence.kind
            click.secho(f"\n{kind[:1].upper()}{kind[1:]}", bold=True)
        who = f" ({sentence.who})" if sentence.who else ""
        click.secho(printing.wrapped(f"{sentence.text}{who}", 3), dim=sentence.standing == "listed")
    licences = dict.fromkeys(licence for sentence in found.sentences for licence in sentence.licences)
    if licences:
        click.secho(f"\nLicences: {', '.join(licences)}", dim=True)
    if found.note:
        click.echo(f"\n{found.note[:1].upper()}{found.note[1:]}.")


@click.command()
@click.argument("name")
@click.option("--limit", type=int, default=10, show_default=True, help="Concepts, at most: 1 to 50.")
@click.option("--label", default="", help="Only of this category, such as Disease.")
@AS_JSON
@with_database
def similar(settings: Settings, database: Database, name: str, limit: int, label: str, as_json: bool) -> None:
    """Find what stands in like relations as NAME does, by the vectors of `medgraph index kge`."""
    from ..queries.concepts import concept_named
    from ..queries.similar import find_similar

    concept = concept_named(database, linker_of(settings, database), name)
    found = find_similar(database, concept, limit=limit, label=label)
    if as_json:
        printing.as_json(asdict(found))
        return
    printing.heading(found.name, f"[{found.label}]  {found.concept}, by {found.model}")
    printing.table(
        [
            {"similarity": round(one.similarity, 3), "name": one.name, "label": one.label, "concept": one.concept}
            for one in found.similar
        ]
    )


@click.command()
@click.argument("name")
@click.argument("relation")
@click.option("--limit", type=int, default=10, show_default=True, help="Predictions, at most: 1 to 50.")
@click.option("--paths/--no-paths", default=True, help="Look for paths that speak for what is not known.")
@AS_JSON
@with_database
def predict(
    settings: Settings, database: Database, name: str, relation: str, limit: int, paths: bool, as_json: bool
) -> None:
    """Guess what stands in a RELATION to NAME, such as `gout TREATED_BY`, by the vectors of `medgraph index kge`.

    What is known already is marked; the rest are guesses that no source states, with paths of the graph that speak for
    them. They are not written to the graph, and no answer cites them.
    """
    from ..queries.similar import predict as ask

    found = ask(database, linker_of(settings, database), name, relation, limit=limit, paths=paths)
    printing.result(asdict(found), as_json, _show_predictions, found)


def _show_predictions(found: Predictions) -> None:
    by = f"{found.concept}, guessed by {found.model}; no source states what is not marked as known"
    printing.heading(f"{found.name} {found.relation} …", by)
    for one in found.predictions:
        mark = "known" if one.known else "guess"
        click.echo(f"{one.rank:3}. {mark}  {one.score:8.3f}  {one.name}  [{one.label}]  {one.concept}")
        for path in one.paths:
            click.echo(f"{'':12}{textwrap.shorten(path.text, 160, placeholder=' …')}")
    if not found.predictions:
        click.echo("Nothing was found.")


_FILE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.argument("file", type=_FILE)
@click.option("--relation", "relations", multiple=True, help="Test only relations of this type; may be repeated.")
@click.option("--background", type=_FILE, help="Names or ids, one a line, of all that those of FILE were chosen from.")
@click.option("--most", type=int, default=25, show_default=True, help="Concepts, at most: 1 to 500.")
@AS_JSON
@with_database
def enrich(
    settings: Settings,
    database: Database,
    file: Path,
    relations: tuple[str, ...],
    background: Path | None,
    most: int,
    as_json: bool,
) -> None:
    """Find what the phenotypes, drugs or genes of FILE, a name or id a line, have in common more often than by chance.

    Such as the diseases that have these phenotypes, or the pathways that these genes take part in: by each relation,
    Fisher's exact test against all that has the relation, corrected for the number of tests (Benjamini and Hochberg).
    Names of several things or of none are told, and left out.
    """
    from ..queries.enrichment import enrich as ask

    names, drawn = _names_of(file), None if background is None else _names_of(background)
    found = ask(database, linker_of(settings, database), names, relations=relations, background=drawn, limit=most)
    printing.result(asdict(found), as_json, _show_enrichment, found)


def _names_of(file: Path) -> list[str]:
    from ..linking.names import opened_lines

    with opened_lines(file) as lines:
        return [line for line in lines if line.strip()]


def _show_enrichment(found: Enrichment) -> None:
    for used in found.concepts:
        if used.given.strip().casefold() != used.name.casefold():
            click.echo(f"understood: {used.given!r} as {used.name} ({used.concept})")
    for one in found.left_out:
        _show_left_out(one, "left out")
    for one in found.background_left_out:
        _show_left_out(one, "left out of the background")
    for test in found.tested:
        pattern = _PATTERNS[test.direction].format(test.relation)
        click.echo(
            f"{pattern}: {test.given:,} of {len(found.concepts):,} given ones, against {test.background:,}: "
            f"{found.background} have this relation; {test.groups:,} concepts tested"
        )
    click.echo()
    for row in found.results:
        printing.heading(row.name, f"[{row.label}]  {row.concept}  {_PATTERNS[row.direction].format(row.relation)}")
        counts = f"{row.hits} of {row.given:,}, and {row.having:,} of {row.background:,} in all"
        click.echo(f"   {counts}; {row.expected:.3g} expected, p {row.p:.2g}, corrected {row.q:.2g}")
        named = "; ".join(f"{hit.name} ({', '.join(hit.sources)})" for hit in row.members)
        click.secho(printing.wrapped(named, 3), dim=True)
    if not found.results:
        click.echo("No concept that was tested has two or more of them.")


def _show_left_out(one: LeftOut, what: str) -> None:
    from ..queries.enrichment import REASONS

    may_be = ", ".join(f"{other.name} ({other.concept})" for other in one.may_be)
    click.echo(f"{what}: {one.given!r}: {REASONS[one.reason]}{f'; it may be {may_be}' if may_be else ''}")


# How the relation stands between what was tested and the given ones.
_PATTERNS: Final = {"out": "it {} them", "in": "they {} it", "either": "{}, either way"}

COMMANDS = (facts, paths, subgraph, similar, predict, enrich)
