"""Short forms of quoted sentences, explained by their section."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.answers.answer import ShortForm
from medgraph.answers.citing import explained

TEXT = (
    "Polycystic kidney disease (PKD) is inherited. In PKD, cysts grow. Urinary tract infections (UTIs) are frequent. "
    "Enzymes such as glucose-6-phosphate dehydrogenase (G6PD) matter, and so do ACE inhibitors. "
    "Some take proton-pump inhibitors (PPIs)."
)
PKD = ShortForm("PKD", "Polycystic kidney disease")
UTI = ShortForm("UTI", "Urinary tract infections")


@pytest.mark.parametrize(
    ("sentence", "known", "expected"),
    [
        ("In PKD, cysts grow.", "What are kidney cysts? Kidney Cysts", (PKD,)),
        ("UTIs are seen in PKD, and a UTI hurts.", "Cysts", (UTI, PKD)),
        ("G6PD matters.", "Anemia", (ShortForm("G6PD", "glucose-6-phosphate dehydrogenase"),)),
        ("PPIs help.", "Heartburn", (ShortForm("PPI", "proton-pump inhibitors"),)),
        ("In PKD, cysts grow.", "Polycystic Kidney Disease", ()),
        ("In PKD, cysts grow.", "what is PKD", ()),
        ("Polycystic kidney disease (PKD) is inherited.", "Cysts", ()),
        ("PKD (a disease) is inherited.", "Cysts", ()),
        ("ACE inhibitors and the FDA help.", "Cysts", ()),
        ("APKD and PKD-like and PKDs2 are others.", "Cysts", ()),
        ("A plain sentence.", "Cysts", ()),
    ],
)
def test_short_forms_are_explained_where_nothing_else_does(sentence, known, expected):
    assert explained(sentence, TEXT, known) == expected


@given(st.text(), st.text(), st.text())
def test_any_text_will_do(sentence, text, known):
    assert all(one.short in sentence and one.long for one in explained(sentence, text, known))
