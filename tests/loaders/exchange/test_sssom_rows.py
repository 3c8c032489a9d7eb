"""Mappings of SSSOM as JSON, and what is none."""

import gzip
import json

from medgraph.loaders.exchange import sssom
from tests.support.exchange import SSSOM_HEAD as HEAD
from tests.support.exchange import read_sssom

SET = {
    "mapping_set_id": "https://example.org/sets/some",
    "mapping_set_title": "Some",
    "mapping_set_version": 2,
    "license": "https://creativecommons.org/licenses/by/4.0/",
    "mapping_tool": "a matcher",
    "mappings": [
        {
            "subject_id": "ORDO:1",
            "predicate_id": "skos:exactMatch",
            "object_id": "DOID:2",
            "object_label": "x",
            "mapping_justification": "semapv:LexicalMatching",
            "confidence": 0.5,
            "author_id": ["orcid:1", "orcid:2"],
            "match_string": ["a|b"],
            "comment": None,
        },
        7,
        {
            "subject_id": "DOID:1",
            "predicate_id": "skos:exactMatch",
            "predicate_modifier": "Not",
            "object_id": "DOID:3",
            "mapping_justification": "semapv:LexicalMatching",
        },
    ],
    "@context": {
        "ORDO": "http://www.orpha.net/ORDO/Orphanet_",
        "@vocab": "https://w3id.org/sssom/",
        "comment": {"@id": "rdfs:comment"},
    },
}


def test_json_says_what_a_table_does(tmp_path):
    path = tmp_path / "some.sssom.json"
    path.write_text(json.dumps(SET, indent=1))
    assert sssom.recognise(path)
    info = sssom.describe(path)
    assert (info.id, info.title, info.version, info.licence) == ("some", "Some", "2", "CC-BY-4.0")
    records, (reject,), (remark,) = read_sssom(path)
    assert (reject.line, reject.reason) == (24, "is '7', not a mapping in {}")
    assert (remark.line, remark.text.partition(",")[0]) == (
        25, "statements that are marked as negated are left out: 1",
    )  # fmt: skip
    table = tmp_path / "some.sssom.tsv"
    table.write_text(
        "#curie_map:\n#  ORDO: http://www.orpha.net/ORDO/Orphanet_\n#mapping_tool: a matcher\n"
        f"{HEAD.rstrip()}\tobject_label\tconfidence\tauthor_id\tmatch_string\n"
        "ORDO:1\tskos:exactMatch\tDOID:2\tsemapv:LexicalMatching\tx\t0.5\torcid:1|orcid:2\ta\\|b\n"
    )
    assert records == read_sssom(table)[0]
    packed = tmp_path / "some.sssom.json.gz"
    packed.write_bytes(gzip.compress(path.read_bytes(), mtime=0))
    assert sssom.recognise(packed)
    assert read_sssom(packed)[0] == records
