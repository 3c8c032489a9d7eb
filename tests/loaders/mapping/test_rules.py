"""Mappings as people write them: YAML, keys, rules, values, and the check of all."""

import json
import re

import jsonschema_rs
import pytest
import yaml
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from medgraph.cli.main import main
from medgraph.errors import SourceFileError
from medgraph.loaders.mapping import keys
from medgraph.loaders.mapping import source as mapping
from medgraph.schema.records import Entity
from medgraph.settings import Settings
from tests.support.mappings import ENTITY, HEAD, check


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (HEAD, 1, "the mapping has no entities:, relations: or documents:"),
        ("owner: x\n" + HEAD + ENTITY, 1, "the mapping has the unknown key 'owner'; known are source, table"),
        (HEAD + ENTITY.replace("entities", "entitys"), 2, "the unknown key 'entitys'; did you mean 'entities'"),
        (ENTITY, 1, "the mapping has no source: facts about the source"),
        ("source:\n  id: x\n  title: T\n  licence: L\n" + ENTITY, 2, "source has no version"),
        (HEAD.replace("clinic", "My Clinic") + ENTITY, 1, "source: 'My Clinic' cannot name a source"),
        (HEAD.replace("1.10", "1.10, rank: high") + ENTITY, 1, "source.rank must be a whole number from 1"),
        (HEAD.replace("1.10", "[1]") + ENTITY, 1, "source.version must be one text"),
        (HEAD + "entities: {id: x}\n", 2, "entities must be a list, each item behind a hyphen"),
        (HEAD + "entities:\n  - x\n", 3, "entities[1] must have keys, such as id:"),
        (HEAD + "entities:\n", 2, "the mapping.entities is empty; fill it, or take the key out"),
        (HEAD + "entities:\n  - id: a\n    label: Disease\n", 3, "entities[1] has no name: the preferred name"),
        (HEAD + ENTITY.replace("label", "\n  lable"), 3, "the unknown key 'lable'; did you mean 'label'?"),
        (HEAD + ENTITY.replace("Disease", "\n  disease"), 3, "entities[1].label is 'disease'; did you mean 'Disease'?"),
        (HEAD + ENTITY.replace("{name}", "{name"), 2, "entities[1].name has a { without its other half"),
        (HEAD + ENTITY.replace("{name}", "name}"), 2, "entities[1].name has a } without its other half"),
        (HEAD + ENTITY.replace("{name}", "{}"), 2, "entities[1].name has {} without the name of a column"),
        (HEAD + ENTITY.replace("{name}", "{name|lowr}"), 2, "has the unknown step 'lowr'; did you mean 'lower'? known"),
        (HEAD + ENTITY.replace('"{name}"', "[a, b]"), 2, "entities[1].name must be one text"),
        (
            HEAD + ENTITY.replace("}]", ", properties: {Big: x}}]"),
            2,
            "entities[1].properties.Big cannot name a property",
        ),
        (HEAD + ENTITY.replace("}]", ", properties: {source: x}}]"), 2, "the graph uses it itself"),
        (HEAD + ENTITY.replace("}]", ", properties: {n: {value: x, type: int}}}]"), 2, "type is 'int'"),
        (HEAD + ENTITY.replace("}]", ", when: x}]"), 2, "entities[1].when must have the names of columns as keys"),
        (HEAD + ENTITY.replace("}]", ", when: {a: {is: x}}}]"), 2, "entities[1].when.a has the unknown key 'is'"),
        (HEAD + ENTITY.replace("}]", ", when: {a: {matches: '('}}}]"), 2, "when.a.matches is no regular expression"),
        (HEAD + ENTITY.replace("}]", ", when: {a: {empty: maybe}}}]"), 2, "when.a.empty must be true or false"),
        (HEAD + "relations: [{subject: a, type: HAS_SYMPTON, object: b}]", 2, "did you mean 'HAS_SYMPTOM'"),
        (HEAD + "columns:\n  a: {splt: x}\n" + ENTITY, 3, "columns.a has the unknown key 'splt'; did you mean 'split'"),
        (
            HEAD + "columns:\n  a: {then: lwer}\n" + ENTITY,
            3,
            "columns.a.then has the unknown step 'lwer'; did you mean 'lower'",
        ),
        (HEAD + "columns:\n  a:\n    then: [{map: {a: b}, extract: x}]\n" + ENTITY, 4, "must be one step at a time"),
        (HEAD + ENTITY + "file: bolt://h:1\n", 3, "file goes with query; give both"),
        (HEAD + ENTITY + "query: RETURN 1 AS id\n", 3, "query goes with file; give both"),
        (HEAD + ENTITY + "file: http://h\nquery: RETURN 1 AS id\n", 3, "'http://h' is no address such as bolt://"),
        (HEAD + ENTITY + "file: bolt://u:secret@h\nquery: RETURN 1 AS id\n", 3, "'h' is no address such as bolt://"),
        (HEAD + ENTITY + "file: bolt://h\nquery: LOAD CSV FROM 'x' AS id RETURN id\n", 4, "LOAD CSV is not taken"),
        (HEAD + "columns: [a]\n" + ENTITY, 2, "columns must have the names of columns as keys"),
        (HEAD + "table: {delimiter: ab}\n" + ENTITY, 2, "table.delimiter must be comma, tab, semicolon, pipe, or one"),
        (
            HEAD + "documents: [{id: a, title: b, sections: [{tekst: x}]}]",
            2,
            "documents[1].sections[1] has the unknown key",
        ),
    ],
)
def test_a_mistake_is_named_with_key_and_line(faults, text, line, message):
    found = faults(text)
    assert (line, True) in [(at, message in said) for at, said in found], found
    assert all(len(said) < 1000 for _, said in found)


