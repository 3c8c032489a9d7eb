"""The section type that a question asks for, its key words misspelt or not."""

import pytest

from medgraph.queries.message import find_intents
from medgraph.schema.vocabulary import SECTION_TYPES
from tests.support.examples import examples


@pytest.mark.parametrize(("question", "intent"), examples("intent"))
def test_intent(question, intent):
    assert find_intents(question)[:1] == ((intent,) if intent else ())


@pytest.mark.parametrize(
    ("question", "intents"),
    [
        ("How is gout treated and can I prevent it?", {"treatment", "prevention"}),
        ("I think I have the sugar desease, can it harm my kidneys", {"complications"}),
        ("What is the risk of developing pancreatic cancer and how is it inherited?", {"inheritance"}),
        ("What is gout and what causes it?", {"causes"}),
        ("What is gout?", {"information"}),
        ("gout", set()),
        ("What are the latest treatments for keloids?", {"treatment"}),
        ("I was diagnosed with gout, how is it treated?", {"treatment"}),
        ("What is the prognosis for untreated periodontitis?", {"outlook"}),
        ("What are the treatments for hereditary angioedema due to a mutation?", {"treatment", "genetic changes"}),
        ("What are the treatments for voice disorders caused by ALS?", {"treatment"}),
        ("What is gout caused by?", {"causes"}),
        ("What are the treatments for stage 4 melanoma?", {"treatment"}),
        ("Is gene therapy available for haemophilia, and is it hereditary?", {"treatment", "inheritance"}),
        ("Is smoking bad for my heart?", {"complications"}),
        ("Is it bad for me?", set()),
        ("How is gout treated, what are its stages, and can I prevent it?", {"treatment", "stages", "prevention"}),
        ("Which stage of melanoma is that?", {"stages"}),
        ("Can the early stages of lung cancer be cured?", {"treatment"}),
    ],
)
def test_all_that_is_asked_for(question, intents):
    assert set(find_intents(question)) == intents
    assert intents <= set(SECTION_TYPES)
