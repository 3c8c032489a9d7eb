"""Entities with their names and concepts, as `named_entities_of_concepts` gives them of a graph."""


def named(key, name, *synonyms, label="Disease", concept=None, **more):
    """Give an entity that stands for its own concept, if no other is named."""
    row = {"other_names": [], "concept": concept or key, "concept_name": name, "ids": [key], "near": None}
    row |= {"members": 1, "documents": 0, "obsolete": False}
    return row | {"id": key, "label": label, "name": name, "synonyms": list(synonyms)} | more
