"""The command line of KGX, run by its own Python, with the Biolink model of the package `biolink-model`.

KGX fetches the model from elsewhere whenever it starts, which fails where only packages can be fetched.
"""

from __future__ import annotations

import json
from importlib.resources import files

from bmt import toolkit

MODEL = files("biolink_model")
SCHEMA = str(MODEL / "schema" / "biolink_model.yaml")
PREFIXES = ("biolink_model_prefix_map.json", "biolink-model-prefix-map.json")

toolkit.Toolkit.__init__.__defaults__ = (SCHEMA, {"predicate mappings": []})

from kgx import config  # noqa: E402 - it makes a toolkit when it is imported

config.get_biolink_model_schema = lambda release=None: SCHEMA  # noqa: ARG005 - KGX names the argument
config.jsonld_context_map["biolink"] = {
    prefix: address
    for name in PREFIXES
    for prefix, address in json.loads((MODEL / "prefixmaps" / name).read_text(encoding="utf-8")).items()
}

from kgx.cli import cli  # noqa: E402 - as above

if __name__ == "__main__":
    cli()
