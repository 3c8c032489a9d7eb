"""How well texts and names are linked, beside scispaCy's pipeline over the names of the same conditions, in one run.

    python benchmarks/linking_quality.py ../shared/data/ncbi-disease/devel.txt [--peers FOLDER]

The graph that the settings point at has the names; `linking_peer.py` says what of scispaCy takes part. Both are counted
in one way: an id is right when a source gives it for the concept. The peer lives in an environment of its own (1 GB),
which is made on first use. Speed is by the time of one
processor. Prints a Markdown table.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import time
from collections import defaultdict
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import peer_tools
from report import peak_mb, table

from medgraph.evaluation import linking
from medgraph.graph.connect import connect
from medgraph.linking.concepts import read_members
from medgraph.linking.lexicon import OTHER
from medgraph.linking.names import load_linker
from medgraph.settings import Settings

if TYPE_CHECKING:
    from typing import Any

    from medgraph.linking.linker import Linker


def main() -> None:
    """Measure, and print a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--peers", type=Path, default=peer_tools.folder())
    wish = parser.parse_args()
    texts = linking.read_corpus(wish.corpus)
    settings = Settings.from_environment()
    with connect(settings) as database:
        linker = load_linker(settings, database)
        diseases = [member for member in read_members(database) if member.label == "Disease"]
    known = {key for m in diseases for key in m.xrefs if key.startswith(("MESH:", "OMIM:"))}
    names = sorted({mention.surface for text in texts for mention in text.mentions})
    words = sum(len(text.text.split()) for text in texts)
    concepts, ids = conditions(linker)
    started = time.process_time()
    for text in texts:
        linker.text(text.text)
    text_seconds = time.process_time() - started
    started = time.process_time()
    for name in names:
        linker.name(name)
    name_seconds = time.process_time() - started
    memory = peak_mb()
    given = {"concepts": concepts, "texts": [text.text for text in texts], "names": names}
    script = Path(__file__).with_name("linking_peer.py")
    python = peer_tools.python("scispacy", wish.peers)
    done = subprocess.run([python, script], input=json.dumps(given), stdout=subprocess.PIPE, text=True, check=True)
    theirs = json.loads(done.stdout)
    figures, named = theirs["figures"], dict(zip(names, theirs["named"], strict=True))
    peer = as_linker(dict(zip(given["texts"], theirs["found"], strict=True)), ids)
    ours_spans, their_spans = (linking.spans(texts, known, one) for one in (linker, peer))

    def ids_of(name: str) -> set[str]:
        found = linker.name(name)
        return set(linker.holdings.ids(found[0].entity).split("|")) if found else set()

    ours_names = linking.names(texts, known, "", ids_of)
    their_names = linking.names(texts, known, "", lambda name: ids.get(named[name], set()))
    rows = [(f"mentions: {part}", ours_spans[part], their_spans[part]) for part in ("precision", "recall", "f1")]
    rows += [
        ("names: recall of the first", ours_names["recall"], their_names["recall"]),
        ("words of texts a second", *(f"{words / s:,.0f}" for s in (text_seconds, figures["texts"]))),
        ("names a second", *(f"{len(names) / s:,.0f}" for s in (name_seconds, figures["names"]))),
        ("resident memory at most, MB", f"{memory:,.0f}", f"{figures['memory']:,.0f}"),
        ("seconds to build from the names", "-", f"{figures['built']:,.0f}"),
    ]
    title = (
        f"{ours_spans['n']} mentions in {len(texts)} texts, {sum(map(len, concepts.values())):,} names of conditions"
    )
    table(title, ("what", "medgraph", "scispaCy"), rows)


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
