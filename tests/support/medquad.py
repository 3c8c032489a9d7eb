"""A small MedQuAD of diseases that are none, and an ontology that knows some of them."""

import zipfile

import pytest

from medgraph.embeddings.index import index
from medgraph.loaders.commands import load_named
from tests.support.graphs import prepared

DISEASES = {
    "Zorblattosis": "C7000001",
    "Quimbly fever": "C7000002",
    "Vandersnoot syndrome": "C7000003",
    "Mirkwood palsy": "C7000004",
}

KINDS = {
    "symptoms": ("What are the symptoms of {} ?", "People with {} have green spots, a cough and {} nails."),
    "treatment": ("What are the treatments for {} ?", "{} is treated with long walks and a pill made for {} alone."),
}

ONTOLOGY = """format-version: 1.2

[Term]
id: DOID:1
name: zorblattosis

[Term]
id: DOID:2
name: known by concept
xref: UMLS_CUI:C7000002

[Term]
id: DOID:3
name: flibbertitis
synonym: "Flibber disease" EXACT []

[Term]
id: DOID:4
name: old thing
is_obsolete: true

[Term]
id: DOID:5
name: another name
synonym: "Mirkwood's palsy" EXACT []
synonym: "Mirkwood palsy" EXACT []

[Term]
id: DOID:6
name: wobblitis
"""


def page(collection, file, name, cui):
    pairs = "".join(
        f'<QAPair pid="{i}"><Question qid="{file}-{i}" qtype="{kind}">{question.format(name)}</Question>'
        f"<Answer>{collection} says: {answer.format(name, name)}</Answer></QAPair>"
        for i, (kind, (question, answer)) in enumerate(KINDS.items(), 1)
    )
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><Document id="{file}" source="{collection}" url="https://example.org/{file}">'
        f"<Focus>{name}</Focus><FocusAnnotations><UMLS><CUIs><CUI>{cui}</CUI></CUIs></UMLS></FocusAnnotations>"
        f"<QAPairs>{pairs}</QAPairs></Document>"
    )


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
