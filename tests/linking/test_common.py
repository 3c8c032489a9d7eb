"""Words of everyday English that name nothing where they stand alone."""

import pytest

from medgraph.linking.common import common_words
from medgraph.linking.words import normalise


@pytest.mark.parametrize("word", ["cold", "Lead", "symptoms", "symptom", "of", "all", "women"])
def test_everyday_words(word):
    assert normalise(word) in common_words()


@pytest.mark.parametrize("word", ["gout", "fever", "cancer", "stroke", "MS"])
def test_words_that_name_a_condition(word):
    assert normalise(word) not in common_words()
