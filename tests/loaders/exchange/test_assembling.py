"""Documents put together again from the things that an export holds."""

import json

from tests.support.exchange import read_kgx as read


def test_a_document_without_its_sections_in_place_is_rejected(tmp_path):
    said = {"medgraph:kind": "document", "id": "d1", "category": ["x"], "name": "D", "provided_by": ["infores:one"]}
    part = {
        "medgraph:kind": "section",
        "id": "d2#1",
        "category": ["x"],
        "medgraph:document": "d2",
        "medgraph:text": "t",
    }
    (tmp_path / "nodes.jsonl").write_text("\n".join(map(json.dumps, [said, part])))
    assert [(reject.line, reject.reason[:60]) for reject in read(tmp_path)[1]] == [
        (2, "the section belongs to the document 'd2', which is not the o"),
        (1, "the document 'd1': the document has neither a section with te"[:60]),
    ]
