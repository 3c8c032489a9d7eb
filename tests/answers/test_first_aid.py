"""Who asks what to do in an emergency, and who asks something else of it."""

import csv

import pytest

from medgraph.answers.cues import emergencies_in
from medgraph.answers.emergencies import advice
from medgraph.answers.first_aid import first_aid_in
from tests.support.emergencies import lines_of

ROWS = [tuple(line.split("\t")) for line in lines_of("first_aid.tsv")]
ORDINARY = [text for kind, text in ROWS if kind == "-"]
ASKED = [row for row in ROWS if row[0] != "-"]


def test_who_asks_what_to_do_is_recognised():
    assert [row for row in ASKED if row[0] not in {*first_aid_in(row[1]), *emergencies_in(row[1])}] == []
    assert {kind for _, text in ASKED for kind in first_aid_in(text)} <= advice().keys()


def test_other_questions_of_emergencies_are_ordinary():
    assert [text for text in ORDINARY if first_aid_in(text) or emergencies_in(text)] == []


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("WHAT SHOULD I DO IF SOMEONE HAS A STROKE!!!", ["stroke"]),
        ("what shoud i do if someones chocking", []),
        ("In my novel he asks what to do if someone has a stroke", []),
        ("Is it serious? What should I do if my wife is having a seizure?", ["seizure"]),
        ("I read about gout. If someone faints, he said. What should I do about gout?", []),
        ("", []),
    ],
)
def test_one_sentence_asks(text, kinds):
    assert first_aid_in(text) == kinds


def test_hardly_any_question_of_consumers_is_taken_for_one(data):
    with (data / "questions" / "meqsum.csv").open(encoding="utf-8", newline="") as file:
        rows = [text for row in csv.DictReader(file) for text in (row["question"], row["summary"])]
    assert sum(bool(first_aid_in(text)) for text in rows) <= 2
