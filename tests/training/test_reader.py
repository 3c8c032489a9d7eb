"""The tuning of what reads sentences. What needs torch runs where the extra `train` is installed."""

import json
import sys

import pytest

from medgraph.answers import helping
from medgraph.embeddings.encoders.layers import CARD
from medgraph.embeddings.rerankers import sentence_reader
from medgraph.errors import InputError
from medgraph.logistic import write_models
from medgraph.training.library import CHECKPOINTS
from medgraph.training.reader import GradedSentence, Options, train

FEW = Options(epochs=4, batch=8, rate=2e-3, held=5)
ASKED = "How is gout treated?"
GOOD, BAD = "Gout: Treatment. Ice relieves toe number {}.", "Paris: Sights. Street number {} lies on the Seine."
SIGNS = dict.fromkeys(helping.FEATURES, 0.5)
GRADED = [
    GradedSentence(str(place), ASKED, (GOOD if place % 2 else BAD).format(place), tuple(SIGNS.values()), place % 2 * 3)
    for place in range(40)
]


@pytest.fixture(scope="module")
def base(settings):
    return sentence_reader.fetched(settings, lambda _: None)


def test_without_torch_what_to_install_is_said(base, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(InputError, match=r"training needs torch .* pip install 'medgraph\[train\]'"):
        train(base, GRADED, tmp_path / "made", FEW)


@pytest.mark.extra
def test_what_is_learned_reads_without_torch(base, tmp_path, monkeypatch):
    folder = tmp_path / "made"
    card, head = train(base, GRADED, folder, FEW)
    assert card == json.loads((folder / CARD).read_text())
    assert card["held out"]["helps"] == 1.0
    assert card["sentences"] + card["held out"]["sentences"] == len(GRADED)
    assert not (folder / CHECKPOINTS).exists()
    write_models(head, tmp_path / "reading.tsv", "by a test")
    monkeypatch.setattr(helping, "READING", tmp_path / "reading.tsv")
    monkeypatch.setattr(sentence_reader, "TUNED", folder)
    helping.heads.cache_clear()
    try:
        vectors = sentence_reader.SentenceReader(base).describe(ASKED, [GOOD.format(99), BAD.format(99)])
        good, bad = (helping.reads(SIGNS, vector) for vector in vectors)
    finally:
        helping.heads.cache_clear()
    assert all(good[level] > 0.7 > 0.3 > bad[level] for level in helping.LEVELS)


@pytest.mark.extra
def test_nothing_to_learn_from_is_said(base, tmp_path):
    with pytest.raises(InputError, match="no graded sentence"):
        train(base, [], tmp_path / "made", FEW)
