"""MRREL: which way each row reads, and that each relation comes once."""

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as tried
from hypothesis import strategies as st

from medgraph.loaders.sources.umls.rrf import COLUMNS
from tests.support.umls import ALBUTEROL, ASTHMA, BRONCHI, DISEASE, META, WHEEZING, relations, remarks, row


def test_mrrel_reads_from_the_second_concept_to_the_first(meta):
    """The row "asthma | RO | albuterol | may_treat" says that albuterol may treat asthma."""
    lines = (META / "MRREL.RRF").read_text().splitlines()
    cells = dict(zip(COLUMNS["MRREL"].split(), lines[2].split("|"), strict=False))
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
