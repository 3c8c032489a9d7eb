"""Addresses of licences and their SPDX identifiers."""

from __future__ import annotations

import re
from typing import Final

_COMMONS = re.compile(r"creativecommons\.org/(licenses|publicdomain)/([a-z-]+)/([0-9.]+)")
_SPDX = re.compile(r"spdx\.org/licenses/([A-Za-z0-9.+-]+?)(?:\.html|\.json)?/?$")
_COMMONS_ID = re.compile(r"CC-(BY[A-Z-]*)-([0-9.]+)")
_OTHERS: Final = {
    "apache.org/licenses/license-2.0": "Apache-2.0",
    "opensource.org/licenses/mit": "MIT",
    "opensource.org/license/mit": "MIT",
    "opensource.org/licenses/bsd-3-clause": "BSD-3-Clause",
    "w3id.org/sssom/license/unspecified": "LicenseRef-unstated",
}


def spdx(text: str) -> str:
    """Give the SPDX identifier of a licence.

    Args:
        text: An address, such as `https://creativecommons.org/licenses/by/4.0/`, or what a file says instead of one.

    Returns:
        Such as `CC-BY-4.0`; the text itself where none is known for it.
    """
    if found := _COMMONS.search(text):
        kind = "CC0" if found[2] == "zero" else "CC-PDDC" if found[1] == "publicdomain" else f"CC-{found[2].upper()}"
        return f"{kind}-{found[3].rstrip('.')}" if kind != "CC-PDDC" else kind
    if found := _SPDX.search(text):
        return found[1]
    plain = re.sub(r"^https?://(www\.)?", "", text.strip().lower()).removesuffix("/").removesuffix(".html")
    return _OTHERS.get(plain, text.strip())


def address(licence: str) -> str:
    """Give an address for a licence.

    Args:
        licence: An SPDX identifier or expression.

    Returns:
        Where its text stands, for one identifier; the licence itself otherwise.
    """
    if found := _COMMONS_ID.fullmatch(licence):
        return f"https://creativecommons.org/licenses/{found[1].lower()}/{found[2]}/"
    if re.fullmatch(r"[A-Za-z0-9.+-]+", licence) and not licence.startswith("LicenseRef-"):
        return f"https://spdx.org/licenses/{licence}"
    return licence
