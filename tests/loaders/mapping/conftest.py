"""Tables read by mappings, and the mistakes of mappings."""

import pytest

from medgraph.loaders.base import Row
from medgraph.loaders.mapping import source as mapping
from tests.support.mappings import HEAD


@pytest.fixture
def use(tmp_path):
    """Reads a table by a mapping: its records in order, and every other item."""

    def read(text, table, name="t.csv"):
        (tmp_path / "m.yaml").write_text(HEAD + text, encoding="utf-8")
        path = tmp_path / name
        path.write_bytes(table if isinstance(table, bytes) else table.encode())
        items = list(mapping.from_file(tmp_path / "m.yaml").records(path))
        return [item.record for item in items if isinstance(item, Row)], [i for i in items if not isinstance(i, Row)]

    return read


@pytest.fixture
def faults(tmp_path):
    """Gives the mistakes of a mapping as line and text."""

    def read(text):
        path = tmp_path / "m.yaml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return mapping.check(path)[1]

    return read
