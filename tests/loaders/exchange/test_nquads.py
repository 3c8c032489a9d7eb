"""N-Quads: what is wrong with a file, and what is read all the same."""

import pytest

from medgraph.errors import SourceFileError
from medgraph.exports.export import write_nquads
from medgraph.loaders.base import Reject, Remark, Row
from medgraph.loaders.exchange import nquads
from medgraph.schema.records import Entity, Relation
from tests.support.exchange import STATEMENTS


@pytest.fixture
def path(tmp_path):
    write_nquads(tmp_path / "all.nq", STATEMENTS)
    return tmp_path / "all.nq"


def read(path):
    items = list(nquads.records(path))
    records = [item.record for item in items if isinstance(item, Row)]
    return records, [i for i in items if isinstance(i, Reject)], [i for i in items if isinstance(i, Remark)]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is empty"),
        (b'<a:b> <c:d> "e" .\n', "holds nothing that medgraph export nquads wrote"),
        ("é".encode("utf-16"), "is UTF-16"),
    ],
)
def test_files_that_cannot_be_used(tmp_path, data, message):
    path = tmp_path / "x.nq"
    path.write_bytes(data)
    with pytest.raises(SourceFileError, match=message):
        list(nquads.records(path))
    with pytest.raises(SourceFileError, match="is a folder"):
        list(nquads.records(tmp_path))


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (
            '"asthma" <urn:medgraph:source:one> .',
            '"asthma',
            "is no line of N-Quads: Unexpected end of file; was the",
        ),
        ('"asthma"', '"asth\\u0007ma"', "the name holds the control character U+0007"),
        ('vocabulary:label> "Disease"', 'vocabulary:label> "Illness"', "the label 'Illness' is not one of"),
        ('vocabulary:label> "Disease"', 'vocabulary:lable> "Disease"', "the entity has the unknown 'lable'"),
        ('vocabulary:type> "HAS_SYMPTOM"', "vocabulary:type> <x:y>", "the relation has no 'type'"),
        ('"text"', '""', "the document 'd1': line"),
        ('vocabulary:document> "d1"', 'vocabulary:document> "d2"', "belongs to the document 'd2'"),
    ],
)
def test_things_that_cannot_be_used(path, old, new, reason):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    rejects = read(path)[1]
    assert reason in " ".join(reject.reason for reject in rejects)
    assert all(reject.file == str(path) and reject.line > 1 for reject in rejects)


def test_what_is_wrong_with_a_line_and_the_lines_around_it_are_read(path):
    lines = path.read_text().splitlines()
    wrong = [
        '<a:b> <c:d> "e" . <a:b> <c:d> "f" .',
        "<a:b> <c:d>",
        '"e" .',
        '<a> <c:d> "e" .',
        '<a:b> <c:d> "\\uD800" .',
    ]
    for number, line in enumerate(wrong):
        lines.insert(4 * number + 2, line)
    path.write_text("\n".join(lines))
    records, rejects, _ = read(path)
    assert len(records) == len(STATEMENTS)
    assert [reject.line for reject in rejects] == [3, 7, 11, 15, 19]
    assert all(reject.reason.startswith("is no line of N-Quads: ") for reject in rejects)


@pytest.mark.parametrize("iri", ["https://one.example/e/1", "https://en.wikipedia.org/wiki/A_%28b%29"])
def test_an_end_that_is_an_address_is_that_address(tmp_path, iri):
    said = [*STATEMENTS[:2], ("one", Entity(iri, "Topic", "x")), ("one", Relation(iri, "IS_A", "DOID:1"))]
    write_nquads(tmp_path / "all.nq", said)
    assert f"<{iri}> <https://w3id.org/biolink/vocab/subclass_of> <http://purl" in (tmp_path / "all.nq").read_text()
    assert read(tmp_path / "all.nq")[0][-2:] == [record for _, record in said[-2:]]
