"""Answers to judged questions: what is quoted beside the grades, and what is answered without what was graded."""

from types import SimpleNamespace

import pytest

from medgraph.answers.answer import Answer, Citation, FoundPage, FoundSection, Sentence
from medgraph.evaluation import judged
from medgraph.evaluation.judged import Apart, Asked, Outcome
from medgraph.evaluation.sets.mediqa import Judged, fill, read
from medgraph.queries.entities import Mention
from tests.support.linking import names_of
from tests.support.mediqa import write_mediqa

GRADES = {"gout#1": 4, "gout#2": 2}
QUESTIONS = [
    Judged(f"q{number}", "What is gout?", style, GRADES) for number, style in enumerate(["simple"] * 3 + ["message"])
]


def mentions(text):
    return [
        Mention(f"x:{name}", "Disease", name, name, name, 1.0, (), 1)
        for name in ("gout", "asthma")
        if name in text.lower()
    ]


def outcome(status="answered", sure=0.9, first=4, best=4, evidence=4, **spent):
    return Outcome(status, sure, first, best, evidence, spent or {"total": 10.0})


def quoted(section):
    return Sentence("Gout hurts.", (Citation(section, "d", "", "", "", "", 0, 1, "", ""),), "supported")


def found(section, score):
    return FoundSection(section, "d", "", "", "", "", "", "", score)


@pytest.fixture
def graded(database, encoder, settings, tmp_path):
    """The questions, and what searches a graph of their answers."""
    questions, answers = read(write_mediqa(tmp_path))
    fill(database, settings, answers, encoder)
    return questions, Apart(database, lambda: encoder, names_of(database), mentions)


def test_what_is_cited_first_at_all_and_the_likeliest_section_are_graded():
    page = FoundPage("d", "", "", "", "", "", "", "", 1.0)
    given = Answer(
        "What is gout?",
        "answered",
        (quoted("gout#2"), quoted("gout#1"), quoted("gout#9")),
        evidence=(page, found("gout#9", 0.7), found("gout#1", 0.8)),
        confidence=0.8,
        timing_ms={"total": 7.0},
    )
    assert judged.outcome(given, GRADES) == Outcome("answered", 0.8, 2, 4, 4, {"total": 7.0})
    nothing = Answer("What is gout?", "not_enough_evidence", evidence=(page,))
    assert judged.outcome(nothing, GRADES) == Outcome("not_enough_evidence", 0.0, 0, 0, 0, {})


def test_shares_are_of_those_that_they_are_about():
    related, silent = outcome("related", first=2), outcome("not_enough_evidence", first=0)
    asked = Asked(
        QUESTIONS,
        [outcome(), outcome(first=0, best=3), related, outcome(first=2, best=2)],
        [outcome(), related, silent, silent],
        [silent, related, related, silent],
    )
    simple, message, every = judged.table(asked)
    assert [row["style"] for row in (simple, message, every)] == ["simple", "message", "all"]
    third = pytest.approx(1 / 3)
    assert {name: simple[name] for name in ("questions", "answered", "related", "silent", "right", "anywhere")} == {
        "questions": 3, "answered": pytest.approx(2 / 3), "related": third, "silent": 0, "right": 0.5, "anywhere": 1
    }  # fmt: skip
    assert {name: simple[name] for name in ("ungraded", "near", "false", "false afar", "related afar")} == {
        "ungraded": 0.5, "near": 1, "false": third, "false afar": 0, "related afar": pytest.approx(2 / 3)
    }  # fmt: skip
    assert (message["answered"], message["right"], message["near"], message["false"]) == (1, 0, 0, 0)
    assert (every["questions"], every["answered"], every["false"], every["more"]) == (4, 0.75, 0.25, 0.5)
    assert every["low"] < every["more"] < every["high"]


def test_how_long_steps_take_is_told_without_the_first_answer():
    given = [outcome(encode=900.0, total=999.0), *(outcome(encode=n, total=2 * n) for n in (1.0, 2.0, 3.0))]
    asked = Asked(QUESTIONS, given, [outcome(total=8.0)], [outcome(elsewhere=5.0, total=10.0)])
    assert judged.latency(asked) == [
        {"step": "encode", "p50": 2.0, "p95": 2.9},
        {"step": "elsewhere", "p50": 5.0, "p95": 5.0},
        {"step": "total", "p50": 6.0, "p95": 9.6},
    ]


def test_what_is_hidden_is_not_found_and_others_are(graded):
    questions, searching = graded
    treated = questions[2]
    everything = {row["section"] for row in searching.candidates(searching.question(treated.text))}
    assert everything >= treated.grades.keys()
    searching.hidden = treated.grades.keys()
    assert {
        row["section"] for row in searching.ranked(searching.question(treated.text))
    } == everything - searching.hidden
    # As many as before are looked at, though those that come first are hidden.
    searching.hidden = ()
    searching.hidden = {row["section"] for row in searching.candidates(searching.question(treated.text), 1)}
    assert searching.candidates(searching.question(treated.text), 1)


def test_questions_are_about_the_same_that_name_the_same_or_share_a_section():
    asked = {"What is gout?": "a", "Treat gout!": "b", "What is asthma?": "c", "Why do I cough?": "cd", "Why me?": "d"}
    questions = [Judged(text, text, "simple", dict.fromkeys(sections, 4)) for text, sections in asked.items()]
    found = judged.about_the_same(questions, SimpleNamespace(mentions=mentions))
    assert ["".join(sorted(sections)) for sections in found] == ["ab", "ab", "cd", "cd", "cd"]


def test_questions_are_answered_from_what_may_be_found(graded, encoder):
    questions, searching = graded
    asked = judged.ask(questions, searching, lambda: encoder)
    assert [len(each) for each in (asked.given, asked.without, asked.afar)] == [3, 3, 3]
    assert all(one.first >= 3 for one in asked.given if one.status == "answered")
    assert any(one.status == "answered" for one in asked.given)
    assert all(one.best == one.evidence == 0 for one in (*asked.without, *asked.afar))
    # Of sections graded for a question, and for others about the same, nothing is left.
    assert asked.without[1].sure > asked.afar[1].sure == 0
    assert len(judged.table(asked)) == 3
