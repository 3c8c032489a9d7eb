"""Linking with millions of names: how long they take to pack, and what a text or a single name takes by then.

    python benchmarks/linking_scale.py medquad.zip [--names 60000 4000000] [--texts 400] [--look-ups 3000]

The names are those of the graph that the settings point at, and names made up of their words, with as many names an
entity; one word in ten is put together of two others, as is each that is a name by itself. Each number of names is
packed in a process of its own and opened in another one, whose memory is told apart.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from report import peak_mb, quantile, table

from linking import answers
from medgraph.evaluation.linking import slip
from medgraph.graph import catalogue
from medgraph.graph.connect import connect
from medgraph.linking.names import PAGE, open_linker, pack
from medgraph.linking.never import read_never
from medgraph.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    Row = dict[str, Any]

COINED = 0.1
SHORTEST = 5


def main() -> None:
    """Measure, and print a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("archive", type=Path)
    parser.add_argument("--names", type=int, nargs="+", default=[60_000, 4_000_000])
    parser.add_argument("--texts", type=int, default=400)
    parser.add_argument("--look-ups", type=int, default=3000)
    parser.add_argument("--pack", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--ask", type=Path, help=argparse.SUPPRESS)
    wish = parser.parse_args()
    if wish.pack:
        print(json.dumps(packed(wish.pack, wish.names[0])))
    elif wish.ask:
        print(json.dumps(asked(wish.ask, wish.archive, wish.texts, wish.look_ups)))
    else:
        compare(wish)


def compare(wish: argparse.Namespace) -> None:
    """Measure each number of names, in processes of their own."""
    settings = Settings.from_environment()
    with tempfile.TemporaryDirectory() as folder:
        rows = Path(folder, "rows")
        with connect(settings) as database, rows.open("w", encoding="utf-8") as file:
            for page in database.pages(catalogue.get("named_entities_of_concepts"), PAGE):
                file.writelines(json.dumps(row) + "\n" for row in page)
        columns = [child(wish, Path(folder), names) for names in wish.names]
    table(
        "Packed and looked up",
        ("what", *(f"{column['names']:,} names" for column in columns)),
        [(what, *(column[what] for column in columns)) for what in columns[0] if what != "names"],
    )


def child(wish: argparse.Namespace, folder: Path, names: int) -> dict[str, str]:
    """Measure one number of names."""
    figures: dict[str, str] = {}
    for step in ("--pack", "--ask"):
        options = [f"--texts={wish.texts}", f"--look-ups={wish.look_ups}", f"--names={names}", f"{step}={folder}"]
        done = subprocess.run(
            [sys.executable, __file__, wish.archive, *options], stdout=subprocess.PIPE, text=True, check=True
        )
        figures |= json.loads(done.stdout)
    return figures


def packed(folder: Path, names: int) -> dict[str, Any]:
    """Pack names.

    Args:
        folder: Where the graph's names are, and the packed ones go.
        names: How many.

    Returns:
        Figures.
    """
    with (folder / "rows").open(encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    made = [dict(row) for row in made_up(rows, names)] if names < len(rows) else made_up(rows, names)
    started = time.perf_counter()
    pack(folder / "packed", made)
    seconds = time.perf_counter() - started
    size = sum(file.stat().st_size for file in (folder / "packed").iterdir())
    return {
        "seconds to pack": f"{seconds:,.0f}",
        "memory to pack, MB": f"{peak_mb():,.0f}",
        "on disk, MB": f"{size / 1e6:,.0f}",
    }


def made_up(rows: list[Row], names: int) -> Iterator[Row]:
    """Give the graph's entities and made-up ones, or some of its own if it has more.

    Args:
        rows: The graph's entities.
        names: About how many names they are to have.

    Yields:
        Entities as `named_entities_of_concepts` gives them.
    """
    chance = random.Random(0)
    chance.shuffle(rows)
    words = [word for row in rows if row["label"] != "Gene" for word in row["name"].split()]
    telling = [word for word in words if len(word) >= SHORTEST and word.isalpha()]

    def coined() -> str:
        one, other = chance.choice(telling), chance.choice(telling)
        return (one[: len(one) // 2 + 1] + other[len(other) // 2 :]).lower()

    def name(like: str) -> str:
        count = len(like.split())
        if count == 1:  # else every text would be full of such names
            return coined()
        return " ".join(coined() if chance.random() < COINED else chance.choice(words) for _ in range(count))

    count = number = 0
    while count < names:
        row = rows[number % len(rows)]
        if number >= len(rows):
            key = f"made:{number}"
            others = {kind: list(map(name, row[kind])) for kind in ("synonyms", "other_names")}
            row = row | others | {"id": key, "concept": key, "ids": [key], "name": name(row["name"]), "near": None}
            row["concept_name"] = row["name"]
        count += 1 + len(row["synonyms"]) + len(row["other_names"])
        number += 1
        yield row


def asked(folder: Path, archive: Path, texts: int, look_ups: int) -> dict[str, Any]:
    """Look names up and link texts.

    Args:
        folder: Where the packed names are.
        archive: `medquad.zip`.
        texts: How many texts.
        look_ups: How many names of each kind.

    Returns:
        Figures.
    """
    linker = open_linker(folder / "packed", read_never())
    chance = random.Random(0)
    conditions = (
        number
        for number in iter(lambda: chance.randrange(len(linker.lexicon)), None)
        if linker.holdings.is_condition(int(linker.lexicon.entities[number]))
    )
    chosen = [linker.lexicon.text(number) for number in islice(conditions, look_ups)]
    figures: dict[str, Any] = {"names": len(linker.lexicon)}
    for slips, kind in enumerate(("as they are", "with one slip", "with two slips")):
        seconds, right = [], 0
        for name in chosen:
            spelt = slip(name, slips, chance)
            started = time.process_time()
            found = linker.name(spelt)
            seconds.append(time.process_time() - started)
            right += bool(found) and linker.lexicon.text(found[0].name).lower() == name.lower()
        p50, p95 = (quantile(seconds, part) * 1000 for part in (0.5, 0.95))
        figures[f"names {kind}, ms of one processor (p50, p95)"] = (
            f"{sum(seconds) * 1000 / look_ups:.2f} ({p50:.2f}, {p95:.2f})"
        )
        figures[f"names {kind}, found"] = f"{right / look_ups:.1%}"
    read = chance.sample(answers(archive), texts)
    started = time.process_time()
    for text in read:
        linker.text(text)
    figures["words of texts a second of one processor"] = (
        f"{sum(len(text.split()) for text in read) / (time.process_time() - started):,.0f}"
    )
    figures["memory to look up, MB"] = f"{peak_mb():,.0f}"
    return figures


if __name__ == "__main__":
    main()
