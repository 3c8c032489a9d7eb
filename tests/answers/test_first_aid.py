"""Who asks what to do in an emergency, and who asks something else of it."""

import csv

import pytest

from medgraph.answers.emergencies import first_aid_in


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


@pytest.mark.thorough
def test_hardly_any_question_of_consumers_is_taken_for_one(data):
    with (data / "questions" / "meqsum.csv").open(encoding="utf-8", newline="") as file:
        rows = [text for row in csv.DictReader(file) for text in (row["question"], row["summary"])]
    assert sum(bool(first_aid_in(text)) for text in rows) <= 2
