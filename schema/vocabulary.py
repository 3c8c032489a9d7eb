"""The words of the graph: labels, relation types and section types, each with its Biolink term."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..files import table_lines

if TYPE_CHECKING:
    from collections.abc import Mapping


OTHER: Final = "other information"
GENERAL: Final = "information"  # The kind that counts only where nothing else is asked
_TABLE: Final = Path(__file__).with_name("kinds.tsv")


@cache
def kind_values(what: str) -> Mapping[str, str]:
    """Give one thing that the table says of kinds.

    Returns:
        Kind → what is said of it, in the table's order; several lines of a kind are joined by `|`.
    """
    found: dict[str, str] = {}
    for _, line in table_lines(_TABLE):
        kind, name, value = line.split("\t")
        if name == what:
            found[kind] = f"{found[kind]}|{value}" if kind in found else value
    return found


def lists(what: str) -> dict[str, tuple[str, ...]]:
    """Give what the table lists for kinds with `;` between, as `kind_values` does."""
    return {kind: tuple(filter(None, value.split("; "))) for kind, value in kind_values(what).items()}


@cache
def patterns(what: str) -> Mapping[str, re.Pattern[str]]:
    """Compile what the table says of kinds as regular expressions, which begin with a word, as `kind_values` does."""
    return {kind: re.compile(rf"(?<!\w)(?:{value})", re.IGNORECASE) for kind, value in kind_values(what).items()}


# Label of an entity's category → Biolink class. Every entity also carries `Entity`.
ENTITY_LABELS: Final[dict[str, str]] = {
    "Disease": "biolink:Disease",
    "Symptom": "biolink:PhenotypicFeature",
    "Phenotype": "biolink:PhenotypicFeature",
    "SideEffect": "biolink:PhenotypicFeature",
    "Drug": "biolink:Drug",
    "Chemical": "biolink:ChemicalEntity",
    "DrugClass": "biolink:ChemicalEntity",
    "Treatment": "biolink:Treatment",
    "Test": "biolink:Procedure",
    "Gene": "biolink:Gene",
    "Protein": "biolink:Protein",
    "Variant": "biolink:SequenceVariant",
    "Anatomy": "biolink:AnatomicalEntity",
    "Cell": "biolink:Cell",
    "CellularComponent": "biolink:CellularComponent",
    "BiologicalProcess": "biolink:BiologicalProcess",
    "MolecularFunction": "biolink:MolecularActivity",
    "Pathway": "biolink:Pathway",
    "Organism": "biolink:OrganismTaxon",
    "Topic": "biolink:NamedThing",
}
# Label of an entity that nobody names: relations point to it, or sources add to it, until one tells what it is
STUB: Final = "Stub"
# Relation between two entities → Biolink predicate, or the one of SKOS for mappings. What a source says that is none
# of these is `RELATED_TO`, with the source's own word as its `predicate`.
RELATION_TYPES: Final[dict[str, str]] = {
    "IS_A": "biolink:subclass_of",
    "PART_OF": "biolink:part_of",
    "HAS_PART": "biolink:has_part",
    "LOCATED_IN": "biolink:located_in",
    "DEVELOPS_FROM": "biolink:develops_from",
    "HAS_SYMPTOM": "biolink:has_phenotype",
    "CAUSED_BY": "biolink:caused_by",
    "HAS_RISK_FACTOR": "biolink:has_risk_factor",
    "HAS_COMPLICATION": "biolink:has_complication",
    "DIAGNOSED_BY": "biolink:diagnosed_by",
    "TREATED_BY": "biolink:treated_by",
    "PREVENTED_BY": "biolink:prevented_by",
    "WORSENED_BY": "biolink:condition_exacerbated_by",
    "CONTRAINDICATED_WITH": "biolink:has_contraindication",
    "TREATS": "biolink:treats",
    "PALLIATES": "biolink:ameliorates_condition",
    "CONTRAINDICATED_IN": "biolink:contraindicated_in",
    "HAS_SIDE_EFFECT": "biolink:has_side_effect",
    "HAS_MEMBER": "biolink:has_member",
    "AFFECTS": "biolink:affects",
    "BINDS": "biolink:directly_physically_interacts_with",
    "INTERACTS_WITH": "biolink:interacts_with",
    "REGULATES": "biolink:regulates",
    "UPREGULATES": "biolink:increases_expression_of",
    "DOWNREGULATES": "biolink:decreases_expression_of",
    "EXPRESSES": "biolink:expresses",
    "COVARIES_WITH": "biolink:correlated_with",
    "PARTICIPATES_IN": "biolink:participates_in",
    "ASSOCIATED_WITH": "biolink:associated_with",
    "RESEMBLES": "biolink:similar_to",
    "EXACT_MATCH": "skos:exactMatch",
    "CLOSE_MATCH": "skos:closeMatch",
    "BROAD_MATCH": "skos:broadMatch",
    "NARROW_MATCH": "skos:narrowMatch",
    "RELATED_MATCH": "skos:relatedMatch",
    "RELATED_TO": "biolink:related_to",
}
CONDITIONS: Final = ("Disease", "Symptom", "Phenotype", "SideEffect")  # Labels of what people suffer from
_MEANS: Final = ("Drug", "Chemical", "DrugClass", "Treatment", "Test", "Protein", "Cell", "Organism")
_PRODUCTS: Final = ("Gene", "Protein", "Variant")

# Relation → labels that it may start at, and labels that it may point to; others join anything, as `Topic` does
RELATION_ENDS: Final[dict[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "HAS_SYMPTOM": (("Disease",), CONDITIONS),
    "CAUSED_BY": (CONDITIONS, tuple(ENTITY_LABELS)),
    "HAS_RISK_FACTOR": (CONDITIONS, tuple(ENTITY_LABELS)),
    "HAS_COMPLICATION": ((*CONDITIONS, "Treatment", "Test", "Drug"), CONDITIONS),
    "DIAGNOSED_BY": (CONDITIONS, ("Test", "Treatment", "Chemical", *_PRODUCTS, *CONDITIONS)),
    "TREATED_BY": (CONDITIONS, _MEANS),
    "PREVENTED_BY": (CONDITIONS, _MEANS),
    "WORSENED_BY": (CONDITIONS, tuple(ENTITY_LABELS)),
    "CONTRAINDICATED_WITH": (CONDITIONS, _MEANS),
    "TREATS": (_MEANS, CONDITIONS),
    "PALLIATES": (_MEANS, CONDITIONS),
    "CONTRAINDICATED_IN": (_MEANS, CONDITIONS),
    "HAS_SIDE_EFFECT": (("Drug", "Chemical", "DrugClass", "Treatment", "Test"), CONDITIONS),
    "EXPRESSES": (("Anatomy", "Cell", "CellularComponent", "Organism", "Disease"), _PRODUCTS),
    "PARTICIPATES_IN": (
        (*_PRODUCTS, "Drug", "Chemical", "Cell", "Anatomy", "BiologicalProcess", "Pathway"),
        ("BiologicalProcess", "MolecularFunction", "CellularComponent", "Pathway"),
    ),
}
# Groups of labels so near to each other that something of one may be a kind of something of another
KIN: Final = (
    CONDITIONS,
    ("Drug", "Chemical", "DrugClass", "Protein", "Treatment"),
    ("Treatment", "Test"),
    _PRODUCTS,
    ("Anatomy", "Cell", "CellularComponent"),
    ("BiologicalProcess", "MolecularFunction", "Pathway", "CellularComponent"),
    ("Disease", "BiologicalProcess"),
)
# Labels of nodes; entities carry the label of their category too
NODE_LABELS: Final = tuple(
    "Source Load Former Document Section Chunk Question Entity Concept Term Answer Claim Run Migration Encoder".split()
)
# Relation that sources state → the one that concepts have instead, turned round. `HAS_PART` is no inverse of
# `PART_OF`: of classes, "every A has some B" does not say that every B is part of some A.
INVERSES: Final[dict[str, str]] = {
    "TREATS": "TREATED_BY",
    "CONTRAINDICATED_IN": "CONTRAINDICATED_WITH",
    "NARROW_MATCH": "BROAD_MATCH",
}
# Relations that say the same either way; of concepts they start at the first one by category and id
SYMMETRIC: Final = (
    *("INTERACTS_WITH", "COVARIES_WITH", "ASSOCIATED_WITH", "RESEMBLES"),
    *("EXACT_MATCH", "CLOSE_MATCH", "RELATED_MATCH"),
)
# Relations that concepts have to each other
CONCEPT_RELATIONS: Final = tuple(relation for relation in RELATION_TYPES if relation not in INVERSES)
# Relations of concepts to terms, phrases that no vocabulary has
TERM_RELATIONS: Final = (
    *("HAS_SYMPTOM", "CAUSED_BY", "HAS_RISK_FACTOR", "HAS_COMPLICATION"),
    *("DIAGNOSED_BY", "TREATED_BY", "PREVENTED_BY"),
)
# Every relation that the graph may hold: label of its start, type, label of its end
METAGRAPH: Final = (
    ("Load", "FROM", "Source"),
    ("Former", "BEFORE", "Load"),
    ("Document", "FROM", "Source"),
    ("Entity", "FROM", "Source"),
    ("Document", "HAS_SECTION", "Section"),
    ("Section", "HAS_CHUNK", "Chunk"),
    ("Chunk", "NEXT", "Chunk"),
    ("Question", "ANSWERED_BY", "Section"),
    ("Question", "ANSWERED_AT", "Document"),
    ("Document", "ABOUT", "Entity"),
    ("Entity", "HAS_CUI", "Concept"),
    ("Entity", "MEANS", "Concept"),
    ("Entity", "ABOUT_CONCEPT", "Concept"),
    ("Chunk", "MENTIONS", "Concept"),
    *(("Entity", relation, "Entity") for relation in RELATION_TYPES),
    ("Section", "TELLS_OF", "Term"),
    ("Concept", "DESCRIBED_IN", "Section"),
    *(("Concept", relation, "Concept") for relation in CONCEPT_RELATIONS),
    *(("Concept", relation, "Term") for relation in TERM_RELATIONS),
    ("Answer", "MAKES", "Claim"),
    ("Run", "GAVE", "Answer"),
    ("Run", "READ", "Section"),
    ("Claim", "SUPPORTED_BY", "Chunk"),
    ("Claim", "CONTRADICTED_BY", "Chunk"),
)
# Section type → other words that people use for it. Sources may bring further types, kept as given.
SECTION_TYPES: Final = lists("also")
_ALIASES: Final = {alias: name for name, aliases in SECTION_TYPES.items() for alias in aliases}


def section_type(word: str) -> str:
    """Translate a word for a section type, such as `Diagnosis`, into the graph's own; else give it in lower case."""
    plain = " ".join(word.lower().split())
    return _ALIASES.get(plain, plain)


