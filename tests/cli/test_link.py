"""`medgraph link`: what texts and names stand for."""

import json

import pytest

from medgraph.linking.concepts import index_concepts
from tests.support.joined import joined

MENTIONS = "id\tstart\tend\tsurface\tconcept\tentity\tids\tscore\tnegated"
GOUT = "C0018099\tDOID:1\tDOID:1|DOID:4|MESH:1|UMLS:C0018099|pages:gout"
TEXT = "\U0001f9ec\u200b Gout (podagra\u200b), no asthma."


@pytest.fixture
def call(medgraph, graph, settings, tmp_path):
    """Runs a command on a small graph of three sources."""
    joined(graph, settings, tmp_path)
    return medgraph


@pytest.fixture
def files(tmp_path):
    """A file of texts, one of names, and one to write."""
    texts, names = tmp_path / "texts.jsonl", tmp_path / "names.txt"
    texts.write_text(json.dumps({"id": "a\tb", "text": TEXT}) + "\n", encoding="utf-8")
    names.write_text("PODAGRA\nnothing known\n\n", encoding="utf-8")
    return texts, names, tmp_path / "out.tsv"


def test_texts_become_a_table_whose_offsets_are_characters(call, files):
    texts, _, out = files
    assert call("link", texts, "--run", out) == f"1 text linked: {out}\n"
    header, *rows = out.read_text(encoding="utf-8").splitlines()
    assert header == MENTIONS
    assert rows[0] == f"a b\t3\t7\tGout\t{GOUT}\t1.0\t0"
    cells = [row.split("\t") for row in rows]
    assert (
        [TEXT[int(row[1]) : int(row[2])] for row in cells] == [row[3] for row in cells] == ["Gout", "podagra", "asthma"]
    )
    assert [row[-1] for row in cells] == ["0", "0", "1"]
    assert call("link", texts) == out.read_text(encoding="utf-8")


def test_names_become_a_table_of_the_surest_first(call, files):
    _, names, out = files
    call("link", "--names", names, "--run", out, "--top-k", "5")
    header, *rows = out.read_text(encoding="utf-8").splitlines()
    assert header == "name\tconcept\tentity\tids\tscore\tmethod"
    assert rows == [f"PODAGRA\t{GOUT}\t0.97\tname", "nothing known\t\t\t\t\t", "\t\t\t\t\t"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "give a file of texts, or --names with a file of names (see "),
        (("{texts}", "--names", "{names}"), "give a file of texts, or --names with a file of names"),
        (("nope.jsonl",), "nope.jsonl: cannot be read: No such file or directory"),
        (("--names", "{names}", "--top-k", "0"), "Invalid value for '--top-k': 0 is not in the range 1<=x<=100."),
        (("{texts}", "--run", "{texts}/x"), "cannot be written: there is no folder"),
    ],
)
def test_what_cannot_be_linked(call, files, options, message):
    texts, names, _ = files
    assert message in call("link", *(o.format(texts=texts, names=names) for o in options), fails=True)


def test_a_malformed_line_is_named_and_leaves_what_was_there(call, files):
    texts, _, out = files
    texts.write_text('{"id": 1, "text": "gout"}\n{"id": 2}\n', encoding="utf-8")
    out.write_text("mine")
    assert call("link", texts, "--run", out, fails=True).startswith(
        f'{texts}:2: the line needs an object with "id" and "text"'
    )
    assert out.read_text() == "mine"
    assert {file.name for file in out.parent.iterdir() if "out" in file.name} == {"out.tsv"}


def test_a_graph_without_names_says_so(medgraph, database, files):
    index_concepts(database)
    assert "load a source first" in medgraph("link", files[0], fails=True)
