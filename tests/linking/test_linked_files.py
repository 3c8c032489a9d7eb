"""Other people's texts and names to tables of what they name."""

import io
import json
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from medgraph.errors import SourceFileError
from medgraph.linking.names import MENTIONS, NAMES, build_linker, link_names, link_texts, mentions
from tests.support.linking import entity

ROWS = [
    entity("DOID:13189", "gout", "podagra", "gouty arthritis", concept="C0018099", ids=["DOID:13189", "UMLS:C0018099"]),
    entity("DOID:2841", "asthma", concept="C0004096", ids=["DOID:2841", "MESH:D001249"]),
    entity("x:1", "common cold", "cold", "Erk\u00e4ltung"),
    entity("x:2", "rheumatic pain", "podagra"),
    entity("x:3", "Sj\u00f6gren's syndrome"),
    entity("x:4\u2028|y", "odd\tname"),
    entity("x:5", "of", "all"),
    *(entity(f"many:{n}", "ache of many kinds") for n in range(1000)),
]


@pytest.fixture(scope="module")
def linker():
    return build_linker(ROWS)


@pytest.fixture
def link(linker, tmp_path):
    """Links the lines of a file, and gives the rows of the table that is written, its line of columns left out."""

    def called(step, lines, columns, **options):
        path, out = tmp_path / "given.txt", io.StringIO(newline="")
        path.write_bytes(lines if isinstance(lines, bytes) else "".join(f"{line}\n" for line in lines).encode())
        read = step(linker, path, out, **options)
        first, *rows = out.getvalue().removesuffix("\n").split("\n")
        assert first == "\t".join(columns)
        cells = [row.split("\t") for row in rows]
        assert {len(row) for row in cells} <= {len(columns)}
        return read, [dict(zip(columns, row, strict=True)) for row in cells]

    return called


@pytest.fixture
def texts(link):
    def called(*given):
        lines = [json.dumps({"id": key, "text": text}) for key, text in given]
        return link(link_texts, lines, MENTIONS)

    return called


@pytest.fixture
def names(link):
    def called(*given, **options):
        return link(link_names, given, NAMES, **options)

    return called


def test_texts_become_a_table_of_mentions(texts):
    text = "Gout hurts. There was no asthma, but Sjogrens syndrome."
    read, rows = texts(("a", text), (2, "Nothing."), ("b", ""))
    assert read == 3
    assert list(rows[0].values()) == [
        "a",
        "0",
        "4",
        "Gout",
        "C0018099",
        "DOID:13189",
        "DOID:13189|UMLS:C0018099",
        "1.0",
        "0",
    ]
    assert [(row["surface"], row["negated"]) for row in rows] == [
        ("Gout", "0"),
        ("asthma", "1"),
        ("Sjogrens syndrome", "0"),
    ]
    assert all(text[int(row["start"]) : int(row["end"])] == row["surface"] for row in rows)


def test_tabs_and_line_ends_become_blanks_and_offsets_stay(texts):
    text = "\u2028\tx gouty\narthritis\u2029 \U0001f9ec\ud800 and Sjo\u0308gren's\u0085syndrome\r\n"
    _, rows = texts(("i\td\n\ud800", text))
    assert [row["id"] for row in rows] == ["i d ?", "i d ?"]
    assert [row["surface"] for row in rows] == ["gouty arthritis", "Sjo\u0308gren's syndrome"]
    assert [text[int(row["start"]) : int(row["end"])] for row in rows] == [
        "gouty\narthritis",
        "Sjo\u0308gren's\u0085syndrome",
    ]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.one_of(
            st.sampled_from(
                ["gout", "asthma", "no ", " (", ")", ". ", "Sjo\u0308gren's syndrome", "\n\n", "-", "common cold"]
            ),
            st.text(
                st.one_of(st.characters(), st.sampled_from("\u200b\u0301\ud800\U0001f9ec\ufeff\u05d0 .")), max_size=5
            ),
        ),
        max_size=12,
    ).map("".join)
)
def test_mentions_of_any_text_are_in_order_where_they_say(linker, text):
    end = 0
    for linked, negated in mentions(linker, text):
        assert end <= linked.start < linked.end <= len(text)
        assert negated in {True, False}
        end = linked.end


def test_long_texts_and_names(texts, names):
    piece = "\U0001f9ec gout\u200b "
    _, rows = texts(("long", piece * 1250))
    assert [int(row["start"]) for row in rows] == [2 + n * len(piece) for n in range(1250)]
    assert {row["surface"] for row in rows} == {"gout"}
    _, rows = names("gout " * 2000, "\u0301" * 10_000, "(" * 10_000, "x" * 10_000, "\u55d8" * 10_000)
    assert [row["concept"] for row in rows][1:] == [""] * 4


def test_names_become_a_table_with_the_surest_first(names):
    read, rows = names("Gouts", "podagra", "astma", "", "nothing of that kind", top_k=5)
    assert read == 5
    assert [(row["name"], row["entity"], row["method"]) for row in rows] == [
        ("Gouts", "DOID:13189", "name"),
        ("podagra", "DOID:13189", "name"),
        ("podagra", "x:2", "name"),
        ("astma", "DOID:2841", "spelling"),
        ("", "", ""),
        ("nothing of that kind", "", ""),
    ]
    assert set(rows[-1].values()) == {"nothing of that kind", ""}
    assert [float(row["score"]) for row in rows[:4]] == sorted((float(row["score"]) for row in rows[:4]), reverse=True)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"{", "the line is no JSON: "),
        (b"[" * 100_000, "the line is no JSON: "),
        (b"[]", 'the line needs an object with "id" and "text"'),
        (b'{"id": "1"}', 'the line needs an object with "id" and "text"'),
        (b'{"id": null, "text": ""}', 'the line needs an object with "id" and "text"'),
        (b'{"id": true, "text": ""}', 'the line needs an object with "id" and "text"'),
        (b'{"id": 1.5, "text": ""}', 'the line needs an object with "id" and "text"'),
        (b'{"id": 1, "text": ["gout"]}', 'the line needs an object with "id" and "text"'),
        (b'{"id": 1, "text": "\xff"}', "the line is not text in UTF-8 (invalid start byte); save it so"),
        (b'{"id": 1, "text": "' + b"a" * 60 + b'"}', "the text has 60 characters; 50 are the most"),
    ],
)
def test_a_line_that_is_no_text_is_named(link, tmp_path, monkeypatch, line, message):
    monkeypatch.setattr("medgraph.linking.names.MAX_TEXT", 50)
    with pytest.raises(SourceFileError, match=re.escape(f"{tmp_path / 'given.txt'}:3: {message}")):
        link(link_texts, b'{"id": 1, "text": "gout"}\n\n' + line + b"\n", MENTIONS)


def test_files_that_cannot_be_read_say_so(linker, link, tmp_path):
    with pytest.raises(SourceFileError, match=r"given.txt:2: the line is not text in UTF-8"):
        link(link_names, b"gout\n\xff\n", NAMES)
    with pytest.raises(SourceFileError, match="cannot be read: Is a directory"):
        link_names(linker, tmp_path, io.StringIO())