def heading_type(words: str) -> str:
    """Tell the section type that a heading, or a title's end, names: `Ear infection (Diagnosis)`; empty for none."""
    plain = " ".join(words.lower().split()).rstrip(".:?")
    inner = plain.rpartition("(")[2].removesuffix(")").strip() if plain.endswith(")") else plain
    found = section_type(inner)
    return found if found in SECTION_TYPES else ""


def page_heading_type(words: str) -> str:
    """Tell the section type that a heading of a page for patients names or asks for."""
    if known := heading_type(words):
        return known
    found = [kind for what in ("heads", "asks") for kind, said in patterns(what).items() if said.search(words)]
    return next((kind for kind in found if kind != GENERAL), GENERAL if found else OTHER)


# What the National Library of Medicine sorts labels into (its NlmCategory)
CATEGORIES: Final = frozenset({"background", "objective", "methods", "results", "conclusions"})

# In this order: "background and aims" is an objective, "methods and results" are results.
_WORDS: Final = (
    ("conclusions", "conclu discuss interpret implic signific"),
    ("results", "result finding"),
    ("objective", "objectiv aim purpose hypothes goal question"),
    ("background", "background introduc context rational importan"),
    (
        "methods",
        "method material design setting patient participant subject measur intervent data sampl selection analys "
        "procedure outcome population animal",
    ),
)
_PATTERNS: Final = tuple(
    (kind, re.compile(rf"\b(?:{'|'.join(stems.split())})", re.IGNORECASE)) for kind, stems in _WORDS
)


def part_type(label: str, category: str = "") -> str:
    """Tell what a part of an abstract is about."""
    given = category.lower()
    if given in CATEGORIES:
        return given
    if label.strip().upper() in {"", "UNLABELLED", "UNASSIGNED"}:
        return "information"
    if (known := section_type(label)) in SECTION_TYPES:
        return known
    return next((kind for kind, pattern in _PATTERNS if pattern.search(label)), OTHER)
