"""Bytes read as a table."""

import pytest

from medgraph.loaders.base import Reject
from medgraph.loaders.files import tables


@pytest.fixture
def table(tmp_path):
    """Reads bytes as a table, and gives its rows as (line, cells) and its rejects as (line, reason)."""

    def read(data, name="t.csv", columns=(), **options):
        path = tmp_path / name
        path.write_bytes(data)
        rows, rejects = [], []
        for item in tables.read_cells(path, columns, **options):
            if isinstance(item, Reject):
                assert item.file == str(path)
                rejects.append((item.line, item.reason))
            else:
                rows.append((item[0], tuple(item[1].values())))
        return rows, rejects

    return read
