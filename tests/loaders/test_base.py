"""Facts of a source, and the fingerprint by which a load knows a file again."""

import hashlib
import os
import shutil

from medgraph.loaders.base import fingerprint


def test_a_file_is_known_by_its_bytes(tmp_path):
    content = b"asthma\n" * 300_000  # more than is read at once
    (tmp_path / "a").write_bytes(content)
    assert fingerprint(tmp_path / "a") == hashlib.sha256(content).hexdigest()


def test_a_folder_is_known_by_its_files_and_their_names_wherever_it_stands(tmp_path):
    folder = tmp_path / "one"
    (folder / "in").mkdir(parents=True)
    (folder / "b").write_text("x")
    (folder / "in" / "a").write_text("y")
    before = fingerprint(folder)
    other = shutil.copytree(folder, tmp_path / "other")
    assert fingerprint(other) == before
    changes = (
        lambda: (other / "b").write_text("z"),
        (other / "c").touch,
        lambda: (other / "in" / "a").rename(other / "in" / "d"),
        lambda: (other / "in" / "d").rename(other / "d"),
    )
    seen = {before}
    for change in changes:
        change()
        seen.add(fingerprint(other))
    assert len(seen) == 1 + len(changes)
    assert fingerprint(folder) == before


def test_a_folder_may_have_names_that_are_no_utf_8(tmp_path):
    before = fingerprint(tmp_path)
    (tmp_path / os.fsdecode(b"M\xfcller.xml")).touch()
    assert fingerprint(tmp_path) != before
