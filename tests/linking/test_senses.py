"""Words that mean the same in names of diseases."""

from pathlib import Path

import pytest

from medgraph.linking import senses
from medgraph.linking.senses import GENERIC, loose
from medgraph.linking.words import LITTLE, normalise

TABLE = Path(senses.__file__).with_name("senses.tsv").read_text(encoding="utf-8").splitlines()
GROUPS = [line.split() for line in TABLE if line and not line.startswith("#")]


@pytest.mark.parametrize(
    ("one", "other"),
    [("renal", "kidneys"), ("neoplasms", "tumour"), ("Haematologic", "blood"), ("inherited", "familial")],
)
def test_words_of_one_group_are_one(one, other):
    assert loose(normalise(one)) == loose(normalise(other)) != ""


def test_words_that_tell_nothing_are_left_out_and_others_stay():
    assert [loose(normalise(word)) for word in ("Diseases", "syndrome", "type", "of", "gout", "")] == [
        "",
        "",
        "",
        "",
        "gout",
        "",
    ]


def test_each_word_of_the_table_is_in_one_group_and_says_something():
    assert len(GROUPS) >= 50
    assert all(len(group) > 1 for group in GROUPS)
    forms = [{normalise(word) for word in group} for group in GROUPS]
    assert sum(map(len, forms)) == len(set().union(*forms))
    assert not set().union(*forms) & (GENERIC | LITTLE)


def test_what_stands_for_a_group_stands_for_itself():
    assert all(loose(loose(normalise(word))) == loose(normalise(word)) for group in GROUPS for word in group)
