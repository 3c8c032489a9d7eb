"""XML that would expand or fetch something: refused by each reader, with file and line."""

import gzip
import socket

import pytest

from medgraph.errors import SourceFileError
from medgraph.loaders.files import xml_safety, xml_stream
from medgraph.loaders.files.xml_safety import Prolog

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


@pytest.mark.parametrize("packed", [False, True])
def test_the_prolog(tmp_path, monkeypatch, packed):
    monkeypatch.setattr(socket, "socket", lambda *_: pytest.fail("the network was used"))
    content = b'<?xml version="1.0"?><!-- a --><!DOCTYPE b SYSTEM "https://x.org/b.dtd"><b xmlns="urn:n"><c/></b>'
    path = file(tmp_path, gzip.compress(content, mtime=0) if packed else content)
    assert xml_safety.prolog(path) == Prolog("b", "urn:n", "https://x.org/b.dtd")


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('\n<!DOCTYPE a SYSTEM "a.dtd"><a/>', r":2: declares a DTD or entities, which are never read; save it without"),
        ("<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", ":1: declares a DTD or entities"),
        ('<?xml version="1.0" encoding="latin-1"?><a/>', ":1: is encoded in latin-1; save it as UTF-8"),
        (b"<\xff/>", ":1: is not well-formed XML in UTF-8: save it as UTF-8"),
        ("", "is empty; fetch it again"),
        ("<!-- only a comment -->", r":1: is not well-formed XML .no element found"),
    ],
)
def test_files_without_dtd(tmp_path, content, message, whole):
    with pytest.raises(SourceFileError, match=message):
        xml_safety.without_dtd(file(tmp_path, content), whole=whole)
