"""Lines of texts, with their numbers."""

import gzip

from medgraph.loaders.files import texts


def test_text_lines(tmp_path):
    path = tmp_path / "t.obo.gz"
    path.write_bytes(gzip.compress(b"\xef\xbb\xbfa\r\n\n\xff\n\x85 b", mtime=0))
    items = list(texts.lines(path))
    assert [items[0], items[1]] == [(1, "a"), (2, "")]
    assert (items[2].line, items[2].reason) == (
        3,
        "is not UTF-8: byte 0xFF at place 1 of the line; save the file as UTF-8",
    )
    assert items[3].reason.startswith("is not UTF-8: byte 0x85")
