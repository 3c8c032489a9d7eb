"""Models that one command fetches."""

import pytest

from medgraph.errors import InputError
from medgraph.models.open import CARDS, SMOLLM2, card_of, fetch, file_of, is_here, warning_of
from medgraph.settings import Settings


def test_each_card_says_what_it_takes():
    for name, card in CARDS.items():
        assert name == card.name
        assert all((card.title, card.licence, card.runs, card.good_for))
        assert len(card.wheel.sha256) == 64


def test_the_small_model_is_for_wiring_and_tests():
    assert all(figure in SMOLLM2.good_for for figure in ("twelve", "1 was usable", "5 were", "6 wrong", "at chance"))
    assert SMOLLM2.warning


def test_the_file_and_its_licence_alone_are_kept(smollm):
    usual = Settings.from_environment()
    assert is_here(SMOLLM2, usual)
    file = fetch(SMOLLM2, usual, pytest.fail)
    assert sorted(path.name for path in file.parent.iterdir()) == ["LICENSE", SMOLLM2.file]
    assert file_of(SMOLLM2.name, usual) == file
    assert warning_of(file)


def test_names_and_paths(tmp_path):
    with pytest.raises(InputError, match="no model is called 'big'; there is smollm2-135m"):
        card_of("big")
    assert file_of(str(tmp_path / "a.gguf"), Settings(tmp_path, tmp_path)) == tmp_path / "a.gguf"
