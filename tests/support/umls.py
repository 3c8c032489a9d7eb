"""A small folder of the UMLS, copies of it with mistakes, and what is read from them."""

from medgraph.loaders.base import Reject, Remark, Row
from medgraph.loaders.sources.umls import source
from medgraph.loaders.sources.umls.rrf import COLUMNS
from medgraph.schema.records import Entity, Relation
from tests.support.paths import FILES

META = FILES / "umls" / "META"
ASTHMA, ALBUTEROL, BRONCHI, DISEASE, WHEEZING = (
    f"UMLS:{cui}" for cui in ("C0004096", "C0001927", "C0006255", "C0012634", "C0043144")
)


def entities(path=META, **options):
    """The entities of a folder, by the part that states them and their id."""
    rows = [i for i in source.records(path, **options) if isinstance(i, Row) and isinstance(i.record, Entity)]
    return {(row.source, row.record.id): row.record for row in rows}


def relations(path=META, **options):
    """The relations of a folder: part, subject, type, object and predicate of each."""
    rows = [i for i in source.records(path, **options) if isinstance(i, Row) and isinstance(i.record, Relation)]
    return [(row.source, row.record.subject, row.record.type, row.record.object, row.record.predicate) for row in rows]


def rejects(path, **options):
    """What of a folder could not become a record."""
    return [item for item in source.records(path, **options) if isinstance(item, Reject)]


def remarks(path, **options):
    """What a curator should know of a folder, but for columns that nobody reads."""
    found = [item for item in source.records(path, **options) if isinstance(item, Remark)]
    return [item.text for item in found if " are not read" not in item.what]


def change(meta, name, old, new):
    """Put a text in the place of another one in a file of a folder."""
    file = meta / f"{name}.RRF"
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def row(name, **cells):
    """Give a row of a file, with these cells and otherwise empty ones."""
    return "|".join(cells.get(column, "") for column in COLUMNS[name]) + "|\n"


def add(meta, name, at=None, **cells):
    """Put a row into a file of a folder, at its end or at a place."""
    file = meta / f"{name}.RRF"
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    lines.insert(len(lines) if at is None else at, row(name, **cells))
    file.write_text("".join(lines), encoding="utf-8")
