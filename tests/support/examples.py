"""Tables of examples: a file of `tests/data/examples/` for each test that has many, a row a line."""

import json

from tests.support.paths import FILES


def examples(name):
    """Read the rows as parameters of a test."""
    rows = (json.loads(line) for line in (FILES / "examples" / f"{name}.jsonl").read_text("utf-8").splitlines())
    return [tuple(row) if isinstance(row, list) else row for row in rows]
