"""Files into records, against parsers that give none: PubMed's XML beside lxml, an ontology in RDF/XML beside rdflib.

    python lab/benchmarks/reading.py [--citations 100000] [--symp PATH/TO/symp.owl] [--rounds 3]

Each side reads each file in a process of its own, by turns; its processor time and its memory count. A file of
citations is made up in PubMed's form (9.6 KB each: abstracts, authors with addresses, headings, histories, references);
another one with four times the citations shows how memory grows.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
import time
from pathlib import Path

import harness
from harness import DATA, SMALL, peak_mb


def main() -> None:
    """Measure and print; or, with a side and a file, be one of the sides."""
    if sys.argv[1:2] == ["--side"]:
        print(json.dumps(measure(sys.argv[2], Path(sys.argv[3]))))
        return
    options = harness.options(
        __doc__,
        {"symp": (DATA / "symp" / "symp.owl", SMALL / "ontology" / "lungs.owl")},
        citations=(100_000, 50, "citations of the smaller file"),
        rounds=(3, 1, "times that each side reads each file"),
    )
    with tempfile.TemporaryDirectory(prefix="medgraph-benchmark-") as folder:
        for count in (options.citations, 4 * options.citations):
            file = Path(folder) / "pubmed26n0001.xml"
            make(file, count)
            compare(f"{count:,} citations", file, ("lxml, counting", "records"), options.rounds)
        compare(options.symp.name, options.symp, ("rdflib, parsing only", "records of RDF"), options.rounds)


def compare(what: str, file: Path, sides: tuple[str, str], rounds: int) -> None:
    spent: dict[str, list[float]] = {side: [] for side in sides}
    mb = {}
    for _ in range(rounds):
        for side in sides:
            told = harness.child(__file__, "--side", side, file)
            spent[side].append(told["seconds"])
            mb[side] = f"{told['mb']:.0f} MB"
    size = f"{file.stat().st_size / 1e6:,.1f} MB"
    memory = " and ".join(mb.values())
    harness.medians(f"{what}, {size}; processor time; memory at most {memory}", spent, sides[0])


def measure(side: str, file: Path) -> dict[str, float]:
    """Read a file; gives seconds and megabytes."""
    import rdflib
    from lxml import etree

    from medgraph.loaders.ontologies.rdf import source
    from medgraph.loaders.sources import pubmed

    def count() -> None:
        for _, element in etree.iterparse(str(file), tag="PubmedArticle"):
            element.clear()
            while element.getprevious() is not None:
                del element.getparent()[0]

    ways = {
        "lxml, counting": count,
        "records": lambda: sum(1 for _ in pubmed.records(file)),
        "rdflib, parsing only": lambda: len(rdflib.Graph().parse(file, format="xml")),
        "records of RDF": lambda: sum(1 for _ in source.records(file)),
    }
    start = time.process_time()
    ways[side]()
    return {"seconds": time.process_time() - start, "mb": peak_mb()}


def make(file: Path, citations: int) -> None:
    """Write as many citations, each with a number of its own."""
    text = (SMALL / "pubmed" / "pubmed26n0001.xml").read_text(encoding="utf-8")
    parts = re.findall(r"<PubmedArticle>.*?</PubmedArticle>", text, re.DOTALL)
    with file.open("w", encoding="utf-8") as output:
        output.write("<PubmedArticleSet>\n")
        for number in range(citations):
            numbered = rf'<PMID Version="1">{number + 1}</PMID>'
            output.write(re.sub(r"<PMID\b.*?</PMID>", numbered, parts[number % len(parts)], count=1) + "\n")
        output.write("</PubmedArticleSet>\n")


if __name__ == "__main__":
    main()
