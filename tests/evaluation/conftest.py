"""What tests of quality figures share: a small graph in MedQuAD's form, and an ontology that knows a little more."""

import zipfile

import pytest

from medgraph.embeddings.index import index
from medgraph.loaders.commands import load_named
from tests.support.graphs import prepared
from tests.support.medquad import DISEASES, ONTOLOGY, page


@pytest.fixture
def medquad_graph(graph, encoder, settings, tmp_path):
    """Two collections that ask the same of the same diseases; for tests that only read."""

    def fill():
        path = tmp_path / "medquad.zip"
        with zipfile.ZipFile(path, "w") as archive:
            for collection in ("GARD", "NHLBI"):
                for i, (name, cui) in enumerate(DISEASES.items(), 1):
                    archive.writestr(f"{collection}_QA/{i:07}.xml", page(collection, f"{i:07}", name, cui))
        load_named(graph, settings, "medquad", path)
        index(graph, encoder, "all")

    return prepared(graph, "development questions", fill)


@pytest.fixture
def ontology(tmp_path):
    path = tmp_path / "small.obo"
    path.write_text(ONTOLOGY)
    return path
