"""Linking of texts and names, against scispaCy and spaCy's phrase matcher over the same names; and by how many names.

    python benchmarks/linking.py [--corpus devel.txt]
    python benchmarks/linking.py --scale [--names 4000000] [--texts 400] [--look-ups 3000]

Needs a graph that is loaded and linked, whose names both sides get. The corpus is of the NCBI Disease corpus's form;
both are counted in one way: an id is right when a source gives it for the concept. Speed is by the time of one
processor. peer_side.py says what of scispaCy takes part; at the smallest size it is left out, and the corpus is made
of the graph's names, and the floor looks them up as they are. With --scale, names are made up of words of the graph's, as many an entity; one word in ten is
put together of two others, as is each that is a name by itself. As many as the graph has are the floor; each number is
packed in a process of its own and opened in another one, whose memory is told apart.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import time
from collections import defaultdict
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import harness
from harness import DATA, SMALL, peak_mb, quantile, table
from peers import Peer

from medgraph.evaluation import linking
from medgraph.graph import catalogue
from medgraph.graph.connect import connect
from medgraph.linking.concepts import read_members
from medgraph.linking.lexicon import OTHER
from medgraph.linking.names import PAGE, load_linker, open_linker, pack
from medgraph.linking.never import read_never
from medgraph.settings import Settings

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from medgraph.linking.linker import Linker

    Row = dict[str, Any]

COINED = 0.1
SHORTEST = 5
CHILD = "--child"
FLOOR = "exact names"


def main() -> None:
    """Measure and print."""
    if CHILD in sys.argv:
        step, folder, *given = sys.argv[2:]
        print(json.dumps({"pack": packed, "ask": asked}[step](Path(folder), *given)))
        return
    options = harness.options(
        __doc__,
        {
            "corpus": (DATA / "ncbi-disease" / "devel.txt", None),
            "medquad": (DATA / "medquad.zip", SMALL / "medquad"),
        },
        {"scale": "measure millions of names"},
        names=(4_000_000, 3000, "names that are made up to"),
        texts=(400, 5, "texts that are linked"),
        look_ups=(3000, 20, "names that are looked up of each kind"),
    )
    if options.scale:
        scale(options)
    else:
        quality(options)


def quality(options: argparse.Namespace) -> None:
    """Measure both on a corpus."""
    settings = Settings.from_environment()
    with connect(settings) as database:
        linker, members = load_linker(settings, database), list(read_members(database))
    concepts, ids = conditions(linker)
    if options.smallest:
        texts, known = small(concepts, ids, options.texts), {one for row in ids.values() for one in row}
    else:
        texts = linking.read_corpus(options.corpus)
        known = {key for m in members if m.label == "Disease" for key in m.xrefs if key.startswith(("MESH:", "OMIM:"))}
    names = sorted({mention.surface for text in texts for mention in text.mentions})
    started = time.process_time()
    for text in texts:
        linker.text(text.text)
    middle = time.process_time()
    named = {name: linker.name(name) for name in names}
    spent = {"texts": middle - started, "names": time.process_time() - middle, "mb": peak_mb()}
    ours = {name: set(linker.holdings.ids(found[0].entity).split("|")) for name, found in named.items() if found}
    columns = {"medgraph": (linking.spans(texts, known, linker), ours, spent)}
    if options.smallest:
        harness.left_out("scispaCy, which is fetched")
        exact: dict[str, set[str]] = defaultdict(set)
        for key, row in concepts.items():
            for name in row:
                exact[name.lower()] |= ids[key]
        spans = dict.fromkeys(("precision", "recall", "f1"), 0.0)
        columns[FLOOR] = (spans, {name: exact[name.lower()] for name in names}, {})
    else:
        with Peer("scispacy", "link") as peer:
            told = peer.ask({"concepts": concepts, "texts": [text.text for text in texts], "names": names})
        found = {text.text: row for text, row in zip(texts, told["found"], strict=True)}
        theirs = {name: ids.get(key, set()) for name, key in zip(names, told["named"], strict=True)}
        columns["scispaCy"] = (linking.spans(texts, known, as_linker(found, ids)), theirs, told)
    show(texts, known, columns, f"{sum(map(len, concepts.values())):,} names of conditions")


def small(concepts: dict[str, list[str]], ids: dict[str, set[str]], count: int) -> list[Any]:
    """Make a corpus of names that the graph has."""
    texts = []
    for key in sorted(concepts)[:count]:
        surface = concepts[key][0]
        place = {"start": len("People with "), "end": len("People with ") + len(surface)}
        mention = SimpleNamespace(surface=surface, kind="Disease", ids=ids[key], **place)
        texts.append(SimpleNamespace(text=f"People with {surface} may be tired.", mentions=[mention]))
    return texts


def show(texts: Any, known: set[str], columns: dict[str, Any], title: str) -> None:
    """Print a column a side, and how ours is to the other's."""
    words, names = sum(len(text.text.split()) for text in texts), len({m.surface for t in texts for m in t.mentions})
    figures: dict[str, dict[str, float]] = {}
    for side, (spans, named, spent) in columns.items():
        recall = linking.names(texts, known, "", lambda name, named=named: named.get(name, set()))["recall"]
        figures[side] = {f"mentions: {part}": spans[part] for part in ("precision", "recall", "f1")}
        figures[side] |= {
            "names: recall of the first": recall,
            "words of texts a second": words / spent["texts"] if "texts" in spent else 0,
            "words a second, phrase matcher alone": words / spent["matcher"] if "matcher" in spent else 0,
            "names a second": names / spent["names"] if "names" in spent else 0,
            "resident memory at most, MB": spent.get("mb", 0),
        }
    ours, theirs = figures.values()
    rows = []
    for what, mine in ours.items():
        both = [f"{value:,.0f}" if value > 2 else f"{value:.3f}" if value else "-" for value in (mine, theirs[what])]
        rows.append([what, *both, f"{mine / theirs[what]:.2f}" if mine and theirs[what] else "-"])
    table(f"{len(texts)} texts, {title}", ["what", *figures, "ratio"], rows)


