"""Licences: one table of addresses and SPDX identifiers."""

import pytest

from medgraph.schema import licences
from tests.support.examples import examples


@pytest.mark.parametrize(("address", "spdx"), examples("licences"))
def test_identifiers(address, spdx):
    assert licences.identifier(address) == licences.spdx(address) == spdx
    assert licences.spdx(licences.address(spdx)) == spdx


@pytest.mark.parametrize("text", ["https://example.org/terms", "see the home page", "v1.3", "(" * 100, "MIT " * 1000])
def test_what_is_no_known_licence_stays_as_it_is(text):
    assert licences.identifier(f" {text} ") == ""
    assert licences.spdx(f" {text} ") == text.strip()
