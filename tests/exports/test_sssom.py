"""Exports as SSSOM: mappings, and what curators decided on equivalences."""

import json
import re
import subprocess
from dataclasses import replace

import pytest

from lab.benchmarks import peers
from medgraph.errors import InputError
from medgraph.exports import sssom as sssom_export
from medgraph.exports.export import export_reviews
from medgraph.linking.review import decide
from medgraph.loaders.exchange import sssom_rows
from medgraph.schema.exchange.statements import together
from medgraph.schema.records import Relation, SourceInfo
from tests.support.exchange import mappings, read_sssom
from tests.support.exchange import mappings as relations
from tests.support.joined import joined
from tests.support.statements import HOSTILE

ONE = SourceInfo("one", "One", "1", "CC-BY-4.0", "")
TWO = SourceInfo("two", "Two", "2", "CC0-1.0", "")
NAMES = ("comment", "mapping_date", "own", "see_also", "subject_source", "subject_type")


def test_prefixes_sources_and_licences_of_an_export(tmp_path):
    path = tmp_path / "all.sssom.tsv"
    relation = Relation("DOID:1", "EXACT_MATCH", "own:2", properties=(("counted", 3),))
    mappings = [sssom_export.Mapping("one", relation), sssom_export.Mapping("two", Relation("a", "CLOSE_MATCH", "b:1"))]
    left_out, licence, unknown = sssom_export.write(path, [ONE, TWO], mappings)
    assert unknown == "what no source declares stands in the curie_map under urn:medgraph:id:, as SSSOM asks: own"
    assert left_out == "1 mappings were left out: an end of theirs has an id without a prefix"
    assert licence.startswith("the file names no licence: CC-BY-4.0 AND CC0-1.0 is no single one with an address")
    header = sssom_rows.load_header(path)
    assert header.prefixes["DOID"] == "http://purl.obolibrary.org/obo/DOID_"
    assert header.prefixes["own"] == "urn:medgraph:id:own:"
    assert "license" not in header.said
    assert header.extensions == {"ext_counted": ("medgraph.property:counted", "xsd:integer")}
    (found,) = relations(path)
    assert found.method == "semapv:UnspecifiedMatching"
    assert dict(found.properties) == {"mapping_source": "medgraph.source:one", "counted": 3}


@pytest.mark.parametrize(
    ("iri", "prefix", "base"),
    [
        ("https://clinic.example/terms/0001", "ns", "https://clinic.example/terms/"),
        ("http://clinic.example/terms#a%20b", "ns", "http://clinic.example/terms#"),
        ("https://lab.example/entities/1/2", "LAB", "https://lab.example/entities/"),
        ("urn:uuid:1", "urn", "urn:"),
    ],
)
def test_an_iri_without_a_known_prefix_is_written_and_read_as_it_is(tmp_path, iri, prefix, base):
    path = tmp_path / "all.sssom.tsv"
    mapping = Relation(iri, "EXACT_MATCH", "HP:0001945", properties=(("creator_id", (iri,)),))
    source = replace(ONE, namespaces=("LAB https://lab.example/entities/", "HP https://other.example/"))
    assert len(sssom_export.write(path, [source], [sssom_export.Mapping("one", mapping)])) == 0
    (found,) = relations(path)
    assert (found.subject, found.object, dict(found.properties)) == (iri, "HP:0001945", {"creator_id": (iri,)})
    assert sssom_rows.load_header(path).prefixes[prefix] == base, "so that the CURIE stands for the IRI itself"


def test_an_export_of_an_export_says_the_same(tmp_path):
    path = tmp_path / "all.sssom.tsv"
    base = "http://purl.obolibrary.org/obo/"
    source = replace(ONE, title="Mappings of One", namespaces=(f"obo {base}",))
    said = (("object_source", "obo:mp"), ("subject_source", f"{base}hp"))
    mapping = Relation("HP:1", "RELATED_TO", "MP:1", predicate="own:rel", properties=said)
    _ = sssom_export.write(path, [source], [sssom_export.Mapping("one", mapping)])
    header = sssom_rows.load_header(path)
    assert {name for name, of in header.prefixes.items() if of == base} == {"obo"}
    assert header.text("mapping_set_title") == "Mappings of One"
    (found,) = relations(path)
    assert found.predicate == "own:rel"


def test_prefixes_that_files_bind_differently_stay_apart(tmp_path):
    path = tmp_path / "all.sssom.tsv"
    bases = ["https://one.example/e/", "https://two.example/i/", "https://three.example/HP/"]
    sources = [replace(ONE, namespaces=(f"{name} {base}",)) for name, base in zip(("L", "L", "HP"), bases, strict=True)]
    said = [Relation(f"{base}{odd}", "EXACT_MATCH", "HP:1") for base in bases for odd in ("1", "%28a%29", "a b%")]
    assert not sssom_export.write(path, sources, [sssom_export.Mapping("one", relation) for relation in said])
    assert {relation.subject for relation in relations(path)} == {relation.subject for relation in said}
    found = sssom_rows.load_header(path).prefixes
    assert found == {"L": bases[0], "L2": bases[1], "HP2": bases[2], "HP": "http://purl.obolibrary.org/obo/HP_"} | {
        "medgraph.property": "urn:medgraph:property:", "medgraph.source": "urn:medgraph:source:"
    }  # fmt: skip
    assert "L:%28a%29\t" in path.read_text()


