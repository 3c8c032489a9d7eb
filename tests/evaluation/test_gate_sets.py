"""Which questions and pages the gate takes."""

from medgraph.evaluation import gate_sets
from medgraph.evaluation.gate_sets import Page, choose

PAGES = {
    name: Page(name, "pubmedqa" if name.startswith("p") else "medquad", f"file of {name}", size, subject)
    for name, size, subject in [
        ("a", 10, "gout"),
        ("b", 1000, "asthma"),
        ("c", 10, "gout"),
        ("d", 10, "croup"),
        ("e", 90_000, "gout"),
        ("p1", 20, ""),
    ]
}
GRADES = {
    "unseen": {"1": {"a#1": 4}, "2": {"b#1": 4}, "3": {"a#2": 1, "elsewhere#1": 2}, "4": {"b#2": 1}},
    "held": {"5": {"p1#1": 3}},
}


def test_questions_whose_pages_are_short_come_first_and_as_many_have_answers_as_in_the_set(monkeypatch):
    monkeypatch.setattr(gate_sets, "SETS", {"unseen": ("", 2), "held": ("", 9)})
    chosen = choose(GRADES, PAGES)
    assert chosen.questions == {"unseen": ["1", "3"], "held": ["5"]}
    assert chosen == choose(GRADES, dict(reversed(PAGES.items())))


def test_beside_what_grades_name_stand_pages_about_the_same_and_about_others(monkeypatch):
    monkeypatch.setattr(gate_sets, "SETS", {"unseen": ("", 2), "held": ("", 1)})
    files = choose(GRADES, PAGES).files
    assert files["medquad"] == [f"file of {name}" for name in "abcd"]  # e is too long
    assert files["pubmedqa"] == ["file of p1"]
    monkeypatch.setattr(gate_sets, "SAME", 0)
    monkeypatch.setattr(gate_sets, "OTHERS", 0)
    assert choose(GRADES, PAGES).files["medquad"] == ["file of a"]
