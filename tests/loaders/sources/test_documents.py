"""Documents of one's own: the form, and everything that people can get wrong about it."""

import gzip
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.errors import SourceFileError
from medgraph.loaders.base import Reject, Row
from medgraph.loaders.sources import documents
from medgraph.schema.records import Document, Section
from tests.support.paths import FILES

SMALL = FILES / "documents" / "corpus.jsonl"
GOOD = {"id": "a", "title": "A", "sections": [{"text": "Text."}]}
BEFORE, AFTER = json.dumps(GOOD | {"id": "before"}).encode(), json.dumps(GOOD | {"id": "after"}).encode()


def test_the_form():
    rows = list(documents.records(SMALL))
    assert [row.line for row in rows] == [1, 3, 4]
    assert [row.record for row in rows] == [
        Document(
            id="asthma",
            title="Asthma",
            url="https://example.org/asthma",
            collection="lungs",
            published="2024-05",
            sections=(
                Section("asthma#what", "Asthma narrows the airways.", "information", "What it is", "What is asthma?"),
                Section("asthma#2", "People with asthma wheeze.\nThey cough at night.", "symptoms"),
            ),
        ),
        Document(id="喘息", title="喘息 👩‍⚕️", sections=(Section("喘息#1", "喘息は慢性の病気です。"),)),
        Document(id="gout", title="Gout", sections=(Section("gout#1", "  Uric acid makes crystals.  "),)),
    ]
    assert documents.SOURCES[0].estimate(SMALL) == 3


@pytest.fixture
def between(tmp_path):
    """Reads a line that stands between two good ones, and gives what became of it."""

    def read(line):
        path = tmp_path / "corpus.jsonl"
        path.write_bytes(b"\n".join([BEFORE, line, AFTER]))
        first, item, last = documents.records(path)
        assert (first.record.id, last.record.id) == ("before", "after")
        assert (item.file, item.line) == (str(path), 2)
        assert documents.SOURCES[0].estimate(path) == 3
        return item

    return read


def changed(**changes):
    return json.dumps(GOOD | changes).encode()


def with_section(**changes):
    return changed(sections=[GOOD["sections"][0] | changes])


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{", "is not valid JSON, column 2: Expecting property name"),
        (b"{'id': 'a'}", "is not valid JSON, column 2: Expecting property name"),
        (BEFORE[:-5], "is not valid JSON, column"),
        (BEFORE + BEFORE, f"is not valid JSON, column {len(BEFORE) + 1}: Extra data"),
        (BEFORE + b",", "is not valid JSON, column"),
        (b"asthma", "is not valid JSON, column 1: Expecting value"),
        (b'{"id": "a\tb"}', "is not valid JSON, column 10: Invalid control character"),
        (b'{"id": "\\ud83d"}', r"the id holds the control character U\+D83D at offset 0"),
        (BEFORE.replace(b"A", b"\xe9"), "is not UTF-8: byte 0xE9 at place 28 of the line; save the file as UTF-8"),
        (BEFORE.decode().encode("utf-16"), "is not UTF-8: .* save the file as UTF-8"),
        (b"\0" * 100, "is not valid JSON"),
        (b"[" * 100_000, "is not valid JSON: nested too deep"),
        (b'{"a":' * 100_000, "is not valid JSON: nested too deep"),
        (changed(title=[]).replace(b"[]", b"[" * 5000 + b"]" * 5000, 1), "is not valid JSON: nested too deep"),
        (b"9" * 5000, "is not usable JSON: Exceeds the limit"),
        (changed(title=1).replace(b"1", b"9" * 5000), "is not usable JSON: Exceeds the limit"),
        (b"NaN", "NaN is not JSON"),
        (changed(title=float("nan")), "NaN is not JSON"),
        (changed(title=float("-inf")), "-Infinity is not JSON"),
        (b"null", r"document is not a JSON object in \{\}"),
        (b"[]", r"document is not a JSON object in \{\}"),
        (b'"a"', r"document is not a JSON object in \{\}"),
        (b"1e999", r"document is not a JSON object in \{\}"),
        (BEFORE.replace(b"}]}", b'}], "id": "b"}'), "the key 'id' stands twice in one object"),
        (BEFORE.replace(b"}]}", b', "text": "b"}]}'), "the key 'text' stands twice in one object"),
        (changed(titel="x"), "document has the unknown key 'titel'; did you mean 'title'"),
        (with_section(txt="x"), "section 1 has the unknown key 'txt'; did you mean 'text'"),
        (changed(sections=[]), "'sections' must be a list of at least one section"),
        (changed(sections=["Text."]), r"section 1 is not a JSON object in \{\}"),
        (changed(sections=[GOOD["sections"][0], None]), r"section 2 is not a JSON object in \{\}"),
        (changed(sections=[{"id": "x", "text": "a"}, {"id": "x", "text": "b"}]), "two of its sections have the id 'x'"),
        (changed(sections=[{"text": "a"}, {"id": "a#1", "text": "b"}]), "two of its sections have the id 'a#1'"),
        (with_section(text=""), "the document has neither a section with text, nor a question, nor a url"),
        (with_section(text=" \n\t\u3000"), "the document has neither a section with text"),
        (changed(id=" "), "'id' must be a text that is not empty"),
        (changed(id=" a"), "the id ' a' is empty, padded with blanks"),
        (changed(id="x" * 10_000), "the id 'x{60}' is .* longer than 500 characters"),
        (changed(id="x" * 499), "section 1: the id 'x{60}' is .* longer than 500 characters"),
        (with_section(id="x" * 10_000), "section 1: the id 'x{60}' is .* longer than 500 characters"),
        (with_section(text="a\0b"), r"section 1: the text holds the control character U\+0000 at offset 1; remove it"),
        (with_section(text="a\ud800b"), r"section 1: the text holds the control character U\+D800 at offset 1"),
        (changed(title="a\x1bb"), r"the title holds the control character U\+001B at offset 1"),
        (changed(collection="a\udfffb"), r"the collection holds the control character U\+DFFF at offset 1"),
    ],
)  # fmt: skip
def test_a_line_that_cannot_be_used_is_rejected_with_the_reason(between, line, reason):
    item = between(line)
    assert isinstance(item, Reject)
    assert re.match(reason, item.reason), item.reason
    assert len(item.reason) < 400
    item.reason.encode()


