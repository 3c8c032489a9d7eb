"""Presets of models."""

import pytest

from medgraph.embeddings.kge.presets import KINDS, MODELS, preset
from medgraph.errors import InputError


@pytest.mark.parametrize("model", MODELS)
def test_each_model_has_both_presets(model):
    for kind in KINDS:
        found = preset(model, kind)
        assert found.model == model
        assert found.numbers == found.dimension * (2 if model in {"RotatE", "ComplEx"} else 1)
        assert found.epochs >= found.every


@pytest.mark.parametrize("names", [("DistMult", "tuned"), ("TransE", "best"), ("", ""), ("transe", "tuned")])
def test_others_are_refused_by_name(names):
    with pytest.raises(InputError, match="models are TransE, ConvE, RotatE, ComplEx, presets tuned and plain"):
        preset(*names)
