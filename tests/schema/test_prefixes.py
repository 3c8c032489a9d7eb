"""Prefixes: what sources write, and the one CURIE that it becomes."""

import csv
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.schema import prefixes
from medgraph.schema.vocabulary import ENTITY_LABELS

with prefixes.TABLE.open(encoding="utf-8") as table:
    ROWS = list(csv.DictReader(table, delimiter="\t"))
with prefixes.MORE.open(encoding="utf-8") as more:
    MORE = list(csv.DictReader((line for line in more if not line.startswith("#")), delimiter="\t"))


@pytest.mark.parametrize(
    ("text", "curie"),
    [
        ("DOID:1", "DOID:1"),
        ("doid:1", "DOID:1"),
        ("UMLS_CUI:C0018099", "UMLS:C0018099"),
        ("umls:C0018099", "UMLS:C0018099"),
        ("MIM:264300", "OMIM:264300"),
        ("MIM:PS264300", "OMIMPS:264300"),
        ("https://omim.org/phenotypicSeries/PS264300", "OMIMPS:264300"),
        ("NCI:C34650", "NCIT:C34650"),
        ("ORDO:98", "Orphanet:98"),
        ("ORPHA:98", "Orphanet:98"),
        ("http://www.orpha.net/ORDO/Orphanet_98", "Orphanet:98"),
        ("SNOMEDCT_US_2023_03_01:90560007", "SNOMEDCT:90560007"),
        ("SNOMEDCT_US_2030:90560007", "SNOMEDCT:90560007"),
        ("SCTID:90560007", "SNOMEDCT:90560007"),
        ("ICD9CM_2005:274.9", "ICD9CM:274.9"),
        ("MSH:D006073", "MESH:D006073"),
        ("MeSH: D006073 ", "MESH:D006073"),
        ("http://id.nlm.nih.gov/mesh/D006073", "MESH:D006073"),
        ("https://id.nlm.nih.gov/mesh/D006073", "MESH:D006073"),
        ("http://purl.obolibrary.org/obo/DOID_13189", "DOID:13189"),
        ("obo:DOID_13189", "DOID:13189"),
        ("https://identifiers.org/mesh:D006073", "MESH:D006073"),
        ("http://identifiers.org/GO:0008150", "GO:0008150"),
        ("http://identifiers.org/hgnc/HGNC:5", "HGNC:5"),
        ("https://bioregistry.io/go:GO:0008150", "GO:0008150"),
        ("https://pubmed.ncbi.nlm.nih.gov/123/", "PMID:123"),
        ("https://rarediseases.info.nih.gov/diseases/7896/wolf-hirschhorn-syndrome", "GARD:7896"),
        ("https://doi.org/10.1000/x:y/z", "DOI:10.1000/x:y/z"),
        ("doi:10.1000/x", "DOI:10.1000/x"),
        ("http://www.geneontology.org/formats/oboInOwl#hasDbXref", "oboInOwl:hasDbXref"),
        ("urn:medgraph:sample:gout", "sample:gout"),
        ("uo:0000187", "UO:0000187"),
        ("http://purl.obolibrary.org/obo/MS_1000031", "MS:1000031"),
        ("CARO:0000003", "CARO:0000003"),
        ("http://purl.obolibrary.org/obo/COB_0000015", "COB:0000015"),
        ("GOC:go_curators", "GOC:go_curators"),
        ("FB:FBgn0000001", "FlyBase:FBgn0000001"),
        ("https://flybase.org/reports/FBgn0000001", "FlyBase:FBgn0000001"),
        ("XYZZY:1", None),
        ("XYZZY_2020:1", None),
        ("http://example.org/x", None),
        ("https://identifiers.org/xyzzy:1", None),
        ("http://purl.obolibrary.org/obo/XYZZY_1", None),
        ("DOID:", None),
        ("DOID", None),
        ("obo:", None),
        ("", None),
        (":", None),
        ("a text: of words", None),
    ],
)
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
