"""What speaks for a section: names, words and kind, as a question has them."""

import pytest

from medgraph.answers.signs import FEATURES, Signs
from medgraph.queries.entities import Mention
from medgraph.queries.question import Question, words_of
from medgraph.queries.retriever import SectionText


def question(text, *named):
    mentions = [Mention(name, "Disease", name, name, name, 1.0, (f"C-{name}",), 1) for name in named]
    return Question(text, words_of(text), None, lambda _: mentions, lambda: None)


def section(title="Gout", text="Ice helps.", kind="treatment", entities=(), concepts=()):
    return SectionText(
        "s", "d", title, [], "", "test", "", "CC0-1.0", kind, "", "", text, list(entities), list(concepts)
    )


def of(asked, given, told=False):
    return Signs(asked).of(given, 0.4, 0.6, told=told)


def test_every_feature_is_given():
    found = of(question("How is gout treated?", "gout"), section())
    assert tuple(found) == FEATURES
    assert (found["meaning"], found["sentence"]) == (0.4, 0.6)


def test_what_is_named_is_looked_for_in_title_text_and_what_the_page_is_about():
    asked = question("Can aspirin cause gout?", "aspirin", "gout")
    both = of(asked, section(text="Aspirin raises uric acid."))["names"]
    one = of(asked, section())["names"]
    assert 0 < one < both == 1.0
    assert of(asked, section(title="Joints", entities=["gout"], concepts=["C-aspirin"]))["names"] == 1.0
    assert of(asked, section(title="Joints"))["names"] == 0.0
    assert of(question("How are feet treated?"), section())["names"] == 0.5


def test_a_section_is_of_the_kind_asked_for_as_far_as_it_has_what_is_named():
    asked = question("How is gout treated?", "gout")
    assert of(asked, section())["typed"] == 1.0
    assert of(asked, section(title="Asthma"))["typed"] == 0.0
    assert of(asked, section(kind="symptoms"))["typed"] == 0.0
    assert (of(asked, section())["exact"], of(asked, section(entities=["gout"]))["exact"]) == (0.0, 1.0)
    assert of(asked, section(kind="symptoms", entities=["gout"]))["exact"] == 0.0


def test_what_something_is_counts_as_asked_only_where_nothing_else_is():
    plain, more = question("What is gout?", "gout"), question("What are the best creams for gout?", "gout")
    assert of(plain, section(kind="information"))["typed"] == 1.0
    assert of(more, section(kind="information"))["typed"] == 0.0
    assert of(more, section(kind="information"))["rest"] == 0.0
    assert of(more, section(text="Creams soothe the joint."))["rest"] == 1.0
    assert of(plain, section())["rest"] == 1.0


@pytest.mark.parametrize(
    ("text", "kind", "told", "silent"),
    [
        ("What are the stages of gout?", "treatment", False, 1.0),
        ("What are the stages of gout?", "treatment", True, 0.0),
        ("What are the stages of gout?", "stages", False, 0.0),
        ("Can I drink beer with gout?", "treatment", False, 0.0),
    ],
)
def test_a_section_is_silent_that_neither_is_of_the_kind_nor_tells_such_things(text, kind, told, silent):
    assert of(question(text, "gout"), section(kind=kind), told)["silent"] == silent


def test_sentences_tell_what_is_asked():
    signs = Signs(question("What causes gout?", "gout"))
    assert signs.told("It is caused by crystals.")
    assert not signs.told("It hurts.")
    assert signs.worded("gout hurts") > signs.worded("asthma hurts")
