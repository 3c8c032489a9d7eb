"""MEDIQA: what is read from its files, and the documents made of it."""

import json

import pytest

from medgraph.errors import SourceFileError
from medgraph.loaders.sources import documents
from medgraph_lab.evaluation.sets.mediqa import FILES, load, write_documents
from tests.support.mediqa import write_mediqa


def test_questions_have_the_grades_of_their_answers(tmp_path):
    questions, answers = load(write_mediqa(tmp_path))
    titles = {answer.section: answer.title for answer in answers}
    assert [(one.id, one.style, one.text) for one in questions] == [
        ("simple-1", "simple", "What is Gout?"),
        ("simple-2", "simple", "What are the treatments of Asthma?"),
        ("message-1", "message", "Gout. My toe hurts & is red. What helps against gout?"),
    ]
    assert {titles[section]: grade for section, grade in questions[0].grades.items()} == {
        "Gout": 4,
        "Gout (Treatment)": 2,
        "Asthma": 1,
    }


def test_a_text_that_answers_several_questions_is_one_document(tmp_path):
    questions, answers = load(write_mediqa(tmp_path))
    assert sorted(answer.title for answer in answers) == ["Asthma", "Asthma (Treatment)", "Gout", "Gout (Treatment)"]
    treatment = next(answer.section for answer in answers if answer.title == "Gout (Treatment)")
    assert [one.grades.get(treatment) for one in questions] == [2, None, 4]


def test_answers_are_documents_of_the_form_that_is_loaded(tmp_path):
    _, answers = load(write_mediqa(tmp_path))
    path = tmp_path / "answers.jsonl"
    write_documents(answers, path)
    rows = [row.record for row in documents.records(path)]
    assert {(row.title, row.sections[0].id, row.sections[0].text) for row in rows} == {
        (answer.title, answer.section, answer.text) for answer in answers
    }
    assert [json.loads(line)["url"] for line in path.read_text().splitlines()] == ["https://example.org/page"] * 4


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('ReferenceScore="4"', 'ReferenceScore="5"', "has the grade '5' where 1 to 4 belong"),
        ("<QuestionText>What is Gout?</QuestionText>", "", "question 1 lacks its text or its answers"),
        ("MEDIQA2019-Task3-QA-TrainingSet2-Alexa", "Other", "has the outermost element <Other>"),
    ],
)
def test_another_file_is_refused(tmp_path, old, new, message):
    folder = write_mediqa(tmp_path)
    path = folder / FILES["simple"][0]
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(SourceFileError, match=message):
        load(folder)
