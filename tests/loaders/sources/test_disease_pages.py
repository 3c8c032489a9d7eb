"""Pages on diseases: a column a section, as CSV and as JSONL."""

from medgraph.loaders.sources import disease_pages
from medgraph.schema.records import Entity
from tests.support.paths import FILES
from tests.support.sources import read


def test_columns_become_sections():
    entities, _, documents, _, remarks = read(disease_pages, FILES / "disease-pages" / "pages.csv")
    assert entities["pages:asthma"] == Entity("pages:asthma", "Disease", "Asthma", ("Bronchial asthma", "AB"))
    asthma = documents["pages:asthma"]
    assert (asthma.url, asthma.about, asthma.aliases) == (
        "https://example.org/asthma",
        ("pages:asthma",),
        ("Bronchial asthma", "AB"),
    )
    assert [(section.type, section.heading) for section in asthma.sections] == [
        ("information", "Overview"),
        ("symptoms", "Symptoms"),
        ("causes", "Causes"),
        ("susceptibility", "Risk factors"),
        ("susceptibility", "At risk"),
        ("complications", "Complications"),
        ("treatment", "Treatment"),
        ("prevention", "Prevention"),
        ("exams and tests", "Diagnosis"),
    ]
    assert asthma.sections[0].text == "Asthma narrows the airways.\n\nIt often begins in childhood."
    assert [section.id for section in documents["pages:gout"].sections] == [
        "pages:gout#overview",
        "pages:gout#symptoms",
    ]
    assert ["'Editor' is no section type" in remark.text for remark in remarks] == [True]


def test_pages_that_say_nothing_are_rejected():
    _, _, documents, rejects, _ = read(disease_pages, FILES / "disease-pages" / "pages.csv")
    assert len(documents) == 2
    assert [(reject.line, reject.reason[:12]) for reject in rejects] == [(6, "the row name"), (7, "the page on ")]
