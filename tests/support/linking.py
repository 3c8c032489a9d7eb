"""Linkers of a few names, made without a graph."""

import functools

from medgraph.graph import catalogue
from medgraph.linking.names import build_linker


def entity(key, name, *synonyms, label="Disease", **more):
    """An entity with its names, as the graph gives it."""
    return {
        "id": key,
        "label": label,
        "name": name,
        "synonyms": list(synonyms),
        "other_names": [],
        "concept": key,
        "concept_name": name,
        "ids": [key],
        "near": None,
        "members": 1,
        "documents": 0,
        "obsolete": False,
    } | more


def linker_of(*entities):
    return build_linker(entities)


def named(linker, text):
    """What a text names: the words and the entity's id."""
    return [(text[found.start : found.end], linker.holdings.id(found.entity)) for found in linker.text(text)]


def first(linker, name):
    """The id of what a name stands for; None where it stands for nothing."""
    found = linker.name(name)
    return linker.holdings.id(found[0].entity) if found else None


def names_of(database):
    """What gives the linker of a graph's names, packed in memory when it is first asked for."""

    @functools.cache
    def linker():
        query = catalogue.get("named_entities_of_concepts")
        return build_linker(row for page in database.pages(query, 5000) for row in page)

    return linker
