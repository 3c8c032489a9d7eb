"""The words of the graph: tables, design and README say the same."""

import re

from medgraph.schema.vocabulary import (
    CONCEPT_RELATIONS,
    ENTITY_LABELS,
    INVERSES,
    KIN,
    METAGRAPH,
    NODE_LABELS,
    RELATION_ENDS,
    RELATION_TYPES,
)
from tests.support.paths import ROOT


def test_the_schemas_readme_and_the_vocabulary_say_the_same():
    text = (ROOT / "schema" / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| ([\w, ]+) → (\w+) \|", text, re.MULTILINE)
    told = {(source, name, target) for name, sources, target in rows for source in sources.split(", ")}
    but = re.search(r"^\| each of these but (.+) \| Concept → Concept \|", text, re.MULTILINE)
    assert re.findall(r"`(\w+)`", but[1]) == list(INVERSES)
    assert told | {("Concept", relation, "Concept") for relation in CONCEPT_RELATIONS} == set(METAGRAPH)
    assert {relation for a, relation, b in METAGRAPH if a == b == "Entity"} == RELATION_TYPES.keys()
    assert {end for a, _, b in METAGRAPH for end in (a, b)} <= set(NODE_LABELS)


def test_the_tables_of_ends_and_kin_use_words_of_the_vocabulary():
    assert RELATION_ENDS.keys() <= RELATION_TYPES.keys()
    labels = {label for ends in RELATION_ENDS.values() for side in ends for label in side}
    assert labels | {label for group in KIN for label in group} <= ENTITY_LABELS.keys()
    assert "Topic" in ENTITY_LABELS
