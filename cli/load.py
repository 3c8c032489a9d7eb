"""The commands of curators: load, compare, take out and take back sources, and build what a project describes."""

from __future__ import annotations

import shlex
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

import click

from ..progress import note
from ..text import counted
from . import printing
from .index import ChosenEngine, index_all, with_engine
from .shared import AS_JSON, encoder_of, with_any_database, with_database, with_options

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..graph.database import Database
    from ..loaders.commands import LoadOptions, Where
    from ..loaders.life.load import Difference
    from ..loaders.life.outcome import LoadReport
    from ..loaders.project import Built
    from ..settings import Settings

SHOWN: Final = 20

_with_wishes = with_options(
    click.option("--as", "name", help="For a format: the source's name in commands."),
    click.option("--title", help="For a format: the source's name for people."),
    click.option("--release", "version", help="The release, where the file does not say."),
    click.option("--licence", help="For a format: the licence of what it holds."),
    click.option("--url", help="For a format: the source's home page."),
    click.option("--option", "-o", "given", multiple=True, metavar="NAME=VALUE", help="An option of the source."),
    click.option("--limit", type=click.IntRange(min=1), help="Stop after so many records."),
    click.option("--max-rejects", metavar="N|N%|all", help="Go on unless more records than these are rejected."),
    click.option("--sha256", metavar="HASH", help="The only file that is taken, by its SHA-256."),
    click.option("--offline", is_flag=True, help="Fetch nothing: take what was fetched before."),
    click.option("--search", metavar="TERMS", help="Ask PubMed in the place of PATH; what it finds is one source."),
    click.option("--most", type=click.IntRange(1, 9999), help="Citations of a search at most; 500 unless told."),
)


def _place(_context: click.Context, _argument: click.Parameter, given: tuple[str, ...]) -> Where:
    """Take one path, or addresses."""
    from ..loaders.addresses import is_address

    if len(given) > 1 and not all(map(is_address, given)):
        raise click.UsageError(f"{given[1]!r} is one path too many; several are addresses, or a folder")
    return given if given and is_address(given[0]) else Path(given[0]) if given else None


_where = click.argument("where", metavar="[PATH|ADDRESS]...", nargs=-1, callback=_place)


@click.command()
@click.argument("source")
@_where
@click.option("--dry-run", is_flag=True, help="Say what would change; write nothing.")
@click.option("--replace", is_flag=True, help="PATH is the whole next release: withdraw what it lacks.")
@click.option("--allow-shrink", "shrink", is_flag=True, help="Let --replace withdraw most of what the source has.")
@click.option("--again", is_flag=True, help="Read PATH even if it is loaded already.")
@click.option("--rank", type=click.IntRange(1, 9), help="Whose word goes first: see `medgraph sources rank`.")
@click.option("--bulk", is_flag=True, help="Fill an empty graph of the embedded server, several times as fast.")
@_with_wishes
@with_engine
@AS_JSON
@with_database
def load(
    settings: Settings,
    database: Database,
    source: str,
    where: Where,
    dry_run: bool,
    bulk: bool,
    engine: ChosenEngine,
    as_json: bool,
    **options: Any,
) -> None:
    """Load SOURCE from PATH into the graph. Loading it again changes nothing; an interrupted load goes on.

    SOURCE is a name that `medgraph sources` lists, the path of a mapping, or `all` for every source in the folder PATH.
    An ADDRESS (https, http, file; several with `[01-14]`) is fetched once, and later only if it changed.
    """
    from ..loaders.commands import load_named

    wish = _wish(options)
    if bulk and (dry_run or source == "all"):
        _fail("--bulk goes with neither --dry-run nor `all`")
    if not engine.is_local and source == "all":
        _fail("--engine does not go with `all`; name a source")
    if source == "all":
        _load_all(settings, database, where, wish, dry_run=dry_run, as_json=as_json)
        return
    with engine.opened(settings) as running:
        elsewhere = None if engine.is_local else running
        report = load_named(database, settings, source, where, wish, dry_run=dry_run, bulk=bulk, engine=elsewhere)
    if as_json:
        printing.as_json(report.as_dict())
    else:
        click.echo(report.summary())
        for reason in report.reasons:
            click.echo(reason, err=True)
        if report.rejects_file and not report.rejected:
            click.echo(f"remarks are listed in {report.rejects_file}", err=True)
    if report.rejected:
        _fail(_rejects(report))


