"""XML: large files as a stream, and those that would expand or fetch something."""

import gzip
import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from medgraph.errors import RecordError, SourceFileError
from medgraph.loaders.files import xml_stream
from tests.support.memory import growth

HEAD = '<?xml version="1.0" encoding="utf-8"?>\n'


def read(path, tags=("item",)):
    return [xml_stream.text(element) for element in xml_stream.elements(path, "root", tags)]


def file(tmp_path, content, name="file.xml"):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize("packed", [False, True])
def test_elements_come_with_text_and_line(tmp_path, packed):
    two = "<other/><item> two\n <i>and</i> a half </item>"
    content = f"{HEAD}<!-- <item>no</item> -->\n<root>\n<item>one</item>\n{two}</root>"
    data = gzip.compress(content.encode(), mtime=0) if packed else content
    path = file(tmp_path, data, "file.xml.gz" if packed else "file.xml")
    assert read(path) == ["one", "two and a half"]
    assert [element.sourceline for element in xml_stream.elements(path, "root", ["item"])] == [4, 5]


def test_a_dtd_elsewhere_is_neither_fetched_nor_in_the_way(tmp_path, monkeypatch):
    monkeypatch.setattr(socket, "socket", lambda *_: pytest.fail("the network was used"))
    (tmp_path / "own.dtd").write_text('<!ENTITY secret "expanded">')
    for dtd in ('PUBLIC "-//X//EN" "https://dtd.example.org/x.dtd"', f'SYSTEM "{tmp_path}/own.dtd"'):
        path = file(tmp_path, f"{HEAD}<!DOCTYPE root {dtd}>\n<root><item>a</item></root>")
        assert read(path) == ["a"]
    path = file(tmp_path, f'<!DOCTYPE root SYSTEM "{tmp_path}/own.dtd">\n<root><item>a &secret; b</item></root>')
    with pytest.raises(RecordError, match=r"it uses the entity &secret;, and entities are never expanded"):
        read(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", r"is empty; fetch it again"),
        (b"id,name\n1,a\n", r"file\.xml:1: is not well-formed XML .*: fetch it again"),
        (b"\x89PNG\r\n\x1a\n", r":1: is not well-formed XML"),
        (b"<other><item>a</item></other>", r"has the outermost element <other> where <root> belongs: wrong file"),
        (b"<root>\n<item>a</item>\n<item>b</it", r":3: is no XML from here on"),
        (b"<root>\n<item>a</item>\n", r":3: is no XML from here on \(.*\); what came before was read: fetch it again"),
        (b"<root>\n<item>a</item><item>\xff</item></root>", r":2: is no XML from here on"),
        (
            b'<?xml version="1.0" encoding="none-such"?><root/>',
            r":1: is in an encoding that cannot be read: unknown encoding: none-such; save it as UTF-8",
        ),
        (
            b"<root>\n<item>a</item><item>&nbsp;</item></root>",
            r":2: is no XML from here on \(Entity 'nbsp' not defined",
        ),
        (b"<!--" + b"x" * (2 << 20) + b"--><root/>", r"has no element in its first 1 MiB"),
    ],
)
def test_what_is_wrong_is_told_with_file_and_line(tmp_path, content, message):
    path = file(tmp_path, content)
    with pytest.raises(SourceFileError, match=message):
        read(path)


@pytest.mark.thorough
def test_memory_does_not_grow_with_the_file(tmp_path):
    few, many = 1_000, 300_000
    files = [
        file(tmp_path, b"<root>" + b"<other>x</other><item><a>y</a>z</item>\n" * n + b"</root>", f"{n}.xml")
        for n in (few, many)
    ]
    reading = "from medgraph.loaders.files import xml_stream\n"
    reading += "def read(path): return sum(1 for _ in xml_stream.elements(path, 'root', ['item']))\n"
    count, grown = growth(f"{reading}read(files[0])", "read(files[1])", *files)
    assert count == many
    assert grown < 20_000_000


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=20)


@given(st.lists(WORDS, min_size=1, max_size=5))
def test_text_is_what_stands_there_but_for_blanks(words):
    element = etree.Element("item")
    element.text = words[0]
    for word in words[1:]:
        part = etree.SubElement(element, "i")
        part.text, part.tail = word, " \n"
    said = xml_stream.text(element)
    assert said == xml_stream.text(etree.fromstring(etree.tostring(element)))
    assert said.split() == "".join([words[0], *(f"{word} \n" for word in words[1:])]).split()


LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))


@pytest.mark.parametrize(
    "declared",
    [
        f'<!ENTITY a "{"b" * 401}">',
        '<!ENTITY a "&#60;item/>">',
        '<!ENTITY a SYSTEM "file:///etc/hostname">',
        '<!ENTITY % p "q"> %p;',
        f'<!ENTITY l0 "ha">{LAUGHS}',
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_entities_that_could_grow_or_fetch_are_refused(tmp_path, declared, encoding):
    content = (
        f'<?xml version="1.0" encoding="{encoding}"?>\n<!DOCTYPE root [\n{declared}]>\n<root><item>&a;</item></root>'
    )
    path = file(tmp_path, content.encode(encoding))
    with pytest.raises(SourceFileError, match=r"file\.xml:3: declares the entity '\w+', which stands elsewhere, is"):
        xml_stream.prolog(path)
    with pytest.raises(SourceFileError, match=r"file\.xml:3: declares the entity"):
        next(xml_stream.elements(path, "root", ["item"]))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "ISO-8859-1"])
def test_short_texts_are_expanded(tmp_path, encoding):
    declared = "<!DOCTYPE root [<!ENTITY at 'https://a.example/#'><!ENTITY mu '&#956;'>]>"
    content = f'<?xml version="1.0" encoding="{encoding}"?>\n{declared}<root><item at="&at;1">ö &mu;g</item></root>'
    path = file(tmp_path, content.encode(encoding))
    (found,) = [(one.get("at"), xml_stream.text(one)) for one in xml_stream.elements(path, "root", ["item"])]
    assert found == ("https://a.example/#1", "ö μg")
    with xml_stream.opened_as_utf_8(path) as same:
        assert "ö &mu;g" in same.read().decode()
