"""HPO's annotations, GAF and GPAD, Orphanet's products and RxNorm: five lines of each, and what becomes of them."""

import pytest

from medgraph.audit.run import audit
from medgraph.errors import SourceFileError, TooManyRejectsError
from medgraph.loaders.base import Reject, Remark
from medgraph.loaders.commands import LoadOptions, load_named
from medgraph.loaders.registry import SOURCES
from medgraph.loaders.sources import orphanet, rxnorm
from medgraph.schema.records import Entity, Relation
from tests.support.paths import FILES

HPOA = FILES / "hpoa" / "phenotype.hpoa"
GAF = FILES / "gaf" / "small.gaf"
PRODUCTS = FILES / "orphanet"
RXNORM = FILES / "rxnorm"


def read(source, path):
    """Sort what a source gives into entities, relations, rejects and remarks."""
    items = list(source.records(path))
    records = [item.record for item in items if not isinstance(item, Reject | Remark)]
    return (
        {record.id: record for record in records if isinstance(record, Entity)},
        [record for record in records if isinstance(record, Relation)],
        [item for item in items if isinstance(item, Reject)],
        [item for item in items if isinstance(item, Remark)],
    )


def test_annotations_of_hpo_keep_what_each_row_says_together():
    entities, (symptom, inherited), rejects, remarks = read(SOURCES["hpoa"], HPOA)
    assert entities["OMIM:154700"] == Entity("OMIM:154700", "Disease", "Marfan syndrome")
    assert entities["HP:0001166"] == Entity("HP:0001166")
    assert (symptom.subject, symptom.type, symptom.object) == ("OMIM:154700", "HAS_SYMPTOM", "HP:0001166")
    assert symptom.evidence == ("PMID:101", "PMID:102", "OMIM:154700")
    said = dict(symptom.properties)
    assert (said["frequency"], said["onset"], said["sex"]) == (("9/10", "HP:0040281"), ("HP:0003577",), ("FEMALE",))
    assert said["statements"] == (
        "PMID:101; frequency 9/10; onset HP:0003577; evidence_code PCS",
        "PMID:102, OMIM:154700; frequency HP:0040281; sex FEMALE; modifier HP:0012828; evidence_code TAS",
    )
    assert (inherited.type, inherited.predicate) == ("RELATED_TO", "has_mode_of_inheritance")
    assert rejects == []
    assert [remark.line for remark in remarks] == [0, 7, 8]  # columns, NOT, and 0 of 10
    assert SOURCES["hpoa"].describe(HPOA).version == "2026-01-08"


def test_gaf_tells_which_code_goes_with_which_reference(tmp_path):
    entities, (enables, located), (short,), (columns, denied) = read(SOURCES["gaf"], GAF)
    assert entities["UniProtKB:P68871"] == Entity(
        "UniProtKB:P68871",
        "Protein",
        "HBB",
        ("Hemoglobin subunit beta", "beta-globin"),
        properties=(("taxon", "NCBITaxon:9606"),),
    )
    assert (enables.type, enables.predicate, enables.object) == ("PARTICIPATES_IN", "enables", "GO:0005344")
    assert dict(enables.properties)["statements"] == (
        "PMID:1, GO_REF:0000033; evidence_code IDA; assigned_by UniProt",
        "PMID:2; evidence_code IMP; with UniProtKB:P69905; extension part_of(CL:0000232); assigned_by UniProt",
    )
    assert (located.type, located.predicate) == ("LOCATED_IN", "located_in")
    assert (short.line, denied.line) == (7, 5)
    assert columns.text == "columns are not read (date, form): 2"
    assert SOURCES["gaf"].describe(GAF).version == "2026-02-03"
    bare = tmp_path / "bare.gaf"
    bare.write_text("UniProtKB\tP1\n")
    with pytest.raises(SourceFileError, match="has no line !gaf-version:, !gpad-version: or !gpi-version:"):
        SOURCES["gaf"].records(bare)


