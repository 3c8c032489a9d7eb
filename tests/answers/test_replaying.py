"""What is different between two runs of a question."""

from dataclasses import replace

from medgraph.answers.answer_runs import AnswerRun
from medgraph.answers.replaying import Change, difference

BEFORE = AnswerRun(
    "Is it?",
    "generated",
    status="answered",
    sentences=("One.", "Two."),
    verdicts=("supported", "supported"),
    evidence=("a", "b", "c"),
    hashes=("1", "2", ""),
    model="openai:one",
    prompts=("generated@1",),
)


def test_nothing_is_different_of_what_is_the_same():
    found = difference(BEFORE, replace(BEFORE, id="x@1", kept="2026", milliseconds=(1.0,)), {"a": "1", "b": "2"})
    assert found.same
    assert not (found.came)
    assert not (found.went)
    assert not (found.verdicts)
    assert not (found.changed)
    assert not (found.gone)
    assert not (found.made)
    assert not (found.used)
    assert not (found.unused)


def test_sentences_verdicts_evidence_and_how_it_was_made():
    after = replace(
        BEFORE,
        sentences=("Two.", "Three."),
        verdicts=("no_evidence", "supported"),
        evidence=("a", "d"),
        hashes=("9", "4"),
        model="openai:two",
        prompts=("generated@2",),
    )
    found = difference(BEFORE, after, {"a": "9", "c": "3"})
    assert not found.same
    assert (found.came, found.went) == (("Three.",), ("One.",))
    assert found.verdicts == (Change("Two.", "supported", "no_evidence"),)
    assert (found.changed, found.gone, found.used, found.unused) == (("a", "c"), ("b",), ("d",), ("c",))
    assert [(one.what, one.before, one.after) for one in found.made] == [
        ("model", "openai:one", "openai:two"),
        ("prompts", ("generated@1",), ("generated@2",)),
    ]
    assert found.as_dict()["before"]["sentences"] == ("One.", "Two.")


def test_another_status_is_another_answer():
    assert not difference(BEFORE, replace(BEFORE, status="related"), {"a": "1", "b": "2"}).same
