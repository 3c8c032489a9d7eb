"""Languages, guessed by letters and commonest words."""

import pytest

from medgraph.audit import languages
from tests.support.graphs import run


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Asthma is a disease of the airways that can be treated with inhalers for years.", "English"),
        ("El asma es una enfermedad de los pulmones que se trata con inhaladores, pero no se cura.", "Spanish"),
        ("L'asthme est une maladie des poumons qui se soigne avec un inhalateur pour les enfants.", "French"),
        ("Das Asthma ist eine Krankheit der Lunge, die mit einem Spray behandelt wird und nicht heilt.", "German"),
        ("La gotta è una malattia delle articolazioni che può essere curata con farmaci nel tempo.", "Italian"),
        (
            "A gota é uma doença das articulações que não tem cura, mas pode ser tratada com remédios do médico.",
            "Portuguese",
        ),
        ("Jicht is een ziekte van de gewrichten die met het eten te maken kan hebben en niet overgaat.", "Dutch"),
        ("Подагра это болезнь суставов", "Cyrillic script"),
        ("喘息は気道の慢性的な炎症による病気です", "Cjk script"),
        ("Headache Fever Nausea Vomiting Dizziness Rash Itching Cough Fatigue", ""),
        ("Gout", ""),
        ("", ""),
        ("12 34 56 !!", ""),
    ],
)
def test_languages(text, name):
    guessed, sure = languages.language(text)
    if name == "Cjk script":
        assert guessed in {"Cjk script", "Hiragana script"}
    else:
        assert guessed == name
    assert 0 <= sure <= 1
    assert (sure > 0.5) == bool(name)


def test_texts_of_the_sample_are_english(sample_graph):
    rows = run(sample_graph, "MATCH (s:Section) RETURN s.text AS text")
    guesses = {languages.language(row["text"])[0] for row in rows}
    assert guesses <= {"English", ""}
