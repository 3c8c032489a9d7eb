"""Progress on stderr: rate and time left on a terminal, nothing anywhere else."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tqdm import tqdm


def progress(description: str, unit: str, total: int | None = None, *, scale: bool = False) -> tqdm[Any]:
    """Open a progress bar; use it in a `with` block and call `update(n)`.

    Args:
        description: What is going on, such as `embedding chunks`.
        unit: What is counted, such as `chunk` or `B`.
        total: How many there are, where that is known; it gives the time left.
        scale: Show thousands and millions, as for bytes.

    Returns:
        A bar that draws nothing when stderr is not a terminal.
    """
    from tqdm import tqdm

    return tqdm(
        desc=description,
        unit=unit if scale else f" {unit}",
        total=total,
        unit_scale=scale,
        unit_divisor=1024,
        file=sys.stderr,
        disable=None,
        dynamic_ncols=True,
        mininterval=0.2,
    )


def note(line: str) -> None:
    """Tell people something on stderr.

    Args:
        line: What to tell.
    """
    import click

    click.echo(line, err=True)
