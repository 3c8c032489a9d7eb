"""Every check of an audit, on a graph that has the fault and on one that has not."""

import pytest

from medgraph.audit.run import FINDERS, VALUES, checks
from medgraph.graph import catalogue
from tests.support.audits import ENTITY, NAMES, SOUND, findings_of
from tests.support.examples import examples
from tests.support.graphs import run
from tests.support.points import few

FAULTS = examples("audit_faults")
"""Check, what breaks the graph, severity, part of what is said, part of the first example."""


def test_every_statement_is_a_check_that_is_tried_or_a_helper():
    helpers = {"is_a_between", "is_a_members"}
    files = {query.name for query in catalogue.queries().values() if query.folder == "audit"}
    assert files == {*NAMES, *helpers}
    assert {fault[0] for fault in FAULTS} | {name for name in NAMES if checks()[name].query.fault} == set(NAMES)
    assert {*FINDERS} <= {*NAMES}
    used = {name for check in checks().values() for name in check.query.parameters}
    assert {*VALUES} <= used


@pytest.mark.parametrize("check", [name for name, check in checks().items() if check.query.fault])
def test_a_fault_that_a_file_states_is_found(sound, check):
    run(sound, checks()[check].query.fault)
    assert findings_of(sound, check)


def test_a_sound_graph_has_no_fault(sound):
    assert [check for check in NAMES if findings_of(sound, check)] == []


@pytest.mark.parametrize(
    ("check", "statement", "severity", "what", "example"), few(FAULTS, 3), ids=[f"{f[0]}-{f[3][:30]}" for f in FAULTS]
)
def test_the_fault_is_found(sound, check, statement, severity, what, example):
    run(sound, statement)
    findings = [finding for finding in findings_of(sound, check) if what in finding.what]
    (finding,) = findings
    assert finding.severity == severity
    assert finding.count >= 1
    assert example in finding.examples[0]
    assert [f.id for f in findings_of(sound, check) if what in f.what] == [finding.id]  # a second time, the same id


@pytest.mark.thorough
def test_every_check_takes_a_source_and_says_nothing_of_others(sound):
    run(sound, "CREATE (:Source {id: 't', title: 'T', version: '1', licence: 'CC0-1.0'})")
    for check, statement, *_ in FAULTS:
        elsewhere = "'gone'" in statement or "'t'" in statement
        if elsewhere or statement.startswith("MATCH (s:Source)") or check == "undesigned_relations":
            continue
        run(sound, "MATCH (n) WHERE NOT n:Migration AND NOT n:Encoder DETACH DELETE n")
        run(sound, SOUND)
        run(sound, "CREATE (:Source {id: 't', title: 'T', version: '1', licence: 'CC0-1.0'})")
        run(sound, statement)
        assert findings_of(sound, check, source="t") == [], statement


@pytest.mark.parametrize(
    ("name", "label", "kinds"), [("T", "Gene", []), ("T", "Disease", ["names"]), ("? ?", "Gene", ["symbols"])]
)
def test_what_is_usual_in_symbols_of_genes_is_no_fault(sound, name, label, kinds):
    run(sound, ENTITY + f"e.name = '{name}', e:{label}")
    assert [finding.keys[1] for finding in findings_of(sound, "suspicious_names")] == kinds


@pytest.mark.parametrize(
    ("subject", "relation", "target"),
    [
        ("Disease", "HAS_SYMPTOM", "Disease"),
        ("Disease", "HAS_SYMPTOM", "Phenotype"),
        ("Drug", "TREATS", "Symptom"),
        ("Topic", "TREATS", "Gene"),
        ("Disease", "CAUSED_BY", "Organism"),
        ("Anatomy", "EXPRESSES", "Gene"),
        ("Gene", "PARTICIPATES_IN", "Pathway"),
        ("Drug", "HAS_SIDE_EFFECT", "SideEffect"),
        ("Symptom", "RELATED_TO", "Gene"),
    ],
)
def test_relations_that_may_be(sound, subject, relation, target):
    run(sound, f"CREATE (:Entity:{subject} {{id: 'a'}})-[:{relation} {{source: 's'}}]->(:Entity:{target} {{id: 'b'}})")
    assert findings_of(sound, "misplaced_relations") == []
