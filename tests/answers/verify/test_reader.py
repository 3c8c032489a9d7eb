"""What reads evidence and claims together: what `medgraph train` wrote, or a model for natural language inference."""

import json
from dataclasses import replace

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from medgraph.answers.verify.reader import load_reader
from medgraph.embeddings.encoders.bert import PairEncoder
from medgraph.errors import EncoderError
from tests.support.verifiers import WIDTH, write_inferring

PAIRS = [
    ("Gout is caused by crystals.", "Crystals cause gout."),
    ("Gout is caused by crystals of uric acid in the joints; it hurts.", "Gout is not caused by crystals."),
    ("", "x"),
    ("\ud800 Süßes 甘い", "y"),
]


@pytest.fixture(scope="module")
def inferring(tmp_path_factory):
    return write_inferring(tmp_path_factory.mktemp("inferring"))


@pytest.fixture
def loaded(settings):
    return lambda folder: load_reader(replace(settings, verifier=str(folder)))


def test_without_the_setting_nothing_is_loaded(settings):
    assert load_reader(settings) is None


def test_pairs_are_judged_alike_alone_and_together_and_none_is_no_mistake(inferring, loaded):
    reader = loaded(inferring)
    together = reader.chances(PAIRS * 30)
    assert together[:4] == pytest.approx(together[-4:], abs=0.02)
    alone = np.concatenate([reader.chances([pair]) for pair in PAIRS])
    assert together[:4] == pytest.approx(alone, abs=0.02)
    assert reader.chances([]).shape == (0, 3)
    assert reader.chances([("a " * 500, "b " * 500)]).shape == (1, 3)


@pytest.mark.extra
def test_it_judges_as_torch_does(inferring):
    import torch
    from transformers import AutoModelForSequenceClassification

    theirs = AutoModelForSequenceClassification.from_pretrained(inferring).eval()
    encoder = PairEncoder(inferring)
    weights = load_file(inferring / "model.safetensors")
    for places, states, _ in encoder.states(PAIRS):
        ours = np.tanh(states[:, 0] @ weights["bert.pooler.dense.weight"].T + weights["bert.pooler.dense.bias"])
        ours = ours @ weights["classifier.weight"].T + weights["classifier.bias"]
        for row, place in enumerate(places):
            one = encoder._cutting.encode(PAIRS[place][0].replace("\ud800", "\ufffd"), PAIRS[place][1])
            with torch.no_grad():
                logits = theirs(torch.tensor([one.ids]), token_type_ids=torch.tensor([one.type_ids])).logits
            assert ours[row] == pytest.approx(logits[0].numpy(), abs=1e-4)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        (
            {"labels": {"0": "LABEL_0", "1": "LABEL_1"}},
            r"the labels are LABEL_0, LABEL_1; .* correct MEDGRAPH_VERIFIER",
        ),
        ({"labels": {}}, "the labels are none"),
        ({"id2label": None, "labels": {"0": "neutral"}}, "the labels are none"),
        ({"model_type": "roberta"}, "model type 'roberta': only BERT models"),
        ({"hidden_act": "relu"}, "activation 'relu': only BERT models"),
        ({"architectures": ["BertModel"]}, r"architecture \['BertModel'\]: only BERT models"),
        ({"num_hidden_layers": 3}, "the weights do not fit config.json"),
    ],
)
def test_a_model_that_cannot_be_used_is_told_of(changes, told, loaded, tmp_path):
    labels = changes.get("labels")
    folder = write_inferring(tmp_path, labels or None)
    config = json.loads((folder / "config.json").read_text())
    config |= {"id2label": labels} if labels is not None else {}
    config |= {name: value for name, value in changes.items() if name != "labels"}
    (folder / "config.json").write_text(json.dumps(config))
    with pytest.raises(EncoderError, match=told):
        loaded(folder)


def test_damaged_weights_are_told_of(inferring, loaded, tmp_path):
    folder = write_inferring(tmp_path / "damaged")
    path, whole = folder / "model.safetensors", (inferring / "model.safetensors").read_bytes()
    for data, told in ((whole[:-100], "the weights"), (whole[:100], "cut off"), (b"", "cannot be read")):
        path.write_bytes(data)
        with pytest.raises(EncoderError, match=rf"{told}.*MEDGRAPH_VERIFIER"):
            loaded(folder)
    weights = load_file(inferring / "model.safetensors")
    weights["classifier.weight"] = weights["classifier.weight"][:, : WIDTH // 2].copy()
    save_file(weights, path)
    with pytest.raises(EncoderError, match=r"the layer 'classifier' is \(3, 16\) and not \(3, 32\)"):
        loaded(folder)
    del weights["classifier.bias"]
    save_file(weights, path)
    with pytest.raises(EncoderError, match="has no layer 'classifier', so that it is no verifier"):
        loaded(folder)
