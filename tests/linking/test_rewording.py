"""Other wordings of a name that nothing is called by."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.linking.rewording import rewordings, spellings


@pytest.mark.parametrize(
    ("name", "wording"),
    [
        ("Deficiency of the seventh component of complement", "Deficiency 7 component complement"),
        ("complete absence of C7", "deficiency C7"),
        ("WAGR", "WAGR syndrome"),
        ("foveal hypoplasia", "foveal hypoplasia 1"),
        ("retinoblastoma tumours", "retinoblastoma"),
        ("adenomatous polyposis coli (APC) tumor", "adenomatous polyposis coli"),
        ("complete hypoxanthine transferase (HPRT) deficiency", "HPRT deficiency"),
        ("hyperalphalipoproteinemic", "hyperalphalipoproteinemia"),
        ("obese", "obesity"),
        ("cardiac involvement", "cardiac disease"),
        ("severe familial PWS", "PWS"),
        ("type IIA von Willebrand disease", "type II von Willebrand disease"),
        ("type 2a von Willebrand disease", "type 2 von willebrand disease"),
    ],
)
def test_wordings(name, wording):
    assert wording.lower() in {found.lower() for found in rewordings(name)}


@pytest.mark.parametrize("name", ["", "()", "\u200b", "sporadic tumours", "familial"])
def test_no_name_becomes_a_word_that_says_nothing(name):
    found = {wording.lower() for wording in rewordings(name)}
    assert not found & {"", "tumours", "1", "disease", "syndrome", "tumours disease"}


@given(st.text(max_size=200))
def test_any_text_has_few_other_wordings(text):
    found = list(rewordings(text))
    assert len({wording.lower() for wording in found}) == len(found) < 100
    assert next(iter(spellings(text)))[0] == text


def test_the_first_part_of_two():
    assert ("breast cancer", 0.9) in set(spellings("breast and ovarian cancer"))
    assert ("growth hormone deficiency", 0.99) in set(spellings("growth hormone (GH) deficiency"))
