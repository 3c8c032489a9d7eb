"""Files of text: the one opener, JSON, objects as tables, values of cells and marks."""

import gzip
import json
import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from medgraph.errors import RecordError, SourceFileError
from medgraph.loaders.base import Reject
from medgraph.loaders.files import cell_values, json_items, marks, tables, xml_stream
from medgraph.loaders.files.texts import head, open_source
from medgraph.schema.checks import check_id

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


VALUE = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(), inner, max_size=3)),
    max_leaves=6,
)


@given(
    items=st.lists(VALUE, max_size=4),
    others=st.dictionaries(st.text(), VALUE, max_size=3),
    indent=st.sampled_from([None, 1]),
)  # fmt: skip
def test_items_and_members_are_those_of_the_document(tmp_path_factory, items, others, indent):
    path = tmp_path_factory.mktemp("json") / "x.json"
    others.pop("items", None)
    path.write_text(json.dumps(others | {"items": items}, indent=indent, ensure_ascii=False), "utf-8", "surrogatepass")
    assert [value for _, value in json_items.of(path, "items")] == items
    assert json_items.members(path, {"items"}) == others


def test_an_item_that_is_not_strict_is_rejected_and_those_after_it_are_read(tmp_path):
    path = tmp_path / "x.json"
    path.write_text('{"items": [1,\n{"a": 1, "a": 2},\nNaN,\n3]}')
    first, twice, nan, last = json_items.of(path, "items")
    assert (first, last) == ((1, 1), (4, 3))
    assert (twice.line, twice.reason.partition(" (")[0]) == (2, "the key 'a' stands twice in one object")
    assert isinstance(nan, Reject)
    assert nan.reason.startswith("NaN is not JSON")


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (b"[1]", 1, "{ should stand here"),
        (b'{"a": 1,\n"items": [1, 2', 2, "] should stand here"),
        (b'{"items": [1 2]}', 1, "] should stand here"),
        (b'{"items": [1,\n}', 2, "Expecting value"),
        (b'{"a"\n1}', 2, ": should stand here"),
        (b'{"items": 1}', 1, "[ should stand here"),
        (b"{1: 2}", 1, "a name in quotation marks should stand here"),
        (b'{"items": ["\xff"]}', 1, "it is not UTF-8"),
        (b'{"items": ' + b"[" * 100_000, 1, "nested too deep"),
    ],
)
def test_what_is_no_whole_document(tmp_path, text, line, message):
    path = tmp_path / "x.json"
    path.write_bytes(text)
    with pytest.raises(SourceFileError) as raised:
        list(json_items.of(path, "items"))
    assert raised.value.line == line
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"b": 1}', "has no 'a'; its keys are 'b'"),
        (b'{"a": 1', "is not valid JSON, column 8"),
        (b"[1]", "is not a JSON object in {}; write one object a line"),
        (b'{"a": 1, "a": 2}', "the key 'a' stands twice"),
        (b'{"a": "\xe9"}', "is not UTF-8: byte 0xE9 at place 8"),
        (b'{"a": ' + b"[" * 100_000, "is not valid JSON: nested too deep"),
        (b'{"a": ' + b"9" * 5000 + b"}", "is not usable JSON"),
        (b'{"a": "' + b"x" * 10_000_001 + b'"}', "a value is longer than 10,000,000 characters; split it"),
    ],
)
def test_a_line_of_jsonl_that_cannot_be_used(table, line, reason):
    rows, ((at, why),) = table(b'{"a": 1}\n' + line + b'\n{"a": "' + b"x" * 1_000_000 + b'"}\n', "t.jsonl", ["a"])
    assert at == 2
    assert why.startswith(reason), why
    assert [(line, len(cells[0])) for line, cells in rows] == [(1, 1), (3, 1_000_000)]


