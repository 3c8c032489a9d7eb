"""OBO files: their syntax, and what people and programs get wrong about them."""

import io
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medgraph.errors import RecordError, SourceFileError
from medgraph.loaders.base import Reject, Remark, Row
from medgraph.loaders.life.load import Task
from medgraph.loaders.ontologies import obo, obo_syntax
from medgraph.loaders.ontologies.obo_syntax import Pair
from medgraph.schema.records import Entity, Relation
from tests.support.memory import at_most

HEADER = "format-version: 1.4\nontology: a\n\n"
BEFORE = "[Term]\nid: DOID:1\nname: before\n\n"
AFTER = "\n[Term]\nid: DOID:9\nname: after\n"
PART = "what holds for a part of the term only"
NONE = "relations that say that there is none"
PERHAPS = "relations that do not say that there is one"
MACRO = "the header says {}, which is not followed; the cross-references stay as they are"


def test_a_file_that_looks_cut_off_is_told_of_at_once(tmp_path, capsys):
    path = tmp_path / "a.obo"
    path.write_text(HEADER + BEFORE.rstrip())
    list(Task(obo.SOURCE, path, obo.INFO, tmp_path).items())
    said = "the file does not end with a line end: it may be cut off; compare it with its publisher's"
    assert capsys.readouterr().err == f"{path}:4: {said}\n"


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
        (f"xref: {'x' * 600}", "a cross-reference of 'DOID:2' is left out: the id 'xxx"),
        (
            'def: "a\x1bb" []',
            "the definition holds the control character U+001B at offset 1; remove it. The rest of DOID:2 is kept",
        ),
    ],
)
def test_a_line_that_cannot_be_used(between, line, reason):
    items = between(line if isinstance(line, bytes) else line.encode())
    (reject,) = [item for item in items if isinstance(item, Reject)]
    assert reason in reject.reason.replace("xxxx", "xxx")
    assert reject.line == (8 if "the definition" in reason or "relation of" in reason or "cross" in reason else 11)
    assert [item.record.name for item in items if isinstance(item, Row)] == ["x"]


@pytest.mark.parametrize(
    ("line", "left_out"),
    [
        ('relationship: part_of DOID:1 {cardinality="0"} ! none', NONE),
        ('relationship: part_of DOID:1 {maxCardinality="0", source="PMID:1"}', NONE),
        ('relationship: part_of DOID:1 {maxCardinality="1"}', PERHAPS),
        ('relationship: part_of DOID:1 {minCardinality="0"}', PERHAPS),
        ('relationship: part_of DOID:1 {all_only="true"}', PERHAPS),
        (
            'relationship: part_of DOID:1 {gci_relation="part_of", gci_filler="NCBITaxon:9606"} ! in people',
            PART,
        ),
        (
            'is_a: DOID:1 {gci_filler="NCBITaxon:9606", gci_relation="part_of"}',
            PART,
        ),
        ('equivalent_to: DOID:1 {gci_filler="NCBITaxon:9606"}', PART),
    ],
)
def test_qualifiers_that_take_the_meaning_away_take_the_relation_away(between, line, left_out):
    entity, remark = between(line)
    assert entity.record.id == "DOID:2"
    assert (remark.line, isinstance(remark, Remark)) == (11, True)
    assert remark.text.startswith(left_out)
    assert remark.text.endswith(f": 1, the first is DOID:2 {line}")


DENIED = (
    *(f"{word} {{}}" for word in ("lacks_part", "not_part_of", "absent_in", "never_in_taxon", "has_no_part")),
    'part_of {} {{negated="true"}}',
    'part_of {} {{cardinality="0"}}',
    'has_phenotype {} {{frequency="HP:0040285"}}',
)
HELD = ("part_of {}", "negatively_regulates {}", "contraindicated_in {}", 'has_phenotype {} {{frequency="HP:0040283"}}')


