"""Exports as SSSOM."""

import pytest

from medgraph.errors import InputError
from medgraph.exports import sssom as sssom_export
from medgraph.loaders.exchange import sssom
from medgraph.schema.records import Relation, SourceInfo
from tests.support.exchange import mappings as relations

ONE = SourceInfo("one", "One", "1", "CC-BY-4.0", "")
TWO = SourceInfo("two", "Two", "2", "CC0-1.0", "")


def test_prefixes_sources_and_licences_of_an_export(tmp_path):
    path = tmp_path / "all.sssom.tsv"
    relation = Relation("DOID:1", "EXACT_MATCH", "own:2", properties=(("counted", 3),))
    mappings = [sssom_export.Mapping("one", relation), sssom_export.Mapping("two", Relation("a", "CLOSE_MATCH", "b:1"))]
    assert sssom_export.write(path, [ONE, TWO], mappings) == 1
    header = sssom.sssom_header.read(path)
    assert header.prefixes["DOID"] == "http://purl.obolibrary.org/obo/DOID_"
    assert header.prefixes["own"] == "urn:medgraph:id:own:"
    assert header.said["license"] == "CC-BY-4.0 AND CC0-1.0"
    assert header.extensions == {"ext_counted": ("medgraph.property:counted", "xsd:integer")}
    (found,) = relations(path)
    assert found.method == "semapv:UnspecifiedMatching"
    assert dict(found.properties) == {"mapping_source": "medgraph.source:one", "counted": 3}


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
