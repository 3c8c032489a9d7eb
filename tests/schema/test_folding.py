"""Words without accents, ligatures and other forms, beside texts that stay as they are."""

import pytest

from medgraph.schema.folding import composed, folded, folded_names, folded_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Sjögren's syndrome, Behçet's disease and Ménière's", "Sjogren Behcet Meniere"),
        ("Mo\u0308bius", "Mobius"),
        ("Guillain\u2013Barr\u00e9 syndrome", "Barre"),
        ("In\ufb02ammation of the \ufb01ngers; co\u00adagu\u00adlation", "Inflammation fingers coagulation"),
        ("H\u2082O\u2082 and 10\u2076 CFU", "H2O2 10 6"),
        ("\u03b1-synuclein, \u03b2\u2011blocker, TNF\u03b1, 5 \u00b5g", "alpha beta TNFalpha ug"),
        ("\uff21\uff22\uff23", "ABC"),
        ("Straße, Ørsted, Łódź, œdema", "Strasse Orsted Lodz oedema"),
        ("½ and 2½", "1 2"),
        ("Crohn\u2019s \u201cdisease\u201d \u2265 5", ""),
        ("plain", ""),
    ],
)
def test_words_that_fold_to_others(text, words):
    assert folded_words(text) == words


def test_questions_are_composed_and_folded():
    assert composed("Mo\u0308bius H\u2082O\u2082 10\u2076") == "M\u00f6bius H2O2 10 6"
    assert folded("Príncipe, María") == "Principe, Maria"
    assert folded_names("Príncipe, María", "Smith, J") == ["Principe, Maria"]
