"""The command that tells whether a change made answers, search or linking worse."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from . import printing
from .evaluate import evaluate
from .shared import AS_JSON, encoder_of, require_schema, sentence_reader_of

if TYPE_CHECKING:
    from ..evaluation.gate_rows import Row
    from ..settings import Settings

_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


@evaluate.command("gate")
@click.option("--data", type=_FOLDER, default="../shared/data", envvar="MEDGRAPH_DATA", help="The folder of data.")
@click.option("--grades", type=_FOLDER, default="tests/data/answers", show_default=True, help="The folder of grades.")
@click.option(
    "--frozen",
    type=click.Path(dir_okay=False, path_type=Path),
    default="tests/data/gate/frozen.jsonl",
    show_default=True,
    help="The file of frozen outcomes.",
)
@click.option("--freeze", "reason", metavar="REASON", help="Choose and ask everything anew, and write that file.")
@AS_JSON
@click.pass_obj
def evaluate_gate(
    settings: Settings, data: Path, grades: Path, frozen: Path, reason: str | None, as_json: bool
) -> None:
    """Tell whether answers, search and linking are as good as when the gate was frozen; exit status 1 where not.

    Some 220 graded questions and messages, and 120 that are emergencies or mention one, are asked of a part of the
    data, on a server of its own that is stopped afterwards. Most of the time is spent encoding, once a machine. Set
    MEDGRAPH_PRECISION=f32, so that every machine computes the same.
    """
    from ..evaluation import gate, gate_graph, gate_outcomes, gate_rows, gate_sets
    from ..graph.scratch import scratch_graph

    gate_graph.check(data)
    given = gate_sets.grades_of(grades)
    inputs = gate.read_inputs(data, grades, given)
    if reason is None:
        chosen, before = gate_outcomes.read(frozen)
    else:
        chosen, before = gate_sets.choose(given, gate_sets.pages_of(data)), None
    with scratch_graph(settings) as (database, own):
        require_schema(own, database)
        now = gate.run(database, own, encoder_of(own), sentence_reader_of(own), data, inputs, chosen)
    if reason is not None:
        gate_outcomes.write(frozen, reason, chosen, now)
    _print(gate_rows.rows(now, before or now), gate_rows.latency(now), as_json=as_json)


def _print(rows: list[Row], latency: list[dict[str, object]], *, as_json: bool) -> None:
    told = [{name: value for name, value in asdict(row).items() if as_json or name != "changed"} for row in rows]
    printing.figures(told, in_json=as_json, milliseconds=latency)
    failed = [row for row in rows if row.failed]
    if not failed:
        return
    for row in failed:
        click.echo(f"\n{row.measure} ({row.set}) fell from {row.frozen:.3f} to {row.now:.3f}:", err=True)
        for line in row.changed:
            click.echo(f"  {line}", err=True)
    raise click.ClickException(f"{len(failed)} of {len(rows)} figures are worse than frozen")
