"""What the source of a table gives, by kind."""

from medgraph.loaders.base import Reject, Remark, Row
from medgraph.schema.records import Document, Entity, Relation

ORDER = (Entity, Relation, Document)


def read(source, path, **options):
    """Entities and documents by id, relations, rejects and remarks of a file, whose ends are all in it."""
    entities, relations, documents, rejects, remarks = _by_kind(source.records(path, **options))
    assert {end for r in relations for end in (r.subject, r.object)} <= entities.keys()
    assert {about for document in documents.values() for about in document.about} <= entities.keys()
    return entities, relations, documents, rejects, remarks


def read_facts(source, path):
    """The entities by id, the relations, the rejects and the remarks of a file without documents."""
    entities, relations, documents, rejects, remarks = _by_kind(source.records(path))
    assert not documents
    return entities, relations, rejects, remarks


def _by_kind(items):
    items = list(items)
    records = [item.record for item in items if isinstance(item, Row)]
    assert [ORDER.index(type(r)) for r in records] == sorted(ORDER.index(type(r)) for r in records)
    entities, documents = ({r.id: r for r in records if isinstance(r, kind)} for kind in (Entity, Document))
    relations = [r for r in records if isinstance(r, Relation)]
    assert len(entities) + len(documents) + len(relations) == len(records)
    others = ([item for item in items if isinstance(item, kind)] for kind in (Reject, Remark))
    return entities, relations, documents, *others
