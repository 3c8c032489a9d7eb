"""Plugins of rdflib: the store that hands triples on, and the fast parsers that fill it."""

import pytest
import rdflib
from rdflib.parser import create_input_source
from rdflib.term import BNode, Literal, URIRef

from medgraph.loaders.ontologies.rdf import plugins
from medgraph.loaders.ontologies.rdf.fast import FORMATS
from tests.support.ontologies import SMALL

A, P, B = (URIRef(f"http://example.org/{letter}") for letter in "apb")


def test_each_kind_of_term_becomes_text():
    rows = []
    sink = plugins.Sink(rows.extend)
    for target in (B, BNode("x"), Literal("007", datatype=B), Literal("Milch", lang="de")):
        sink.add((A, P, target), None)
    sink.add((BNode("x"), P, B), None)
    sink.flush()
    assert rows == [
        (str(A), str(P), str(B), 0, ""),
        (str(A), str(P), "_:x", 0, ""),
        (str(A), str(P), "007", 1, ""),
        (str(A), str(P), "Milch", 1, "de"),
        ("_:x", str(P), str(B), 0, ""),
    ]


def test_triples_are_handed_on_while_the_file_is_read():
    batches = []
    sink = plugins.Sink(lambda rows: batches.append(len(list(rows))))
    for number in range(25_000):
        sink.add((A, P, Literal(str(number))), None)
        assert number - sum(batches) < 10_000
    sink.flush()
    assert batches == [10_000, 10_000, 5_000]


def test_prefixes_are_found_both_ways():
    sink = plugins.Sink(list)
    sink.bind("a", A)
    sink.bind("b", B)
    sink.bind("a", P)
    assert (sink.namespace("a"), sink.namespace("b"), sink.namespace("c")) == (P, B, None)
    assert (sink.prefix(P), sink.prefix(B), sink.prefix(A)) == ("a", "b", None)
    assert list(sink.namespaces()) == [("a", P), ("b", B)]


@pytest.mark.parametrize("syntax", FORMATS)
def test_the_parser_of_each_syntax_hands_on_what_rdflib_reads(syntax):
    graph = rdflib.Graph().parse(SMALL / "foods.ttl")
    data = graph.serialize(format=syntax, encoding="utf-8")
    rows = []
    sink = rdflib.Graph(store=plugins.Sink(rows.extend), bind_namespaces="none")
    getattr(plugins, plugins.PARSERS[syntax])().parse(create_input_source(data=data), sink)
    assert len(rows) == len(graph)
    assert {(s, p, o) for s, p, o, _, _ in rows if not s.startswith("_:") and not o.startswith("_:")} == {
        tuple(map(str, triple)) for triple in graph if not any(isinstance(term, BNode) for term in triple)
    }
