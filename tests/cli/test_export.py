"""The commands that export: loaded into an empty graph, what they wrote gives an equal one."""

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

from medgraph.cli.main import main
from medgraph.loaders.base import Row, Source
from medgraph.loaders.exchange import sssom
from medgraph.loaders.life import load
from medgraph.schema.records import Document, Entity, Question, Relation, Section
from tests.support.exports import FORMS, INFOS, content
from tests.support.graphs import empty, run

ASTHMA = Entity(
    "DOID:2841", "Disease", "=Asthma", synonyms=("a|b", "tab\there"), definition='Of the "airways"\nand lungs.',
    concepts=("C0004096", "C0004099"), semantic_types=("T047",), narrow_synonyms=("exercise asthma",),
    xrefs=("MESH:D001249",), alternative_ids=("DOID:1",),
    properties=(("seen_in", 7), ("share", 0.5), ("words", ("x", "y"))),
)  # fmt: skip


ONE = [
    ASTHMA,
    Entity("DOID:1579", "Disease", "Respiratory disease", obsolete=True, replaced_by=("DOID:2841",)),
    Relation("DOID:2841", "IS_A", "DOID:1579", predicate="rdfs:subClassOf", evidence=("PMID:1",), score=0.25),
    Relation("DOID:2841", "EXACT_MATCH", "DOID:1579", method="semapv:X", properties=(("comment", "@home"),)),
    Document(
        "d1", "Asthma", "https://example.org/1", "GARD", "2026-03",
        (Section("d1#1", "Wheeze.", "symptoms", "S", "What?"),), (Question("d1#2", "Who cures it?", "treatment"),),
        ("DOID:2841",), ("asthma bronchiale",), ("A. B.", "C."), "J", "10.1/x", properties=(("pages", 3),),
    ),
    Document("d2", "Withdrawn", retracted=True, revision="2"),
]  # fmt: skip


TWO = [
    Entity("DOID:2841", "Topic", "asthma", synonyms=("wheezing",), concepts=("C0004096",), definition="Another word."),
    Entity("own:1", "Symptom", "Wheeze"),
    Relation("DOID:2841", "HAS_SYMPTOM", "own:1"),
]


def store(database, folder, name, items):
    rows = [Row(item, "file", number) for number, item in enumerate(items, 1)]
    path = folder / f"{name}.txt"
    path.write_text(name)
    source = Source(INFOS[name], lambda _: iter(rows))
    report = load.load(database, load.Task(source, path, source.info, folder / "rejects"))
    assert report.rejected == 0


@pytest.fixture
def two_sources(database, tmp_path):
    store(database, tmp_path, "one", ONE)
    store(database, tmp_path, "two", TWO)
    return database


@pytest.fixture
def medgraph(settings, server, tmp_path):
    own = replace(settings, home=tmp_path / "home", neo4j_uri=server.bolt_uri, neo4j_password=server.password())

    def call(*arguments, fails=False):
        result = CliRunner().invoke(main, [str(argument) for argument in arguments], obj=own)
        assert result.exit_code == fails, result.output
        return result.stderr.removeprefix("Error: ").strip() if fails else result.stdout

    return call


@pytest.mark.parametrize("form", FORMS)
def test_an_export_gives_an_equal_graph(two_sources, medgraph, tmp_path, form):
    name, file, options = FORMS[form]
    before = content(two_sources)
    said = json.loads(medgraph("export", name, tmp_path / file, *options, "--json"))
    assert said["counts"] == {"source": 2, "entity": 4, "relation": 3, "document": 2}
    empty(two_sources)
    report = json.loads(medgraph("load", name, tmp_path / file, "--json"))
    assert (report["added"], report["rejected"], report["source"]) == (11, 0, "out")
    assert content(two_sources) == before
    again = json.loads(medgraph("load", name, tmp_path / file, "--json"))
    assert again["known"] is True
    medgraph("unload", "out")
    assert run(two_sources, "MATCH (n) WHERE NOT n:Migration AND NOT n:Encoder RETURN n") == []


def test_what_cannot_be_exported_is_one_line(two_sources, medgraph, tmp_path):
    def refused(*arguments):
        return medgraph("export", *arguments, fails=True)

    file = tmp_path / "all.nq"
    assert refused("nquads", file, "--source", "x") == "there is no source 'x' in the graph; known are one, two"
    assert "there is no licence 'MIT' in the graph; known are CC-BY-4.0, CC0-1.0" in refused(
        "kgx", file, "--licence", "MIT"
    )
    assert refused("nquads", file, "--source", "one", "--licence", "CC-BY-4.0").startswith("the graph holds no source")
    assert "there is no folder" in refused("nquads", tmp_path / "no" / "all.nq")
    assert "there is no folder" in refused("kgx", tmp_path / "no" / "kgx")
    made = sorted(path.name for path in tmp_path.iterdir() if path.is_dir() or path.suffix == ".nq")
    assert made == ["locks", "rejects"]
    medgraph("export", "kgx", tmp_path / "kgx")
    assert "is there already; name another file, or replace it with --force" in refused("kgx", tmp_path / "kgx")
    medgraph("export", "kgx", tmp_path / "kgx", "--force", "--source", "two")
    assert (tmp_path / "kgx" / "edges.jsonl").read_text().count("\n") == 1


def test_mappings_are_exported_with_names(two_sources, medgraph, tmp_path):
    file = tmp_path / "all.sssom.tsv"
    assert medgraph("export", "sssom", file) == f"{file} written: 5 mappings\n"
    rows = [item.record for item in sssom.records(file) if isinstance(item, Row)]
    said = {(row.subject, row.type, row.predicate, row.object) for row in rows if isinstance(row, Relation)}
    xref = ("DOID:2841", "RELATED_TO", "oboInOwl:hasDbXref")
    ends = ("UMLS:C0004096", "UMLS:C0004099", "MESH:D001249")
    assert said == {("DOID:2841", "EXACT_MATCH", "", "DOID:1579"), *((*xref, end) for end in ends)}
    assert {(row.id, row.name) for row in rows if isinstance(row, Entity)} == {
        ("DOID:2841", "=Asthma"),
        ("DOID:1579", "Respiratory disease"),
        *((end, "") for end in ends),
    }
