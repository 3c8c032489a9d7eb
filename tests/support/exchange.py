"""Graphs of KGX and mappings of SSSOM as their sources read them, and small ones to begin with."""

from medgraph.loaders.base import Reject, Remark, Row
from medgraph.loaders.exchange import kgx, sssom
from medgraph.schema.records import Document, Entity, Relation, Section, SourceInfo
from tests.support.paths import FILES

KGX = FILES / "kgx"
NODES = KGX / "asthma_nodes.tsv"
EDGES = KGX / "asthma_edges.tsv"
KGX_HEAD = "id\tcategory\tname\n"
MAPPINGS = FILES / "sssom" / "mondo.sssom.tsv"
SSSOM_HEAD = "subject_id\tpredicate_id\tobject_id\tmapping_justification\n"
GOOD_MAPPING = "DOID:1\tskos:exactMatch\tDOID:2\tsemapv:LexicalMatching\n"
STATEMENTS = [
    ("one", SourceInfo("one", "One", "1", "CC0-1.0", "")),
    ("two", SourceInfo("two", "Two", "1", "CC0-1.0", "")),
    ("one", Entity("DOID:1", "Disease", "asthma", synonyms=("b", "a"))),
    ("two", Relation("DOID:1", "HAS_SYMPTOM", "own:a b")),
    ("two", Document("d1", "D", sections=(Section("d1#1", "text"),), about=("DOID:1",))),
]
"""What two sources say of one disease."""


def read_kgx(path):
    """Pairs of a source and a record, the rejects and the remarks of a graph."""
    items = list(kgx.records(path))
    records = [(item.source, item.record) for item in items if isinstance(item, Row)]
    return records, [i for i in items if isinstance(i, Reject)], [i for i in items if isinstance(i, Remark)]


def write_kgx(folder, nodes, edges=""):
    """Write a graph as TSV."""
    folder.mkdir(exist_ok=True)
    for name, text in (("nodes.tsv", nodes), ("edges.tsv", edges or "subject\tpredicate\tobject\n")):
        (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def read_sssom(path):
    """The records, the rejects and the remarks of a set of mappings."""
    items = list(sssom.records(path))
    records = [item.record for item in items if isinstance(item, Row)]
    return records, [i for i in items if isinstance(i, Reject)], [i for i in items if isinstance(i, Remark)]


def mappings(path):
    """The relations of a set of mappings."""
    return [record for record in read_sssom(path)[0] if isinstance(record, Relation)]
