"""The syntax of OBO files: whatever stands in quotation marks, behind backslashes, in brackets and in comments."""

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medgraph.errors import RecordError
from medgraph.loaders.ontologies import obo_syntax
from medgraph.loaders.ontologies.obo_syntax import Clause, Pair

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


def test_stanzas_that_are_asked_for_come_with_their_lines():
    content = b"ontology: a ! b\n\n[Term]  \nid: A:1\n! d\n\n[Typedef]\nid: part_of\n\n [Term]\nid : A:2\nname: e\n"
    header, first, second = stanzas(content, "", "Term")
    assert (header.kind, header.line, header.first("ontology"), header.first("remark")) == ("", 1, "a", "")
    assert (first.kind, first.line, first.clauses) == ("Term", 3, [Clause(4, "id", "A:1")])
    assert (second.line, second.clauses) == (10, [Clause(11, "id", "A:2"), Clause(12, "name", "e")])
    (relation,) = stanzas(content, "Typedef")
    assert relation.first("id") == "part_of"


def test_a_line_goes_on_after_one_backslash_and_not_after_two():
    content = b"[Term]\nname: a \\\r\nb \\\nc\ncomment: d\\\\\ndef: e\\"
    (stanza,) = stanzas(content, "Term")
    assert stanza.clauses == [
        Clause(2, "name", "a b c"),
        Clause(5, "comment", "d\\\\"),
        Clause(6, "def", "e\\"),
    ]


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b""])
def test_a_line_that_cannot_be_used_keeps_its_number_and_those_after_it_theirs(monkeypatch, end):
    monkeypatch.setattr(obo_syntax, "MAX_LINE", 20)
    lines = [b"[Term]", b"name: " + b"x" * 90, b"name: caf\xe9", b"name", b"id: A:1"]
    (stanza,) = stanzas(b"\n".join(lines) + end, "Term")
    assert [(clause.line, clause.tag, clause.trouble) for clause in stanza.clauses] == [
        (2, "", "is longer than 20 bytes; shorten it"),
        (3, "name", "is not UTF-8 (byte 10 of the line); save the file as UTF-8"),
        (4, "", "'name' is no clause of a tag, a colon and a value; mend it"),
        (5, "id", ""),
    ]


@pytest.mark.parametrize(
    ("value", "second", "is_text", "language"),
    [
        ("dc:date 2011-04-14T01:03:39Z xsd:string", "2011-04-14T01:03:39Z", True, ""),
        ("a two words <http://www.w3.org/2001/XMLSchema#string> ! b", "two words", True, ""),
        ("a B:1", "B:1", False, ""),
        ("a xsd:string", "xsd:string", False, ""),
        ('a "x" xsd:string', "x", True, ""),
        ('a "x xsd:string"', "x xsd:string", True, ""),
        ('rdfs:label "Lunge"@de', "Lunge", True, "de"),
        ('rdfs:label "pulm\u00e3o" @pt-BR {a="b"}', "pulm\u00e3o", True, "pt-BR"),
    ],
)
def test_values_of_properties(value, second, is_text, language):
    found = obo_syntax.pair(value)
    assert (found.second, found.is_text, found.language) == (second, is_text, language)


@pytest.mark.parametrize("head", [b"[Term]", b" [Term]  ", b"[Term] ! x", b"[Term]!x\r", b"[Term] ! [Typedef]"])
def test_headers_of_stanzas_may_have_comments(head):
    assert [(stanza.kind, stanza.first("id")) for stanza in stanzas(head + b"\nid: A:1\n", "Term")] == [("Term", "A:1")]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("a ! b", "a"),
        ("a! b", "a! b"),
        ("a \\! b", "a ! b"),
        ('"a ! b', '"a'),  # quotation marks mean nothing in a name
        ("a {b}", "a {b}"),
        ("a\\Wb\\nc", "a b\nc"),
    ],
)
def test_where_a_text_ends(value, expected):
    assert obo_syntax.plain(value) == (expected, {})


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