def test_the_schema_that_ships_is_shown():
    shipped = keys.SCHEMA.read_text(encoding="utf-8")
    assert json.loads(shipped)["required"] == ["source"]
    assert CliRunner().invoke(main, ["mapping", "schema"], obj=Settings.from_environment()).stdout == shipped


@pytest.mark.parametrize(
    "text",
    [
        ENTITY.replace("label", "lable"),
        ENTITY.replace("Disease", "disease"),
        ENTITY.replace("entities", "entitys"),
        ENTITY.replace("}]", ", when: {a: {is: x}}}]"),
        ENTITY.replace("}]", ", properties: {n: {value: x, type: int}}}]"),
        "entities: [x]\n",
        "entities: []\n",
        "relations: [{subject: a, type: KNOWS, object: b}]\n",
        "columns: {a: {then: lwer}}\n" + ENTITY,
        "documents: [{id: a, title: b, sections: [{tekst: x}]}]\n",
        "table: {quoted: maybe}\n" + ENTITY,
        "",
    ],
)
def test_the_schema_refuses_what_we_refuse(faults, text):
    assert faults(HEAD + text)
    assert not jsonschema_rs.is_valid(json.loads(keys.SCHEMA.read_text(encoding="utf-8")), yaml.safe_load(HEAD + text))


@given(st.data())
def test_every_key_of_the_schema_is_one_of_ours(tmp_path_factory, data):
    """A mapping with a key that the schema offers is never told that the key is unknown."""
    kind = data.draw(st.sampled_from([*keys.RULES]))
    key = data.draw(st.sampled_from([*keys.RULES[kind]]))
    path = tmp_path_factory.mktemp("m") / "m.yaml"
    path.write_text(HEAD + f"{kind}: [{{{key}: '{{x}}'}}]\n")
    assert not [said for _, said in mapping.check(path)[1] if "unknown key" in said]


def test_steps(use):
    text = """
columns:
  id: {then: [lower, {extract: "([0-9]+)"}]}
  name: {then: {replace: {_: " ", "  ": " "}}}
  kind: {then: {map: {d: Disease, s: Symptom}}}
  other: {from: kind, then: {map: {d: Disease}, else: Topic}}
entities:
  - {id: "clinic:{id}", label: "{kind}", name: "{name} {other}"}
"""
    made, others = use(text, "id,name,kind\nX-12a,a_b__c,d\nX-3,e,s\nX-4,f,t\nX,g,d\n")
    assert made == [Entity("clinic:12", "Disease", "a b c Disease"), Entity("clinic:3", "Symptom", "e Topic")]
    remedy = "pass such rows over with when: {id: {empty: false}} (entities, line 9 of m.yaml)"
    assert [(i.line, i.reason) for i in others] == [
        (4, "the column 'kind': 't' is not in the map, which has d, s; add it, or an else:"),
        (5, f"has no id: the column 'id' is empty; {remedy}"),
    ]


