"""Prints the trace of a pipeline: stages, candidates, hypothesis and paths."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from . import printing
from .printing import wrapped

if TYPE_CHECKING:
    from ..answers.generation import PipelineTrace


def pipeline(told: PipelineTrace) -> None:
    """Print stages, candidates, hypothesis and paths of a pipeline."""
    click.secho(f"\nPipeline {told.name} ({told.paper})", bold=True)
    if told.stand_in:
        click.secho(wrapped(f"What can be quoted stands in for a language model: {told.stand_in}.", 2), fg="yellow")
    if told.parameters:
        click.echo(wrapped(" ".join(f"{name}={value}" for name, value in told.parameters.items()), 2))
    click.echo()
    printing.table(
        [
            {
                "stage": f"{stage.name} (left out)" if stage.left_out else stage.name,
                "ms": f"{stage.milliseconds:,.0f}",
                "of the model": f"{stage.model_milliseconds:,.0f}",
                "calls": stage.calls,
                "tokens": f"{stage.prompt_tokens:,} + {stage.reply_tokens:,}" if stage.calls else "",
                "note": stage.note,
            }
            for stage in told.stages
        ]
    )
    _texts("Entities", [", ".join(told.entities)] if told.entities else [])
    _texts("Hypothesis, by which things were looked up; it is no answer", [told.hypothesis] if told.hypothesis else [])
    _texts("Searched for", told.queries)
    _texts("Names of the subgraph", [told.subgraph] if told.subgraph else [])
    _texts("Background", told.background.splitlines())
    _texts("Paths", told.paths)
    for number, one in enumerate(told.candidates, 1):
        score = "" if one.score is None else f", ROUGE-L F1 {one.score:.3f}"
        chosen = ", chosen" if one.chosen else ""
        source = f" from {one.section}" if one.section else ", from no source"
        _texts(f"Candidate {number}{source}{score}{chosen}, as it was written", [one.text])


def _texts(heading: str, texts: list[str] | tuple[str, ...]) -> None:
    if texts:
        click.secho(f"\n{heading}", bold=True)
        for text in texts:
            click.echo(wrapped(text, 2))