@given(said=st.lists(st.sampled_from([*DENIED, *HELD]), max_size=8))
def test_no_denied_statement_becomes_a_relation(tmp_path_factory, said):
    path = tmp_path_factory.mktemp("denied") / "a.obo"
    lines = "".join(f"relationship: {text.format(f'DOID:{number}')}\n" for number, text in enumerate(said, 2))
    path.write_text(f"format-version: 1.4\nontology: a\n\n[Term]\nid: DOID:1\nname: a\n{lines}")
    items = list(obo.records(path))
    found = [item.record.object for item in items if isinstance(item, Row) and isinstance(item.record, Relation)]
    assert sorted(found) == sorted(f"DOID:{number}" for number, text in enumerate(said, 2) if text in HELD)
    counts = [int(re.search(r": (\d+), the first is", item.text)[1]) for item in items if isinstance(item, Remark)]
    assert sum(counts) == len(said) - len(found)


@pytest.mark.parametrize(
    ("line", "relation"),
    [
        (
            'relationship: part_of DOID:1 {cardinality="2"}',
            Relation("DOID:2", "PART_OF", "DOID:1", properties=(("cardinality", ("2",)),)),
        ),
        (
            'relationship: part_of DOID:1 {minCardinality="1", maxCardinality="3"}',
            Relation(
                "DOID:2", "PART_OF", "DOID:1", properties=(("maxcardinality", ("3",)), ("mincardinality", ("1",)))
            ),
        ),
        (
            'relationship: part_of DOID:1 {all_some="true", all_only="true"}',
            Relation("DOID:2", "PART_OF", "DOID:1", properties=(("all_only", ("true",)), ("all_some", ("true",)))),
        ),
        (
            'is_a: DOID:1 {is_inferred="true", comment="a, \\"b\\" !", source="PMID:1", xref="MIM:2", version="7"} ! c',
            Relation(
                "DOID:2",
                "IS_A",
                "DOID:1",
                evidence=("OMIM:2", "PMID:1"),
                properties=(("comments", ('a, "b" !',)), ("is_inferred", ("true",)), ("said_version", ("7",))),
            ),
        ),
    ],
)
def test_qualifiers_that_do_no_harm_are_properties_of_the_relation(between, line, relation):
    assert [item.record for item in between(line)[1:]] == [relation]


def test_what_is_said_of_the_file_and_of_nameless_classes(tmp_path):
    path = tmp_path / "a.obo"
    path.write_text(
        "format-version: 1.4\nid-mapping: develops_from RO:0002202 ! old\ntreat-xrefs-as-equivalent: CL ! c\n"
        "treat-xrefs-as-relationship: MIM part_of\nimport: http://example.org/b.obo ! elsewhere\n\n"
        "[Term] ! first\nid: DOID:1\nname: a\nxref: MIM:1\nrelationship: develops_from DOID:2\nis_a: owl:Thing\n\n"
        "[Term]\nid: owl:Thing\nname: thing\n\n[Term]\nid: _:1\nis_anonymous: true\nis_a: DOID:1\n\n"
        "[Typedef]\nid: develops_from\nname: develops from\n\n[Instance]\nid: DOID:i ! i\n"
    )
    items = list(obo.records(path))
    assert [item.record for item in items if isinstance(item, Row)] == [
        Entity("DOID:1", "Disease", "a", xrefs=("OMIM:1",)),
        Relation("DOID:1", "DEVELOPS_FROM", "DOID:2"),
    ]
    texts = [(item.line, item.text) for item in items if not isinstance(item, Row)]
    assert texts == [
        (5, "the file imports http://example.org/b.obo, which is not followed; load it as a source of its own"),
        (3, MACRO.format("treat-xrefs-as-equivalent: CL")),
        (4, MACRO.format("treat-xrefs-as-relationship: MIM part_of")),
        (27, "individuals are passed over, for only terms are read: 1, the first is DOID:i"),
        (18, "logical definitions are passed over, for they are neither relations nor texts: 1, the first is _:1"),
    ]


@pytest.mark.parametrize("text", ["hello\n", "<html>", "\0\0\0", HEADER, "a,b\n1,2\n"])
def test_what_is_no_obo_file(tmp_path, text):
    path = tmp_path / "a.obo"
    path.write_text(text)
    with pytest.raises(SourceFileError, match=r"a\.obo.*(is no OBO file|has no term that can be read)"):
        list(obo.records(path))


