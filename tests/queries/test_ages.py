"""How old a document is, in words."""

from datetime import date

import pytest

from medgraph.queries.hits import dated, retired

TODAY = date(2026, 5, 20)


@pytest.mark.parametrize(
    ("published", "version", "said"),
    [
        ("2024-06-15", "2025", "from 2024-06-15"),
        ("2011", "", "from 2011, more than ten years old"),
        ("2016", "", "from 2016"),
        ("2016-04", "", "from 2016-04, more than ten years old"),
        ("2016-05", "", "from 2016-05"),
        ("2016-05-19", "", "from 2016-05-19, more than ten years old"),
        ("2016-05-20", "", "from 2016-05-20"),
        ("", "2019-10", "from 2019 or before"),
        ("", "20150131", "from 2015 or before, more than ten years old"),
        ("", "2026AA", "from 2026 or before"),
        ("", "2099", ""),
        ("", "1", ""),
        ("", "20191", ""),
        ("", "derived", ""),
        ("", "", ""),
    ],
)
def test_an_age_is_that_of_the_document_or_of_the_release_of_its_source(published, version, said):
    assert dated(published, version, TODAY) == said


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://nihseniorhealth.gov/gout/toc.html", "retired in 2017"),
        ("HTTPS://NIHSeniorHealth.gov", "retired in 2017"),
        ("https://ghr.nlm.nih.gov/condition/gout", "medlineplus.gov/genetics"),
        ("https://www.ncbi.nlm.nih.gov/pubmedhealth/PMH0001", "retired in 2018"),
        ("https://www.ncbi.nlm.nih.gov/books/NBK1", ""),
        ("https://nihseniorhealth.gov.example.org/", ""),
        ("https://example.org/nihseniorhealth.gov", ""),
        ("", ""),
    ],
)
def test_what_became_of_a_site_is_told_of_that_site_alone(url, said):
    assert said in retired(url)
    assert bool(retired(url)) == bool(said)
