"""A small ontology in every format, and which source reads which."""

from medgraph.loaders.ontologies import obo, obographs
from medgraph.loaders.ontologies.rdf import source
from tests.support.paths import FILES

SMALL = FILES / "ontology"
READERS = {".obo": obo, ".json": obographs}


def reader(path):
    """Give the module that reads a file."""
    return READERS.get(path.suffix, source)
