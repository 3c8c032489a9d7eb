"""Exports: what goes out comes in again unchanged, whatever it holds, and is what its format says it is."""

import csv
import io
import re
from operator import attrgetter

import pytest
import rdflib
from hypothesis import given
from hypothesis import strategies as st
from rdflib.namespace import RDFS

from medgraph.exports import kgx as kgx_export
from medgraph.exports import sssom as sssom_export
from medgraph.exports.export import write_nquads
from medgraph.loaders.base import Row
from medgraph.loaders.exchange import kgx, nquads, sssom
from medgraph.schema.records import Entity, Relation, SourceInfo
from tests.support.statements import FORMULA, ID, IDS, INFOS, NAME, PROPERTIES, SLOW, TEXT, TEXTS, VALUE, statements

NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?")


def loaded(items):
    rows = list(items)
    assert all(isinstance(item, Row) for item in rows), rows
    return [(row.record.id if isinstance(row.record, SourceInfo) else row.source, row.record) for row in rows]


@pytest.mark.parametrize("table", [False, True], ids=["jsonl", "tsv"])
@SLOW
@given(said=statements())
def test_kgx_comes_back_as_it_was(tmp_path_factory, table, said):
    folder = tmp_path_factory.mktemp("kgx")
    kgx_export.write(folder, said, table=table)
    assert loaded(kgx.records(folder)) == said


@SLOW
@given(said=statements())
def test_nquads_come_back_as_they_were(tmp_path_factory, said):
    path = tmp_path_factory.mktemp("nquads") / "all.nq"
    write_nquads(path, said)
    assert loaded(nquads.records(path)) == said


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # rdflib calls what it has deprecated
def test_rdflib_reads_an_export(tmp_path):
    path = tmp_path / "all.nq"
    write_nquads(path, [("one", INFOS[0]), ("one", Entity("DOID:1", "Disease", "Gout"))])
    graph = rdflib.Dataset(default_union=True).parse(data=path.read_text(), format="nquads")
    assert rdflib.Literal("Gout") in graph.objects(predicate=RDFS.label)


CURIE = st.one_of(
    st.sampled_from(
        [
            "DOID:2841",
            "MESH:D001249",
            "medquad:asthma",
            "UMLS:C0004096",
            "=x:=1",
            "@a:|",
            "WIKIPEDIA:A_%28b%29",
            "x:%zz",
        ]
    ),
    st.sampled_from(["https://one.example/LAB/1", "http://two.example/a#b%20c", "https://x", "https://x/a b"]),
    ID.map(lambda text: f"own:{text}").filter(lambda text: len(text) < 400),
)
MATCHES = ["EXACT_MATCH", "CLOSE_MATCH", "BROAD_MATCH", "NARROW_MATCH", "RELATED_MATCH"]
SLOTS = {
    "comment": TEXT, "author_id": TEXTS, "similarity_score": st.floats(0, 1), "mapping_date": st.just("2026-11-21"),
    "subject_source": TEXT, "see_also": VALUE,
}  # fmt: skip
SLOT = st.fixed_dictionaries({}, optional=SLOTS)
MAPPING = st.builds(
    lambda end, said, **values: Relation(properties=tuple(sorted((dict(said) | end).items())), **values),
    SLOT, PROPERTIES, subject=CURIE, object=CURIE, type=st.sampled_from(MATCHES), evidence=IDS,
    predicate=st.sampled_from(["", "="]), method=st.sampled_from(["semapv:LexicalMatching", "semapv:X"]),
    score=st.one_of(st.none(), st.floats(0, 1)),
)  # fmt: skip


KEY_OF = attrgetter("subject", "type", "object", "predicate")


@SLOW
@given(
    said=st.lists(MAPPING, max_size=4, unique_by=KEY_OF), names=st.lists(st.tuples(NAME, NAME), min_size=4, max_size=4)
)
def test_sssom_comes_back_as_it_was(tmp_path_factory, said, names):
    path = tmp_path_factory.mktemp("sssom") / "all.sssom.tsv"
    ends = [(("Disease", first), ("Topic", second)) for first, second in names]
    mappings = [sssom_export.Mapping("one", relation, *end) for relation, end in zip(said, ends, strict=False)]
    assert all(line.startswith("what no source declares") for line in sssom_export.write(path, INFOS[:1], mappings))
    items = list(sssom.records(path))
    relations = [item.record for item in items if isinstance(item, Row) and isinstance(item.record, Relation)]
    assert relations == said
    named = {
        item.record.id: item.record.name for item in items if isinstance(item, Row) and isinstance(item.record, Entity)
    }
    expected = {}
    for relation, (first, second) in zip(said, names, strict=False):
        expected.setdefault(relation.subject, first)
        expected.setdefault(relation.object, second)
    assert named == expected
    info = sssom.describe(path)
    assert (info.id, info.version, info.licence) == ("mappings-one", "1", "CC0-1.0")
    lines = path.read_bytes().decode().split("\n")
    table = "\n".join(line for line in lines if not line.startswith("#"))
    for row in csv.reader(io.StringIO(table, newline=""), delimiter="\t"):
        assert not any(cell.startswith(FORMULA) and not NUMBER.fullmatch(cell) for cell in row)