@pytest.mark.parametrize("packed", [False, True])
def test_parquet(tmp_path, packed):
    import pyarrow as pa
    import pyarrow.parquet as pq

    data = {"a": ["x", None, "é"], "n": [1, 2, None], "f": [0.5, float("nan"), None], "l": [["p", "q"], [], None]}
    data |= {"t": [True, None, False], "x": ["y" * 1_000_000, "", ""]}
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table(data), path)
    if packed:
        path = path.with_name("t.parquet.gz")
        path.write_bytes(gzip.compress((tmp_path / "t.parquet").read_bytes(), mtime=0))
    rows = [(line, list(row.values())) for line, row in tables.read_cells(path, ["a"], optional=["z"])]
    assert rows == [
        (1, ["", "x", "1", "0.5", ("p", "q"), "true", "y" * 1_000_000]),
        (2, ["", "", "2", "", (), "", ""]),
        (3, ["", "é", "", "", "", "false", ""]),
    ]
    assert next(tables.read(path))[1]["l"] == '["p", "q"]'
    assert tables.columns(path) == ["a", "n", "f", "l", "t", "x"]
    with pytest.raises(SourceFileError, match="has no column 'b'; its columns are 'a', 'n'"):
        list(tables.read(path, ["b"]))


def test_without_pyarrow_parquet_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    (tmp_path / "t.parquet").write_bytes(b"PAR1")
    with pytest.raises(SourceFileError, match=re.escape("pip install '.[parquet]'")):
        list(tables.read(tmp_path / "t.parquet"))


@pytest.mark.parametrize(
    ("cell", "names"),
    [
        ("['Fever', \"Crohn's disease\"]", ("Fever", "Crohn's disease")),
        ("['Fever', 'Crohn\\'s disease', ]", ("Fever", "Crohn's disease")),
        ('["Fever", "\\u00c9toile"]', ("Fever", "Étoile")),
        ("['\\xc9toile', '\\u00e9', '\\U0001F600', 'a\\\\b', 'tab\\there']", ("Étoile", "é", "😀", "a\\b", "tab here")),
        ("[]", ()),
        ("nan", ()),
        ("", ()),
        ("['nan', 'Fever', 'Fever', ' ', None]", ("Fever",)),
        ("[nan]", ()),
        ("[None, 'Fever', NaN, 'Cough', <NA>]", ("Fever", "Cough")),
        ('[null, "Fever", NaN]', ("Fever",)),
        ("Fever; Cough|Insulin, Aspart", ("Fever", "Cough", "Insulin, Aspart")),
        ("Muscle cramps, contractures, or spasms", ("Muscle cramps, contractures, or spasms",)),
    ],
)
def test_lists_in_cells(cell, names):
    assert cell_values.names(cell) == names


@pytest.mark.parametrize(
    "cell",
    [
        "['Fever', ",
        "['Fever' 'Cough']",
        "['Fever', Cough]",
        "['Fever'; 'Cough']",
        "[__import__('os').system('false')]",
        "['Fever', ['Cough']]",
        "[1, 2]",
        "[nano]",
        "['Fever",
        "[",
        "['Fever'] + ['Cough']",
    ],
)
def test_what_begins_like_a_list_and_is_none_is_refused(cell):
    with pytest.raises(RecordError, match="list"):
        cell_values.names(cell)


@pytest.mark.parametrize(
    ("cell", "looks"),
    [
        ("Cough,Wheeze", True),
        ("Cough, Wheeze, Fever", True),
        ("Muscle cramps, contractures, or spasms", False),
        ("Insulin, Aspart", False),
        ("['Cough,Wheeze']", False),
        ("1,2-dichloroethane", False),
        ("Cough,Wheeze; Fever", False),
    ],
)
def test_cells_that_look_like_lists_with_commas(cell, looks):
    assert cell_values.looks_listed(cell) == looks


@given(st.text(max_size=60) | st.text("[]'\",\\x0a ", max_size=40).map("[".__add__))
def test_any_cell_is_read_or_refused(cell):
    try:
        found = cell_values.names(cell)
    except RecordError:
        return
    assert all(name == " ".join(name.split()) and name for name in found)
    assert len(set(found)) == len(found)


@given(st.text(max_size=200))
def test_a_name_makes_an_id(name):
    check_id(f"x:{cell_values.slug(name)}")
    assert len(cell_values.slug(name)) <= 80


