"""Words that stand for something said before, told from those that stand for something else, or for nothing."""

import pytest

from medgraph.answers.leaning import anaphor_in
from medgraph.answers.things import things_in


def found(text):
    anaphor = anaphor_in(text, things_in(text, []))
    return anaphor and (text[anaphor.start : anaphor.end], anaphor.group)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("How is it treated?", ("it", "")),
        ("What are its symptoms?", ("its", "")),
        ("it's contagious, right?", ("it", "")),
        ("Can they be prevented?", ("they", "")),
        ("Is this contagious?", ("this", "")),
        ("What causes that?", ("that", "")),
        ("Can this disease be cured?", ("this disease", "condition")),
        ("Should I stop the pills?", ("the pills", "drug")),
        ("Can stress cause it?", ("it", "")),
        ("Does ibuprofen make it worse?", ("it", "")),
        ("Is it related to diabetes?", ("it", "")),
        ("Can it cause blindness?", ("it", "")),
        ("How long does it take?", ("it", "")),
        ("Can stress or beer cause it?", ("it", "")),
        ("Does dust, mould or pollen cause it?", ("it", "")),
        ("Does this antibiotic work?", ("this antibiotic", "drug")),
        ("Does it hurt?", ("it", "")),
        ("Did I give it to him?", ("it", "")),
        ("Is it a virus?", ("it", "")),
        ("Is it because of sugar?", ("it", "")),
    ],
)
def test_what_stands_for_something_said_before(text, words):
    assert found(text) == words


@pytest.mark.parametrize(
    "text",
    [
        "Is it safe to take ibuprofen?",
        "How long does it take to recover from surgery?",
        "Could it be gout?",
        "Does it hurt to have gout?",
        "What is gout and how is it treated?",
        "Does gout go away if you ignore it?",
        "If my father has glaucoma, will I get it?",
        "Can a person with asthma outgrow it?",
        "Do children with asthma need their inhalers?",
        "When do kids get their shots?",
        "a drug that is sold in shops",
        "this morning I woke up",
        "the treatment",
        "How is gout treated?",
        "Is the medicine for gout safe?",
        "Is the virus HIV curable?",
        "Does gout go away if you treat the disease?",
        "Does ibuprofen help arthritis once it hurts?",
        "Do kids need their shots?",
        "When it flares, is gout treated in another way?",
        "",
    ],
)
def test_what_does_not(text):
    assert found(text) is None


@pytest.mark.parametrize(
    ("text", "plural", "possessive"),
    [
        ("How is it treated?", False, False),
        ("What are its symptoms?", False, True),
        ("Can they be prevented?", True, False),
        ("What are their symptoms?", True, True),
    ],
)
def test_whether_it_stands_for_several_things_or_for_what_belongs_to_one(text, plural, possessive):
    anaphor = anaphor_in(text, things_in(text, []))
    assert (anaphor.plural, anaphor.possessive) == (plural, possessive)
