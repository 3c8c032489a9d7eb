"""The words of names, and which of them a misspelt one stands for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.linking.vocabulary import Vocabulary

WORDS = (
    "diabetes diabetes diabetic disease asthma gout kidney seizure alzheimer hyperthyroidism hypothyroidism typical "
    "migraine martial marital marital leukaemia"
).split()


@pytest.fixture(params=["built", "saved"])
def vocabulary(request, tmp_path):
    built = Vocabulary.build(WORDS)
    if request.param == "built":
        return built
    built.save(tmp_path)
    return Vocabulary.load(tmp_path)


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("desease", "disease"),
        ("diabetis", "diabetes"),
        ("astma", "asthma"),
        ("siezure", "seizure"),
        ("alzhiemer", "alzheimer"),
        ("hyperthyriodism", "hyperthyroidism"),
        ("maritai", "marital"),
    ],
)
def test_slips_are_forgiven(vocabulary, word, meant):
    assert vocabulary.meant(word) == (meant, 1)


def test_long_words_may_have_two_slips(vocabulary):
    assert vocabulary.meant("hiperthyroidizm") == ("hyperthyroidism", 2)


@pytest.mark.parametrize("word", ["leisure", "goot", "tre", "migrant", "atypical", "tree", "", "x1y2z3", "b12"])
def test_other_words_are_left_alone(vocabulary, word):
    assert vocabulary.meant(word) is None


def test_a_word_is_known_in_every_number_and_spelling(vocabulary):
    assert all(word in vocabulary for word in ("asthma", "diseases", "leukemia", "kidneys"))
    assert "desease" not in vocabulary
    assert "asthma" not in Vocabulary.build([])


@given(st.text(max_size=30))
def test_any_word_may_be_looked_for(word):
    vocabulary = Vocabulary.build(WORDS)
    found = vocabulary.meant(word)
    assert found is None or (found[0] in WORDS and 0 <= found[1] <= 2)
