"""Linking of texts and names, against spaCy's phrase matcher over the same names.

    python benchmarks/linking.py medquad.zip [--texts 2000] [--names 5000] [--peer PYTHON]

The names are those of the graph that the settings point at. The peer is run by an interpreter that has spaCy, on which
scispaCy's pipeline stands; without one, medgraph is measured alone.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import tempfile
import time
from pathlib import Path

from medgraph.evaluation.linking import slip
from medgraph.graph.connect import connect
from medgraph.linking.names import load_linker
from medgraph.loaders.base import Row
from medgraph.loaders.sources import medquad
from medgraph.schema.records import Document
from medgraph.settings import Settings

PEER = """
import json, sys, time
import spacy
from spacy.matcher import PhraseMatcher
names, texts = (open(path, encoding="utf-8").read().splitlines() for path in sys.argv[1:3])
nlp = spacy.blank("en")
nlp.max_length = 10**8
matcher = PhraseMatcher(nlp.vocab, attr="LOWER")
started = time.perf_counter()
matcher.add("NAME", list(nlp.pipe(json.loads(name) for name in names)))
built = time.perf_counter() - started
started = time.process_time()
found = sum(len(matcher(nlp.make_doc(json.loads(text)))) for text in texts)
print(json.dumps({"built": built, "cpu": time.process_time() - started, "found": found}))
"""


def main() -> None:
    """Measure, and print a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("archive", type=Path)
    parser.add_argument("--texts", type=int, default=2000)
    parser.add_argument("--names", type=int, default=5000)
    parser.add_argument("--peer", type=Path)
    wish = parser.parse_args()
    settings = Settings.from_environment()
    with connect(settings) as database:
        linker = load_linker(settings, database)
    chance = random.Random(0)
    texts = chance.sample(list(answers(wish.archive)), wish.texts)
    words = sum(len(text.split()) for text in texts)
    started = time.process_time()
    found = sum(len(linker.text(text)) for text in texts)
    seconds = time.process_time() - started
    all_names = [linker.lexicon.text(number) for number in range(len(linker.lexicon))]
    chosen = [slip(name, chance.randrange(3), chance) for name in chance.sample(all_names, wish.names)]
    started = time.process_time()
    for name in chosen:
        linker.name(name)
    looked_up = time.process_time() - started
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print("| what | medgraph | spaCy's phrase matcher |\n| --- | ---: | ---: |")
    peer = peer_of(wish.peer, all_names, texts) if wish.peer else {}
    theirs = f"{words / peer['cpu']:,.0f}" if peer else "-"
    print(f"| words of texts a second of one processor | {words / seconds:,.0f} | {theirs} |")
    print(f"| mentions found, overlapping ones at the peer's included | {found:,} | {peer.get('found', '-')} |")
    print(f"| names a second, two of three misspelt | {len(chosen) / looked_up:,.0f} | - |")
    print(f"| resident memory at most, MB | {memory:,.0f} | - |")
    print(f"\n{len(all_names):,} names, {len(texts):,} texts of {words:,} words")


def answers(archive: Path) -> list[str]:
    """Read the texts of MedQuAD's answers.

    Args:
        archive: `medquad.zip`.

    Returns:
        The texts.
    """
    rows = (item.record for item in medquad.SOURCE.records(archive) if isinstance(item, Row))
    return [section.text for record in rows if isinstance(record, Document) for section in record.sections]


def peer_of(python: Path, names: list[str], texts: list[str]) -> dict[str, float]:
    """Measure the peer in its own environment.

    Args:
        python: Its interpreter.
        names: What it looks for.
        texts: What it looks in.

    Returns:
        Seconds to build, seconds of one processor, and how many it found.
    """
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, "names"), Path(folder, "texts")]
        for path, lines in zip(paths, (sorted(set(names)), texts), strict=True):
            path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
        done = subprocess.run([python, "-c", PEER, *paths], capture_output=True, text=True, check=True)
    measured: dict[str, float] = json.loads(done.stdout)
    return measured


if __name__ == "__main__":
    main()
