"""Linking of texts and names, against scispaCy and spaCy's phrase matcher over the same names.

    python lab/benchmarks/linking.py [--corpus devel.txt]

Needs a graph that is loaded and linked, whose names both sides get. The corpus is of the NCBI Disease corpus's form;
both are counted in one way: an id is right when a source gives it for the concept. Speed is by the time of one
processor. peer_side.py says what of scispaCy takes part; at the smallest size it is left out, the corpus is made of the
graph's names, and the floor looks them up as they are.
"""

from __future__ import annotations

import time
from collections import defaultdict
from types import SimpleNamespace
from typing import Any

import harness
from harness import DATA, peak_mb, table
from peers import Peer

from medgraph.graph.connect import connect
from medgraph.linking.concepts import load_members
from medgraph.linking.lexicon import OTHER
from medgraph.linking.linker import Linker
from medgraph.linking.names import load_linker
from medgraph.settings import Settings
from medgraph_lab.evaluation import linking
from medgraph_lab.evaluation.sets.pubtator import known_ids, read_corpus

FLOOR = "exact names"


def main() -> None:
    options = harness.options(
        __doc__, {"corpus": (DATA / "ncbi-disease" / "devel.txt", None)}, texts=(0, 5, "texts of the smallest corpus")
    )
    settings = Settings.from_environment()
    with connect(settings) as database:
        linker, members = load_linker(settings, database), list(load_members(database))
    concepts, ids = conditions(linker)
    if options.smallest:
        texts, known = small(concepts, ids, options.texts), {one for row in ids.values() for one in row}
    else:
        texts = read_corpus(options.corpus)
        known = known_ids(members)
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
    texts = []
    for key in sorted(concepts)[:count]:
        surface = concepts[key][0]
        place = {"start": len("People with "), "end": len("People with ") + len(surface)}
        mention = SimpleNamespace(surface=surface, kind="Disease", ids=ids[key], **place)
        texts.append(SimpleNamespace(text=f"People with {surface} may be tired.", mentions=[mention]))
    return texts


def show(texts: Any, known: set[str], columns: dict[str, Any], title: str) -> None:
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


if __name__ == "__main__":
    main()
