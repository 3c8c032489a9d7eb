"""Which sentences decide a question that wants a yes or a no."""

from types import SimpleNamespace

import pytest

from medgraph.answers.deciding import decides_of
from medgraph.queries.entities import Mention
from medgraph.queries.question import Question, words_of


def question(text, *named):
    mentions = [
        Mention(name, "Disease", name, name, name, 1.0, (), 1, at := text.lower().find(name), at + len(name))
        for name in named
    ]
    return Question(text, words_of(text), None, lambda _: mentions, lambda: None)


def said(text, named=1.0):
    return SimpleNamespace(candidate=SimpleNamespace(text=text), named=named)


@pytest.mark.parametrize(
    ("text", "decides", "does_not"),
    [
        ("Can gout be cured?", "There is no cure for it.", "Gout is treated with colchicine."),
        ("Does a sprain go away?", "Most sprains disappear.", "A sprain hurts."),
        ("Is gout hereditary?", "Gout runs in some families.", "Gout hurts."),
        ("Is gout contagious?", "It does not spread from person to person.", "Gout hurts."),
        ("can I prevent gout", "Losing weight lowers your risk.", "Gout hurts."),
        ("Is gout fatal?", "People rarely die of gout.", "Gout hurts."),
        ("Does gout affect the elbows?", "It may reach elbows and knees.", "Gout hurts."),
    ],
)
def test_what_says_whether_it_is_so_decides(text, decides, does_not):
    test = decides_of(question(text, "sprain" if "sprain" in text else "gout"))
    assert test(said(decides))
    assert not test(said(does_not))


def test_between_two_things_what_names_both_decides():
    test = decides_of(question("Can aspirin cause gout?", "aspirin", "gout"))
    assert test(said("Aspirin raises uric acid."))
    assert not test(said("Gout hurts.", named=0.5))


@pytest.mark.parametrize(
    "text",
    [
        "How is gout cured?",
        "Can you tell me whether gout can be cured?",
        "Is there any information on a cure of gout?",
        "Is it gout?",
        "I have gout. My toe hurts. Can it be cured?",
    ],
)
def test_not_every_question_wants_a_yes_or_a_no(text):
    assert decides_of(question(text, "gout")) is None
