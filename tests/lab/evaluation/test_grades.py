"""Every file of grades is of the form that what reads it needs, and grades what is asked."""

from collections import Counter

import pytest

from medgraph_lab.evaluation.sets.grades import read_grades, read_pages, read_sentences
from medgraph_lab.evaluation.sets.meqsum import read_all
from tests.support.emergencies import FOLDER, lines_of

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
    return {one.id for one in read_all(FOLDER / "everyday.csv")}


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