def conditions(linker: Linker) -> tuple[dict[str, list[str]], dict[str, set[str]]]:
    """Give the names and synonyms of each concept that is a condition, and its ids."""
    concepts: dict[str, dict[str, None]] = defaultdict(dict)
    ids: dict[str, set[str]] = {}
    for number, entity in enumerate(map(int, linker.lexicon.entities)):
        if linker.holdings.is_condition(entity) and linker.lexicon.kinds[number] != OTHER:
            key = linker.holdings.concept_id(entity)
            concepts[key][linker.lexicon.text(number)] = None
            ids[key] = set(linker.holdings.ids(entity).split("|"))
    return {key: list(names) for key, names in concepts.items()}, ids


def as_linker(found: dict[str, list[tuple[int, int, str]]], ids: dict[str, set[str]]) -> Any:
    """Give what the peer found in the shape in which ours is measured."""
    spans = {text: [SimpleNamespace(start=s, end=e, entity=key) for s, e, key in row] for text, row in found.items()}
    holdings = SimpleNamespace(ids=lambda key: "|".join(ids[key]))
    return SimpleNamespace(text=spans.__getitem__, holdings=holdings)


def scale(options: argparse.Namespace) -> None:
    """Measure the graph's names and many, in processes of their own."""
    settings = Settings.from_environment()
    with tempfile.TemporaryDirectory() as folder:
        with connect(settings) as database, Path(folder, "rows").open("w", encoding="utf-8") as file:
            for page in database.pages(catalogue.get("named_entities_of_concepts"), PAGE):
                file.writelines(json.dumps(row) + "\n" for row in page)
        columns = []
        for names in (0, options.names):
            figures = harness.child(__file__, CHILD, "pack", folder, names)
            words = ("ask", folder, options.medquad, options.texts, options.look_ups)
            columns.append(figures | harness.child(__file__, CHILD, *words))
    few, many = columns
    rows = [[what, f"{few[what]:.4g}", f"{many[what]:.4g}", f"{many[what] / few[what]:.2f}"] for what in few]
    title = f"Packed and looked up, {many['names'] / few['names']:.1f} times as many names"
    table(title, ["what", "the graph's names", "made up to many", "ratio"], rows)


def packed(folder: Path, names: str) -> dict[str, float]:
    """Pack the graph's names, made up to so many."""
    with (folder / "rows").open(encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    started = time.perf_counter()
    pack(folder / "packed", made_up(rows, int(names)))
    size = sum(file.stat().st_size for file in (folder / "packed").iterdir())
    return {"seconds to pack": time.perf_counter() - started, "MB to pack": peak_mb(), "MB on disk": size / 1e6}


def made_up(rows: list[Row], names: int) -> Iterator[Row]:
    """Give the graph's entities, then made-up ones until they have so many names."""
    chance = random.Random(0)
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
    while number < len(rows) or count < names:
        row = rows[number % len(rows)]
        if number >= len(rows):
            key = f"made:{number}"
            others = {kind: list(map(name, row[kind])) for kind in ("synonyms", "other_names")}
            row = row | others | {"id": key, "concept": key, "ids": [key], "name": name(row["name"]), "near": None}
            row["concept_name"] = row["name"]
        count += 1 + len(row["synonyms"]) + len(row["other_names"])
        number += 1
        yield row


def asked(folder: Path, archive: str, texts: str, look_ups: str) -> dict[str, float]:
    """Look names up and link texts."""
    linker, chance = open_linker(folder / "packed", read_never()), random.Random(0)
    held, lexicon = linker.holdings, linker.lexicon
    drawn = iter(lambda: chance.randrange(len(lexicon)), None)
    fitting = (number for number in drawn if held.is_condition(int(lexicon.entities[number])))
    chosen = [lexicon.text(number) for number in islice(fitting, int(look_ups))]
    figures: dict[str, float] = {"names": len(lexicon)}
    for slips, kind in enumerate(("as they are", "with one slip", "with two slips")):
        seconds, right = [], 0
        for name in chosen:
            spelt = linking.slip(name, slips, chance)
            started = time.process_time()
            found = linker.name(spelt)
            seconds.append(time.process_time() - started)
            right += bool(found) and lexicon.text(found[0].name).lower() == name.lower()
        figures[f"names {kind}, p50 ms"] = quantile(seconds, 0.5) * 1000
        figures[f"names {kind}, p95 ms"] = quantile(seconds, 0.95) * 1000
        figures[f"names {kind}, share found"] = right / len(chosen)
    read = [section.text for page in harness.documents(Path(archive)) for section in page.sections]
    read = chance.sample(read, min(int(texts), len(read)))
    started = time.process_time()
    for text in read:
        linker.text(text)
    figures["words of texts a second"] = sum(len(text.split()) for text in read) / (time.process_time() - started)
    return figures | {"MB to look up": peak_mb()}


if __name__ == "__main__":
    main()
