"""Parsers of RDF: every syntax by either of them, and what each makes of broken files."""

import io
import sys

import pytest
import rdflib

from medgraph.errors import SourceFileError
from medgraph.loaders.base import Remark, Row
from medgraph.loaders.ontologies.rdf import source
from medgraph.loaders.ontologies.rdf.parsers import broken, parse_into
from tests.support.ontologies import SMALL

SYNTAXES = {"xml": ".rdf", "turtle": ".ttl", "nt": ".nt", "json-ld": ".jsonld"}


@pytest.mark.parametrize("syntax", SYNTAXES)
@pytest.mark.parametrize("name", ["lungs.owl", "foods.ttl"])
def test_every_syntax_gives_the_same_by_either_parser(parser, syntax, name, tmp_path):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rdflib, "NORMALIZE_LITERALS", False)
        graph = rdflib.Graph().parse(SMALL / name)
    path = tmp_path / f"a{SYNTAXES[syntax]}"
    path.write_bytes(graph.serialize(format=syntax, encoding="utf-8"))
    assert source.recognise(path)
    found = list(source.records(path))
    expected = list(source.records(SMALL / name))
    assert [item.record for item in found if isinstance(item, Row)] == [
        i.record for i in expected if isinstance(i, Row)
    ]
    said = [[item.text for item in items if isinstance(item, Remark)] for items in (found, expected)]
    assert said[0] == said[1]
    assert len(said[0]) >= 1
    info = source.describe(path)
    assert (info.id, info.version) == {"lungs.owl": ("lungs", "2026-05-04"), "foods.ttl": ("foods", "2.1")}[name]


def test_the_parsers_agree_on_a_real_file(data, monkeypatch):
    path = data / "symp" / "symp.owl"
    fast = list(source.records(path))
    described = source.describe(path)
    monkeypatch.setitem(sys.modules, "pyoxigraph", None)
    assert list(source.records(path)) == fast
    assert source.describe(path) == described


def test_the_fast_parser_is_what_runs(monkeypatch):
    import pyoxigraph

    used = []
    whole = pyoxigraph.parse
    monkeypatch.setattr(pyoxigraph, "parse", lambda *args, **named: used.append(named) or whole(*args, **named))
    list(source.records(SMALL / "lungs.owl"))
    assert len(used) == 1


@pytest.mark.parametrize("name", ["lungs.owl", "foods.ttl", "lungs.nt", "lungs.jsonld"])
def test_a_file_that_is_cut_off_is_refused_before_anything_of_it_is_read(parser, tmp_path, name):
    path = tmp_path / name
    original = SMALL / name
    if original.exists():
        path.write_bytes(original.read_bytes())
    else:
        syntax = {".nt": "nt", ".jsonld": "json-ld"}[path.suffix]
        whole = rdflib.Graph().parse(SMALL / "lungs.owl").serialize(format=syntax, encoding="utf-8")
        # Whatever the order of the triples: not cut between two lines.
        path.write_bytes(whole.rstrip().rpartition(b"\n")[2] if path.suffix == ".nt" else whole)
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 2 // 3 + 1])
    with pytest.raises(SourceFileError, match=f"{name}(:[0-9]+)?: is not (whole|well-formed) .*fetch it again"):
        next(source.records(path))


def test_numbers_and_dates_stay_as_written(parser, tmp_path):
    path = tmp_path / "a.ttl"
    path.write_text(
        "@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n"
        "<http://purl.obolibrary.org/obo/DOID_1> a <http://www.w3.org/2002/07/owl#Class> ; "
        '<http://www.w3.org/2000/01/rdf-schema#label> "a" ; <http://example.org/x#n> "007"^^xsd:integer, '
        '"2020-01-31T10:00:00Z"^^xsd:dateTime ; <http://www.w3.org/2002/07/owl#deprecated> "1"^^xsd:boolean .'
    )
    (entity,) = [item.record for item in source.records(path)]
    assert entity.properties == (("n", ("007", "2020-01-31T10:00:00Z")),)
    assert entity.obsolete


def test_rows_are_the_same_by_either_parser(parser):
    content = (
        b'<a> <http://example.org/p> <http://example.org/b>, "1"^^<http://www.w3.org/2001/XMLSchema#integer>, "c"@en.'
    )
    rows = []
    parse_into(rows.extend, io.BytesIO(content), "turtle")
    assert sorted(rows) == [
        ("https://relative.invalid/a", "http://example.org/p", "1", 1, ""),
        ("https://relative.invalid/a", "http://example.org/p", "c", 1, "en"),
        ("https://relative.invalid/a", "http://example.org/p", "http://example.org/b", 0, ""),
    ]
    assert rdflib.NORMALIZE_LITERALS


def test_whatever_a_parser_raises_is_about_the_file(tmp_path):
    path = tmp_path / "a.ttl"
    error = ValueError("bad\n  thing")
    error.lines = 7
    fault = r"a\.ttl:7: is not whole RDF in UTF-8 \(bad thing\); mend it there"
    with pytest.raises(SourceFileError, match=fault), broken(path):
        raise error
    with pytest.raises(EOFError), broken(path):
        raise EOFError
