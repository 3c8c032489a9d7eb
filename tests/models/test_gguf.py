"""The head of a GGUF file."""

import struct

import pytest

from medgraph.errors import ModelError
from medgraph.models.openvino_model import Head, read_head
from tests.support.llms import gguf


def test_kind_and_context_are_read_and_lists_passed_over(tmp_path):
    assert read_head(gguf(tmp_path / "a.gguf", "qwen2", 32768)) == Head("qwen2", 32768)
    words = struct.pack("<IIQ", 9, 8, 2) + (struct.pack("<Q", 1) + b"a") * 2
    path = gguf(tmp_path / "a.gguf", first=((b"tokenizer.tokens", words), (b"flag", struct.pack("<I?", 7, True))))
    assert read_head(path) == Head("llama", 512)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"no model", "is no GGUF file"),
        (b"", "is no GGUF file"),
        (b"GGUF\3\0\0\0", "is damaged"),
        (b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 1 << 60), "is damaged"),
        (b"GGUF" + struct.pack("<IQQQcI", 3, 0, 1, 1, b"a", 99), "is damaged"),
        (None, "cannot be read: No such file .*medgraph models list"),
    ],
)
def test_files_that_are_none(tmp_path, data, said):
    path = tmp_path / "some.gguf"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(ModelError, match=said):
        read_head(path)
