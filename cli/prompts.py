"""The commands on what language models are asked by: models, prompts, and the pipelines that use them."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from ..progress import note
from . import printing
from .shared import AS_JSON, BATCH, opened_model

if TYPE_CHECKING:
    from pathlib import Path

    from ..models.open import Card
    from ..models.protocol import Reply
    from ..settings import Settings


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


@click.group()
def models() -> None:
    """Language models: list those that one command fetches, fetch one, try any."""


@models.command("list")
@AS_JSON
@click.pass_obj
def models_list(settings: Settings, as_json: bool) -> None:
    """List the models that one command fetches, with licence, size and what they are good for."""
    from ..models.open import CARDS, is_here

    rows = [{**_card_fields(card), "fetched": is_here(card, settings)} for card in CARDS.values()]
    if as_json:
        printing.as_json({"models": rows})
        return
    for row in rows:
        for name, value in row.items():
            click.echo(f"{name.replace('_', ' ')}: {value}")


@models.command("get")
@click.argument("name")
@click.pass_obj
def models_get(settings: Settings, name: str) -> None:
    """Fetch the model NAME into the cache, and check it; its licence is shown first."""
    from ..models.open import card_of, fetch

    card = card_of(name)
    for what, value in _card_fields(card).items():
        note(f"{what.replace('_', ' ')}: {value}")
    click.echo(fetch(card, settings, note))
    note(f"try it: medgraph models try {name} 'What is gout?'")


@models.command("try")
@click.argument("name")
@click.argument("text")
@click.option("--max-tokens", type=click.IntRange(1), default=200, show_default=True, help="The longest reply.")
@BATCH
@click.pass_obj
def models_try(settings: Settings, name: str, text: str, max_tokens: int, batch: Path | None) -> None:
    """Say TEXT to the model NAME and print its reply; nothing is looked up, cited or checked.

    NAME is one that `models list` shows, or what MEDGRAPH_MODEL may be, such as openai:NAME.
    """
    from ..models.protocol import Message, Request

    asked = Request((Message("user", text),), max_tokens=max_tokens)
    with opened_model(replace(settings, model=name), batch) as model:
        pieces = model().stream(asked)
        begun = time.monotonic()
        for piece in pieces:
            if isinstance(piece, str):
                click.echo(piece, nl=False)
            else:
                click.echo()
                _note_usage(piece, time.monotonic() - begun)


def _card_fields(card: Card) -> dict[str, str | int]:
    return {
        "name": card.name,
        "title": card.title,
        "licence": card.licence,
        "size_mb": card.wheel.size,
        "runs": card.runs,
        "good_for": card.good_for,
    }


def _note_usage(reply: Reply, seconds: float) -> None:
    usage = reply.usage
    about = "about " if usage.estimated else ""
    cut = ", cut off there" if reply.finish == "length" else ""
    cost = "" if usage.cost is None else f"; cost {usage.cost:.6f}"
    note(f"{about}{usage.prompt_tokens} tokens read, {usage.reply_tokens} written{cut}, in {seconds:.1f} s{cost}")
    for remark in reply.remarks:
        note(remark)


COMMANDS = (prompts, pipelines, models)