def test_a_line_that_is_too_long(between, monkeypatch):
    monkeypatch.setattr(obo_syntax, "MAX_LINE", 1000)
    items = between(f"comment: {'x' * 5000}\nxref: MIM:1\n")
    reject, row = items
    assert reject.reason == "the line is longer than 1,000 bytes; shorten it. The rest of DOID:2 is kept"
    assert row.record.xrefs == ("OMIM:1",)


@pytest.mark.thorough
def test_memory_stays_flat(tmp_path):
    path = tmp_path / "a.obo"
    with path.open("w") as file:
        file.write(HEADER)
        for number in range(5_000):
            file.write(f"[Term]\nid: DOID:{number}\nname: disease {number}\nis_a: DOID:{number // 2}\n\n")
    list(zip(range(100), obo.records(path), strict=False))
    with at_most(2 << 20):  # all records at once would take nearly 3
        assert sum(1 for _ in obo.records(path)) == 10_000


texts = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1).map(str.strip).filter(bool)
any_case = st.text(st.sampled_from('ab \\"!{}[],:=\n\t'), min_size=1, max_size=30).map(str.strip).filter(bool)
values = texts | any_case
words = st.from_regex(r"[A-Za-z]{1,8}", fullmatch=True)


def escaped(text, letters):
    """Write a text as OBO wants it, with a backslash before each of the letters."""
    for letter in "\\" + letters:
        text = text.replace(letter, "\\" + letter)
    return text.replace("\n", "\\n").replace("\t", "\\t")


def stanzas(content, *kinds):
    return list(obo_syntax.stanzas(io.BytesIO(content), kinds))


@settings(deadline=None)
@given(values, values, st.lists(values, max_size=4), st.sampled_from(["EXACT", "NARROW", "BROAD", "RELATED"]), words)
def test_whatever_is_written_is_read_back(name, definition, references, scope, kind):
    listed = ", ".join(escaped(text, '"!{}[],: ') + ' "what, [it] is"' * (len(text) % 2) for text in references)
    text = (
        f'def: "{escaped(definition, chr(34))}" [{listed}] {{a="b!", c="\\"d}}"}} ! a comment "\n'
        f'synonym: "{escaped(definition, chr(34))}" {scope} {kind} [{listed}]\n'
        f'name: {escaped(name, "!{}")} ! {{"\n'
        f'xref: {escaped(name, "!{} " + chr(34))} "described \\" !" {{source="x,y", source="z"}}\n'
        f'relationship: {kind} {escaped(name, "!{} " + chr(34))} {{source="x"}} ! {kind}\n'
        f'property_value: {kind} "{escaped(definition, chr(34))}" xsd:string\n'
    )
    (stanza,) = [s for s in obo_syntax.stanzas(io.BytesIO(b"[Term]\n" + text.encode()), {"Term"}) if s.kind]
    values = {clause.tag: clause.value for clause in stanza.clauses}
    assert not any(clause.trouble for clause in stanza.clauses)
    kept = tuple(text.strip() for text in references)
    assert obo_syntax.quoted(values["def"]) == (definition, [], kept, {"a": ["b!"], "c": ['"d}']})
    assert obo_syntax.quoted(values["synonym"]) == (definition, [scope, kind], kept, {})
    assert obo_syntax.plain(values["name"]) == (name, {})
    assert obo_syntax.reference(values["xref"]) == (name, 'described " !', {"source": ["x,y", "z"]})
    assert obo_syntax.pair(values["relationship"]) == Pair(kind, name, False, "", {"source": ["x"]})
    assert obo_syntax.pair(values["property_value"]) == Pair(kind, definition, True, "", {})


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("a", "holds no whole text in quotation marks; it may be cut off"),
        ('"a\\"', "holds no whole text in quotation marks; it may be cut off"),
        ('"a" [B:1', "has a list of references that does not end; it may be cut off"),
    ],
)
def test_a_text_that_is_cut_off(value, reason):
    with pytest.raises(RecordError, match=reason):
        obo_syntax.quoted(value)
