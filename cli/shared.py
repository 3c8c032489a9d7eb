"""What the modules of commands share: an open database, the encoder, and JSON."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import click

from ..progress import note

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..embeddings.encoders.encoder import TextEncoder
    from ..settings import Settings

AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def with_database(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the settings and an open database, and close that afterwards.

    Args:
        command: A function that takes both first.

    Returns:
        The command without these two.
    """

    @click.pass_obj
    @functools.wraps(command)
    def wrapped(settings: Settings, *args: Any, **kwargs: Any) -> None:
        from ..graph.connect import connect

        with connect(settings) as database:
            command(settings, database, *args, **kwargs)

    return wrapped


def encoder_of(settings: Settings) -> Callable[[], TextEncoder]:
    """Give a function that loads the encoder when it is first asked for.

    Args:
        settings: Which encoder.

    Returns:
        The function; it loads once.
    """

    @functools.cache
    def load() -> TextEncoder:
        from ..embeddings.encoders.encoder import load_encoder

        return load_encoder(settings, note)

    return load
