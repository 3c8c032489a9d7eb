"""Tools of other projects, each in a virtual environment of its own that is made on first use."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from medgraph.files import locked
from medgraph.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Sequence

REQUIREMENTS = {
    "sssom": ["sssom==0.4.21"],
    "kgx": ["kgx==2.6.0", "biolink-model==4.4.6"],
    "pronto": ["pronto==2.7.4"],
    "scispacy": ["scispacy==0.6.2", "spacy==3.8.18", "numpy==1.26.4", "nmslib-metabrainz==2.1.3"],
}
"""By the name of a peer, what is installed for it."""

KGX = Path(__file__).with_name("kgx_peer.py")
"""KGX's command line, which this script starts so that it needs no network."""


class PeerError(Exception):
    """A peer cannot be installed."""


def folder() -> Path:
    """Give where environments are made: beside what else is fetched once."""
    return Settings.from_environment().cache / "peers"


def python(peer: str, where: Path | None = None) -> Path:
    """Give the Python of a peer's environment, which is made if it is not there or is of other releases.

    Args:
        peer: A key of `REQUIREMENTS`.
        where: The folder of all environments.

    Returns:
        The interpreter.

    Raises:
        PeerError: The packages cannot be installed.
    """
    where = where or folder()
    own, wanted = where / peer, "\n".join(REQUIREMENTS[peer])
    done = own / "complete"
    with locked(where / f"{peer}.lock"):
        if not done.exists() or done.read_text() != wanted:
            print(f"installing {peer} into {own}", file=sys.stderr)
            _run([sys.executable, "-m", "venv", "--clear", own], peer)
            _run([own / "bin" / "python", "-m", "pip", "install", "--quiet", *REQUIREMENTS[peer]], peer)
            done.write_text(wanted)
    return own / "bin" / "python"


def _run(command: Sequence[str | Path], peer: str) -> None:
    # The variables and files that a user has for pip hold here too; those of this environment do not.
    kept = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "VIRTUAL_ENV"}}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=kept)
    if done.returncode:
        said = next((line for line in reversed(done.stderr.splitlines()) if line.strip()), "it said nothing")
        raise PeerError(
            f"{' '.join(REQUIREMENTS[peer])} cannot be installed: {said.strip()}; does pip reach its package index?"
        )
