"""OBO files: what people and programs get wrong about them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medgraph.errors import SourceFileError
from medgraph.loaders.base import Reject, Remark, Row
from medgraph.loaders.ontologies import obo, obo_syntax
from medgraph.schema.records import Entity, Relation

HEADER = "format-version: 1.4\nontology: a\n\n"
BEFORE = "[Term]\nid: DOID:1\nname: before\n\n"
AFTER = "\n[Term]\nid: DOID:9\nname: after\n"


@pytest.fixture
def between(tmp_path):
    """Reads lines that stand in the second of three terms, and gives all items but the first and last term."""

    def read(lines, name="x"):
        path = tmp_path / "a.obo"
        lines = lines if isinstance(lines, bytes) else lines.encode()
        path.write_bytes((HEADER + BEFORE + f"[Term]\nid: DOID:2\nname: {name}\n").encode() + lines + AFTER.encode())
        items = list(obo.records(path))
        entities = [item for item in items if isinstance(item, Row) and isinstance(item.record, Entity)]
        assert (entities[0].record.name, entities[-1].record.name) == ("before", "after")
        return [item for item in items if item not in (entities[0], entities[-1])]

    return read


def one(items):
    (row,) = items
    return row.record


@settings(deadline=None)
@given(st.lists(st.text(st.sampled_from('ab \\"!{}[],:=\n'), max_size=20) | st.binary(max_size=20), max_size=12))
def test_no_line_breaks_the_reader(tmp_path_factory, lines):
    path = tmp_path_factory.mktemp("obo") / "a.obo"
    tags = ["def: ", "synonym: ", "xref: ", "is_a: ", "relationship: ", "property_value: ", "name: ", "id: ", ""]
    parts = [line if isinstance(line, bytes) else line.encode() for line in lines]
    content = b"".join(tags[i % 9].encode() + part + b"\n" for i, part in enumerate(parts))
    path.write_bytes((HEADER + BEFORE + "[Term]\nid: DOID:2\n").encode() + content + AFTER.encode())
    for item in obo.records(path):
        assert isinstance(item, Row | Reject | Remark)
        assert item.line <= path.read_bytes().count(b"\n") + 1


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (
            'def: "cut o',
            "the line holds no whole text in quotation marks; it may be cut off. The rest of DOID:2 is kept",
        ),
        ("def: no marks []", "the line holds no whole text in quotation marks"),
        ('def: "a" [PMID:1', "the line has a list of references that does not end; it may be cut off"),
        ('synonym: "a', "the line holds no whole text in quotation marks"),
        ("relationship: part_of", "the line names the relation 'part_of' and nothing that it points to; add an id"),
        ("property_value: a", "the line gives a property no value; add one"),
        ("no clause", "the line 'no clause' is no clause of a tag, a colon and a value; mend it"),
        (": a", "the line ': a' is no clause of a tag, a colon and a value; mend it"),
        (b"name: caf\xe9", r"the line is not UTF-8 (byte 10 of the line); save the file as UTF-8. The rest of DOID:2"),
        (f"is_a: {'x' * 600}", "a relation of 'DOID:2' is left out: the id 'xxx"),
        (f"xref: {'x' * 600}", "a cross-reference is left out: the id 'xxx"),
        (
            'def: "a\x1bb" []',
            "the term 'DOID:2' is left out: the definition holds the control character U+001B at offset 1",
        ),
    ],
)
def test_a_line_that_cannot_be_used(between, line, reason):
    items = between(line if isinstance(line, bytes) else line.encode())
    (reject,) = [item for item in items if isinstance(item, Reject)]
    assert reason in reject.reason.replace("xxxx", "xxx")
    assert reject.line == (8 if "term" in reason[:9] or "relation of" in reason or "cross" in reason else 11)
    kept = [item.record for item in items if isinstance(item, Row)]
    assert [record.name for record in kept] == ([] if "the term" in reason[:8] else ["x"])


def test_terms_without_id_or_name(tmp_path):
    path = tmp_path / "a.obo"
    path.write_text(HEADER + BEFORE + "[Term]\nname: a\n\n[Term]\nid: DOID:2\nis_a: DOID:1\n\n[Term]\nid: DOID:3\n")
    first, *rejects, last = obo.records(path)
    assert [(item.line, item.reason) for item in rejects] == [
        (8, "a term has no id, or one that cannot be read; give it one"),
        (11, "the term 'DOID:2' is left out: it has no name; give it one"),
    ]
    assert (first.record.id, last.record) == ("DOID:1", Relation("DOID:2", "IS_A", "DOID:1"))


def test_old_and_odd_writing(between):
    lines = (
        'exact_synonym: "one" []\nsynonym: "two" []\nsynonym: "three"\nxref_analog: MIM:1 "a"\nuse_term: DOID:1\n'
        'is_obsolete: true {source="x"}\ncomment: goes \\\non\nnovelty: yes\nxref: Wikipedia:A_B\nmade\\:up: a\n'
    )
    items = between(lines)
    record = next(item.record for item in items if isinstance(item, Row))
    assert (record.synonyms, record.related_synonyms) == (("one",), ("three", "two"))
    assert (record.xrefs, record.obsolete) == (("OMIM:1", "WIKIPEDIA:A_B"), True)
    assert dict(record.properties) == {"comments": ("goes on",), "consider": ("DOID:1",)}
    remarks = [(item.line, item.text) for item in items if isinstance(item, Remark)]
    assert remarks[0] == (19, "'novelty' is no tag of OBO; it is passed over")


def test_a_duplicate_id_is_handed_on(tmp_path):
    path = tmp_path / "a.obo"
    path.write_text(HEADER + BEFORE + BEFORE.replace("before", "again"))
    assert [(row.line, row.record.name) for row in obo.records(path)] == [(4, "before"), (8, "again")]


def test_line_ends_of_other_systems_and_a_byte_order_mark(tmp_path):
    path = tmp_path / "a.obo"
    path.write_bytes(b"\xef\xbb\xbf" + (HEADER + BEFORE + AFTER).replace("\n", "\r\n").encode())
    assert [row.record.name for row in obo.records(path)] == ["before", "after"]
    assert obo.describe(path).id == "a"
    assert obo.recognise(path)


@pytest.mark.parametrize("text", ["hello\n", "<html>", "\0\0\0", HEADER, "a,b\n1,2\n"])
def test_what_is_no_obo_file(tmp_path, text):
    path = tmp_path / "a.obo"
    path.write_text(text)
    with pytest.raises(SourceFileError, match=r"a\.obo.*(is no OBO file|has no term that can be read)"):
        list(obo.records(path))


def test_a_file_that_may_be_cut_off_is_remarked_on(tmp_path):
    path = tmp_path / "a.obo"
    path.write_text((HEADER + BEFORE + AFTER)[:-3])
    *_, remark = obo.records(path)
    assert remark == Remark(str(path), 9, remark.text)
    assert "does not end with a line end: it may be cut off" in remark.text


def test_a_line_that_is_too_long(between, monkeypatch):
    monkeypatch.setattr(obo_syntax, "MAX_LINE", 1000)
    items = between(f"comment: {'x' * 5000}\nxref: MIM:1\n")
    reject, row = items
    assert reject.reason == "the line is longer than 1,000 bytes; shorten it. The rest of DOID:2 is kept"
    assert row.record.xrefs == ("OMIM:1",)


def test_prefixes_that_the_file_explains(tmp_path):
    path = tmp_path / "a.obo"
    path.write_text(
        'idspace: D http://purl.obolibrary.org/obo/DOID_ "Diseases"\n[Term]\nid: D:1\nname: a\nis_a: D:2\n'
        'property_value: terms:creator "me" xsd:string\n'
    )
    entity, relation = obo.records(path)
    assert (entity.record.id, relation.record.object) == ("DOID:1", "DOID:2")


@pytest.mark.slow
def test_memory_stays_flat(tmp_path):
    import tracemalloc

    path = tmp_path / "a.obo"
    with path.open("w") as file:
        file.write(HEADER)
        for number in range(20_000):
            file.write(f"[Term]\nid: DOID:{number}\nname: disease {number}\nis_a: DOID:{number // 2}\n\n")
    list(zip(range(100), obo.records(path), strict=False))
    tracemalloc.start()
    counted = sum(1 for _ in obo.records(path))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert counted == 40_000
    assert peak < 12 << 20
