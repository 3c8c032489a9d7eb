"""Python's memory while a large made-up file is loaded, beside a file a tenth as large.

    python benchmarks/memory.py [--mb 1000] [--only kgx obo rdf mapping]

Entities with definitions of 4,000 characters, as KGX (TSV), OBO, N-Triples and a table with a mapping. Each load is
the command in a process of its own, into an empty graph; a server of the benchmark's own is started for it.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from report import command, own_home, table

from medgraph.graph.connect import connect
from medgraph.schema import migrate
from medgraph.settings import DEFAULT_ENCODER

if TYPE_CHECKING:
    from collections.abc import Callable

TEXT = "What it is, in a sentence of some length. " * 95

MAPPING = """\
source: {id: made-up, title: Made up, version: '1', licence: CC0-1.0}
entities:
  - {id: '{id}', label: Disease, name: '{name}', definition: '{definition}'}
"""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mb", type=int, default=1000, help="Size of the large files.")
    parser.add_argument("--only", nargs="+", choices=sorted(WRITERS), default=sorted(WRITERS))
    given = parser.parse_args()
    rows = []
    with own_home() as (settings, environment), tempfile.TemporaryDirectory() as folder:
        with connect(settings) as database:
            migrate.apply(database, DEFAULT_ENCODER, 384, lambda _: None)
        for name in given.only:
            for size in (given.mb // 10, given.mb):
                path = Path(folder) / name
                path.mkdir(exist_ok=True)
                arguments, terms = WRITERS[name](path, size * 1_000_000 // len(TEXT))
                seconds, mb = load(environment, arguments)
                rows.append([name, f"{size:,}", f"{terms:,}", f"{seconds:.0f}", f"{mb:.0f}"])
                subprocess.run([*command(), "unload", "made-up"], env=environment, check=True, stdout=sys.stderr)
    table("One file a load", ["format", "file MB", "entities", "seconds", "Python's peak MB"], rows)


def load(environment: dict[str, str], arguments: list[str]) -> tuple[float, float]:
    """Run the command as people do; gives seconds and megabytes."""
    start = time.perf_counter()
    process = subprocess.Popen([*command(), "load", *arguments], env=environment, stdout=sys.stderr)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit("the load failed")
    return time.perf_counter() - start, usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6


def write(path: Path, count: int, head: str, line: str) -> None:
    """Write a file of as many entities, each with a number of its own."""
    with path.open("w", encoding="utf-8") as file:
        file.write(head)
        for n in range(count):
            file.write(line.format(n=f"{n:07}", text=TEXT))


def kgx(folder: Path, count: int) -> tuple[list[str], int]:
    """Write a KGX file."""
    head, line = "id\tcategory\tname\tdescription\n", "DOID:{n}\tbiolink:Disease\tdisease {n}\t{text}\n"
    write(folder / "made_nodes.tsv", count, head, line)
    return ["kgx", str(folder / "made_nodes.tsv"), "--as", "made-up", "--licence", "CC0-1.0"], count


def obo(folder: Path, count: int) -> tuple[list[str], int]:
    """Write an ontology in OBO."""
    line = '[Term]\nid: DOID:{n}\nname: disease {n}\ndef: "{text}" []\n\n'
    write(folder / "made.obo", count, "format-version: 1.2\nontology: made-up\n\n", line)
    return ["obo", str(folder / "made.obo"), "--as", "made-up", "--licence", "CC0-1.0"], count


def rdf(folder: Path, count: int) -> tuple[list[str], int]:
    """Write an ontology in N-Triples."""
    term = "<http://purl.obolibrary.org/obo/DOID_{n}>"
    line = (
        f"{term} <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://www.w3.org/2002/07/owl#Class> .\n"
        f'{term} <http://www.w3.org/2000/01/rdf-schema#label> "disease {{n}}" .\n'
        f'{term} <http://purl.obolibrary.org/obo/IAO_0000115> "{{text}}" .\n'
    )
    write(folder / "made.nt", count, "", line)
    return ["rdf", str(folder / "made.nt"), "--as", "made-up", "--licence", "CC0-1.0"], count


def mapping(folder: Path, count: int) -> tuple[list[str], int]:
    """Write a table, and a mapping of it."""
    (folder / "made-up.yaml").write_text(MAPPING, encoding="utf-8")
    write(folder / "terms.csv", count, "id,name,definition\n", 'DOID:{n},disease {n},"{text}"\n')
    return [str(folder / "made-up.yaml"), str(folder / "terms.csv")], count


WRITERS: dict[str, Callable[[Path, int], tuple[list[str], int]]] = {
    "kgx": kgx,
    "obo": obo,
    "rdf": rdf,
    "mapping": mapping,
}


if __name__ == "__main__":
    main()
