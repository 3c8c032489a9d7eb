"""PubMed XML into records, against lxml's iterparse that only counts citations.

    python benchmarks/pubmed.py [--citations 30000] [--rounds 3]

A file of the size and build of PubMed's own is made in the temporary folder (290 MB for 30,000 citations): structured
abstracts, authors with addresses, MeSH headings, histories, references. Both sides read it by turns, each time in a
process of its own, whose processor time counts; then a file of four times the citations shows that memory stays flat.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from report import peak_mb, table

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO

WORDS = (
    "patients treatment study risk cells expression associated clinical disease results compared levels group factor "
    "response after increased effect analysis protein outcome therapy years control mice human data method months with "
    "of the in and to was were for by at between from that not significant"
).split()
PARTS = ("BACKGROUND", "OBJECTIVE", "METHODS", "RESULTS", "CONCLUSIONS")
DESCRIPTORS = 29_000


def main() -> None:
    """Measure and print; or, with a side and a file, be one of the sides."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--citations", type=int, default=30_000, help="citations of the smaller file")
    parser.add_argument("--rounds", type=int, default=3, help="how often each side reads it")
    parser.add_argument("--side", choices=["count", "records"], help=argparse.SUPPRESS)
    parser.add_argument("--file", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.side:
        print(json.dumps(read(options.side, options.file)))
        return
    with tempfile.TemporaryDirectory(prefix="medgraph-benchmark-") as folder:
        small, large = Path(folder) / "pubmed26n0001.xml", Path(folder) / "pubmed26n0002.xml"
        make(small, options.citations)
        make(large, 4 * options.citations)
        pairs = [(run("count", small), run("records", small)) for _ in range(options.rounds)]
        sizes = [(small, *pairs[0]), (large, run("count", large), run("records", large))]
        report(options.citations, pairs, sizes)


def report(citations: int, pairs: list, sizes: list) -> None:
    """Print both tables."""
    rows = []
    for label, side in (("lxml iterparse, counting (floor)", 0), ("**records**", 1)):
        seconds = [pair[side]["seconds"] for pair in pairs]
        ratios = [pair[side]["seconds"] / pair[0]["seconds"] for pair in pairs]
        ratio = f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"
        rows.append(
            [label, f"{statistics.median(seconds):.2f}", f"{citations / statistics.median(seconds):,.0f}", ratio]
        )
    table(f"{citations:,} citations.", ["what", "median s", "citations/s", "time / floor (least to most)"], rows)
    rows = [
        [f"{found['citations']:,}", f"{file.stat().st_size / 1e6:,.0f}", f"{floor['mb']:.0f}", f"{found['mb']:.0f}"]
        for file, floor, found in sizes
    ]
    table("Resident memory at most, MB.", ["citations", "file MB", "lxml alone", "records"], rows)


def run(side: str, file: Path) -> dict[str, float]:
    """Let one side read the file in a process of its own."""
    done = subprocess.run(
        [sys.executable, __file__, "--side", side, "--file", file], check=True, capture_output=True, text=True
    )
    return json.loads(done.stdout)


def read(side: str, file: Path) -> dict[str, float]:
    """Read the file; gives seconds, megabytes and how many citations there were."""
    from lxml import etree  # noqa: F401 - what is imported for the first time is not what is measured

    from medgraph.loaders.sources import pubmed  # noqa: F401

    start = time.process_time()
    citations = counted(file) if side == "count" else recorded(file)
    seconds = time.process_time() - start
    return {"seconds": seconds, "mb": peak_mb(), "citations": citations}


def counted(file: Path) -> int:
    """Count citations and do nothing else."""
    from lxml import etree

    citations = 0
    for _, element in etree.iterparse(str(file), tag="PubmedArticle"):
        citations += 1
        element.clear()
        while element.getprevious() is not None:
            del element.getparent()[0]
    return citations


def recorded(file: Path) -> int:
    """Read the file as a load does."""
    from medgraph.loaders.base import Row
    from medgraph.loaders.sources import pubmed
    from medgraph.schema.records import Document

    return sum(1 for item in pubmed.records(file) if isinstance(item, Row) and isinstance(item.record, Document))


def make(file: Path, citations: int) -> None:
    """Write citations in PubMed's form, the same ones each time."""
    chance = random.Random(7)
    with file.open("w", encoding="utf-8") as output:
        output.write('<?xml version="1.0" encoding="utf-8"?>\n')
        output.write('<!DOCTYPE PubmedArticleSet SYSTEM "http://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">\n')
        output.write("<PubmedArticleSet>\n")
        for number in range(1, citations + 1):
            citation(output, chance, number)
        output.write("</PubmedArticleSet>\n")


def citation(output: TextIO, chance: random.Random, number: int) -> None:
    """Write one citation."""
    lines = [
        "<PubmedArticle>",
        '<MedlineCitation Status="MEDLINE" IndexingMethod="Automated" Owner="NLM">',
        f'<PMID Version="1">{number}</PMID>',
        *date("DateCompleted", chance),
        *date("DateRevised", chance),
        '<Article PubModel="Print-Electronic">',
        '<Journal><ISSN IssnType="Electronic">1234-5678</ISSN><JournalIssue CitedMedium="Internet">',
        f"<Volume>{chance.randrange(90)}</Volume><Issue>{chance.randrange(12)}</Issue>",
        "<PubDate><Year>2021</Year><Month>Mar</Month></PubDate></JournalIssue>",
        f"<Title>Journal of {said(chance, 3)}</Title><ISOAbbreviation>J X</ISOAbbreviation></Journal>",
        f"<ArticleTitle>{said(chance, 8)} of <i>{said(chance, 2)}</i> in {said(chance, 4)}.</ArticleTitle>",
        f"<Pagination><StartPage>{number % 900}</StartPage><MedlinePgn>{number % 900}-9</MedlinePgn></Pagination>",
        f'<ELocationID EIdType="doi" ValidYN="Y">10.1000/{number}</ELocationID>',
        "<Abstract>",
        *(
            f'<AbstractText Label="{part}" NlmCategory="{part}">{said(chance, 45)}</AbstractText>'
            for part in PARTS[: chance.randrange(1, 6)]
        ),
        "</Abstract>",
        '<AuthorList CompleteYN="Y">',
        *(line for _ in range(chance.randrange(1, 10)) for line in author(chance)),
        "</AuthorList><Language>eng</Language>",
        '<PublicationTypeList><PublicationType UI="D016428">Journal Article</PublicationType></PublicationTypeList>',
        "</Article>",
        "<MedlineJournalInfo><Country>X</Country><MedlineTA>J X</MedlineTA></MedlineJournalInfo>",
        "<MeshHeadingList>",
        *(line for _ in range(chance.randrange(4, 18)) for line in heading(chance)),
        "</MeshHeadingList>",
        '<KeywordList Owner="NOTNLM">',
        *(f'<Keyword MajorTopicYN="N">{said(chance, 2)}</Keyword>' for _ in range(chance.randrange(6))),
        "</KeywordList>",
        "</MedlineCitation>",
        "<PubmedData><History>",
        *(
            line
            for status in ("received", "accepted", "pubmed", "medline", "entrez")
            for line in history(chance, status)
        ),
        "</History><PublicationStatus>ppublish</PublicationStatus><ArticleIdList>",
        f'<ArticleId IdType="pubmed">{number}</ArticleId><ArticleId IdType="doi">10.1000/{number}</ArticleId>',
        "</ArticleIdList><ReferenceList>",
        *(line for _ in range(chance.randrange(30)) for line in reference(chance)),
        "</ReferenceList></PubmedData></PubmedArticle>",
    ]
    output.write("\n".join(lines) + "\n")


def said(chance: random.Random, words: int) -> str:
    """Make up words."""
    return " ".join(chance.choices(WORDS, k=words))


def date(tag: str, chance: random.Random) -> Iterator[str]:
    """Write a date."""
    yield f"<{tag}>"
    yield f"<Year>20{chance.randrange(10, 26)}</Year>"
    yield f"<Month>{chance.randrange(1, 13):02d}</Month>"
    yield f"<Day>{chance.randrange(1, 29):02d}</Day>"
    yield f"</{tag}>"


def author(chance: random.Random) -> Iterator[str]:
    """Write an author with an address."""
    yield '<Author ValidYN="Y">'
    yield f"<LastName>{said(chance, 1).capitalize()}</LastName>"
    yield "<ForeName>Ada B</ForeName>"
    yield "<Initials>AB</Initials>"
    yield f"<AffiliationInfo><Affiliation>Department of {said(chance, 12)}.</Affiliation></AffiliationInfo>"
    yield "</Author>"


def heading(chance: random.Random) -> Iterator[str]:
    """Write a MeSH heading, half of them with a qualifier; few of them are very common, as in PubMed."""
    number = min(int(chance.paretovariate(0.3)), DESCRIPTORS)
    yield "<MeshHeading>"
    yield f'<DescriptorName UI="D{number:06d}" MajorTopicYN="N">Heading {number}</DescriptorName>'
    if chance.random() < 0.5:
        yield '<QualifierName UI="Q000188" MajorTopicYN="N">drug therapy</QualifierName>'
    yield "</MeshHeading>"


def history(chance: random.Random, status: str) -> Iterator[str]:
    """Write a date of a citation's history."""
    yield f'<PubMedPubDate PubStatus="{status}">'
    yield f"<Year>2021</Year><Month>{chance.randrange(1, 13)}</Month><Day>{chance.randrange(1, 29)}</Day>"
    yield "<Hour>6</Hour><Minute>0</Minute></PubMedPubDate>"


def reference(chance: random.Random) -> Iterator[str]:
    """Write a reference."""
    yield f"<Reference><Citation>{said(chance, 14)}. 2019;12(3):45-9.</Citation><ArticleIdList>"
    yield f'<ArticleId IdType="pubmed">{chance.randrange(1, 40_000_000)}</ArticleId>'
    yield "</ArticleIdList></Reference>"


if __name__ == "__main__":
    main()
