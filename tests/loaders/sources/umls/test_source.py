"""UMLS: files of the Metathesaurus, vocabularies, concepts, relations, and a load into the graph."""

import gzip
import re

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as tried
from hypothesis import strategies as st

from medgraph.errors import SourceFileError
from medgraph.loaders.base import Row
from medgraph.loaders.commands import LoadOptions, load_named
from medgraph.loaders.sources.umls import source
from medgraph.loaders.sources.umls.rrf import COLUMNS
from medgraph.schema.records import Entity, SourceInfo
from tests.support.graphs import run
from tests.support.umls import (
    ALBUTEROL,
    ASTHMA,
    BRONCHI,
    DISEASE,
    META,
    WHEEZING,
    add,
    change,
    entities,
    rejects,
    relations,
    remarks,
    row,
)


def test_loading_twice_and_filtering_by_licence(database, settings):
    first = load_named(database, settings, "umls", META, LoadOptions(options={"levels": "all"}))
    assert first.rejected == 0
    facts = run(
        database,
        "MATCH (e:Entity {id: $id})-[:FROM]->(s:Source) RETURN s.id AS source, s.licence AS licence, e.name AS name, "
        "e.synonyms AS synonyms ORDER BY source",
        id=ASTHMA,
    )
    assert [(fact["source"], fact["licence"][-1]) for fact in facts] == [
        ("umls", "0"),
        ("umls-hpo", "0"),
        ("umls-msh", "0"),
        ("umls-snomedct_us", "9"),
    ]
    assert facts[0]["name"] == "Asthma"
    assert {"Bronchial Asthma", "Asthma (disorder)"} <= set(facts[0]["synonyms"])
    treats = run(database, "MATCH (a)-[r:TREATS]->(b) RETURN a.id AS a, b.id AS b, r.source AS source")
    assert treats == [{"a": ALBUTEROL, "b": ASTHMA, "source": "umls-msh"}]
    again = load_named(database, settings, "umls", META, LoadOptions(options={"levels": "all"}, limit=1000))
    assert (again.added, again.changed, again.unchanged) == (0, 0, first.added)


@pytest.mark.parametrize("name", ["MRCONSO", "MRSTY", "MRDEF", "MRREL"])
def test_files_must_be_sorted(meta, name):
    add(meta, name, **{COLUMNS[name][0]: "C0000005"})
    line = len((meta / f"{name}.RRF").read_text().splitlines())
    fault = rf"{name}\.RRF:{line}: is not sorted: C0000005 comes after C\d+; sort it with LC_ALL=C"
    with pytest.raises(SourceFileError, match=fault):
        list(source.records(meta))


def test_empty_cut_off_and_undecodable_files(meta):
    file = meta / "MRCONSO.RRF"
    whole = file.read_bytes()
    file.write_bytes(whole[:-20])
    (reject, *_) = rejects(meta)
    assert (reject.file, reject.line) == (str(file), 16)
    assert (
        "does not end with |; 18 belong there, CUI to CVF, each with | behind it: is the row cut off?" in reject.reason
    )
    file.write_bytes(whole.replace(b"Salbutamol", b"Salbutam\xf6l"))
    (reject,) = rejects(meta)
    assert reject.line == 2
    assert "is not UTF-8" in reject.reason
    assert ("umls-msh", ALBUTEROL) in entities(meta)
    file.write_bytes(b"")
    with pytest.raises(SourceFileError, match=r"MRCONSO\.RRF: is empty; fetch it again"):
        rejects(meta)
    file.unlink()
    (meta / "MRCONSO.RRF.gz").write_bytes(gzip.compress(whole * 50, mtime=0)[:-30])
    with pytest.raises(SourceFileError, match=r"is cut off"):
        rejects(meta)
    (meta / "MRCONSO.RRF.gz").write_bytes(whole)
    with pytest.raises(SourceFileError, match=r"is called \.gz and is not packed with gzip"):
        rejects(meta)


