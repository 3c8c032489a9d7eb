"""A small graph of three sources, joined at concepts, whose texts are linked."""

from medgraph.graph import catalogue
from medgraph.linking.concepts import index_concepts
from medgraph.linking.mentions import index_links
from medgraph.linking.names import names_in_use
from medgraph.schema.records import Document, Entity, Relation, Section
from tests.support.graphs import prepared
from tests.support.loads import Loading

SOURCES = {
    "doid": [
        Entity("DOID:1", "Disease", "gout", ("podagra",), xrefs=("MESH:1",), concepts=("C0018099",)),
        Entity("DOID:2", "Disease", "asthma", ("wheezing disease",), xrefs=("MESH:2",)),
        Entity("DOID:4", "Disease", "chilblain", ("pernio",)),
        Entity("DOID:5", "Disease", "myocardial infarction", ("heart attack",)),
        Entity("SYMP:1", "Symptom", "fever", concepts=("C0015967",)),
        Entity("SYMP:2", "Symptom", "cough", concepts=("C0010200",)),
        Relation("DOID:1", "HAS_SYMPTOM", "SYMP:1", evidence=("PMID:1",), score=0.5),
        Relation("DOID:2", "HAS_SYMPTOM", "SYMP:2"),
    ],
    "mesh": [
        Entity("MESH:1", "Disease", "Gout disorder", alternative_ids=("DOID:4",)),
        Entity("MESH:2", "Disease", "Bronchial trouble"),
        Entity("MESH:3", "Drug", "allopurinol"),
        Entity("MESH:4", "Disease", "Perniosis", ("pernio",)),
        Relation("MESH:1", "TREATED_BY", "MESH:3", evidence=("PMID:2",)),
        Relation("MESH:1", "HAS_SYMPTOM", "MESH:4"),
    ],
    "pages": [
        Entity("pages:gout", "Disease", "Gout"),
        Entity("pages:asthma", "Disease", "Asthma"),
        Document(
            "p1",
            "Gout",
            sections=(
                Section("p1#1", "Gout is characterized by fever and cough. No asthma comes of podagra.", "symptoms"),
                Section(
                    "p1#2", "Treatment of gout may include allopurinol. Allopurinol is taken each day.", "treatment"
                ),
            ),
            about=("pages:gout",),
        ),
        Document(
            "p2",
            "Asthma",
            sections=(Section("p2#1", "Signs and symptoms of asthma may include cough.", "symptoms"),),
            about=("pages:asthma",),
        ),
    ],
}
"""Source → what it states."""

CONCEPTS = {
    "C0018099": {"DOID:1", "MESH:1", "pages:gout"},
    "DOID:2": {"DOID:2", "MESH:2", "pages:asthma"},
    "DOID:4": {"DOID:4"},
    "DOID:5": {"DOID:5"},
    "MESH:3": {"MESH:3"},
    "MESH:4": {"MESH:4"},
    "C0015967": {"SYMP:1"},
    "C0010200": {"SYMP:2"},
}
"""Concept → the entities that stand for it."""


def joined(database, settings, folder):
    """Make sure that the graph holds these sources, joined and linked, and nothing else."""

    def fill():
        load = Loading(folder, database)
        for name, items in SOURCES.items():
            load(items, name)
        index_concepts(database)
        sections = [section for item in SOURCES["pages"] for section in getattr(item, "sections", ())]
        chunks = [
            {
                "section": s.id,
                "chunks": [{"id": f"{s.id}a", "position": 1, "start": 0, "end": len(s.text), "text": s.text}],
            }
            for s in sections
        ]
        database.write(catalogue.get("write_chunks"), rows=chunks, cut="test")
        index_links(database, *names_in_use(settings, database))

    return prepared(database, "joined", fill)
