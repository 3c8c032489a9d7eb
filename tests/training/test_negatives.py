"""Questions with hard negatives: of the same subject, of the same kind, and never what answers as well."""

from random import Random

import numpy as np
import pytest

from medgraph.training.corpus import Embedded, Vectors
from medgraph.training.matches import topic
from medgraph.training.negatives import Sections
from medgraph.training.questions import Example

KINDS = ("symptoms", "treatment")
PLACES = [(name, kind, page) for name in ("Gout", "Ague", "Mumps") for kind in KINDS for page in ("A", "B")]


def section(name, kind, page):
    return f"{page}:{name}/{kind}"


def example(name, kind, page):
    return Example(
        section=section(name, kind, page),
        question=f"{kind} of {name}?",
        type=kind,
        collection=page,
        names=[name],
        answers=frozenset(section(name, kind, one) for one in "AB"),
        near=frozenset(section(name, one, other) for one in KINDS for other in "AB"),
        subjects=frozenset([name]),
    )


@pytest.fixture
def drawing():
    ids = [section(*place) for place in PLACES]
    values = np.random.default_rng(1).normal(size=(len(ids) + 1, 8)).astype(np.float32)
    names = [name for name, _, _ in PLACES]
    texts = [f"{name} has {kind}." for name, kind, _ in PLACES]
    passages = Embedded(
        values, [*ids, "elsewhere"], [*names, "x"], [*texts, "held"], [*(f"Q\n{text}" for text in texts), "x"]
    )
    return Sections([example(*place) for place in PLACES], passages, Vectors(values[:1], ids[:1]))


def test_answers_are_of_another_source_and_wrong_ones_of_both_sorts(drawing):
    sorts = set()
    for drawn in drawing.draw(drawing.examples * 8, 2, Random(1)):
        (asked,) = drawn.answer.tells
        name, kind = asked.split("/")
        assert f"{name} has {kind}." in drawn.answer.text
        assert len(drawn.wrong) == 2
        for wrong in drawn.wrong:
            (told,) = wrong.tells
            other, another = told.split("/")
            assert (other == name) != (another == kind), "the same subject and another kind, or the other way about"
            sorts.add(other == name)
            assert "held" not in wrong.text
    assert sorts == {True, False}


def test_own_pages_answer_where_no_other_source_does(drawing):
    batch = [one for one in drawing.examples if one.collection == "A"]
    alone = Sections(batch, drawing._passages, Vectors(drawing._values[:1], ["none"]))
    drawn = alone.draw(batch, 1, Random(2))
    assert [one.answer.tells for one in drawn] == [{topic(one.names[0], one.type)} for one in batch]
    assert {one.answer.text.startswith("Q\n") for one in drawn} == {True, False}, "with and without their question"


def test_the_same_seed_draws_the_same_and_none_means_none(drawing):
    assert drawing.draw(drawing.examples, 2, Random(3)) == drawing.draw(drawing.examples, 2, Random(3))
    assert all(not one.wrong for one in drawing.draw(drawing.examples, 0, Random(3)))
