"""What short forms stand for, where a text explains them."""

from hypothesis import given
from hypothesis import strategies as st

from medgraph.queries.long_forms import long_forms


def test_short_forms_have_the_long_form_that_stands_before_them():
    text = (
        "Polycystic  kidney\ndisease (PKD) lasts. Some take proton-pump inhibitors (PPIs), or (non-steroidal "
        "anti-inflammatory drugs (NSAIDs)). Plain knee drops (PKD) are else; AIDS (a disease) is not explained."
    )
    assert long_forms(text) == {
        "PKD": "Polycystic kidney disease",
        "PPI": "proton-pump inhibitors",
        "NSAID": "non-steroidal anti-inflammatory drugs",
    }
    assert long_forms(
        "The virus\u2014human immunodeficiency virus (HIV)\u2014spreads; see gout;rheumatoid arthritis (RA)"
    ) == {
        "HIV": "human immunodeficiency virus",
        "RA": "rheumatoid arthritis",
    }
    assert long_forms("") == {}


@given(st.text())
def test_any_text_will_do(text):
    assert all(short and long for short, long in long_forms(text).items())
