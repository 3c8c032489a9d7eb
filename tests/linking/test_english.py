"""Tests of what counts as a word of English."""

import pytest

from medgraph.linking.english import is_adjective, is_english, is_word


@pytest.mark.parametrize("word", ["cruise", "swears", "odds", "fed", "cries", "cancer"])
def test_words_that_are_written_in_small_letters(word):
    assert is_word(word)
    assert is_english(word)


@pytest.mark.parametrize("word", ["hiv", "paris"])
def test_names_and_short_forms_are_no_words(word):
    assert is_english(word)
    assert not is_word(word)


@pytest.mark.parametrize("word", ["desease", "diabetis", "hemmorhoids", "copd", "utis", ""])
def test_what_no_lexicon_has_is_none(word):
    assert not is_english(word)
    assert not is_word(word)


def test_what_is_said_of_something_is_an_adjective():
    assert [word for word in ("oral", "stress", "broken", "beer") if is_adjective(word)] == ["oral", "broken"]
