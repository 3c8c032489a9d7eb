"""The command that shows the prompts."""

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


COMMANDS = (prompts,)
