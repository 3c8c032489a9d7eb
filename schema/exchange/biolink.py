"""Biolink's words and ours: its classes and predicates, as KGX files write them, into labels and relation types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..vocabulary import ENTITY_LABELS, RELATION_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterable

# Biolink class → label, particular classes first; a class that is not here says no more than `NamedThing`
LABELS: Final[dict[str, str]] = {
    name: label
    for label, names in {
        "Variant": "SequenceVariant Snv Haplotype Genotype",
        "Gene": "Gene",
        "Protein": "Protein ProteinIsoform Polypeptide ProteinFamily",
        "Drug": "Drug",
        "Phenotype": "BehavioralFeature ClinicalFinding PathologicalProcess PhenotypicFeature",
        "Disease": "Disease DiseaseOrPhenotypicFeature",
        "Treatment": "ClinicalIntervention Hospitalization Treatment",
        "Test": "Procedure",
        "Chemical": "SmallMolecule MolecularMixture ComplexMolecularMixture ChemicalMixture ProcessedMaterial "
        "EnvironmentalFoodContaminant FoodAdditive Food MolecularEntity ChemicalEntity",
        "CellularComponent": "CellularComponent",
        "Cell": "Cell CellLine",
        "Anatomy": "GrossAnatomicalStructure AnatomicalEntity",
        "Pathway": "Pathway",
        "MolecularFunction": "MolecularActivity",
        "BiologicalProcess": "PhysiologicalProcess Behavior BiologicalProcess",
        "Organism": "OrganismTaxon CellularOrganism Bacterium Virus IndividualOrganism",
    }.items()
    for name in names.split()
}
# Mappings have SKOS predicates in the graph; KGX files use Biolink's for them
MATCHES: Final[dict[str, str]] = {kind: f"biolink:{kind.lower()}" for kind in RELATION_TYPES if kind.endswith("_MATCH")}
# Slots that hold lists, in Biolink 4.4.6; all of its others hold one value
LISTS: Final = frozenset(
    (
        "affiliation aggregator_knowledge_source anatomical_context_qualifier animal_model_available_from authors "
        "available_from broad_matches catalyst_qualifier category clinical_trial_age_stage "
        "clinical_trial_conditions clinical_trial_interventions edges exact_matches expressed_in expresses "
        "has_attribute has_chemical_role has_constituent has_device has_drug has_evidence has_evidence_of_type "
        "has_gene has_gene_or_gene_product has_phenotype has_procedure has_quantitative_value has_studies "
        "has_study_results has_supporting_studies hgvs_nomenclature is_chemical_role_of keywords "
        "log_odds_ratio_95_ci mesh_terms narrow_matches nodes object_category_closure object_closure "
        "object_label_closure object_location_in_text pages phenotype_of predicate_mappings provided_by "
        "publication_type publications qualifiers regulatory_approvals related_to retrieval_source_ids "
        "routes_of_delivery source_record_urls sources study_method_types subclass_of subject_category_closure "
        "subject_closure subject_label_closure subject_location_in_text subsets superclass_of support_graphs "
        "supporting_data_set supporting_data_source supporting_documents supporting_study_method_types "
        "supporting_text synonym systematic_synonym treatment_outcome type upstream_resource_ids xref"
    ).split()
)
# Prefixes that Biolink 4.4.6 lists; its validator wants no others
PREFIXES: Final = frozenset(
    (
        "AGRKB APO AspGD BFO BIGG.METABOLITE BIGG.REACTION BIOGRID BIOSAMPLE BSPO BTO CAID CARO CAS CATH "
        "CATH.SUPERFAMILY CDD CHADO CHEBI CHEMBL.COMPOUND CHEMBL.MECHANISM CHEMBL.TARGET CID CIO CL "
        "CLINICALTRIALS CLINVAR CLO COAR_RESOURCE COB COG CPT CTD CTD.CHEMICAL CTD.DISEASE CTD.GENE ChemBank "
        "ComplexPortal DBSNP DDANAT DGIdb DOID DOID-PROPERTY DRUGBANK DrugCentral EC ECO ECTO EDAM-DATA "
        "EDAM-FORMAT EDAM-OPERATION EDAM-TOPIC EFO EGGNOG EMAPA ENSEMBL ENVO ExO FAO FB FBbt FBcv FBdv FMA FOODON "
        "FYECO FYPO GENEPIO GENO GO GOLD.META GOP GOREL GSID GTEx GTOPDB HAMAP HANCESTRO HCPCS HGNC HGNC.FAMILY "
        "HMDB HP HsapDv IAO ICD10 ICD9 IDO INCHI INCHIKEY INO INTACT IUPHAR.FAMILY IUPHARobj KEGG KEGG.BRITE "
        "KEGG.COMPOUND KEGG.DISEASE KEGG.DRUG KEGG.ENVIRON KEGG.GENES KEGG.GLYCAN KEGG.MODULE KEGG.ORTHOLOGY "
        "KEGG.PATHWAY KEGG.RCLASS KEGG.REACTION LOINC MA MAXO MEDDRA MESH METANETX.REACTION METPO MGI MI MIR MOD "
        "MONDO MP MPATH MSigDB MmusDv NBO NBO-PROPERTY NCBIGene NCBITaxon NCIT NCIT-OBO NDC NDDF NLMID OBAN OBI "
        "OGMS OMIM OMIM.PS OMIT ORCID ORDO PANTHER.FAMILY PANTHER.PATHWAY PATO PCO PFAM PHARMGKB.DISEASE "
        "PHARMGKB.DRUG PHARMGKB.GENE PHARMGKB.PATHWAYS PHARMGKB.VARIANT PHAROS PIRSF PMC PMCID PMID PO PR PRINTS "
        "PRODOM PROSITE PUBCHEM.COMPOUND PUBCHEM.SUBSTANCE PW PathWhiz PomBase REACT REPODB RFAM RGD RHEA "
        "RNACENTRAL RO RXCUI RXNORM ResearchID SEED.REACTION SEMMEDDB SEPIO SGD SIDER.DRUG SIO SMART SMPDB SNOMED "
        "SNOMEDCT SO SPDI STATO STY SUPFAM ScopusID TAXRANK TCDB TIGRFAM TO UBERGRAPH UBERON UBERON_CORE "
        "UBERON_NONAMESPACE UMLS UMLSSG UNII UNIMOD UNIPROT.ISOFORM UO-PROPERTY UPHENO UniProtKB VANDF VMC WB "
        "WBPhenotype WBVocab WBbt WBls WIKIDATA WIKIDATA_PROPERTY WIKIPATHWAYS WormBase XAO XCO XPO Xenbase ZFA "
        "ZFIN ZFS ZP apollo biolink bioschemas dcat dcid dct dctypes dictyBase doi fabio faldo foaf "
        "foodb.compound foodb.food gff3 gpi gtpo icd11 icd11.foundation interpro isbn isni issn linkml medgen "
        "metacyc.reaction mirbase mmmp.biomaps ncats.bioplanet ncats.drug oboInOwl os owl pav prov qud rdf rdfs "
        "regulates schema skos uspto-patent wgs xsd"
    ).split()
)
_ANY: Final = "biolink:NamedThing"
# Predicates that Biolink has today, where ours are not or no longer among them
_WRITTEN: Final = {
    "HAS_RISK_FACTOR": "biolink:increased_likelihood_associated_with",
    "HAS_COMPLICATION": "biolink:contributes_to",
    "DIAGNOSED_BY": "biolink:is_diagnosed_by",
    "PREVENTED_BY": "biolink:has_preventative_intervention",
    "UPREGULATES": "biolink:increases_amount_or_activity_of",
    "DOWNREGULATES": "biolink:decreases_amount_or_activity_of",
    "RELATED_MATCH": "biolink:related_to",
}
_WIDER: Final = {"HAS_COMPLICATION", "RELATED_MATCH"}  # Types whose predicate in `_WRITTEN` says less than they do
_TYPES: Final = {
    predicate: kind
    for said in (RELATION_TYPES, MATCHES, {kind: word for kind, word in _WRITTEN.items() if kind not in _WIDER})
    for kind, predicate in said.items()
} | {predicate: kind for kind, predicate in RELATION_TYPES.items() if kind in MATCHES}
_TYPES["biolink:contraindicated_for"] = "CONTRAINDICATED_IN"  # its name in Biolink before version 4

# Predicate that the graph has no type for → the one that says the same from the other end, which it has one for
TURNED: Final = {"biolink:exacerbates_condition": "biolink:condition_exacerbated_by"}
_ORDER: Final = {name: place for place, name in enumerate(LABELS)}


def label_of(categories: Iterable[str]) -> str | None:
    """Give the label of the most particular known one of Biolink categories, with or without prefix; None for none."""
    names = [name.removeprefix("biolink:") for name in categories]
    known = sorted((name for name in names if name in LABELS), key=_ORDER.__getitem__)
    return LABELS[known[0]] if known else None


def categories_of(label: str) -> list[str]:
    """Give the Biolink categories of a label, which may be empty: its own if it has one, and `biolink:NamedThing`."""
    return list(dict.fromkeys((ENTITY_LABELS.get(label, _ANY), _ANY)))


def relation_of(predicate: str) -> str | None:
    """Give the relation type for a predicate of Biolink or SKOS; None when the graph has no type for it."""
    return _TYPES.get(predicate)


def predicate_of(kind: str) -> str:
    """Give the predicate of a relation type that Biolink has, such as `biolink:treats`."""
    return _WRITTEN.get(kind) or MATCHES.get(kind, RELATION_TYPES[kind])
