"""Filters by author, journal, MeSH heading and concept: what they let pass, and what is told of unknown ones."""

import pytest

from medgraph.errors import InputError
from medgraph.queries.filters import Filters


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"journals": ("Lancet Neurology",)},
            "no document is from a journal called 'Lancet Neurology'; did you mean .*Lancet",
        ),
        ({"journals": ("Nature",)}, "no document is from a journal called 'Nature'$"),
        ({"journals": ("lancet", "Nature")}, "no document is from a journal called 'Nature'$"),
        (
            {"authors": ("Smith, Zoe",)},
            "no document is by an author called 'Smith, Zoe'; did you mean .*Smith, John Alan",
        ),
        ({"authors": ("J A",)}, "the author 'J A' is given by initials alone; give a name, such as Smith J"),
        ({"headings": ("Fever",)}, "no document stands under a MeSH heading called 'Fever'$"),
        ({"headings": ("D999999",)}, "no document stands under a MeSH heading called 'D999999'$"),
        ({"concepts": ("C9999999",)}, "nothing is called 'C9999999'"),
        ({"journals": ("",)}, "the journal '' has no word in it; give a name"),
        ({"authors": ("?!",)}, r"the author '\?!' has no word in it"),
        ({"headings": (" ",)}, "the MeSH heading ' ' has no word in it"),
        ({"concepts": ("",)}, "the concept '' has no word in it"),
        ({"journals": ('x") OR (journal:*',)}, "no document is from a journal called"),
        ({"authors": ("\ud800 Nobody",)}, "no document is by an author called"),
    ],
)
def test_what_the_graph_does_not_have_is_told(corpus_retriever, given, message):
    with pytest.raises(InputError, match=message):
        corpus_retriever.search("wheeze", filters=Filters(**given))
