"""The parser of RDF: every syntax, and what it makes of broken files."""

import pytest
import rdflib

from medgraph.errors import SourceFileError
from medgraph.loaders.base import Remark, Row
from medgraph.loaders.ontologies.rdf import source
from tests.support.ontologies import SMALL

SYNTAXES = {"xml": ".rdf", "turtle": ".ttl", "nt": ".nt", "json-ld": ".jsonld"}


@pytest.mark.parametrize("syntax", SYNTAXES)
@pytest.mark.parametrize("name", ["lungs.owl", "foods.ttl"])
def test_every_syntax_gives_the_same(syntax, name, tmp_path):
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


@pytest.mark.parametrize("name", ["lungs.owl", "foods.ttl", "lungs.nt", "lungs.jsonld"])
def test_a_file_that_is_cut_off_is_refused_before_anything_of_it_is_read(tmp_path, name):
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