def test_an_export_replaces_a_file_only_when_told(tmp_path):
    path = tmp_path / "all.sssom.tsv"
    path.write_text("mine")
    with pytest.raises(InputError, match="is there already; name another file, or replace it with --force"):
        sssom_export.write(path, [ONE], [])

    def broken():
        yield sssom_export.Mapping("one", Relation("a:1", "EXACT_MATCH", "b:1"))
        raise RuntimeError

    with pytest.raises(RuntimeError):
        sssom_export.write(path, [ONE], broken(), force=True)
    assert [file.name for file in tmp_path.iterdir()] == ["all.sssom.tsv"]
    assert path.read_text() == "mine"
    sssom_export.write(path, [ONE], [], force=True)
    assert relations(path) == []


@pytest.mark.thorough
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("sources", [[ONE], [ONE, TWO]], ids=["one licence", "two licences"])
def test_the_tool_of_sssom_finds_no_fault_with_an_export_and_reads_all_of_it(tmp_path, sources):
    texts = [text for text in HOSTILE if text == text.strip() and len(text.splitlines()) < 2]
    said = [
        Relation(
            f"own:{text}x",
            ["EXACT_MATCH", "RELATED_TO"][place % 2],
            f"{text}:1" if text else "DOID:1",
            predicate=["", text, "oboInOwl:hasDbXref"][place % 3],
            method=["stated", "semapv:X"][place % 2],
            evidence=("PMID:1",),
            score=float(place),
            properties=tuple((name, text) for name in NAMES),
        )
        for place, text in enumerate(texts)
    ]
    several = together([Relation("a:1", "EXACT_MATCH", "b:1", score=score) for score in (0.1, 0.2, 7.0)])
    path = tmp_path / "all.sssom.tsv"
    mappings = [sssom_export.Mapping("one", relation, ("Disease", "=x"), ("Topic", "y\n#")) for relation in said]
    sssom_export.write(path, sources, [*mappings, sssom_export.Mapping("one", several)])
    tool = peers.python("sssom").with_name("sssom")
    done = subprocess.run([tool, "validate", path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    subprocess.run([tool, "convert", path, "-O", "json", "-o", tmp_path / "all.json"], check=True, capture_output=True)
    assert len(json.loads((tmp_path / "all.json").read_text())["mappings"]) == len(said) + 3
    path.write_text(re.sub("#  own:.*\n", "", path.read_text()))
    assert subprocess.run([tool, "validate", path], capture_output=True, check=False).returncode != 0


@pytest.fixture
def reviewed(graph, settings, tmp_path):
    """A small graph in which one equivalence waits, one was accepted and one rejected."""
    database = joined(graph, settings, tmp_path)
    decide(database, "DOID:4", "MESH:1", same=True)
    decide(database, "SYMP:1", "SYMP:2", same=False)
    return database


def test_what_was_decided_loads_again(reviewed, tmp_path):
    path = tmp_path / "review.sssom.tsv"
    assert export_reviews(reviewed, path) == []
    records, rejects, (remark,) = read_sssom(path)
    assert rejects == []
    (accepted,) = mappings(path)
    assert (accepted.subject, accepted.type, accepted.object) == ("DOID:4", "EXACT_MATCH", "MESH:1")
    assert (accepted.method, accepted.score) == ("semapv:ManualMappingCuration", 1.0)
    said = dict(accepted.properties)
    assert said["comment"] == "found by xref: DOID:4"
    assert len(said["mapping_date"]) == len("2026-03-01")
    assert remark.text == (
        "statements that are marked as negated are left out: 1, the first is SYMP:1 skos:exactMatch SYMP:2"
    )
    assert {record.id for record in records if hasattr(record, "id")} >= {"DOID:4", "MESH:1"}
    text = path.read_text(encoding="utf-8")
    assert "chilblain" in text
    assert "license: https://spdx.org/licenses/CC0-1.0" in text


def test_what_waits_is_written_when_it_is_wished_with_how_it_was_found(reviewed, tmp_path):
    path = tmp_path / "review.sssom.tsv"
    export_reviews(reviewed, path)
    with pytest.raises(InputError, match="is there already; name another file, or replace it with --force"):
        export_reviews(reviewed, path, proposed=True)
    export_reviews(reviewed, path, proposed=True, force=True)
    (waiting,) = [relation for relation in mappings(path) if relation.object == "MESH:4"]
    assert (waiting.method, waiting.score) == ("semapv:LexicalMatching", 0.85)
    assert dict(waiting.properties) == {"comment": "found by synonyms: pernio"}
