"""The sources of graphs to be exported, the forms that bring them back, and what the graph then holds."""

import json

from medgraph.schema.records import SourceInfo
from tests.support.loads import dump

INFOS = {
    "one": SourceInfo("one", "One", "1", "CC0-1.0", "https://example.org", "A. B.", rank=1),
    "two": SourceInfo("two", "Two", "2026", "CC-BY-4.0", "", rank=5),
}


FORMS = {
    "kgx": ("kgx", "out", ()),
    "kgx as a table": ("kgx", "out", ("--tsv",)),
    "nquads": ("nquads", "out.nq", ()),
}


def content(database):
    """What the graph holds, but for the source that an export of several is, and fingerprints."""
    rows = [json.loads(row) for row in dump(database)]
    kept = []
    for row in rows:
        row["properties"].pop("hash", None)
        if row.get("labels") == ["Source"]:
            row["properties"].pop("part_of", None)
            if row["key"] not in INFOS:
                continue
        kept.append(json.dumps(row, sort_keys=True))
    return sorted(kept)