@pytest.mark.parametrize(
    ("name", "cells", "reason"),
    [
        ("MRCONSO", {"CUI": "C12"}, r"'C12' is no concept \(C and seven digits\)"),
        ("MRSTY", {"CUI": "X"}, r"'X' is no concept"),
        ("MRSTY", {"CUI": "C9999999", "TUI": "T047"}, r"C9999999 is not in MRCONSO; take all files from one release"),
        ("MRDEF", {"CUI": "C9999999", "SAB": "MSH", "DEF": "x"}, r"C9999999 is not in MRCONSO"),
        (
            "MRREL",
            {"CUI1": "C9999999", "CUI2": "C0004096", "REL": "RO", "SAB": "MSH", "SUPPRESS": "N"},
            r"C9999999 is not in MRCONSO",
        ),
        (
            "MRREL",
            {"CUI1": "C0043144", "CUI2": "disease", "REL": "RO", "SAB": "MSH", "SUPPRESS": "N"},
            r"disease is not",
        ),
        ("MRSAB", {"RSAB": "ODD", "SRL": "x", "CURVER": "Y"}, r"ODD has the licence level 'x', which is none"),
        ("MRRANK", {"RANK": "high"}, r"the rank 'high' is not a number"),
    ],
)
def test_rows_that_cannot_be_used(meta, name, cells, reason):
    before = entities(meta)
    add(meta, name, **cells)
    (reject,) = rejects(meta)
    assert reject.file == str(meta / f"{name}.RRF")
    assert reject.line == len((meta / f"{name}.RRF").read_text().splitlines())
    assert re.search(reason, reject.reason)
    assert entities(meta) == before


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


def test_what_a_vocabulary_says_is_its_own():
    found = entities()
    assert found["umls-msh", ASTHMA] == Entity(
        id=ASTHMA,
        label="Disease",
        name="Asthma",
        synonyms=("Asthma, Bronchial", "Bronchial Asthma"),
        definition="A long-lasting disease of the airways with attacks of narrowing.",
        concepts=("C0004096",),
        semantic_types=("T047",),
        xrefs=("MESH:D001249",),
    )
    assert found["umls-hpo", ASTHMA].definition == "Airways that narrow from time to time."
    assert found["umls-hpo", ASTHMA].xrefs == ("HP:0002099",)
    assert found["umls-rxnorm", ALBUTEROL].name == "albuterol"
    assert found["umls-mth", DISEASE].xrefs == ()
    assert [part for part, concept in found if concept == ASTHMA] == ["", "umls-hpo", "umls-msh"]


def test_the_metathesaurus_itself_says_preferred_name_and_types(meta):
    main = {concept: entity for (part, concept), entity in entities().items() if not part}
    assert main[ALBUTEROL] == Entity(
        ALBUTEROL, "Drug", "Albuterol", concepts=("C0001927",), semantic_types=("T109", "T121")
    )
    assert {entity.label for entity in main.values()} == {"Drug", "Disease", "Anatomy", "Symptom"}
    change(meta, "MRCONSO", "|P|L0000001|PF|S0000001|Y|", "|P|L0000001|PF|S0000001|N|")
    change(meta, "MRCONSO", "|P|L0000003|PF|S0000003|N|", "|P|L0000003|PF|S0000003|Y|")
    assert entities(meta)["", ALBUTEROL].name == "albuterol"  # RXNORM's, which is the preferred one now


def test_restricted_names_are_never_said_by_the_metathesaurus_itself():
    found = entities(levels="0,9")
    assert found["umls-snomedct_us", "UMLS:C0008090"].name == "Only here"
    assert ("", "UMLS:C0008090") not in found
    assert found["umls-snomedct_us", ASTHMA].synonyms == ("Asthma (disorder)",)
    assert ("umls-snomedct_us", ASTHMA, "LOCATED_IN", BRONCHI, "has_finding_site") in relations(levels="all")


def test_mrrel_reads_from_the_second_concept_to_the_first(meta):
    """The row "asthma | RO | albuterol | may_treat" says that albuterol may treat asthma."""
    lines = (META / "MRREL.RRF").read_text().splitlines()
    cells = dict(zip(COLUMNS["MRREL"], lines[2].split("|"), strict=False))
    assert (cells["CUI1"], cells["RELA"], cells["CUI2"]) == ("C0004096", "may_treat", "C0001927")
    assert ("umls-msh", ALBUTEROL, "TREATS", ASTHMA, "may_treat") in relations()
    assert not [r for r in relations() if r[1:4] == (ASTHMA, "TREATS", ALBUTEROL)]