def _fail(reason: str) -> NoReturn:
    raise click.ClickException(reason)


def _load_all(
    settings: Settings, database: Database, folder: Where, wish: LoadOptions, *, dry_run: bool, as_json: bool
) -> None:
    from ..loaders.commands import load_all

    if not isinstance(folder, Path):
        raise click.UsageError("medgraph load all needs a folder")
    rows, failed = [], 0
    for loaded in load_all(database, settings, folder, wish, dry_run=dry_run):
        report = loaded.report
        failed += loaded.failed or bool(report and report.rejected)
        where = loaded.path.relative_to(folder)
        told = {"path": str(where), "source": loaded.source, "reason": loaded.reason}
        rows.append({**told, "report": report.as_dict() if report else None})
        if not as_json:
            click.echo(f"{where}: {outcome_of(report) if report else loaded.reason}")
    if as_json:
        printing.as_json({"files": rows})
    if failed:
        _fail(f"{failed} of {len(rows)} files were not loaded, or not whole; the lines above say why")


def outcome_of(report: LoadReport) -> str:
    """Say what a load did, and where rejects are listed."""
    return report.summary() + (f"; {_rejects(report)}" if report.rejected else "")


def _rejects(report: LoadReport) -> str:
    where = f"; see {report.rejects_file}" if report.rejects_file else ""
    return f"{report.rejected:,} of {counted(report.position - report.remarks, 'record')} rejected{where}"


def _wish(options: dict[str, Any]) -> LoadOptions:
    from ..loaders.commands import LoadOptions

    given = {}
    for pair in options.pop("given"):
        key, sign, value = pair.partition("=")
        if not sign:
            raise click.UsageError(f"write an option of the source as NAME=VALUE, not {pair!r}")
        if key in given:
            raise click.UsageError(f"the option {key} of the source is given twice")
        given[key] = value
    return LoadOptions(options=given, **options)


