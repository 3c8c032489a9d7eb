"""What is said of a language model's part in an answer."""

from dataclasses import replace

import pytest

from medgraph.answers.answer import Answer, Sentence
from medgraph.answers.generation import Generation, Reading
from medgraph.answers.outline import read_by, written_by

NONE = Answer("?", "not_enough_evidence")
ONE = replace(NONE, status="answered", sentences=(Sentence("Rest.", (), "supported"),))


@pytest.mark.parametrize(
    ("answer", "generation", "said"),
    [
        (ONE, None, ""),
        (ONE, Generation("m"), "Written by m, each sentence checked against its source."),
        (ONE, Generation("m", fallback="it failed"), "Quoted, and not written by m: it failed."),
        (ONE, Generation(fallback="none"), "Quoted, and not written by a language model: none."),
        (NONE, Generation("m", silent=("?",)), ""),
    ],
)
def test_who_wrote(answer, generation, said):
    assert written_by(replace(answer, generation=generation)) == said


def test_who_read():
    readings = (Reading("turns", "m", "p@1"), Reading("passages", "", "p@2", "it failed"))
    assert read_by(replace(NONE, readings=readings)) == (
        "What was said was completed by m.",
        "Whether passages answer was judged by rules, and not by a language model: it failed.",
    )