def test_every_relation_comes_once_a_vocabulary():
    assert sorted(relations()) == sorted(
        [
            ("umls-msh", ALBUTEROL, "TREATS", ASTHMA, "may_treat"),
            ("umls-msh", ALBUTEROL, "RELATED_TO", ASTHMA, "odd_tie_of"),  # MRDOC pairs it not: DIR says Y
            ("umls-msh", ASTHMA, "LOCATED_IN", BRONCHI, "has_finding_site"),  # stands twice, for two pairs of atoms
            ("umls-msh", ASTHMA, "IS_A", DISEASE, ""),
            ("umls-hpo", ASTHMA, "IS_A", DISEASE, "CHD"),
            ("umls-hpo", ASTHMA, "HAS_SYMPTOM", WHEEZING, "has_manifestation"),
            ("umls-msh", WHEEZING, "RELATED_TO", ASTHMA, "linked_from"),  # paired by MRDOC, first by the alphabet
            ("umls-msh", ASTHMA, "RELATED_TO", WHEEZING, "RO"),  # no RELA, and the same in both directions
            ("umls-msh", DISEASE, "BROAD_MATCH", WHEEZING, "RN"),  # disease is the narrower one here
        ]
    )


def test_a_contraindication_is_one_and_what_a_disease_excludes_is_left_out(meta):
    """MRREL has each relation twice: MED-RT's for aspirin, NCIt's for findings that a disease does not have."""
    pairs = [
        ("C0004096", "contraindicated_with_disease", "C0001927"),
        ("C0001927", "has_contraindicated_drug", "C0004096"),
        ("C0043144", "disease_excludes_finding", "C0004096"),
        ("C0004096", "is_not_finding_of_disease", "C0043144"),
    ]
    rows = [row("MRREL", CUI1=a, REL="RO", CUI2=b, RELA=word, SAB="MSH", SUPPRESS="N") for a, word, b in pairs]
    (meta / "MRREL.RRF").write_text("".join(sorted(rows)))
    assert relations(meta) == [
        ("umls-msh", ALBUTEROL, "CONTRAINDICATED_IN", ASTHMA, "contraindicated_with_disease"),
    ]
    (said,) = [text for text in remarks(meta) if "what is not so" in text]
    assert said == (
        "statements of what is not so (disease_excludes_finding) are left out: 1, the first is "
        f"{ASTHMA} disease_excludes_finding {WHEEZING}"
    )


@pytest.mark.parametrize("mrdoc", [True, False])
@given(data=st.data())
@tried(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_both_directions_in_mrrel_give_one_relation(meta, mrdoc, data):
    """Pairs with any words, with and without MRDOC, in any order of atoms: each relation once, and none is lost."""
    words = st.sampled_from(["isa/inverse_isa", "has_x/x_of", "a_to/b_to", "same/same", "/", "treats/treated_by"])
    concepts = st.sampled_from(["C0001927", "C0004096", "C0006255", "C0012634", "C0043144"])
    stated = data.draw(st.lists(st.tuples(concepts, words, concepts), max_size=8))
    stated = {(a, w, b) for a, w, b in stated if a != b and (b, w, a) not in stated}
    rows = []
    for one, pair, two in stated:
        word, inverse = pair.split("/")
        rel = ("CHD", "PAR") if word == "isa" else ("RO", "RO")
        rows.append(row("MRREL", CUI1=two, REL=rel[0], CUI2=one, RELA=word, SAB="MSH", SUPPRESS="N"))
        rows.append(row("MRREL", CUI1=one, REL=rel[1], CUI2=two, RELA=inverse, SAB="MSH", SUPPRESS="N"))
    (meta / "MRREL.RRF").write_text("".join(sorted(rows * 2)))
    pairs = [("has_x", "x_of"), ("a_to", "b_to"), ("same", "same")]
    listed = [row("MRDOC", DOCKEY="RELA", VALUE=v, TYPE="rela_inverse", EXPL=e) for p in pairs for v, e in (p, p[::-1])]
    (meta / "MRDOC.RRF").write_text("".join(listed if mrdoc else [row("MRDOC", DOCKEY="X", VALUE="x", TYPE="y")]))
    ends = sorted(frozenset(relation[1:4:2]) for relation in map(list, relations(meta)))
    assert len(ends) == len(stated)
    assert sorted(map(sorted, ends)) == sorted(sorted((f"UMLS:{a}", f"UMLS:{b}")) for a, _, b in stated)