@click.command()
@click.argument("source")
@_where
@click.option("--all", "whole", is_flag=True, help=f"List everything, not the first {SHOWN} of each kind.")
@_with_wishes
@AS_JSON
@with_database
def diff(
    settings: Settings,
    database: Database,
    source: str,
    where: Where,
    whole: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Show what `medgraph load SOURCE PATH --replace` would add, change and withdraw; write nothing."""
    from ..loaders.commands import announce, task_of
    from ..loaders.life.load import diff as differences

    wish = _wish(options | {"replace": True})
    announce(settings, source, where, wish)
    task = task_of(settings, source, where, wish, database)
    rows = differences(database, task)
    if as_json:
        printing.as_json({"differences": [asdict(row) for row in rows]})
    else:
        _print_differences(rows, None if whole else SHOWN)


def _print_differences(rows: Iterable[Difference], limit: int | None) -> None:
    counts: dict[tuple[str, str], int] = {}
    for row in rows:
        kind = (row.change, row.kind)
        counts[kind] = counts.get(kind, 0) + 1
        if limit is None or counts[kind] <= limit:
            detail = f"  ({row.detail})" if row.detail else ""
            click.echo(f"{row.change:9} {row.kind:8} {row.element}{detail}")
    totals = [f"{count:,} {change}" + (f" ({kind})" if kind else "") for (change, kind), count in counts.items()]
    click.echo(", ".join(totals) if totals else "nothing would change")
    if limit is not None and any(count > limit for count in counts.values()):
        click.echo("there are more: --all lists them", err=True)


@click.command()
@click.argument("source")
@with_any_database
def unload(settings: Settings, database: Database, source: str) -> None:
    """Take out what SOURCE contributed and no other source says too."""
    from ..loaders.commands import unload_named

    gone = unload_named(database, settings, source)
    taken = f"{counted(gone.records, 'record')} taken out, {gone.removed:,} nodes removed"
    click.echo(f"{source}: {taken}{_stubs(gone.stubs)}")


def _stubs(count: int) -> str:
    return f"; {count:,} entities stay as stubs, as others point to them" if count else ""


@click.command()
@click.argument("source")
@click.option("--yes", is_flag=True, help="Do not ask, even if nothing of SOURCE stays.")
@AS_JSON
@with_any_database
def undo(settings: Settings, database: Database, source: str, yes: bool, as_json: bool) -> None:
    """Take back the last load of SOURCE: what it added goes, what it changed or withdrew returns."""
    from ..loaders.commands import undo_named
    from ..loaders.life.withdraw import is_last_left

    if not yes and is_last_left(database, source):
        click.confirm(f"only the first load of {source} is left; take the whole source out?", abort=True, err=True)
    report = undo_named(database, settings, source)
    if as_json:
        printing.as_json(asdict(report))
    else:
        counts = f"{counted(report.removed, 'record')} removed, {report.restored:,} restored"
        click.echo(f"{source}: the load of {report.file} is taken back: {counts}{_stubs(report.stubs)}")
        if report.documents:
            click.echo("documents that returned want chunks and vectors again: medgraph index", err=True)


_FOLDER = click.Path(file_okay=False, path_type=Path)


@click.command()
@click.argument("project", type=_FOLDER)
@click.option("--recipe", "recipes", multiple=True, metavar="NAME", help="Load what this list names; may be repeated.")
def init(project: Path, recipes: tuple[str, ...]) -> None:
    """Begin PROJECT, a folder that says what a graph is built from: sources, a mapping with its table, and a README.

    A recipe (consumer-health, drugs, literature, ontologies, rare-diseases) names public addresses instead.
    """
    from ..loaders.project import init as begin
    from ..loaders.recipes import chosen

    made = begin(project, recipes)
    if recipes:
        offers = chosen(recipes)
        rows = [
            {"file": one.file, "MB": one.megabytes, "minutes": one.minutes, "licence": one.licence} for one in offers
        ]
        printing.table(rows)
        size, minutes = (sum(float(row[name]) for row in rows) for name in ("MB", "minutes"))
        click.echo(f"to be fetched: {size:,.0f} MB; to be loaded, in about {minutes:,.0f} minutes, and then indexed")
    for path in made:
        click.echo(f"made {path}")
    click.echo(f"Now: medgraph build {shlex.quote(str(project))}")


@click.command()
@click.argument("project", type=_FOLDER, default=".")
@click.option("--locked", is_flag=True, help="Take only files that are those of sources.lock.")
@click.option("--offline", is_flag=True, help="Fetch nothing: take what was fetched before.")
@click.option("--recipe", "recipes", multiple=True, metavar="NAME", help="Begin PROJECT with it: see `medgraph init`.")
@click.option("--allow-shrink", "shrink", is_flag=True, help="Let sources lose most of what they have.")
@click.option("--no-index", is_flag=True, help="Load only.")
@AS_JSON
@with_database
def build(
    settings: Settings,
    database: Database,
    project: Path,
    recipes: tuple[str, ...],
    no_index: bool,
    as_json: bool,
    **how: bool,
) -> None:
    """Bring the graph to what PROJECT says: load what changed, take out sources no longer named, index, and audit."""
    from ..files import locked as alone
    from ..loaders import project as projects

    if recipes and not (project / projects.FILE).exists():
        click.get_current_context().invoke(init, project=project, recipes=recipes)
    rows, lines = [], list[str]()
    with alone(settings.home / "build.lock", lambda: note("another build is running; waiting for it")):
        for built in projects.build(database, settings, project, **how):
            rows.append(built)
            said = built.reason or (outcome_of(built.report) if built.report else "")
            if not as_json:
                click.echo(said if said.startswith(built.source) else f"{built.source}: {said}")
        if not no_index and not projects.is_indexed(database, settings, project):
            lines = _index(settings, database)
            projects.note_index(database, settings, project, current=True)
    _print_built(rows, lines, as_json=as_json)


def _print_built(rows: list[Built], lines: list[str], *, as_json: bool) -> None:
    if as_json:
        printing.as_json({"sources": [_built_row(built) for built in rows], "index": lines})
    else:
        click.echo("\n".join(lines) or "nothing was indexed")
    failed = [built.source for built in rows if built.failed]
    rejected = [built.source for built in rows if built.report and built.report.rejected]
    if failed or rejected:
        raise click.ClickException(f"not loaded whole: {', '.join([*failed, *rejected])}; the lines above say why")


def _built_row(built: Built) -> dict[str, object]:
    report = built.report.as_dict() if built.report else None
    said = {"source": built.source, "report": report, "reason": built.reason}
    return said | {"changed": built.changed, "failed": built.failed}


def _index(settings: Settings, database: Database) -> list[str]:
    from ..audit.run import audit

    lines = list(index_all(settings, database, encoder_of(settings)()))
    return [*lines, f"audit: {audit(database).summary}; medgraph audit lists them"]


COMMANDS = (load, diff, unload, undo, init, build)
