"""Languages, guessed by letters and commonest words."""

import pytest

from medgraph.errors import InputError
from medgraph.schema.languages import foreign_language, read_weights


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Asthma is a disease of the airways that can be treated with inhalers for years.", ""),
        ("El asma es una enfermedad de los pulmones que se trata con inhaladores, pero no se cura.", "Spanish"),
        ("L'asthme est une maladie des poumons qui se soigne avec un inhalateur pour les enfants.", "French"),
        ("Das Asthma ist eine Krankheit der Lunge, die mit einem Spray behandelt wird und nicht heilt.", "German"),
        ("La gotta è una malattia delle articolazioni che può essere curata con farmaci nel tempo.", "Italian"),
        (
            "A gota é uma doença das articulações que não tem cura, mas pode ser tratada com remédios do médico.",
            "Portuguese",
        ),
        ("Jicht is een ziekte van de gewrichten die met het eten te maken kan hebben en niet overgaat.", "Dutch"),
        ("Подагра это болезнь суставов", "Russian or another language in Cyrillic letters"),
        ("喘息は気道の慢性的な炎症による病気です", "Japanese"),
        ("Headache Fever Nausea Vomiting Dizziness Rash Itching Cough Fatigue", ""),
        ("Gout", ""),
        ("", ""),
        ("12 34 56 !!", ""),
    ],
)
def test_languages(text, name):
    guessed, sure = foreign_language(text)
    assert guessed == name
    assert (0.5 < sure <= 1) if name else sure == 0


@pytest.mark.parametrize("line", ["English", "English\tplain", "English\toften\ta b"])
def test_a_line_that_cannot_be_read_is_told(tmp_path, line):
    path = tmp_path / "words.tsv"
    path.write_text(f"English\tplain\tthe\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"words\.tsv:2: write a language"):
        read_weights(path)
