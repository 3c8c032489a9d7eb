"""Documents of three sources, some in collections, some dated, with names that try the indexes; for filters."""

import json

from medgraph.embeddings.index import index
from medgraph.graph import catalogue
from medgraph.loaders.commands import LoadOptions, load_named
from tests.support.graphs import run

LONG_TEXT = " ".join(f"Sentence {i} speaks of a wheeze in room {i} of the old house by the sea." for i in range(60))


def _document(
    number, source, collection, published, kind, text="People with a wheeze breathe with effort.", question=""
):
    return source, {
        "id": f"{source}-{number}",
        "title": f"Document {number}",
        "collection": collection,
        "published": published,
        "sections": [{"type": kind, "question": question or f"What is wheeze number {number}?", "text": text}],
    }


def _corpus():
    yield _document(
        1, "journal", "NO", "2024-06-15", "treatment", "Garden, boats, sea and in one corner a wheeze of the symptoms."
    )
    yield _document(2, "journal", "IT", "2024-06", "Diagnosis")
    yield _document(3, "journal", "IT", "2024", "Risk factors")
    yield _document(4, "journal", "", "", "???")
    yield _document(5, "journal", "", "2023-12-31", "the")
    yield _document(6, "journal", "Lungs", "2025-01-01", "symptoms", LONG_TEXT)
    yield _document(7, "wards", "Wards", "2019", "symptoms")
    yield _document(8, "wards", "", "2021-02-03", "")
    yield _document(9, "it", "", "1999-12-31", "exams and tests")
    for number in range(100, 160):
        text = "Wheeze wheeze wheeze: symptoms of a wheeze, and what a wheeze is."
        yield _document(
            number, "wards", "Mass", f"2020-01-{number % 28 + 1:02}", "symptoms", text, "Is it a wheeze symptom?"
        )


DOCUMENTS = {data["id"]: (source, data) for source, data in _corpus()}
SOURCES = {source for source, _ in DOCUMENTS.values()}
ORIGINS = {
    "journal-1": {"journal": "The Lancet", "authors": ["Smith, John Alan"], "mesh_headings": ["Asthma", "Humans"]},
    "journal-2": {"journal": "Lancet Oncology", "authors": ["Müller-Wang, X.", "Smith, Karl"]},
    "journal-6": {"journal": "the lancet", "authors": ["Smithson, J.", "O'Neil, Mary"], "mesh_headings": ["Humans"]},
    "wards-8": {"journal": "肺", "authors": ["Smith, JA"]},
    "wards-7": {
        "mesh_headings": ["Status asthmaticus"],
        "publication_types": ["Practice Guideline", "Journal Article"],
    },
    "journal-3": {"publication_types": ["Meta-Analysis", "Systematic Review"]},
    "journal-4": {"publication_types": ["Guidelines as Topic"], "article_type": "case-report"},
    "it-9": {"article_type": "research-article"},
    "wards-159": {"journal": "C++ (Online)", "authors": ["The Wheeze Study Group"]},
}
"""Documents with authors, journal, headings and kinds of study; of the headings, `Asthma` has one below it, which
`it-9` links to. The concept `C0000007` is mentioned in `wards-8` and what `journal-3` is about."""

LICENCES = {"journal": "CC-BY-4.0", "wards": "CC0-1.0", "it": "CC-BY-4.0"}
TYPES = {"Diagnosis": "exams and tests", "Risk factors": "susceptibility"}


def write_corpus(graph, encoder, settings, folder):
    """Load the documents, and index them."""
    for source in SOURCES:
        path = folder / f"{source}.jsonl"
        path.write_text("".join(json.dumps(data) + "\n" for name, data in _corpus() if name == source))
        load_named(graph, settings, "documents", path, LoadOptions(name=source, licence=LICENCES[source]))
    index(graph, encoder, "all")
    run(graph, "UNWIND $rows AS row MATCH (d:Document {id: row[0]}) SET d += row[1]", rows=list(ORIGINS.items()))
    run(
        graph,
        "CREATE (a:Entity:Topic {id: 'MESH:D001249', name: 'Asthma', synonyms: ['Bronchial Asthma']}) "
        "<-[:IS_A {source: 'mesh'}]-(b:Entity:Topic {id: 'MESH:D013224', name: 'Status Asthmaticus'}), "
        "(a)<-[:IS_A {source: 'doid'}]-(o:Entity:Disease {id: 'DOID:1', name: 'Zebra stripes'}), "
        "(c:Concept {cui: 'C0000007', name: 'Zebra'})<-[:MEANS]-(o) "
        "WITH b, o, c MATCH (d:Document {id: 'it-9'}), (e:Document {id: 'journal-3'}), "
        "(:Document {id: 'wards-8'})-[:HAS_SECTION]->()-[:HAS_CHUNK]->(h) "
        "CREATE (d)-[:ABOUT]->(b), (e)-[:ABOUT]->(o), (h)-[:MENTIONS]->(c)",
    )
    graph.write(catalogue.get("refresh_fulltext"))


def _in_dates(published, since, until):
    if not since and not until:
        return True
    return bool(published) and published >= since and published[: len(until) or None] <= (until or "9999")


FOUND = {
    ("journals", "lancet"): {"journal-1", "journal-6"},
    ("journals", " The  LANCET"): {"journal-1", "journal-6"},
    ("journals", "lancet oncology"): {"journal-2"},
    ("journals", "肺"): {"wards-8"},
    ("journals", "c++ (online)"): {"wards-159"},
    ("authors", "Smith"): {"journal-1", "journal-2", "wards-8"},
    ("authors", "smith j"): {"journal-1", "wards-8"},
    ("authors", "Smith JA"): {"journal-1", "wards-8"},
    ("authors", "Smith, John"): {"journal-1"},
    ("authors", "Müller-Wang"): {"journal-2"},
    ("authors", "O'Neil"): {"journal-6"},
    ("authors", "wheeze study group"): {"wards-159"},
    ("headings", "asthma"): {"journal-1", "wards-7", "it-9"},
    ("headings", "bronchial asthma"): {"journal-1", "wards-7", "it-9"},
    ("headings", "mesh:d001249"): {"journal-1", "wards-7", "it-9"},
    ("headings", "D013224"): {"wards-7", "it-9"},
    ("headings", "humans"): {"journal-1", "journal-6"},
    ("studies", "Guideline"): {"wards-7"},
    ("studies", "systematic  review"): {"journal-3"},
    ("studies", "meta analysis"): {"journal-3"},
    ("studies", "case report"): {"journal-4"},
    ("studies", "RCT"): set(),
    ("concepts", "C0000007"): {"journal-3", "wards-8"},
    ("concepts", "DOID:1"): {"journal-3", "wards-8"},
    ("concepts", "zebra stripes"): {"journal-3", "wards-8"},
}
"""A filter by what documents are → the documents that it lets pass."""


def expected(sources=(), types=(), since="", until="", licences=(), **origins):
    """Say which documents filters let pass, without the code that is tested."""
    ids = {source for source in sources if source in SOURCES}
    collections = {source.lower() for source in sources if source not in SOURCES}
    found = set()
    for key, (source, data) in DOCUMENTS.items():
        kind = TYPES.get(data["sections"][0]["type"], data["sections"][0]["type"])
        named = not sources or source in ids or data["collection"].lower() in collections
        named = named and (not licences or LICENCES[source] in licences)
        if named and (not types or kind in types) and _in_dates(data["published"], since, until):
            found.add(key)
    for kind, names in origins.items():
        found &= set().union(*(FOUND[kind, name] for name in names))
    return found
