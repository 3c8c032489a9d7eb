"""The default encoder's files to edit, and vectors to compare with sentence-transformers' own."""

import json

import numpy as np

from tests.support.paths import FILES

REFERENCE = json.loads((FILES / "encoder" / "reference.json").read_text(encoding="utf-8"))
EXPECTED = np.array(REFERENCE["vectors"])


def cosines(left, right):
    return (left * right).sum(axis=1) / np.linalg.norm(left, axis=1) / np.linalg.norm(right, axis=1)


def edit(path, **changes):
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))