def test_gpad_says_the_same_with_ids_alone():
    entities, relations, rejects, (_, denied) = read(SOURCES["gaf"], GAF.with_suffix(".gpad"))
    assert entities["MGI:96021"] == Entity("MGI:96021")
    assert [(one.type, one.predicate, one.evidence) for one in relations] == [
        ("PARTICIPATES_IN", "enables", ("PMID:1",)),
        ("LOCATED_IN", "is_active_in", ("GO_REF:0000033",)),
    ]
    assert (rejects, denied.line) == ([], 4)


def test_products_of_orphanet_are_one_source():
    entities, (symptom, cause), rejects, (denied, *unread) = read(orphanet, PRODUCTS)
    marfan = entities["Orphanet:558"]
    assert (marfan.name, marfan.synonyms, marfan.definition) == (
        "Marfan syndrome",
        ("MFS",),
        "A disease of connective tissue.",
    )
    assert marfan.xrefs == ("OMIM:154700",)
    assert dict(marfan.properties)["inexact_xrefs"] == ("ICD10:Q87.4 NTBT",)
    assert entities["HGNC:3603"].name == "FBN1"
    assert (symptom.type, symptom.object) == ("HAS_SYMPTOM", "HP:0001166")
    assert dict(symptom.properties)["frequency"] == ("Very frequent (99-80%)",)
    assert (cause.type, cause.object, cause.evidence) == ("CAUSED_BY", "HGNC:3603", ("PMID:101", "PMID:102"))
    assert rejects == []
    assert "HP:0001250" in denied.text  # Excluded (0%)
    assert "Source of disorders is not read" in {remark.what for remark in unread}  # of product 4, of a set
    assert orphanet.describe(PRODUCTS).version == "2026-01-09"


def test_rxnorm_reads_each_relationship_from_one_end(tmp_path):
    entities, relations, rejects, remarks = read(rxnorm, RXNORM)
    assert entities["RXNORM:1191"] == Entity(
        "RXNORM:1191",
        "Drug",
        "aspirin",
        ("acetylsalicylic acid",),
        semantic_types=("T109", "T121"),
        properties=(("term_type", "IN"),),
    )
    assert [(one.subject, one.type, one.object, one.predicate) for one in relations] == [
        ("RXNORM:212033", "HAS_PART", "RXNORM:1191", "has_ingredient"),
        ("RXNORM:212033", "RELATED_TO", "RXNORM:317541", "has_dose_form"),
    ]
    assert rejects == []
    assert any("1, the first is RXNORM:212033 tradename_of RXNORM:99" in remark.text for remark in remarks)
    with pytest.raises(SourceFileError, match=r"has no RXNCONSO\.RRF"):
        list(rxnorm.records(tmp_path))


def test_stubs_are_no_error_and_a_dry_run_says_what_is_rejected(database, settings):
    report = load_named(database, settings, "gaf", GAF, dry_run=True)
    listed = report.rejects_file.read_text(encoding="utf-8")
    (reason,) = report.reasons
    assert reason.startswith(f"{GAF}:7: has ")
    assert reason.rpartition(": ")[2] in listed
    assert "columns are not read (date, form): 2" in listed
    with pytest.raises(
        TooManyRejectsError,
        match=r"1 of 7 records of gaf would be rejected; see (?s:.*) has 3 cells (?s:.*)gaf:7",
    ):
        load_named(database, settings, "gaf", GAF, LoadOptions(max_rejects="0"), dry_run=True)
    load_named(database, settings, "gaf", GAF.with_suffix(".gpad"))
    results = audit(database, "gaf", only=["suspicious_names", "stubs"]).results
    assert {finding.severity for result in results for finding in result.findings} == {"note"}


@pytest.mark.parametrize(
    ("name", "path", "added"), [("hpoa", HPOA, 7), ("gaf", GAF, 6), ("orphanet", PRODUCTS, 6), ("rxnorm", RXNORM, 5)]
)
def test_they_load(database, settings, name, path, added):
    assert load_named(database, settings, name, path).added == added
