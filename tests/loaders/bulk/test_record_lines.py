"""Records as lines of CSV files: each column holds what its header says."""

import pathlib
from dataclasses import fields

import pytest

from medgraph.loaders.bulk import record_lines
from medgraph.loaders.bulk.import_files import BETWEEN, COMMA, QUOTE, OddError
from medgraph.schema.records import Document, Entity, Question, Relation, Section, Withdrawal, content_hash

ENTITY = Entity(
    "X:1",
    "Disease",
    "gout",
    synonyms=("podagra", "gouty arthritis"),
    definition="It hurts.",
    semantic_types=("T047",),
    xrefs=("DOID:1", "MESH:D1"),
    obsolete=True,
    replaced_by=("X:2",),
)
DOCUMENT = Document(
    "d:1",
    "Gout",
    url="https://example.org",
    collection="NIH",
    published="2026",
    sections=(Section("d:1#1", "It hurts.", "symptoms", "Symptoms", "What are they?"), Section("d:1#2", "Rest.")),
    questions=(Question("d:1#q", "Who?", "causes"),),
    about=("X:1", "X:9"),
    authors=("Ann", "Bob"),
    revision="2",
)


def read(folder, book, line):
    """Read a line by the header that the importer gets for nodes; where there is none, by that for relations."""
    made = record_lines.books(folder)[book]
    made.add(line)
    made.flush()
    paths = [argument.rsplit("=", 1)[1].split(",")[0] for argument in made.sheets[0].arguments()]
    with (
        pathlib.Path(paths[0]).open(encoding="utf-8") as header,
        pathlib.Path(made.sheets[0].path).open(encoding="utf-8", newline="") as file,
    ):
        names, (text,) = header.read().strip("\n").split(COMMA), [line.rstrip("\n") for line in file]
    cells = text.split(COMMA)
    assert len(cells) == len(names)
    return {name: cell for name, cell in zip(names, cells, strict=True) if name != ":IGNORE" and cell}


def values(record):
    return tuple(getattr(record, field.name) for field in fields(record))


def quoted(*texts):
    return f"{QUOTE}{BETWEEN.join(texts)}{QUOTE}"


def test_an_entity_with_all_that_it_says(tmp_path):
    assert read(tmp_path, "entity", record_lines.entity(values(ENTITY), "own", -7, 1)) == {
        "id:ID(Entity)": quoted("X:1"),
        ":LABEL": "Disease",
        "name:string": quoted("gout"),
        "definition:string": quoted("It hurts."),
        "synonyms:string[]": quoted("podagra", "gouty arthritis"),
        "semantic_types:string[]": quoted("T047"),
        "xrefs:string[]": quoted("DOID:1", "MESH:D1"),
        "replaced_by:string[]": quoted("X:2"),
        "obsolete:boolean": "true",
        "sources:string[]": quoted("own"),
    }


def test_what_an_entity_does_not_say_is_not_there(tmp_path):
    line = record_lines.entity(values(Entity("X:1", "Drug", "A")), "own", 3, 1)
    assert read(tmp_path, "entity", line).keys() == {"id:ID(Entity)", ":LABEL", "name:string", "sources:string[]"}


def test_a_relation(tmp_path):
    record = Relation("X:1", "IS_A", "X:2", "RO:1", evidence=("PMID:1",), score=0.5)
    assert read(tmp_path, "relation", record_lines.relation(values(record), "own", 3, 1)) == {
        ":START_ID(Entity)": quoted("X:1"),
        ":END_ID(Entity)": quoted("X:2"),
        ":TYPE": "IS_A",
        "source:string": quoted("own"),
        "predicate:string": quoted("RO:1"),
        "hash:long": "3",
        "load:long": "1",
        "seen:long": "1",
        "method:string": quoted("stated"),
        "evidence:string[]": quoted("PMID:1"),
        "score:double": "0.5",
    }


def test_a_document_with_everything_in_it(tmp_path):
    lines = record_lines.document(DOCUMENT, "own", ["X:9"], 1)
    assert [book for book, _ in lines] == ["document", "section", "section", "answered", "open", "about"]
    assert read(tmp_path, "document", lines[0][1]) == {
        "id:ID(Document)": quoted("d:1"),
        "title:string": quoted("Gout"),
        "url:string": quoted("https://example.org"),
        "collection:string": quoted("NIH"),
        "published:string": quoted("2026"),
        "source:string": quoted("own"),
        "about:string[]": quoted("X:1", "X:9"),
        "authors:string[]": quoted("Ann", "Bob"),
        "revision:string": quoted("2"),
    }
    assert str(content_hash(DOCUMENT)) in lines[0][1].split(COMMA)
    second = read(tmp_path, "section", lines[2][1])
    assert (second["id:ID(Section)"], second["position:long"]) == (quoted("d:1#2"), "2")
    assert lines[5][1] == COMMA.join((quoted("d:1"), quoted("X:9"), quoted("own"), "2"))


def test_a_document_and_its_parts_have_names_of_their_own():
    assert record_lines.names(DOCUMENT) == [
        ("document", "d:1"),
        ("part", "d:1#1"),
        ("part", "d:1#2"),
        ("part", "d:1#q"),
    ]
    assert record_lines.names(Withdrawal("d:1")) == [("document", "d:1")]


@pytest.mark.parametrize(
    "write",
    [
        lambda: record_lines.entity(values(Entity("X:1", "Drug", "A", synonyms=("",))), "own", 1, 1),
        lambda: record_lines.entity(values(Entity("X:1", "Drug", "A", semantic_types=("",))), "own", 1, 1),
        lambda: record_lines.relation(values(Relation("X:1", "IS_A", "X:2", score=1)), "own", 1, 1),
        lambda: record_lines.document(Document("d", "x" * 1_000_000, url="u"), "own", [], 1),
    ],
    ids=["a list of an empty text", "another such list", "a whole number as score", "a line that is too long"],
)
def test_what_the_importer_would_store_otherwise_is_left(write):
    with pytest.raises(OddError):
        write()
