"""Whatever a graph may hold, made up by hypothesis."""

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from medgraph.schema.records import RESERVED, Document, Entity, Question, Relation, Section, SourceInfo
from medgraph.schema.vocabulary import ENTITY_LABELS, RELATION_TYPES

HOSTILE = [
    "=1+1",
    "+49",
    "-5",
    "@x",
    "'quoted'",
    '"',
    "|",
    "a|b",
    "\\",
    "\\n",
    "\\|",
    "\n",
    "\r\n",
    "\t",
    "\u2028x",
    "\x85",
    "",
    "é",
    "日本",
    "\U0001f600",
    "<b>",
    "{}",
    "[1]",
    "null",
    "true",
    "1.0",
    "\\e",
    "a\\",
    "'=x",
    "\ufeff",
    "\\u0041",
    "#",
]


FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a cell that a spreadsheet runs begins with."""


TEXT = st.one_of(
    st.sampled_from(HOSTILE),
    st.text(
        st.characters(exclude_categories=["Cs"], exclude_characters=[chr(i) for i in (*range(9), *range(14, 32), 127)])
    ),
)


NAME = TEXT.filter(lambda text: text.strip())


WORD = TEXT.map(lambda text: text[:300])


ID = st.one_of(
    st.sampled_from(
        ["DOID:2841", "MESH:D001249", "medquad:asthma", "a1", "=cmd|x:1", "http://x.org/a b", "#", "é:ü", "x:a#1"]
    ),
    NAME.map(str.strip).filter(lambda t: t.splitlines() == [t] and "\t" not in t and t == t.strip() and len(t) <= 400),
)


VALUE = st.one_of(
    TEXT,
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    st.booleans(),
    st.lists(TEXT, max_size=3).map(tuple),
)


KEY = st.one_of(
    st.sampled_from(
        [
            "category",
            "iri",
            "xref",
            "predicate",
            "knowledge_level",
            "agent_type",
            "primary_knowledge_source",
            "provided_by",
            "description",
            "license",
            "kind",
            "document",
            "minimum",
            "types_2",
        ]
    ),
    st.from_regex(r"[a-z][a-z0-9_]{0,9}", fullmatch=True),
).filter(lambda key: key not in RESERVED)


PROPERTIES = st.dictionaries(KEY, VALUE, max_size=3).map(lambda found: tuple(sorted(found.items())))


TEXTS = st.lists(TEXT, max_size=3).map(tuple)


IDS = st.lists(ID, max_size=3).map(tuple)


CUIS = st.lists(st.from_regex(r"C[0-9]{7}", fullmatch=True).filter(str.isascii), max_size=2).map(tuple)


WORDS = st.lists(WORD, max_size=2).map(tuple)


SCORE = st.one_of(st.none(), st.floats(allow_nan=False, allow_infinity=False))


ENTITY = st.builds(
    Entity, id=ID, label=st.sampled_from(list(ENTITY_LABELS)), name=NAME, synonyms=TEXTS, definition=TEXT,
    concepts=CUIS, semantic_types=WORDS, narrow_synonyms=TEXTS, broad_synonyms=TEXTS, related_synonyms=TEXTS, xrefs=IDS,
    alternative_ids=IDS, obsolete=st.booleans(), replaced_by=IDS, properties=PROPERTIES,
)  # fmt: skip


RELATION = st.builds(
    Relation, subject=ID, type=st.sampled_from(list(RELATION_TYPES)), object=ID, predicate=WORD, method=WORD,
    evidence=IDS, score=SCORE, properties=PROPERTIES,
)  # fmt: skip


SECTION = st.builds(Section, id=ID, text=NAME, type=WORD, heading=TEXT, question=TEXT)


QUESTION = st.builds(Question, id=ID, text=NAME, type=WORD)


@st.composite
def documents(draw):
    parts = draw(st.lists(st.one_of(SECTION, QUESTION), min_size=1, max_size=3, unique_by=lambda part: part.id))
    sections = tuple(part for part in parts if isinstance(part, Section))
    questions = tuple(part for part in parts if isinstance(part, Question))
    said = {name: draw(TEXT) for name in ("url", "journal", "doi", "revision")}
    published = draw(st.sampled_from(["", "2026", "2026-03", "2026-03-01"]))
    return Document(
        draw(ID), draw(NAME), collection=draw(WORD), sections=sections, questions=questions, about=draw(IDS),
        published=published, aliases=draw(TEXTS), authors=draw(TEXTS), properties=draw(PROPERTIES), **said,
    )  # fmt: skip


INFOS = (
    SourceInfo("one", "Of one", "1", "CC0-1.0", "", rank=1),
    SourceInfo(
        "two", "=Of two\t", "", "CC-BY-4.0", "https://example.org", "A, B. (2026)", 10, 9, (), ("L https://x/",)
    ),
)


@st.composite
def statements(draw):
    """What a graph may hold: entities of one id stand together, each from another source."""
    found = [(info.id, info) for info in INFOS]
    for entity in draw(st.lists(ENTITY, max_size=3, unique_by=lambda entity: entity.id)):
        sources = draw(st.sampled_from([["one"], ["two"], ["one", "two"]]))
        said = [entity, Entity(entity.id, "Topic", draw(NAME), synonyms=draw(TEXTS))]
        found += list(zip(sources, said, strict=False))
    for record in [*draw(st.lists(RELATION, max_size=3)), *draw(st.lists(documents(), max_size=2))]:
        found.append((draw(st.sampled_from(["one", "two"])), record))
    return found


SLOW = settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))

OF_SEVERAL = {
    *("one_name_several_concepts", "claim_graph", "contested_claims", "kept_answers", "sources_that_disagree"),
    *("most_dropped", "retracted_answers", "runs_by_day"),
    *("similar_concepts", "likely_by_similar", "made_questions"),
}
"""What compares sources, is of kept answers, or needs vectors of relations: the sample has no rows for it."""
