"""The command that measures the tables of papers."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from medgraph.cli import printing
from medgraph.cli.shared import AS_JSON, assembly_of, with_database, with_model

from ..evaluation.papers import PAPERS, rows_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from medgraph.errors import MedgraphError
    from medgraph.graph.database import Database
    from medgraph.models.protocol import Model
    from medgraph.settings import Settings

    from ..evaluation.papers.bench import Row

NEW = click.Path(dir_okay=False, path_type=Path)


@click.command("reproduce")
@click.argument("paper", type=click.Choice(tuple(PAPERS)))
@click.option(
    "--data",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default="../shared/data",
    envvar="MEDGRAPH_DATA",
    help="The folder of data.",
)
@click.option("--sample", type=click.IntRange(min=1), help="Items of each table, at most.")
@click.option(
    "--orders",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="In how many orders a model sees the options, in hyke; the paper has five runs.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Keep finished items in this folder, so that the same command goes on where it was killed.",
)
@click.option("--markdown", type=NEW, help="Also write the tables as Markdown.")
@click.option("--html", type=NEW, help="Also write the tables as a page, with plots (extra `plots`).")
@AS_JSON
@with_database
@with_model
def reproduce(  # noqa: PLR0913, PLR0917 - one argument an option
    settings: Settings,
    database: Database,
    paper: str,
    data: Path,
    sample: int | None,
    orders: int,
    out: Path | None,
    markdown: Path | None,
    html: Path | None,
    as_json: bool,
    model: Callable[[], Model],
) -> None:
    """Measure the tables of a PAPER: what it prints, what is reached here, how sure that is, and what is missing.

    `beyond` has what no paper has: BC5CDR, K-QA, and the harm of retrieval, by the answers that `hyke` keeps in --out.

    Rows that need a language model say so where MEDGRAPH_MODEL is not set. The graph is only read.
    """
    from medgraph.embeddings.encoders.bert import precision_of
    from medgraph.errors import RequestsWaitError
    from medgraph.files import check_writable, write_whole

    from ..evaluation.papers import bench, report

    for file in filter(None, (markdown, html)):
        check_writable(file)
    if html:
        bench.needed("matplotlib", "plots")
    made_with = {"encoder": settings.encoder, "precision": precision_of(settings)}
    with bench.kept_in(out, made_with) if out else nullcontext() as kept:
        work = bench.Workbench(
            assembly_of(settings, database, model, joins=False),
            data,
            sample,
            model if settings.model else None,
            settings.model or bench.NO_MODEL,
            kept,
            orders,
        )
        rows, failure = _measured(rows_of(paper, work))
    if as_json:
        printing.as_json({"paper": paper, **made_with, "sample": sample, "rows": [asdict(row) for row in rows]})
    else:
        _print(rows)
    told = f"medgraph reproduce {paper}{f' --sample {sample}' if sample else ''}; {made_with}"
    if markdown:
        write_whole(markdown, report.markdown(paper, rows, told).encode())
    if html:
        write_whole(html, report.page(paper, rows, told, work.plots, report.draw).encode())
    if failure:
        raise failure
    if work.waiting:
        raise RequestsWaitError(f"{work.waiting} items wait for replies")


def _measured(found: Iterator[Row]) -> tuple[list[Row], MedgraphError | None]:
    """Collect rows; what fails after the first ones is told once these are printed."""
    from medgraph.errors import MedgraphError

    rows: list[Row] = []
    try:
        rows.extend(found)
    except MedgraphError as error:
        if not rows:
            raise
        return rows, error
    return rows, None


def _print(rows: list[Row]) -> None:
    from ..evaluation.papers.report import cells, tables_of

    for table, some in tables_of(rows).items():
        click.echo(f"\n{table}")
        printing.table([{name: value for name, value in cells(row).items() if name != "table"} for row in some])


COMMANDS = (reproduce,)
