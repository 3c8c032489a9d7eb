"""XML that would expand or fetch something: refused by each reader, with file and line."""

import pytest

from medgraph.errors import SourceFileError
from medgraph.loaders.files import xml_safety, xml_stream

LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))


def file(tmp_path, content, name="file.xml"):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize(
    "declared",
    [
        '<!ENTITY a "b">',
        '<!ENTITY a SYSTEM "file:///etc/hostname">',
        '<!ENTITY % p "q"> %p;',
        f'<!ENTITY l0 "ha">{LAUGHS}',
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_entities_that_a_file_declares_are_refused(tmp_path, declared, encoding):
    content = (
        f'<?xml version="1.0" encoding="{encoding}"?>\n<!DOCTYPE root [\n{declared}]>\n<root><item>&a;</item></root>'
    )
    path = file(tmp_path, content.encode(encoding))
    with pytest.raises(SourceFileError, match=r"file\.xml:3: declares the entity '\w+' itself; entities are never"):
        xml_safety.prolog(path)
    with pytest.raises(SourceFileError, match=r"file\.xml:3: declares the entity"):
        next(xml_stream.elements(path, "root", ["item"]))
