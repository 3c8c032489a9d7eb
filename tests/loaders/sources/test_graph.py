"""What relations tell, read back as documents."""

from medgraph.loaders.base import Reject
from medgraph.loaders.sources.graph import SOURCE
from medgraph.schema.records import Document, Section
from medgraph.schema.rows import to_json


def test_documents_are_read_and_other_lines_rejected(tmp_path):
    document = Document(
        "graph:x/y", "Ä", sections=(Section("graph:x/y#1", "Так.", "causes"),), properties=(("told_by", ("a",)),)
    )
    file = tmp_path / "g.jsonl"
    file.write_text(f'{to_json(document)}\n\n[]\n{{"id": 1}}\nnope\n', encoding="utf-8")
    good, *bad = SOURCE.records(file)
    assert (good.record, good.line) == (document, 1)
    assert [(item.line, item.reason[:36]) for item in bad if isinstance(item, Reject)] == [
        (3, "is no document as medgraph writes it"),
        (4, "is no document as medgraph writes it"),
        (5, "is no document as medgraph writes it"),
    ]
