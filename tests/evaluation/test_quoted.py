"""Sentences that answers quote, measured by grades."""

import pytest

from medgraph.answers.helping import FEATURES, INTERCEPT
from medgraph.errors import InputError, SourceFileError
from medgraph.evaluation import quoted
from medgraph.evaluation.messages import Message
from tests.support.answers import answerer_of

ASKED = "How is gout treated?"
MESSAGES = [Message("1", "Hello. My father has gout. How is gout treated?", ASKED), Message("2", "Hello.", "pizza?")]


@pytest.fixture
def answerer(sample_graph, encoder):
    return answerer_of(sample_graph, encoder)


@pytest.fixture
def cited(answerer):
    """What an answer quotes, as grades know it."""
    given = [sentence.citations[0] for sentence in answerer.ask(ASKED).sentences]
    return [("1", ASKED, one.section, one.start, one.end) for one in given]


def test_grades_are_read_and_what_is_none_is_refused(tmp_path):
    path = tmp_path / "grades.tsv"
    good = "1\tHow is gout treated?\ta#1\t0\t17\t3"
    path.write_text(f"# by reading\n{good}\n")
    assert quoted.read(path) == {("1", ASKED, "a#1", 0, 17): 3}
    for line in ("1\tHow?\ta#1\t0\t17\t4", "1\tHow?\ta#1\t0\t3", "1\tHow?\ta#1\tzero\t17\t3", "1\tHow?\ta#1\t\t17\t3"):
        path.write_text(f"{good}\n{line}\n")
        with pytest.raises(SourceFileError, match="section<TAB>start<TAB>end<TAB>grade from 0 to 3") as error:
            quoted.read(path)
        assert error.value.line == 2


def test_what_is_quoted_is_compared_with_the_grades(answerer, cited):
    answered, related = quoted.evaluate(answerer, MESSAGES, {cited[0]: 3} | dict.fromkeys(cited[1:], 0))
    assert (answered["status"], answered["parts"], related["parts"]) == ("answered", 1, 0)
    assert (answered["sentences"], answered["ungraded"], answered["first"]) == (len(cited), 0.0, 1.0)
    assert answered["help"] == answered["answer"] == pytest.approx(1 / len(cited))
    assert answered["not belong"] == pytest.approx(1 - 1 / len(cited))
    (answered, _) = quoted.evaluate(answerer, MESSAGES, {cited[-1]: 2})
    assert (answered["help"], answered["answer"]) == (1.0, 0.0)
    assert answered["ungraded"] == pytest.approx(1 - 1 / len(cited))


def test_weights_are_fitted_to_grades(answerer):
    grades, place = {}, 0
    for asked, evidence in answerer.weighed(ASKED):
        for item in evidence:
            for said in item.said:
                place += 1
                one = said.candidate
                grades["1", asked, item.section.section, one.start, one.end] = 2 * said.told
    weights = quoted.fit(answerer, MESSAGES, grades)
    assert tuple(weights) == (*FEATURES, INTERCEPT)
    assert place > 2
    assert weights["told"] > 0.5
    with pytest.raises(InputError, match="that help and sentences that do not"):
        quoted.fit(answerer, MESSAGES, dict.fromkeys(grades, 1))


def test_grades_of_other_questions_are_refused(answerer):
    with pytest.raises(InputError, match="of none of these messages"):
        quoted.evaluate(answerer, MESSAGES, {("9", ASKED, "a#1", 0, 17): 3})
