"""Pictures into files: whole or not at all, and what is wrong with a file is said."""

from pathlib import Path

import pytest

from medgraph.errors import InputError
from medgraph.pictures import relations, svg
from tests.support.pictures import STAR


def test_pictures_are_written_whole(tmp_path, monkeypatch):
    paths = [tmp_path / "a.svg", tmp_path / "b.PNG"]
    svg.save(STAR, paths)
    assert paths[0].read_text(encoding="utf-8") == svg.draw(STAR)
    assert paths[1].read_bytes().startswith(b"\x89PNG")
    before = paths[0].read_bytes()

    def fail(self, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(InputError, match="cannot be written: No space left on device"):
        svg.save(relations.picture_of_schema(), paths[:1])
    assert paths[0].read_bytes() == before
    assert {path.name for path in tmp_path.iterdir()} == {"a.svg", "b.PNG"}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("a.jpg", "ends in neither .svg nor .png"),
        ("a", "ends in neither .svg nor .png"),
        ("no/a.svg", "there is no folder"),
        ("folder.svg", "it is there and no file"),
        ("x" * 251 + ".svg", "File name too long"),
    ],
)
def test_what_cannot_be_written_is_said(tmp_path, name, message):
    (tmp_path / "folder.svg").mkdir()
    with pytest.raises(InputError, match=message):
        svg.save(STAR, [tmp_path / "ok.svg", tmp_path / name] if "long" not in message else [tmp_path / name])
    assert [path.name for path in tmp_path.iterdir()] == ["folder.svg"]
