"""The words of the graph: labels, relation types and section types, each with its Biolink term."""

from __future__ import annotations

from typing import Final

ENTITY_LABELS: Final[dict[str, str]] = {
    "Disease": "biolink:Disease",
    "Drug": "biolink:Drug",
    "Topic": "biolink:NamedThing",
}
"""Label of an entity's category → Biolink class. Every entity also carries `Entity`."""

RELATION_TYPES: Final[dict[str, str]] = {
    "IS_A": "biolink:subclass_of",
}
"""Relation between two entities → Biolink predicate."""

NODE_LABELS: Final = (
    "Source",
    "Load",
    "Document",
    "Section",
    "Chunk",
    "Question",
    "Entity",
    "Concept",
    "Migration",
    "Encoder",
)
"""Labels of nodes; entities carry the label of their category too."""

METAGRAPH: Final = (
    ("Load", "FROM", "Source"),
    ("Document", "FROM", "Source"),
    ("Entity", "FROM", "Source"),
    ("Document", "HAS_SECTION", "Section"),
    ("Section", "HAS_CHUNK", "Chunk"),
    ("Chunk", "NEXT", "Chunk"),
    ("Question", "ANSWERED_BY", "Section"),
    ("Question", "ANSWERED_AT", "Document"),
    ("Document", "ABOUT", "Entity"),
    ("Entity", "HAS_CUI", "Concept"),
    *(("Entity", relation, "Entity") for relation in RELATION_TYPES),
)
"""Every relation that the graph may hold: label of its start, type, label of its end."""

SECTION_TYPES: Final[dict[str, tuple[str, ...]]] = {
    "information": ("overview", "definition", "about"),
    "symptoms": ("signs", "signs and symptoms"),
    "causes": ("cause", "etiology"),
    "susceptibility": ("risk factors", "at risk", "risk"),
    "exams and tests": ("diagnosis", "tests", "diagnosed"),
    "treatment": ("treatments", "therapy", "management"),
    "prevention": ("preventing",),
    "complications": (),
    "outlook": ("prognosis", "expectations"),
    "frequency": ("prevalence", "epidemiology"),
    "genetic changes": ("genetics", "genes"),
    "inheritance": (),
    "research": ("clinical trials",),
    "stages": (),
    "considerations": ("living with",),
    "support groups": (),
    "when to contact a medical professional": ("when to see a doctor",),
    "side effects": (),
    "precautions": (),
    "indication": ("uses",),
    "usage": ("how to use",),
    "dose": ("dosage",),
    "forget a dose": ("missed dose",),
    "emergency or overdose": ("overdose",),
    "interactions with medications": ("interactions",),
    "interactions with foods": (),
    "interactions with herbs and supplements": (),
    "dietary": ("diet",),
    "storage and disposal": (),
    "brand names": (),
    "brand names of combination products": (),
    "contraindication": ("contraindications",),
    "severe reaction": (),
    "important warning": ("warning",),
    "how does it work": (),
    "how effective is it": (),
    "how can i learn more": (),
    "why get vaccinated": (),
    "other information": (),
}
"""Section type → other words that people use for it. Sources may bring further types, kept as given."""

_ALIASES: Final = {alias: name for name, aliases in SECTION_TYPES.items() for alias in aliases}


def section_type(word: str) -> str:
    """Translate a word for a section type into the graph's own.

    Args:
        word: Such as `Diagnosis` or `risk factors`.

    Returns:
        The graph's type where the word is known, otherwise the word in lower case.
    """
    plain = " ".join(word.lower().split())
    return _ALIASES.get(plain, plain)
