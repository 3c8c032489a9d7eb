"""Licences: one table of addresses and SPDX identifiers."""

import pytest

from medgraph.schema import licences


@pytest.mark.parametrize(
    ("address", "spdx"),
    [
        ("https://creativecommons.org/licenses/by/4.0/", "CC-BY-4.0"),
        ("http://creativecommons.org/licenses/by-nc-sa/3.0/legalcode", "CC-BY-NC-SA-3.0"),
        ("http://creativecommons.org/licenses/by/3.0/us/", "CC-BY-3.0-US"),
        ("http://creativecommons.org/licenses/by/2.5/dk/", "CC-BY-2.5"),
        ("https://creativecommons.org/licenses/by-sa/4.0/deed.en", "CC-BY-SA-4.0"),
        ("https://creativecommons.org/licenses/by/", "CC-BY-4.0"),
        ("https://creativecommons.org/publicdomain/zero/1.0/", "CC0-1.0"),
        ("https://creativecommons.org/publicdomain/zero", "CC0-1.0"),
        ("https://creativecommons.org/publicdomain/mark/1.0/", "CC-PDM-1.0"),
        ("http://creativecommons.org/licenses/publicdomain/", "CC-PDDC"),
        ("https://www.apache.org/licenses/LICENSE-2.0.html", "Apache-2.0"),
        ("https://opensource.org/licenses/MIT", "MIT"),
        ("https://opensource.org/license/mit/", "MIT"),
        ("https://opensource.org/licenses/BSD-3-Clause", "BSD-3-Clause"),
        ("bsd-3-clause", "BSD-3-Clause"),
        ("https://spdx.org/licenses/ODbL-1.0.html", "ODbL-1.0"),
        ("https://hpo.jax.org/app/license", "LicenseRef-HPO"),
        ("https://w3id.org/sssom/license/unspecified", "LicenseRef-unstated"),
        ("CC-BY-4.0", "CC-BY-4.0"),
        ("cc0-1.0 AND MIT", "CC0-1.0 AND MIT"),
    ],
)
def test_identifiers(address, spdx):
    assert licences.identifier(address) == licences.spdx(address) == spdx
    assert licences.spdx(licences.address(spdx)) == spdx


@pytest.mark.parametrize("text", ["https://example.org/terms", "see the home page", "v1.3", "(" * 100, "MIT " * 1000])
def test_what_is_no_known_licence_stays_as_it_is(text):
    assert licences.identifier(f" {text} ") == ""
    assert licences.spdx(f" {text} ") == text.strip()
