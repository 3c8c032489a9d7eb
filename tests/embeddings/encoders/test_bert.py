"""The text encoder: its vectors against sentence-transformers, odd input, and the model's files."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from medgraph.embeddings.encoders.bert import BATCH_TOKENS, BertEncoder
from medgraph.embeddings.encoders.model_files import WEIGHTS
from medgraph.errors import EncoderError
from tests.support.models import EXPECTED, REFERENCE, cosines, edit

SENTENCE = "Cystic fibrosis affects the lungs, the pancreas and the liver."
HOSTILE = [
    "",
    " \n\t\r ",
    "\x00\x01\x02\x7f\u202e\u200b",
    "fever \ud800 and \udfff cough",
    "שלום, מה שלומך?",
    "咳嗽、发烧",
    "😷" * 300,
    "x" * 100_000,
    "fever, cough. " * 75_000,
    "?" * 10_000,
    "[CLS] [SEP] [PAD] [MASK]",
]


@pytest.mark.parametrize(("precision", "least"), [("f32", 0.99999), ("bf16", 0.9995), ("int8", 0.995)])
def test_each_precision_gives_these_vectors(folder, precision, least):
    encoder = BertEncoder(folder, "all", precision=precision)
    assert encoder.precision == precision
    assert cosines(encoder.encode(REFERENCE["texts"]), EXPECTED).min() >= least


def test_a_text_has_one_vector_alone_and_among_others(encoder):
    texts = [" ".join([SENTENCE] * (number % 13 + 1)) + f" Case {number}." for number in range(60)]
    together = encoder.encode(texts)
    alone = np.concatenate([encoder.encode([text]) for text in texts])
    assert cosines(together, alone).min() >= 0.999
    assert cosines(together, encoder.encode(texts[::-1])[::-1]).min() >= 0.999
    others = together @ together.T - 2 * np.eye(len(texts))
    assert others.max() < 0.9999, "texts that differ are told apart"


def test_hostile_texts_have_finite_unit_vectors(encoder):
    vectors = encoder.encode(HOSTILE)
    assert np.isfinite(vectors).all()
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-3)
    assert len(encoder.token_offsets(HOSTILE)) == len(HOSTILE)


def test_token_offsets_are_those_of_the_characters(encoder):
    text = "Fièvre \ud800 et 38.5 °C 😷 咳嗽 pneumonoultramicroscopic"
    offsets = encoder.token_offsets([text, "", "Fever"])
    pieces = [text[start:end] for start, end in offsets[0]]
    assert "".join(pieces) == text.replace(" ", "").replace("\ud800", "")
    assert {"et", "38", ".", "5", "咳", "嗽"} <= set(pieces)
    assert offsets[1:] == [[], [(0, 5)]]


@pytest.mark.thorough
def test_threads_at_once_get_their_own_vectors(encoder):
    lists = [
        [f"{SENTENCE} Number {thread}, text {number}." for number in range(1 + 40 * (thread % 2))]
        for thread in range(8)
    ]
    assert len(lists[1]) * 16 > BATCH_TOKENS, "both paths are taken"
    alone = [encoder.encode(texts) for texts in lists]
    with ThreadPoolExecutor(8) as pool:
        for _ in range(3):
            for expected, found in zip(alone, pool.map(encoder.encode, lists), strict=True):
                assert cosines(found, expected).min() >= 0.9999


@pytest.mark.thorough
def test_a_process_may_end_at_once_when_it_has_its_vectors(folder):
    encodes = f"""from pathlib import Path; from medgraph.embeddings.encoders.bert import BertEncoder
encoder = BertEncoder(Path({str(folder)!r}), "all")
encoder.encode([{SENTENCE!r} * 4] * 40)
"""
    for _ in range(4):  # a thread of OpenVINO in Python then aborted or held it, once in a few times
        done = subprocess.run([sys.executable, "-c", encodes], capture_output=True, check=False, timeout=120)
        assert (done.returncode, done.stderr) == (0, b"")


def test_pooling_and_limit_come_from_the_folder(copy):
    edit(copy / "1_Pooling" / "config.json", pooling_mode_cls_token=True, pooling_mode_mean_tokens=False)
    edit(copy / "sentence_bert_config.json", max_seq_length=8)
    encoder = BertEncoder(copy, "cls", precision="f32")
    assert encoder.max_tokens == 8
    first, same, other = encoder.encode(["a fever and a cough, again", "a fever and a cough, never", "asthma"])
    assert first @ same >= 0.9999
    assert first @ other < 0.9
    assert cosines(encoder.encode(REFERENCE["texts"]), EXPECTED).max() < 0.95


@pytest.mark.parametrize("damage", ["cut", "header", "missing", "shape", "config", "tokenizer"])
def test_a_damaged_folder_is_refused(folder, copy, damage):
    weights = (folder / WEIGHTS).read_bytes()
    if damage in {"cut", "header", "missing"}:
        (copy / WEIGHTS).unlink()
        damaged = {"cut": weights[:1_000_000], "header": b"\xff" * 64, "missing": b"\x02" + bytes(7) + b"{}"}
        (copy / WEIGHTS).write_bytes(damaged[damage])
    elif damage == "shape":
        edit(copy / "config.json", num_hidden_layers=7)
    else:
        (copy / f"{damage}.json").write_text("{")
    with pytest.raises(EncoderError, match=r"mine.*MEDGRAPH_ENCODER"):
        BertEncoder(copy, "damaged")
