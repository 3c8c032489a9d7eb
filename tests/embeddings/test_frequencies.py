"""Tables of how often symptoms are seen, read as sentences."""

import pytest

from medgraph.embeddings.frequencies import is_reading, reading, rows_of

HEAD = "Signs and Symptoms Approximate number of patients (when available) "


def test_rows_are_what_is_seen_and_how_often():
    assert rows_of("Nystagmus 90% Pale skin 7.5% Red hair - and more") == [
        ("Nystagmus", "90%"),
        ("Pale skin", "7.5%"),
        ("Red hair", "-"),
    ]


def test_a_table_is_read_by_how_often_things_are_seen():
    text = "Nystagmus 90% Red hair - Pale skin 7.5% Squint 90%"
    assert reading(text) == (
        "Seen in 90% of patients: Nystagmus, Squint; seen in 7.5% of patients: Pale skin. "
        "Also seen (how often is not stated): Red hair."
    )
    assert (
        reading(f"{HEAD}Red hair - Pale skin - Squint -")
        == "Signs and symptoms include (how often is not stated): Red hair, Pale skin, Squint."
    )
    assert reading(HEAD + text) == reading(text)
    assert reading("Nystagmus 90% Squint 50% Pale skin 50%").count("not stated") == 0
    assert (
        reading(f"{HEAD}Squint 4/11 Red hair -")
        == "Seen in 4/11 of patients: Squint. Also seen (how often is not stated): Red hair."
    )


def test_how_it_is_inherited_or_begins_is_no_symptom():
    rest = "Autosomal recessive inheritance - Infantile onset - Phenotypic variability 5% Progressive -"
    assert reading(f"Nystagmus 90% Squint 90% {rest}") == "Seen in 90% of patients: Nystagmus, Squint."
    assert reading(f"{HEAD}{rest}") == reading(f"{HEAD}Alveolar rhabdomyosarcoma - {rest}") == ""
    kept = "Progressive visual loss 5% Adult-onset obesity 5% Acute leukemia 5%"
    assert reading(kept) == "Seen in 5% of patients: Progressive visual loss, Adult-onset obesity, Acute leukemia."


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Nystagmus 90% Squint 50%",
        "About 20% of people have it and 30% had it.",
        "Red hair - Pale skin - Squint -",
        "Symptoms of the flu include: - Fever - Chills - Headache - Cough.",
        "Lifetime risk is 20% You have a high risk if you have: - A sister with it - Dense breasts",
    ],
)
def test_what_is_no_table_is_not_read(text):
    assert reading(text) == ""


def test_a_sentence_is_told_as_read_from_a_table():
    assert is_reading(reading(f"{HEAD}Nystagmus 90% Squint 90% Red hair -"))
    assert is_reading("Signs and symptoms include (how often is not stated): Red hair, Squint.")
    assert not is_reading("Seen in most patients, squint hurts.")
