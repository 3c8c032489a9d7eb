"""Which runs of words may be names."""

import pytest

from medgraph.linking.lexicon import ANY_ORDER, LOOSE, ORDERED, Match
from medgraph.linking.plausible import is_plausible, tells
from medgraph.linking.words import words


@pytest.mark.parametrize(
    ("surface", "how", "plausible"),
    [
        ("kidney cancer", ORDERED, True),
        ("type of disease", ORDERED, False),
        ("another type", ORDERED, False),
        ("some other condition", ORDERED, False),
        ("cancer of the kidney", ANY_ORDER, True),
        ("kidney and cancer", ANY_ORDER, False),
        ("kidney? cancer", ANY_ORDER, False),
        ("cancer [kidney", ANY_ORDER, False),
        ("kidney, cancer", ORDERED, True),
        ("kidney disease", LOOSE, True),
        ("syndrome kidney", LOOSE, False),
        ("kidney) cancer", ORDERED, False),
    ],
)
def test_runs_that_may_be_names(surface, how, plausible):
    found = words(surface)
    assert is_plausible(Match(0, len(found), how, ()), found, surface) is plausible


def test_one_word_tells_where_what_most_names_have_stands_behind():
    assert [tells(words(text)) for text in ("kidney disease", "kidney", "flu disease", "kidney cancer")] == [
        True,
        False,
        False,
        True,
    ]
