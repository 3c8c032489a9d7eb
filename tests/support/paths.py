"""Where things are: the project, its small files for tests, and the real data sets."""

import os
from pathlib import Path

ROOT = Path(__file__).parents[2]
FILES = ROOT / "tests" / "data"
DATA = Path(os.environ.get("MEDGRAPH_DATA") or ROOT.parent / "shared" / "data")
