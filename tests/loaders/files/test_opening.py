"""The one opener: whatever a file is called, a gzip is seen by its first bytes, and faults name file and remedy."""

import gzip

import pytest

from medgraph.errors import SourceFileError
from medgraph.loaders.files.opening import head, open_source

DATA = bytes(range(256)) * 4000


def read(path):
    with open_source(path) as file:
        return file.read()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.txt", b"", r"a\.txt: is empty; fetch it again"),
        ("a.gz", b"", "is empty; fetch it again"),
        ("a.gz", gzip.compress(b"", mtime=0), "is empty; fetch it again"),
        ("a.gz", DATA, "is called .gz and is not packed with gzip; fetch it again, or rename it"),
        ("a.txt", gzip.compress(DATA, mtime=0)[:-9], r"is cut off after [\d,]+ unpacked bytes; fetch it again"),
        ("a.gz", gzip.compress(DATA, mtime=0)[:5], "is cut off after 0 unpacked bytes; fetch it again"),
        (
            "a.gz",
            gzip.compress(DATA, mtime=0) + b"more",
            r"is broken gzip after 1,024,000 unpacked bytes .*; fetch it again",
        ),
        (
            "a.gz",
            gzip.compress(DATA, mtime=0)[:-8] + b"\0" * 8,
            r"is broken gzip after [\d,]+ unpacked bytes .*; fetch it again",
        ),
    ],
)
def test_what_cannot_be_read(tmp_path, name, content, message):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(SourceFileError, match=message) as caught:
        read(path)
    assert caught.value.path == path


def test_a_folder_and_a_missing_file(tmp_path):
    with pytest.raises(SourceFileError, match="is a folder; give a file"):
        open_source(tmp_path)
    with pytest.raises(SourceFileError, match="nowhere: cannot be read: No such file"):
        open_source(tmp_path / "nowhere")
    assert head(tmp_path) == head(tmp_path / "nowhere") == b""
