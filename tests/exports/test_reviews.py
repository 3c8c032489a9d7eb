"""What curators decided on equivalences, as SSSOM that others can load."""

import pytest

from medgraph.errors import InputError
from medgraph.exports.export import export_reviews
from medgraph.linking.review import decide
from tests.support.exchange import mappings, read_sssom
from tests.support.joined import joined


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
