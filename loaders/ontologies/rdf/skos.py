"""Concepts of SKOS that a file does not type one by one: the vocabulary entails that they are.

What has a broader, narrower, related or matching concept is one, and so is what that points to, the top concept of a
scheme, and an instance of a class below `skos:Concept`. Of these only what has a preferred label is typed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import sqlite3

_NAMES: Final = {
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "xl": "http://www.w3.org/2008/05/skos-xl#",
}


def _listed(words: str) -> str:
    return ", ".join(f"'{_NAMES[name]}{word}'" for name, word in (text.split(":") for text in words.split()))


_LABELS: Final = _listed("skos:prefLabel xl:prefLabel")
_RELATIONS: Final = _listed(
    "skos:broader skos:narrower skos:related skos:broaderTransitive skos:narrowerTransitive skos:semanticRelation "
    "skos:broadMatch skos:narrowMatch skos:relatedMatch skos:closeMatch skos:exactMatch skos:mappingRelation"
)
_OTHERS: Final = _listed(
    "owl:Class rdfs:Class rdf:Property owl:ObjectProperty owl:DatatypeProperty owl:AnnotationProperty owl:Ontology "
    "skos:Concept skos:ConceptScheme skos:Collection skos:OrderedCollection"
)
_TYPE, _CONCEPT, _IN, _TOP, _HAS_TOP, _SCHEME = (
    _listed(word)
    for word in "rdf:type skos:Concept skos:inScheme skos:topConceptOf skos:hasTopConcept skos:ConceptScheme".split()
)
_ANY: Final = f"SELECT 1 FROM triple WHERE p IN ({_LABELS}) LIMIT 1"  # noqa: S608
_CLASSES: Final = f"""
WITH RECURSIVE kind(name) AS (
    SELECT {_CONCEPT} UNION
    SELECT s FROM triple JOIN kind ON o = name WHERE p = {_listed("rdfs:subClassOf")})
SELECT name FROM kind WHERE name <> {_CONCEPT}"""  # noqa: S608
_UNTYPED: Final = f"""
SELECT DISTINCT s FROM triple AS one WHERE p IN ({_LABELS}) AND NOT EXISTS (
    SELECT 1 FROM triple AS said WHERE said.s = one.s AND said.p = {_TYPE} AND said.o IN ({_OTHERS}))"""  # noqa: S608
_ENTAILED: Final = f"""
INSERT INTO triple SELECT s, {_TYPE}, {_CONCEPT}, 0, '' FROM ({_UNTYPED}) AS one WHERE EXISTS (
    SELECT 1 FROM triple AS said WHERE said.s = one.s AND (said.p IN ({_RELATIONS}, {_TOP})
        OR (said.p = {_TYPE} AND said.o IN (SELECT value FROM json_each(?)))))
OR s IN (SELECT o FROM triple WHERE p IN ({_RELATIONS}, {_HAS_TOP}) AND literal = 0)"""  # noqa: S608
_SCHEMED: Final = f"""
SELECT s FROM ({_UNTYPED}) AS one WHERE EXISTS (
    SELECT 1 FROM triple AS said WHERE said.s = one.s AND said.p = {_IN} AND said.o IN (
        SELECT s FROM triple WHERE (p = {_TYPE} AND o = {_SCHEME}) OR p = {_HAS_TOP}
        UNION SELECT o FROM triple WHERE p = {_TOP}))
ORDER BY s"""  # noqa: S608


def entail(database: sqlite3.Connection) -> tuple[set[str], list[str]]:
    """Type what SKOS entails to be a concept, in the table `triple` that `by_subject` indexes.

    Returns:
        Classes whose instances are concepts, and what is one only because it says in which scheme it is.
    """
    import json

    if not database.execute(_ANY).fetchone():
        return set(), []
    classes = {row[0] for row in database.execute(_CLASSES)}
    database.execute(_ENTAILED, (json.dumps(sorted(classes)),))
    schemed = [row[0] for row in database.execute(_SCHEMED)]
    rows = ((subject, _TYPE.strip("'"), _CONCEPT.strip("'"), 0, "") for subject in schemed)
    database.executemany("INSERT INTO triple VALUES (?, ?, ?, ?, ?)", rows)
    return classes, schemed
