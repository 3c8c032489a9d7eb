"""Wordings with a slot: the table, and which are tried for a concept."""

import re

import pytest

from medgraph.errors import InputError
from medgraph.evaluation.sets.medquad import _EVERYDAY
from medgraph.queries.frames import candidates, chosen, frames, read_frames


def test_every_wording_has_one_slot_and_none_is_measured_by():
    measured = {text.lower() for texts in _EVERYDAY.values() for text in texts}
    for frame in frames():
        assert frame.text.count("{x}") == 1
        assert frame.text.lower() not in measured
    assert {frame.origin for frame in frames()} == {"medquad", "everyday"}


def test_verbs_follow_the_number_of_the_name():
    assert chosen("<Does|Do> {x} hurt, and what <is|are> {x}?", "kidney stones") == "Do {x} hurt, and what are {x}?"
    assert chosen("What <is|are> {x}?", "diabetes") == "What is {x}?"


def test_candidates_are_the_same_each_time_and_take_names_by_turns():
    first = candidates("treatment", "Disease", ["gout", "podagra"], "C0018099", 4)
    assert first == candidates("treatment", "Disease", ["gout", "podagra"], "C0018099", 4)
    assert [one.name for one in first] == ["gout", "podagra", "gout", "podagra"]
    assert len({one.wording for one in first}) == 4
    assert first != candidates("treatment", "Disease", ["gout", "podagra"], "C1", 4)
    assert all(one.name in one.text and "{x}" not in one.text for one in first)


def test_drugs_are_not_asked_about_as_conditions_are():
    asked = [one.text for one in candidates("indication", "Drug", ["größe{y}"], "D1", 9)]
    assert any("größe{y}" in text for text in asked)
    assert candidates("indication", "Disease", ["gout"], "D1", 9) == []
    assert candidates("indication", "Drug", [], "D1", 9) == []
    assert candidates("no such kind", "Disease", ["gout"], "D1", 9) == []


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("symptoms\tcondition\tx\t0", "there are 4 columns"),
        ("songs\tcondition\tx\t0\tWhat {x}?", "no relation tells 'songs'"),
        ("symptoms\tanimal\tx\t0\tWhat {x}?", "'animal' is none of condition, given, any"),
        ("symptoms\tany\tx\tmany\tWhat {x}?", "'many' is no number"),
        ("symptoms\tany\tx\t0\tWhat {x} and {x}?", "the wording has no {x}, or several"),
    ],
)
def test_a_line_that_cannot_be_used_is_named(tmp_path, line, problem):
    (tmp_path / "frames.tsv").write_text(f"# a table\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(f"frames.tsv:2: {problem}")):
        read_frames(tmp_path / "frames.tsv")
