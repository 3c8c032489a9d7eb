"""MRSAB: which vocabularies are taken, under which release and licence, and what is left out."""

from medgraph.loaders.base import Row
from medgraph.loaders.sources.umls import source
from medgraph.schema.records import SourceInfo
from tests.support.umls import ASTHMA, META, change, entities, remarks


def test_parts_state_their_release_and_licence():
    rows = [i for i in source.records(META, levels="all", languages="all") if isinstance(i, Row)]
    infos = {row.record.id: row.record for row in rows if isinstance(row.record, SourceInfo)}
    assert infos["umls-msh"] == SourceInfo(
        id="umls-msh",
        title="MeSH",
        version="2026",
        licence="LicenseRef-UMLS-level-0",
        url="https://www.nlm.nih.gov/research/umls/sourcereleasedocs/current/MSH/index.html",
        citation="National Library of Medicine; Medical Subject Headings; Bethesda, MD; 2026",
        rank=2,
    )
    assert infos["umls-snomedct_us"].licence == "LicenseRef-UMLS-level-9"
    assert infos["umls-mth"].version == "2026AA"
    announced = set()
    for item in rows:
        if isinstance(item.record, SourceInfo):
            announced.add(item.record.id)
        else:
            assert item.source in announced | {""}


def test_by_default_english_names_of_level_0_are_taken():
    found = entities()
    assert not [part for part, _ in found if part in {"umls-snomedct_us", "umls-mshspa"}]
    assert ("", "UMLS:C0008090") not in found
    assert remarks(META) == [
        "rows left out: in the language SPA (option languages): 1",
        "rows left out: under licence level 3 (option levels): 1",
        "rows left out: under licence level 9 (option levels): 4",
        "rows of MRCONSO left out: suppressed (SUPPRESS is not N): 1",
        "rows of MRDEF left out: suppressed (SUPPRESS is not N): 1",
        "rows of MRREL left out: one of their concepts was left out: 1",
        "rows of MRREL left out: suppressed (SUPPRESS is not N): 1",
        "rows of MRREL left out: they relate a concept to itself: 1",
        "rows of MRREL left out: they say that nothing is related (XR, DEL): 1",
    ]


def test_a_vocabulary_of_unknown_licence_is_left_out(meta):
    change(meta, "MRSAB", "|HPO|", "|NEW|")
    assert ("umls-hpo", ASTHMA) not in entities(meta)
    assert any("of HPO, which MRSAB does not list, so that its licence is unknown" in text for text in remarks(meta))
