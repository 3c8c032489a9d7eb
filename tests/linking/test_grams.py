"""Texts by the runs of three letters that they have."""

import pytest

from medgraph.linking.grams import Grams, hash_of

TEXTS = ["asthma", "asthenia", "gout", "diabetes", "asthma"]


@pytest.fixture(params=["built", "saved"])
def grams(request, tmp_path):
    index = Grams.build(enumerate(TEXTS))
    if request.param == "built":
        return index
    index.save(tmp_path, "texts")
    return Grams.load(tmp_path, "texts")


def test_what_shares_most_comes_first(grams):
    assert grams.nearest("astma", 10) == [0, 4, 1]
    assert grams.nearest("astma", 1) == [0]
    assert grams.nearest("zzz", 10) == grams.nearest("", 10) == []


def test_an_index_of_nothing_finds_nothing():
    assert Grams.build([]).nearest("gout", 3) == []


def test_a_run_has_one_number_in_every_process():
    assert hash_of("abc") == hash_of("abc") != hash_of("cba")
    assert hash_of("abc") == 46561
    assert all(0 <= hash_of(gram) < 1 << 16 for gram in ("abc", "\U0001f9ec\u55d8\ud800", ""))
