"""Texts by the runs of three letters that they have."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medgraph.linking import grams as module
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


def runs(text):
    return {hash_of(f" {text} "[at : at + 3]) for at in range(len(text))}


@settings(max_examples=100)
@given(st.lists(st.text("abc", max_size=12), max_size=40), st.text("abc", max_size=12), st.integers(1, 12))
def test_those_that_share_most_of_the_rarest_runs_come_first(texts, wanted, limit):
    holders = {run: [number for number, text in enumerate(texts) if run in runs(text)] for run in runs(wanted)}
    rarest = sorted(filter(holders.get, holders), key=lambda run: (len(holders[run]), run))[:8]
    shared = Counter(number for run in rarest for number in holders[run])  # level ones as they were met
    expected = [number for number, _ in shared.most_common(limit)]
    assert Grams.build(enumerate(texts)).nearest(wanted, limit) == expected


@pytest.mark.parametrize("part", [1, 7, 40])
def test_an_index_that_is_built_in_parts_is_the_same(monkeypatch, tmp_path, part):
    texts = [(3 * number, f"{text} {number}" if number % 5 else "") for number, text in enumerate(TEXTS * 4)]
    Grams.build(texts).save(tmp_path, "whole")
    monkeypatch.setattr(module, "_PART", part)
    Grams.build(texts).save(tmp_path, "parts")
    for name in ("starts", "postings"):
        whole, parts = ((tmp_path / f"{way}_{name}.npy").read_bytes() for way in ("whole", "parts"))
        assert whole == parts