@pytest.mark.parametrize(
    ("condition", "kept"),
    [
        ("x", "1"), ("[x, y]", "12"), ('""', "3"),
        ("{not: x}", "234"), ("{not: [x, y]}", "34"), ("{empty: true}", "3"),
        ("{empty: no}", "124"),
        ('{matches: "^[xy]$"}', "12"), ('{matches: "[xz]", not: x}', "4"), ("[true, zz]", "4"), ("zz", "4"),
    ],
)  # fmt: skip
def test_conditions(use, condition, kept):
    text = f'entities: [{{id: "clinic:{{id}}", label: Disease, name: n, when: {{k: {condition}}}}}]\n'
    made, others = use(text, "id,k\n1,x\n2,y\n3,\n4,zz\n")
    assert "".join(record.id[-1] for record in made) == kept
    assert not others


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("a: !!python/object/apply:os.system ['touch HACKED']\n", 1, "has the tag !!python/object/apply:os.system"),
        ("a: b\nc: !!python/name:os.system\n", 2, "has the tag !!python/name:os.system, and tags are never followed"),
        ("a: !include /etc/passwd\n", 1, "has the tag !include"),
        ("? !!python/object/new:os.system [x]\n: b\n", 1, "has the tag !!python/object/new:os.system"),
        ("a: b\na: c\n", 2, "has the key 'a' twice, first in line 1; keep one"),
        ("a: &x [*x]\n", 1, "is not valid YAML: found undefined|has an alias that stands for something it is part of"),
        ("a: &x {b: *x}\n", 1, "has an alias that stands for something it is part of; write it out"),
        ("[a]: b\n", 1, "has a key that is no text"),
        ("a: [b\nc: d\n", 2, "is not valid YAML: while parsing a flow sequence expected"),
        ("a: b\n\tc: d\n", 2, "is not valid YAML"),
        ("a: 'b\n", 2, "is not valid YAML: while scanning a quoted scalar found unexpected end"),
        ("a: *b\n", 1, "is not valid YAML: found undefined alias"),
        ("a: b\n---\nc: d\n", 2, "is not valid YAML: expected a single document"),
        ("a: \x07\n", 1, "is not valid YAML: unacceptable character"),
        ("[" * 100_000, 1, "is not usable YAML: nested too deep"),
        (b"a: b\nc: \xe9\n", 2, "is not UTF-8: byte 0xE9; save the file as UTF-8"),
        (b"x" * 1_000_001, None, "is longer than 1,000,000 bytes, which no mapping is; is it the table?"),
    ],
)
def test_yaml_that_is_none_or_means_harm_is_one_clear_error(faults, tmp_path, monkeypatch, text, line, message):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SourceFileError, match=message) as caught:
        faults(text)
    assert caught.value.line == line
    assert not (tmp_path / "HACKED").exists()


def test_a_bomb_of_aliases_is_not_built(faults):
    levels = "".join(f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 10)}]\n" for n in range(1, 12))
    with pytest.raises(SourceFileError, match=r"has more than 20,000 values; its aliases repeat too much"):
        faults("l0: &l0 [x]\n" + levels)


@given(st.text(st.sampled_from("{}[]:,-&*!#'\" \nab|>%@`?"), max_size=40) | st.text(max_size=30))
def test_any_text_is_a_mapping_or_a_clear_error(tmp_path_factory, text):
    path = tmp_path_factory.mktemp("m") / "m.yaml"
    path.write_text(text, encoding="utf-8", errors="surrogatepass")
    try:
        form, found = mapping.check(path)
    except SourceFileError:
        return
    assert (form is None) == bool(found)


@pytest.mark.parametrize(
    ("mapping_text", "table", "message"),
    [
        (None, None, r"m\.yaml:1: cannot be read: No such file"),
        ("a: !!python/object/apply:os.system [x]", None, r"m\.yaml:1: has the tag"),
        (HEAD + ENTITY, None, r"t\.csv:1: cannot be read: No such file"),
        (HEAD + ENTITY, "id,nam\n", r"m\.yaml:2: t\.csv has no column 'name', which"),
        (HEAD + ENTITY, "id;name\n", r"and one alone, 'id;name'; write table: {delimiter: semicolon}"),
    ],
)
def test_check_of_files_that_cannot_be_used(tmp_path, mapping_text, table, message):
    if mapping_text:
        (tmp_path / "m.yaml").write_text(mapping_text)
    if table:
        (tmp_path / "t.csv").write_text(table)
    code, out, err = check(tmp_path / "m.yaml", tmp_path / "t.csv")
    assert (code, out) == (1, "")
    assert re.search(message, err), err
    assert re.search(r"Error: (1 mistake in .*m\.yaml|.*t\.csv cannot be loaded by .*m\.yaml)", err)
