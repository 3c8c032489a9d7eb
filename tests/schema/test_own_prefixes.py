"""Prefixes of a curator's own: in the data folder for every command, elsewhere for as long as they are needed."""

import subprocess
import sys

import pytest

from medgraph.schema import prefixes

ASK = """\
from medgraph.schema import prefixes
print(prefixes.standard("https://house.example/12"), prefixes.uri("HOUSE:7"))
"""


@pytest.fixture
def told(tmp_path, monkeypatch):
    monkeypatch.setenv("MEDGRAPH_HOME", str(tmp_path))

    def ask(table):
        prefixes.own_table().write_text(table)
        done = subprocess.run([sys.executable, "-c", ASK], capture_output=True, text=True, check=False)
        return done.stdout.strip() or done.stderr.strip().splitlines()[-1]

    return ask


def test_the_table_of_the_data_folder_adds_prefixes(told):
    assert told("# ours\nHOUSE\thttps://house.example/\nMESH\thttp://id.nlm.nih.gov/mesh/\n") == (
        "HOUSE:12 https://house.example/7"
    )


@pytest.mark.parametrize(
    ("table", "line", "said"),
    [
        ("HOUSE https://house.example/\n", 1, "no beginning of addresses"),
        ("\nHOUSE\thouse\n", 2, "no beginning of addresses, such as https://house.example/"),
        ("H:\thttps://house.example/\n", 1, "no beginning of addresses"),
        ("doid\thttps://house.example/\n", 1, "doid is known, and stands for http://purl.obolibrary.org/obo/DOID_;"),
    ],
)
def test_a_line_that_cannot_be_is_named(told, tmp_path, table, line, said):
    found = told(table)
    assert f"{tmp_path / 'prefixes.tsv'}:{line}: write a prefix, a tab" in found
    assert said in found


def test_prefixes_are_known_for_as_long_as_they_are_needed():
    address = "https://ward.example/x1"
    with prefixes.also({"WARD": "https://ward.example/", "DOID": "https://other.example/"}):
        assert prefixes.standard(address) == "WARD:x1"
        with prefixes.also({"WARD": "https://elsewhere.example/", "BED": "https://bed.example/"}):
            assert prefixes.uri("WARD:2") == "https://ward.example/2"
            assert prefixes.uri("BED:2") == "https://bed.example/2"
        assert prefixes.uri("BED:2") is None
        assert prefixes.uri("DOID:1") == "http://purl.obolibrary.org/obo/DOID_1"
    assert prefixes.standard(address) is None
