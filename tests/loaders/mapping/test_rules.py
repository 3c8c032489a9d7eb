"""The rules of a mapping: each mistake is named with its key and line."""

import pytest

from tests.support.mappings import ENTITY, HEAD


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (HEAD, 1, "the mapping has no entities:, relations: or documents:"),
        ("title: x\n" + HEAD + ENTITY, 1, "the mapping has the unknown key 'title'; known are source, table"),
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
        (HEAD + ENTITY.replace("{name}", "{name|lowr}"), 2, "has the unknown step 'lowr'; known are strip, lower"),
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
