"""MRCONSO, MRSTY and MRDEF: what each vocabulary says of a concept, and what the Metathesaurus does."""

from medgraph.schema.records import Entity
from tests.support.umls import ALBUTEROL, ASTHMA, BRONCHI, DISEASE, change, entities, relations


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
