"""What the modules of commands share: an open database, JSON, and lines apart from results."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Callable

    from .settings import Settings

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
        from .database import connect

        with connect(settings) as database:
            command(settings, database, *args, **kwargs)

    return wrapped
