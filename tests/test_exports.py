"""Exports: what goes out comes in again unchanged, whatever it holds, and is what its format says it is."""

import csv
import io
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from medgraph.exports import kgx as kgx_export
from medgraph.exports import nquads as nquads_export
from medgraph.exports import sssom as sssom_export
from medgraph.loaders import kgx, nquads, sssom
from medgraph.loaders.base import Row
from medgraph.schema import cells
from medgraph.schema.records import RESERVED, Document, Entity, Question, Relation, Section, SourceInfo
from medgraph.schema.vocabulary import ENTITY_LABELS, RELATION_TYPES

FORMULA = ("=", "+", "-", "@", "\t", "\r")
NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?")
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
]
HOSTILE += [
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
    SourceInfo("two", "=Of two\t", "", "CC-BY-4.0", "https://example.org", "A, B. (2026)", 10, 9),
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


def loaded(items):
    rows = list(items)
    assert all(isinstance(item, Row) for item in rows), rows
    return [(row.record.id if isinstance(row.record, SourceInfo) else row.source, row.record) for row in rows]


SLOW = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize("table", [False, True], ids=["jsonl", "tsv"])
@SLOW
@given(said=statements())
def test_kgx_comes_back_as_it_was(tmp_path_factory, table, said):
    folder = tmp_path_factory.mktemp("kgx")
    kgx_export.write(folder, said, table=table)
    assert loaded(kgx.records(folder)) == said


@SLOW
@given(said=statements())
def test_nquads_come_back_as_they_were(tmp_path_factory, said):
    path = tmp_path_factory.mktemp("nquads") / "all.nq"
    nquads_export.write(path, said)
    assert loaded(nquads.records(path)) == said


@given(st.lists(TEXT, max_size=4))
def test_cells_come_back(items):
    cell = cells.write_list(items)
    assert cells.read_list(cell) == items
    assert [cells.read(cells.write(item)) for item in items] == items
    assert not cell.startswith(FORMULA)
    assert not {"\t", "\n", "\r"} & set(cell)


CURIE = st.one_of(
    st.sampled_from(["DOID:2841", "MESH:D001249", "medquad:asthma", "UMLS:C0004096", "=x:=1", "@a:|"]),
    ID.map(lambda text: f"own:{text}").filter(lambda text: len(text) < 400),
)
MATCHES = ["EXACT_MATCH", "CLOSE_MATCH", "BROAD_MATCH", "NARROW_MATCH", "RELATED_MATCH"]
SLOTS = {
    "comment": TEXT, "author_id": TEXTS, "similarity_score": st.floats(0, 1), "mapping_date": st.just("2026-11-21"),
    "subject_source": TEXT, "see_also": VALUE,
}  # fmt: skip
SLOT = st.fixed_dictionaries({}, optional=SLOTS)
MAPPING = st.builds(
    lambda end, said, **values: Relation(properties=tuple(sorted((dict(said) | end).items())), **values),
    SLOT, PROPERTIES, subject=CURIE, object=CURIE, type=st.sampled_from(MATCHES), evidence=IDS,
    predicate=st.sampled_from(["", "="]), method=st.sampled_from(["semapv:LexicalMatching", "semapv:X"]),
    score=st.one_of(st.none(), st.floats(0, 1)),
)  # fmt: skip


@SLOW
@given(said=st.lists(MAPPING, max_size=4), names=st.lists(st.tuples(NAME, NAME), min_size=4, max_size=4))
def test_sssom_comes_back_as_it_was(tmp_path_factory, said, names):
    path = tmp_path_factory.mktemp("sssom") / "all.sssom.tsv"
    ends = [(("Disease", first), ("Topic", second)) for first, second in names]
    mappings = [sssom_export.Mapping("one", relation, *end) for relation, end in zip(said, ends, strict=False)]
    assert sssom_export.write(path, INFOS[:1], mappings) == 0
    items = list(sssom.records(path))
    relations = [item.record for item in items if isinstance(item, Row) and isinstance(item.record, Relation)]
    assert relations == said
    named = {
        item.record.id: item.record.name for item in items if isinstance(item, Row) and isinstance(item.record, Entity)
    }
    expected = {}
    for relation, (first, second) in zip(said, names, strict=False):
        expected.setdefault(relation.subject, first)
        expected.setdefault(relation.object, second)
    assert named == expected
    info = sssom.describe(path)
    assert (info.id, info.version, info.licence) == ("mappings-one", "1", "CC0-1.0")
    lines = path.read_bytes().decode().split("\n")
    table = "\n".join(line for line in lines if not line.startswith("#"))
    for row in csv.reader(io.StringIO(table, newline=""), delimiter="\t"):
        assert not any(cell.startswith(FORMULA) and not NUMBER.fullmatch(cell) for cell in row)
