"""Exponents, indices, fractions and formulas in markup: plain text that means the same."""

import pytest
from lxml import etree

from medgraph.errors import RecordError
from medgraph.loaders.files import marks, xml_stream

MATH = '<m:math xmlns:m="http://www.w3.org/1998/Math/MathML">{}</m:math>'


def math(inner):
    for tag in ("mfrac", "msup", "msubsup", "msub", "msqrt", "mroot", "mrow", "mn", "mi", "mo", "annotation"):
        inner = inner.replace(f"<{tag}>", f"<m:{tag}>").replace(f"</{tag}>", f"</m:{tag}>")
    return MATH.format(inner)


@pytest.mark.parametrize(
    ("marked", "plain"),
    [
        ("10<sup>5</sup> CFU", "10⁵ CFU"),
        ("10<sup>-9</sup> M", "10⁻⁹ M"),
        ("10<sup>\u22123</sup>", "10⁻³"),
        ("m<sup>2</sup>, mL<sup>-1</sup>, x<sup>n</sup>", "m², mL⁻¹, xⁿ"),
        ("x<sup>1.5</sup> and 8<sup>1/3</sup>", "x^1.5 and 8^(1/3)"),
        ("e<sup>-kt</sup>", "e^(-kt)"),
        ("2<sup><i>10</i></sup>", "2¹⁰"),
        ("the 19<sup>th</sup> patient", "the 19th patient"),
        ("Drug<sup>®</sup> Drug<sup>TM</sup> *<sup>*</sup>", "Drug® Drug™ **"),
        ("as shown<sup>1,2</sup>", "as shown¹,²"),
        ("CD4<sup>+</sup>, Ca<sup>2+</sup>, <sup>18</sup>F", "CD4⁺, Ca²⁺, ¹⁸F"),
        ("H<sub>2</sub>O<sub>2</sub>, FEV<sub>1</sub>, C<sub>max</sub>", "H2O2, FEV1, Cmax"),
        ("(NH<sub>4</sub>)<sub>2</sub>SO<sub>4</sub>", "(NH4)2SO4"),
        ("log<sub>2</sub>10 and 101<sub>2</sub>", "log₂10 and 101₂"),
        ("<i>E. <b>coli</b></i><br/>grows", "E. coli grows"),
        ("&#189; of \u03b1-blockers", "½ of \u03b1-blockers"),
        (math("<mfrac><mn>1</mn><mn>2</mn></mfrac>"), "1/2"),
        ("2" + math("<mfrac><mn>1</mn><mn>3</mn></mfrac>"), "2 1/3"),
        (math("<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac>"), "(a+b)/2"),
        (math("<msup><mn>10</mn><mrow><mo>\u2212</mo><mn>3</mn></mrow></msup>"), "10⁻³"),
        (math("<msub><mi>x</mi><mn>1</mn></msub><msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup>"), "x1x1²"),
        (math("<msqrt><mi>x</mi></msqrt><mroot><mi>x</mi><mn>3</mn></mroot>"), "√xx^(1/3)"),
        (math("<mi>p</mi><annotation>\\frac p</annotation>"), "p"),
    ],
)
def test_marked_texts_mean_the_same_in_plain_text(marked, plain):
    assert xml_stream.text(etree.fromstring(f"<t>{marked}</t>")) == plain


def test_tags_that_somebody_wrote_into_a_plain_text():
    assert marks.written("10<sup>5</sup> of H<sub>2</sub>O, log<sub>2</sub>8") == "10⁵ of H2O, log₂8"
    assert marks.written("a <b> c </sup> <sub>") == "a <b> c </sup> <sub>"


def test_characters_by_the_names_that_html_gives_them():
    parser = etree.XMLParser(resolve_entities=False, load_dtd=False)
    head = '<!DOCTYPE t SYSTEM "absent.dtd">'
    assert xml_stream.text(etree.fromstring(f"{head}<t>&frac12; &alpha;</t>", parser)) == "½ \u03b1"
    with pytest.raises(RecordError, match="it uses the entity &own;"):
        xml_stream.text(etree.fromstring(f"{head}<t>&own;</t>", parser))
