"""What an answer keeps to: what to do alone in an emergency, and nothing outside health."""

import csv

import pytest

from medgraph.answers.answer import NOT_ENOUGH_EVIDENCE, RELATED, Answer, FoundPage, Urgent
from medgraph.answers.part_answers import OUTSIDE, UNKNOWN, bounded, is_outside
from medgraph.queries.entities import Mention
from medgraph_lab.evaluation.statistics import part_of
from tests.support.emergencies import lines_of

OUTSIDERS = lines_of("outside.txt")


def nothing(text, confidence=0.0, status=NOT_ENOUGH_EVIDENCE, **more):
    return Answer(text, status, confidence=confidence, **more)


def page(title):
    return FoundPage("d", title, "", "s", "", "", "", "https://example.org", 0.1)


def named(label, *, documents=0, similarity=1.0):
    return Mention("id", label, "Name", "name", "name", similarity, (), documents)


def test_questions_outside_health_are_declined():
    missed = [text for text in OUTSIDERS if not is_outside(nothing(text))]
    assert len(OUTSIDERS) == 60
    assert len(missed) <= 2, missed
    declined = bounded(nothing("tell me a joke", entities=(named("Topic"),)))
    assert (declined.remark, declined.evidence, declined.entities) == (OUTSIDE, (), ())


def test_hardly_any_question_of_consumers_would_be_declined_were_nothing_known(data):
    with (data / "questions" / "meqsum.csv").open(encoding="utf-8", newline="") as file:
        rows = [row["summary"] for row in csv.DictReader(file) if part_of(row["file"]) == "dev"]
    assert len(rows) == 419
    assert [text for text in rows if is_outside(nothing(text, confidence=0.05))] == []


@pytest.mark.parametrize(
    ("answer", "outside"),
    [
        (nothing("How do I clean my oven?", confidence=0.07), True),
        (nothing("How do I clean my oven?", confidence=0.2), False),
        (nothing("best pizza in town", entities=(named("Disease"),)), False),
        (nothing("best pizza in town", entities=(named("SideEffect"),)), True),
        (nothing("best pizza in town", entities=(named("SideEffect", documents=1),)), False),
        (nothing("how do I fix my cars", entities=(named("Disease", similarity=0.82),)), True),
        (nothing("How long does it take for humalog to start working?", confidence=0.013), False),
        (nothing("How often can pupil dilation be performed?"), False),
        (nothing("Hello. " * 20), False),
        (nothing("\u7cd6\u5c3f\u75c5"), False),
        (nothing("123"), False),
    ],
)
def test_in_doubt_a_question_is_of_health(answer, outside):
    assert is_outside(answer) == outside


def test_what_to_do_first_stays_whatever_else_is_not_of_health():
    urgent = (Urgent("poisoning", "Poisoning", "Call for help.", "Source", "https://example.org"),)
    for text in ("How do I clean my oven?", "blorptitis"):
        assert bounded(nothing(text, urgent=urgent)).urgent == urgent


@pytest.mark.parametrize(
    ("answer", "unknown"),
    [
        (nothing("blorptitis"), "blorptitis"),
        (nothing("What are the symptoms of asdf qwer syndrome?"), "asdf qwer"),
        (nothing("How is zanthoria treated?", confidence=0.6, status=RELATED), "zanthoria"),
        (nothing("How is zanthoria treated?", evidence=(page("Zanthoria"),)), ""),
        (nothing("How is zanthoria treated?", entities=(named("Disease"),)), ""),
        (nothing("Does zanthoria hurt the knees?"), ""),
        (nothing("What helps with it?"), ""),
    ],
)
def test_a_word_that_nothing_has_finds_nothing(answer, unknown):
    given = bounded(answer)
    assert (given.remark == UNKNOWN.format(unknown)) == bool(unknown)
    assert not unknown or (given.sentences, given.evidence, given.status) == ((), (), NOT_ENOUGH_EVIDENCE)
