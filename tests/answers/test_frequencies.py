"""Tables of how often symptoms are seen, read as sentences."""

import pytest

from medgraph.answers.frequencies import reading, rows_of


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
        "How often is not stated: Red hair."
    )
    head = "Signs and Symptoms Approximate number of patients (when available) "
    assert reading(f"{head}Red hair - Pale skin - Squint -") == "How often is not stated: Red hair, Pale skin, Squint."
    assert reading(head + text) == reading(text)
    assert reading("Nystagmus 90% Squint 50% Pale skin 50%").count("not stated") == 0


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
