"""The commands on language models: which can be fetched, fetching one, and trying any."""

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


@click.group()
def models() -> None:
    """Language models: list those that one command fetches, fetch one, try any."""


@models.command("list")
@AS_JSON
@click.pass_obj
def models_list(settings: Settings, as_json: bool) -> None:
    """List the models that one command fetches, with licence, size and what they are good for."""
    from ..models.open import CARDS, is_here

    rows = [{**_told(card), "fetched": is_here(card, settings)} for card in CARDS.values()]
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
    for what, value in _told(card).items():
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


def _told(card: Card) -> dict[str, str | int]:
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


COMMANDS = (models,)
