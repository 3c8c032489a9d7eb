"""Answers measured by grades, and the files of grades."""

from collections import Counter

import pytest

from medgraph.answers.signs import FEATURES, KINDS, LEVELS
from medgraph.errors import InputError
from medgraph.logistic import INTERCEPT
from medgraph_lab.evaluation import graded
from medgraph_lab.evaluation.abstention import Case
from medgraph_lab.evaluation.sets.grades import read_grades, read_pages, read_sentences
from medgraph_lab.evaluation.sets.meqsum import Message, load_all_messages
from tests.support.answers import answerer_of
from tests.support.emergencies import FOLDER, lines_of

MESSAGES = [
    Message("1", "Hello. My father has gout. How is gout treated?", "How is gout treated?"),
    Message("2", "Hello. My toe hurts. Where is the nearest museum?", "best pizza in town"),
]
OF_GOUT = {"sample:gout#6": 4, "sample:gout#7": 2, "sample:gout#3": 1, "sample:gout#8": 1}
GRADES = {"1": OF_GOUT, "2": {"sample:gout#6": 1}}


@pytest.fixture
def answerer(sample_graph, encoder):
    return answerer_of(sample_graph, encoder)


def test_what_is_quoted_is_compared_with_the_grades(answerer):
    question, message = graded.evaluate(answerer, MESSAGES, GRADES)
    assert (question["asked"], message["asked"]) == KINDS
    assert {name: question[name] for name in ("questions", "answerable", "answered", "right", "helpful")} == {
        "questions": 2, "answerable": 0.5, "answered": 0.5, "right": 1.0, "helpful": 1.0
    }  # fmt: skip
    assert (question["near"], question["ungraded"], question["false"]) == (1.0, 0.0, 0.0)


def test_an_answer_that_no_grade_speaks_for_is_not_right(answerer):
    elsewhere = {"1": {"sample:asthma#2": 4}}
    (question, _) = graded.evaluate(answerer, MESSAGES[:1], elsewhere)
    assert (question["right"], question["ungraded"], question["helpful"]) == (0.0, 1.0, 0.0)
    (question, _) = graded.evaluate(answerer, MESSAGES[:1], {"1": {"sample:gout#6": 1}})
    assert (question["answerable"], question["false"], question["ungraded"]) == (0.0, 1.0, 0.0)


@pytest.mark.thorough
def test_weights_are_fitted_to_grades(answerer):
    made = [Case("What are the symptoms of asthma?", frozenset({"sample:asthma#2"})), Case("best pizza", frozenset())]
    model = graded.train(answerer, MESSAGES, GRADES, made)
    assert model.keys() == {f"{kind} {level}" for kind in KINDS for level in LEVELS}
    for kind in KINDS:
        weights = model[f"{kind} answers"]
        assert set(weights) == {*FEATURES, INTERCEPT}
        assert weights["sentence"] > 0
    alone = graded.train(answerer, MESSAGES, GRADES, [])
    assert alone["message answers"] == model["message answers"]
    assert alone["question answers"] != model["question answers"]
    with pytest.raises(InputError, match="give more grades"):
        graded.train(answerer, MESSAGES[1:], GRADES, [])


SECTIONS = {
    "graded-dev.tsv": (181, 1963),
    "graded-everyday.tsv": (150, 1552),
    "graded-fresh.tsv": (100, 854),
    "graded-held.tsv": (150, 2415),
    "graded-missed.tsv": (99, 1733),
    "graded-train.tsv": (238, 2397),
    "graded-unseen.tsv": (100, 885),
}
"""File → its questions and its rows."""


@pytest.fixture(scope="module")
def asked():
    """Ids of everyday questions; those of MeQSum end in `.txt`."""
    return {one.id for one in load_all_messages(FOLDER / "everyday.csv")}


def test_every_file_of_graded_sections_is_known():
    found = {path.name for path in FOLDER.glob("graded-*.tsv")}
    assert found == {*SECTIONS, "graded-pages.tsv"}


@pytest.mark.parametrize("name", SECTIONS)
def test_sections_are_graded_from_1_to_4_for_questions(name, asked):
    grades = read_grades(FOLDER / name)
    assert (len(grades), sum(map(len, grades.values()))) == SECTIONS[name]
    assert {question for question in grades if not question.endswith(".txt")} <= asked
    assert all(":" in section for given in grades.values() for section in given)


def test_sentences_are_graded_from_0_to_3_for_questions(asked):
    grades = read_sentences(FOLDER / "sentences.tsv")
    assert len(grades) == 12_095
    assert {question for question, *_ in grades if not question.endswith(".txt")} <= asked
    assert all(what and ":" in section and start < end for _, what, section, start, end in grades)


def test_pages_are_graded_from_0_to_2_for_questions(asked):
    grades = read_pages(FOLDER / "graded-pages.tsv")
    assert len(grades) == 1491
    assert {question for question, *_ in grades if not question.endswith(".txt")} <= asked


def test_verdicts_on_everyday_questions_are_those_of_the_readme():
    rows = [line.split("\t") for line in lines_of("everyday-judged.tsv")]
    assert {len(row) for row in rows} == {7}
    assert Counter(row[0] for row in rows) == {"seen": 120, "unseen": 120, "later": 120, "last": 100}
    assert {row[2] for row in rows} == set("YN")
    verdicts = {"answered": set("RPBW"), "related": set("RPBW"), "silent": {""}}
    assert all(verdict in verdicts[status] for row in rows for status, verdict in (row[3:5], row[5:]))
    told = Counter((row[5], row[6]) for row in rows if row[0] in {"later", "last"})
    assert [told["answered", verdict] for verdict in "RPBW"] == [22, 16, 2, 2]
    assert (told["related", "R"] + told["related", "P"], told["related", "B"], told["related", "W"]) == (54, 43, 13)
    assert told["silent", ""] == 68
