"""The net: what differs is never taken for the same."""

import pytest

from medgraph.answers.verify.rules import compare

DIFFERENT = [
    ("Take 20 mg a day.", "Take 10 mg a day.", "number"),
    ("Take 10 mcg a day.", "Take 10 mg a day.", "unit"),
    ("It lasts 6 weeks.", "It lasts 6 months.", "unit"),
    ("Type 1 diabetes is treated with diet.", "Type 2 diabetes is treated with diet.", "number"),
    ("It can cause fever.", "It cannot cause fever.", "negation"),
    ("It does not spread by touch.", "It spreads by touch.", "negation"),
    ("It is not a kind of gout.", "It is a kind of gout.", "negation"),
    ("Diet increases the risk.", "Diet reduces the risk.", "direction"),
    ("It affects the left side.", "It affects the right side.", "direction"),
    ("Eat before treatment.", "Eat after treatment.", "direction"),
    ("Hypothyroidism causes fatigue.", "Hyperthyroidism causes fatigue.", "direction"),
    ("Low insulin decreases glucose.", "High insulin decreases glucose.", "direction"),
    ("It damages the liver.", "It damages the kidneys.", "part"),
    ("Arms and arms are weak.", "Arms and legs are weak.", "part"),
    ("Allopurinol helps.", "Colchicine helps.", "name"),
    ("It needs more aspirin.", "It needs more insulin.", "name"),
]


@pytest.mark.parametrize(("claim", "text", "kind"), DIFFERENT)
def test_what_differs_is_named(claim, text, kind):
    assert kind in compare(claim, text).differ


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("It does not cause fever.", "It doesn't cause fever."),
        ("Two of 1000 people have it.", "2 in 1,000 people have it."),
        ("It lowers the risk.", "It reduces the risk of stroke."),
        ("Take 10 milligrams.", "Take 10 mg in the morning."),
        ("Most cases are not inherited.", "Most cases are not inherited, but some are."),
    ],
)
def test_the_same_in_other_words_differs_in_nothing(claim, text):
    assert compare(claim, text).fits


def test_only_what_is_said_the_other_way_round_is_opposed():
    assert compare("It causes fever.", "It does not cause fever.").opposed == {"negation"}
    assert compare("It lasts 3 weeks.", "It lasts 5 weeks.").opposed == {"number"}
    assert not compare("It lasts 3 weeks.", "It lasts long.").opposed
    assert not compare("It damages the liver.", "It damages the kidneys.").opposed
