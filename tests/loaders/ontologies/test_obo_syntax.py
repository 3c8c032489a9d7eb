"""The syntax of OBO files: whatever stands in quotation marks, behind backslashes, in brackets and in comments."""

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medgraph.errors import RecordError
from medgraph.loaders.ontologies import obo_syntax
from medgraph.loaders.ontologies.obo_syntax import Pair

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