WRONG = [True, False, [], ["x"], {}, {"x": "y"}]
NULLABLE = ["title", "url", "published", "collection"]


@pytest.mark.parametrize("key", ["id", "title", "url", "published", "collection", "sections"])
def test_a_value_of_another_type_is_rejected_in_a_document(between, key):
    for value in [*WRONG, *([] if key in NULLABLE else [None])]:
        if key == "sections" and value == ["x"]:
            continue
        item = between(changed(**{key: value}))
        assert item.reason.startswith(f"{key!r} must be a "), value
    if key == "title":
        return
    if key in NULLABLE:
        assert isinstance(between(changed(**{key: None})), Row)
    else:
        assert between(json.dumps({k: v for k, v in GOOD.items() if k != key}).encode()).reason.startswith(f"{key!r}")


@pytest.mark.parametrize(
    ("changes", "field", "kept", "remark"),
    [
        ({"published": "2024-02-30"}, "published", "2024-02", "the date '2024-02-30' is kept as 2024-02"),
        ({"published": "Spring 2012"}, "published", "2012", "the date 'Spring 2012' is kept as 2012"),
        ({"published": "12 Sept 2012"}, "published", "2012-09-12", "is kept as 2012-09-12"),
        ({"published": "yesterday"}, "published", "", "'yesterday' is no date; left out"),
        ({"title": ""}, "title", "[No title available]", "it has no title"),
        ({"title": None}, "title", "[No title available]", "it has no title"),
        ({"sections": [{"text": ""}, {"text": "b"}]}, "sections", (Section("a#2", "b"),), "section 1 has no text"),
    ],
)
def test_what_cannot_be_held_goes_with_a_remark_and_the_document_stays(tmp_path, changes, field, kept, remark):
    path = tmp_path / "corpus.jsonl"
    path.write_bytes(changed(**changes))
    row, said = documents.records(path)
    assert getattr(row.record, field) == kept
    assert said.text.startswith("a: ")
    assert (remark in said.text, said.line) == (True, 1)


def test_sections_in_other_languages_are_kept_with_these(between):
    parts = [{"text": "Asthma narrows the airways.", "language": "en-GB"}, {"text": "L'asthme.", "language": "fre"}]
    document = between(changed(sections=parts)).record
    assert [section.text for section in document.sections] == ["Asthma narrows the airways."]
    assert document.translations == ("L'asthme.@fr",)


@pytest.mark.parametrize(
    "text", ["النقرس مرض", "👩‍⚕️ 💊", "e\u0301\u0327", "a\u2028b\x85c", "\ufeff", "\uffff", "x" * 5_000_000]
)
def test_any_text_is_kept_as_it_is(between, text):
    for line in (
        with_section(text=text),
        json.dumps(GOOD | {"sections": [{"text": text}]}, ensure_ascii=False).encode(),
    ):
        assert between(line).record.sections[0].text == text


@pytest.mark.parametrize("end", [b"", b"\n"])
def test_a_line_that_is_too_long_is_rejected_and_the_next_one_read(tmp_path, monkeypatch, end):
    monkeypatch.setattr(documents, "MAX_LINE", 1000)
    path = tmp_path / "corpus.jsonl"
    path.write_bytes(BEFORE + b"\n" + b"x" * 10_001 + b"\n" + AFTER + b"\n" + b"y" * 5000 + end)
    first, long, second, last = documents.records(path)
    assert (first.record.id, second.record.id) == ("before", "after")
    assert [item.line for item in (first, long, second, last)] == [1, 2, 3, 4]
    assert long.reason == last.reason == "the line is longer than 1,000 bytes; split it"
    assert documents.SOURCES[0].estimate(path) == 4


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (gzip.compress(SMALL.read_bytes(), mtime=0)[:-9], r"is cut off after [\d,]+ unpacked bytes; fetch it again"),
        (SMALL.read_bytes(), r"is called \.gz and is not packed with gzip; fetch it again, or rename it"),
    ],
)
def test_a_gzip_that_is_broken_or_none(tmp_path, content, message):
    path = tmp_path / "corpus.jsonl.gz"
    path.write_bytes(content)
    with pytest.raises(SourceFileError, match=message):
        list(documents.records(path))


# Anything at all


@pytest.fixture(scope="module")
def scratch(tmp_path_factory):
    return tmp_path_factory.mktemp("scratch") / "corpus.jsonl"


def check(path, content):
    path.write_bytes(content)
    if not content or content.startswith((b"\x1f\x8b", b"PK\x03\x04", b"\xff\xfe", b"\xfe\xff")):
        with pytest.raises(SourceFileError):
            list(documents.records(path))
        return
    items = list(documents.records(path))
    assert all(isinstance(item, Row | Reject) for item in items)
    repr(items).encode()
    assert len(items) == documents.SOURCES[0].estimate(path)


@given(st.binary())
def test_any_bytes_give_records_or_rejects(scratch, content):
    check(scratch, content)


@given(st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 255))))
def test_a_good_file_with_broken_bytes_gives_records_or_rejects(scratch, changes):
    content = bytearray(SMALL.read_bytes())
    for position, byte in changes:
        content[position % len(content)] = byte
    check(scratch, bytes(content))
