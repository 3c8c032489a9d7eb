"""The commands that look for faults: in the installation, and in what the graph says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from . import output
from .cli_shared import AS_JSON

if TYPE_CHECKING:
    from .settings import Settings


@click.command()
@AS_JSON
@click.pass_obj
def doctor(settings: Settings, as_json: bool) -> None:
    """Look whether the installation is sound; it starts and changes nothing. Exit status 1 when something is broken."""
    from .doctor import findings
    from .doctor.examine import examine

    found = examine(settings)
    data = findings.as_dict(found)
    if as_json:
        output.as_json(data)
    else:
        output.findings(data)
    if not data["sound"]:
        raise click.ClickException(f"{data['broken']} broken, {data['warning']} to look at; each says what mends it")
