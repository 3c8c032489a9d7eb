"""KGX of others: categories, predicates, provenance, and what is wrong with a file."""

from medgraph.loaders.exchange import kgx
from medgraph.schema.records import Entity, Relation
from tests.support.exchange import KGX as DATA
from tests.support.exchange import KGX_HEAD as HEAD
from tests.support.exchange import NODES
from tests.support.exchange import read_kgx as read
from tests.support.exchange import write_kgx as write


def test_describe_and_recognise(tmp_path):
    assert kgx.recognise(DATA)
    assert kgx.describe(DATA).id == "kgx"
    (tmp_path / "nodes.tsv").write_text("id\tname\tkind\n1\tx\ty\n")
    assert not kgx.recognise(tmp_path)
    (tmp_path / "edges.tsv").write_text("a\tb\n")
    assert not kgx.recognise(tmp_path)
    assert not kgx.recognise(NODES)
    broken = tmp_path / "x.tar.gz"
    broken.write_bytes(b"\x1f\x8bnothing")
    assert not kgx.recognise(broken)


def test_a_million_characters_a_cycle_and_the_same_id_twice(tmp_path):
    nodes = HEAD + f"DOID:1\tbiolink:Disease\t{'x' * 1_000_000}\nDOID:1\tbiolink:Disease\tother\n"
    edges = "subject\tpredicate\tobject\nDOID:1\tbiolink:subclass_of\tDOID:1\nDOID:1\tbiolink:treats\tDOID:404\n"
    records, rejects, _ = read(write(tmp_path / "g", nodes, edges))
    assert rejects == []
    assert [type(record) for _, record in records] == [Entity, Entity, Relation, Relation]
