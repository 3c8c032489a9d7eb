"""What texts in records have to be."""

import pytest

from medgraph.errors import RecordError
from medgraph.schema import checks


@pytest.mark.parametrize("text", ["Asthme@fr", "喘息@ja", "a@b@zh-Hant-TW", "two\nlines@de"])
def test_names_with_their_language(text):
    checks.check_translation(text)


@pytest.mark.parametrize("text", ["Asthme", "@fr", " @fr", "Asthme@", "Asthme@f", "Asthme@fr ", "Asthme@123"])
def test_names_without_a_language(text):
    with pytest.raises(RecordError, match="is no name with @ and a language behind"):
        checks.check_translation(text)


@pytest.mark.parametrize("text", ["2026", "2026-11", "2026-11-21", "2024-02-29"])
def test_dates(text):
    checks.check_date(text)


@pytest.mark.parametrize("text", ["", "26", "2026-13", "2026-02-30", "21.11.2026"])
def test_what_is_no_date(text):
    with pytest.raises(RecordError, match="date"):
        checks.check_date(text)


def test_a_word_is_no_longer_than_indexes_take():
    checks.check_word("type", "x" * checks.MAX_ID)
    with pytest.raises(RecordError, match=r"the type 'xxx.* is longer than 500 characters"):
        checks.check_word("type", "x" * (checks.MAX_ID + 1))
