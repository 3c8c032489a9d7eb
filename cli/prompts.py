"""The commands that show prompts and the pipelines that use them."""

from __future__ import annotations

import click

from . import printing
from .shared import AS_JSON


@click.command()
@click.argument("name", required=False)
@AS_JSON
def prompts(name: str | None, as_json: bool) -> None:
    """Show the prompt NAME as models get it; without a name, list the prompts with paper, version and hash."""
    from ..answers.prompting import names, prompt

    if name is not None and not as_json:
        click.echo(prompt(name).text, nl=False)
        return
    shown = [prompt(each) for each in ([name] if name is not None else names())]
    keys = ("name", "paper", "version", "variables", "hash")
    rows = [{key: getattr(each, key) for key in keys} | {"variables": ", ".join(each.variables)} for each in shown]
    if as_json:
        texts = {each.name: each.text for each in shown} if name is not None else {}
        printing.as_json({"prompts": [row | ({"text": texts[row["name"]]} if texts else {}) for row in rows]})
    else:
        printing.table(rows)


@click.command()
@click.argument("name", required=False)
@AS_JSON
def pipelines(name: str | None, as_json: bool) -> None:
    """Show the pipeline NAME with its stages and parameters; without a name, list the pipelines with their papers."""
    from ..answers.pipelines.catalogue import PIPELINES, pipeline_named

    shown = [pipeline_named(name)] if name is not None else list(PIPELINES.values())
    if as_json:
        printing.as_json({"pipelines": [one.as_dict() for one in shown]})
        return
    if name is None:
        rows = [
            {"name": one.name, "stages": ", ".join(s.name for s in one.stages), "paper": one.paper} for one in shown
        ]
        printing.table(rows)
        return
    (one,) = shown
    click.secho(f"{one.name}: {one.does}", bold=True)
    click.echo(f"paper: {one.paper}\nprompts: {', '.join(one.prompts)} (medgraph prompts NAME shows one)\n")
    printing.table([told | {"optional": "yes" if told["optional"] else ""} for told in one.as_dict()["stages"]])
    click.echo()
    printing.table([told | {"printed": "yes" if told["printed"] else ""} for told in one.as_dict()["parameters"]])


COMMANDS = (prompts, pipelines)