def test_the_name_of_a_file_names_its_source(tmp_path):
    assert cell_values.stem(tmp_path / "Our clinic.csv.gz") == "our-clinic"
    assert cell_values.stem(tmp_path / "2026.tsv") == "table-2026"
    assert cell_values.own_prefix("", "x") == "x"
    with pytest.raises(SourceFileError, match="use a letter"):
        cell_values.own_prefix("a b", "x")


MATH = '<m:math xmlns:m="http://www.w3.org/1998/Math/MathML">{}</m:math>'


def math(inner):
    for tag in ("mfrac", "msup", "msubsup", "msub", "msqrt", "mroot", "mrow", "mn", "mi", "mo", "annotation"):
        inner = inner.replace(f"<{tag}>", f"<m:{tag}>").replace(f"</{tag}>", f"</m:{tag}>")
    return MATH.format(inner)


@pytest.mark.parametrize(
    ("marked", "plain"),
    [
        ("10<sup>5</sup> CFU", "10⁵ CFU"),
        ("10<sup>-9</sup> M", "10⁻⁹ M"),
        ("10<sup>\u22123</sup>", "10⁻³"),
        ("m<sup>2</sup>, mL<sup>-1</sup>, x<sup>n</sup>", "m², mL⁻¹, xⁿ"),
        ("x<sup>1.5</sup> and 8<sup>1/3</sup>", "x^1.5 and 8^(1/3)"),
        ("e<sup>-kt</sup>", "e^(-kt)"),
        ("2<sup><i>10</i></sup>", "2¹⁰"),
        ("the 19<sup>th</sup> patient", "the 19th patient"),
        ("Drug<sup>®</sup> Drug<sup>TM</sup> *<sup>*</sup>", "Drug® Drug™ **"),
        ("as shown<sup>1,2</sup>", "as shown¹,²"),
        ("CD4<sup>+</sup>, Ca<sup>2+</sup>, <sup>18</sup>F", "CD4⁺, Ca²⁺, ¹⁸F"),
        ("H<sub>2</sub>O<sub>2</sub>, FEV<sub>1</sub>, C<sub>max</sub>", "H2O2, FEV1, Cmax"),
        ("(NH<sub>4</sub>)<sub>2</sub>SO<sub>4</sub>", "(NH4)2SO4"),
        ("log<sub>2</sub>10 and 101<sub>2</sub>", "log₂10 and 101₂"),
        ("<i>E. <b>coli</b></i><br/>grows", "E. coli grows"),
        ("&#189; of \u03b1-blockers", "½ of \u03b1-blockers"),
        (math("<mfrac><mn>1</mn><mn>2</mn></mfrac>"), "1/2"),
        ("2" + math("<mfrac><mn>1</mn><mn>3</mn></mfrac>"), "2 1/3"),
        (math("<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac>"), "(a+b)/2"),
        (math("<msup><mn>10</mn><mrow><mo>\u2212</mo><mn>3</mn></mrow></msup>"), "10⁻³"),
        (math("<msub><mi>x</mi><mn>1</mn></msub><msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup>"), "x1x1²"),
        (math("<msqrt><mi>x</mi></msqrt><mroot><mi>x</mi><mn>3</mn></mroot>"), "√xx^(1/3)"),
        (math("<mi>p</mi><annotation>\\frac p</annotation>"), "p"),
    ],
)
def test_marked_texts_mean_the_same_in_plain_text(marked, plain):
    assert xml_stream.text(etree.fromstring(f"<t>{marked}</t>")) == plain


def test_tags_that_somebody_wrote_into_a_plain_text():
    assert marks.written("10<sup>5</sup> of H<sub>2</sub>O, log<sub>2</sub>8") == "10⁵ of H2O, log₂8"
    assert marks.written("a <b> c </sup> <sub>") == "a <b> c </sup> <sub>"


def test_characters_by_the_names_that_html_gives_them():
    parser = etree.XMLParser(resolve_entities=False, load_dtd=False)
    head = '<!DOCTYPE t SYSTEM "absent.dtd">'
    assert xml_stream.text(etree.fromstring(f"{head}<t>&frac12; &alpha;</t>", parser)) == "½ \u03b1"
    with pytest.raises(RecordError, match="it uses the entity &own;"):
        xml_stream.text(etree.fromstring(f"{head}<t>&own;</t>", parser))
