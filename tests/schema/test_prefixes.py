"""Prefixes: what sources write, and the one CURIE that it becomes."""

import csv
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.schema import prefixes
from medgraph.schema.vocabulary import ENTITY_LABELS
from tests.support.examples import examples

with prefixes.TABLE.open(encoding="utf-8") as table:
    ROWS = list(csv.DictReader(table, delimiter="\t"))
with prefixes.MORE.open(encoding="utf-8") as more:
    MORE = list(csv.DictReader((line for line in more if not line.startswith("#")), delimiter="\t"))


@pytest.mark.parametrize(("text", "curie"), examples("prefixes"))
def test_standard(text, curie):
    assert prefixes.standard(text) == curie


def test_uris_and_labels():
    assert prefixes.uri("UMLS_CUI:C1") == "http://linkedlifedata.com/resource/umls/id/C1"
    assert prefixes.uri("XYZZY:1") is None
    labels = {
        text: prefixes.label_of(text)
        for text in ("DOID:1", "symp:1", "HP:1", "hgnc:5", "MIM:1", "MESH:D1", "UO:1", "XYZZY:1", "")
    }
    assert list(labels.values()) == ["Disease", "Symptom", "Phenotype", "Gene", "Disease", *["Topic"] * 4]


@given(st.sampled_from(ROWS), st.from_regex(r"[A-Za-z0-9._-]{1,12}", fullmatch=True), st.randoms())
def test_every_spelling_and_uri_comes_to_the_same_curie(row, local, random):
    curie = prefixes.standard(f"{row['prefix']}:{local}")
    assert prefixes.standard(curie) == curie
    for word in (row["prefix"], *row["synonyms"].split()):
        mixed = "".join(random.choice((letter.lower(), letter.upper())) for letter in word)
        assert prefixes.standard(f"{mixed}:{local}") == curie
    if not row["prefix"].startswith("OMIM"):
        for address in (row["uri"], *row["other_uris"].split(), f"https://identifiers.org/{row['prefix']}/"):
            assert prefixes.standard(address + local) == curie
    assert prefixes.standard(prefixes.uri(curie)) == curie


def test_every_uri_comes_back():
    found = {row["prefix"]: prefixes.standard(f"{row['uri']}1") for row in (*ROWS, *MORE)}
    found = {name: curie for name, curie in found.items() if curie != f"{name}:1"}
    assert found == {"GEOGEO": "GEO:1"}  # both have one address


@given(st.text())
def test_any_text_is_safe(text):
    curie = prefixes.standard(text)
    assert curie is None or prefixes.standard(curie) == curie
    assert prefixes.label_of(text) in ENTITY_LABELS


def test_the_library_is_loaded_only_where_a_uri_is_read():
    code = (
        "import sys; from medgraph.schema import prefixes; prefixes.standard('MIM:1'); print('curies' in sys.modules)"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "False\n"
