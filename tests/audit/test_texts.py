"""Patterns of broken texts, and what they must leave alone."""

import re

import pytest

from medgraph.audit import texts


@pytest.mark.parametrize(
    "text",
    [
        "Symptoms last <2 days, or >3 weeks; p < 0.05 and 5 > 4.",
        "R&D; AT&T",
        "Take it with food.",
        "Ménière disease, Sjögren syndrome, Ångström, Ñandú, São Paulo",
        "Call 9-1-1.",
        "IL-6.",
        "- Headache\n- Fever",
        "Causes include alcohol (see above)",
        "HIV/AIDS",
        "β-thalassaemia",
        "喘息は気道の病気です。",
        "Болезнь сердца и сосудов",
        "He said \u201cno\u201d \u2013 and left\u2026 then came back.",
    ],
)
def test_texts_without_fault(text):
    for fault in texts.TEXT_FAULTS:
        tail = text[-80:] if fault.place == "end" else text
        assert not re.fullmatch(fault.whole, tail), fault.name


@pytest.mark.parametrize("fault", texts.TEXT_FAULTS + texts.NAME_FAULTS, ids=lambda fault: fault.name)
def test_excerpts_are_short(fault):
    text = "word " * 500 + "\ufffd \u00c3\u00a9 <br> &amp; of the" + " word" * 500 + " of the"
    assert len(fault.excerpt(text)) <= 3 * texts.AROUND + 2
