"""Templates, steps and conditions: what becomes of a cell."""

import pytest

from medgraph.schema.records import Entity


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
        ('{matches: "^[xy]$"}', "12"), ('{matches: "[xz]", not: x}', "4"), ("true", ""), ("zz", "4"),
    ],
)  # fmt: skip
def test_conditions(use, condition, kept):
    text = f'entities: [{{id: "clinic:{{id}}", label: Disease, name: n, when: {{k: {condition}}}}}]\n'
    made, others = use(text, "id,k\n1,x\n2,y\n3,\n4,zz\n")
    assert "".join(record.id[-1] for record in made) == kept
    assert not others
