"""Answers to judged questions: what is quoted beside the grades, and what is answered without what was graded."""

import pytest

from medgraph.queries.entities import Mention
from medgraph_lab.evaluation import graded as judged
from medgraph_lab.evaluation.graded import SeparateRetriever
from medgraph_lab.evaluation.sets.mediqa import JudgedQuestion, fill, load
from tests.support.linking import names_of
from tests.support.mediqa import write_mediqa

GRADES = {"gout#1": 4, "gout#2": 2}
QUESTIONS = [
    JudgedQuestion(f"q{number}", "What is gout?", style, GRADES)
    for number, style in enumerate(["simple"] * 3 + ["message"])
]


def mentions(text):
    return [
        Mention(f"x:{name}", "Disease", name, name, name, 1.0, (), 1)
        for name in ("gout", "asthma")
        if name in text.lower()
    ]


@pytest.fixture
def graded(database, encoder, settings, tmp_path):
    """The questions, and what searches a graph of their answers."""
    questions, answers = load(write_mediqa(tmp_path))
    fill(database, settings, answers, encoder)
    return questions, SeparateRetriever(database, lambda: encoder, names_of(database), mentions)


def case(status="answered", first=4, best=4):
    return {"answerable": True, "status": status, "first": first, "best": best}


def test_shares_are_of_those_that_they_are_about():
    related, silent = case("related", first=2, best=2), case("not_enough_evidence", first=None, best=0)
    rows = judged.table(
        QUESTIONS,
        [case(), case(first=None, best=3), related, case(first=2, best=2)],
        [case(), related, silent, silent],
        [silent, related, related, silent],
    )
    assert [row["style"] for row in rows] == ["simple", "message", "all"]
    third, simple = pytest.approx(1 / 3), rows[0]
    assert {name: simple[name] for name in ("answered", "related", "right", "helpful", "false", "false afar")} == {
        "answered": pytest.approx(2 / 3), "related": third, "right": 0.5, "helpful": pytest.approx(2 / 3),
        "false": third, "false afar": 0,
    }  # fmt: skip
    assert [row["related afar"] for row in rows] == [pytest.approx(2 / 3), 0, 0.5]
    assert (rows[1]["answered"], rows[1]["right"], rows[2]["false"]) == (1, 0, 0.25)


@pytest.mark.thorough
def test_what_is_hidden_is_not_found_and_others_are(graded):
    questions, searching = graded
    treated = questions[2]
    asked = searching.question(treated.text)
    assert [mention.entity for mention in asked.mentions] == ["x:gout"]
    everything = {row["section"] for row in searching.candidates(asked)}
    assert everything >= treated.grades.keys()
    searching.hidden = treated.grades.keys()
    assert {row["section"] for row in searching.ranked(asked)} == everything - searching.hidden
    # As many as before are looked at, though those that come first are hidden.
    searching.hidden = ()
    searching.hidden = {row["section"] for row in searching.candidates(asked, 1)}
    assert searching.candidates(asked, 1)


@pytest.mark.thorough
def test_questions_are_answered_from_what_may_be_found(graded, encoder):
    questions, searching = graded
    *_, every = judged.ask(questions, searching, lambda: encoder)
    assert every["answered"] > every["false"] >= every["false afar"] == 0
    assert every["right"] == 1.0
