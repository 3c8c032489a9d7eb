"""Addresses of licences and their SPDX identifiers: the one table of both, for every source."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from ..files import word_table

_COMMONS = re.compile(
    r"creativecommons\.org/(licenses|publicdomain)/(zero|mark|publicdomain|by[a-z-]*)(?:/([0-9.]+[0-9]))?(?:/([a-z]+))?(?![a-z])"
)
_SPDX = re.compile(r"spdx\.org/licenses/([A-Za-z0-9.+-]+?)(?:\.html|\.json)?/?$")
_COMMONS_ID = re.compile(r"CC-(BY[A-Z-]*)-([0-9.]+)")
_WORDS: Final = re.compile(
    r"Creative\s+Commons\s+(?:licen[cs]e\s+)?(Attribution(?:[\s/-]+(?:Non-?\s?Commercial|Share-?\s?Alike|No-?\s?Deriv\w*))*)"
    r"(?:[^.;]{0,60}?(?<![\d.])([1-4]\.[05])(?![\d]))?",
    re.IGNORECASE,
)
_SHORT: Final = re.compile(r"\bCC[\s-]?(BY(?:[\s-](?:NC|ND|SA))*)\b(?:[\s-]*([1-4]\.[05]))?")
_TERMS: Final = {"nonc": "NC", "share": "SA", "nod": "ND"}
_LONGEST: Final = 500  # Characters of an expression; what is longer is the text of a licence
_NAMES: Final = {"zero": "CC0", "mark": "CC-PDM"}
_TABLE: Final = word_table(Path(__file__).with_suffix(".tsv"))
_OTHERS: Final = {address: known for address, (known,) in _TABLE["address"].items()}


def identifier(text: str) -> str:
    """Give the SPDX identifier of a licence by an address or an identifier in any case, where one is known."""
    if found := _COMMONS.search(text):
        return _of_commons(*found.groups())
    if found := _SPDX.search(text):
        return found[1]
    plain = re.sub(r"^https?://(www\.)?", "", text.strip().lower()).removesuffix("/").removesuffix(".html")
    plain = plain.replace("opensource.org/license/", "opensource.org/licenses/")
    return _OTHERS.get(plain) or _canonical(text.strip())


def in_words(text: str) -> str:
    """Give the licence of Creative Commons that a text names without an address; one without a version is no SPDX."""
    named = [(re.sub(r"\s", "-", found[1]), found[2]) for found in _SHORT.finditer(text)]
    for found in _WORDS.finditer(text):
        plain = re.sub(r"[\s/-]", "", found[1]).lower()
        named.append(("-".join(["BY", *(short for word, short in _TERMS.items() if word in plain)]), found[2]))
    kind, version = max(named, key=lambda one: (len(one[0]), bool(one[1])), default=("", ""))
    return f"CC-{kind}-{version}" if version else f"LicenseRef-CC-{kind}" if kind else ""


def _of_commons(folder: str, kind: str, version: str | None, country: str | None) -> str:
    if kind == "publicdomain":
        return "CC-PDDC"
    version = version or ("4.0" if folder == "licenses" else "1.0")
    name = f"{_NAMES.get(kind) or 'CC-' + kind.upper()}-{version}"
    return (_canonical(f"{name}-{country.upper()}") if country else "") or name


def _canonical(text: str) -> str:
    """Give an SPDX expression as SPDX writes it; empty for what is none."""
    if len(text) > _LONGEST:
        return ""
    from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression

    try:
        return str(canonicalize_license_expression(text))
    except InvalidLicenseExpression:
        return ""


def spdx(text: str) -> str:
    """Give the SPDX identifier of a licence by its address or what a file says; that itself where none is known."""
    return identifier(text) or text.strip()


def no_expression(licence: str) -> str:
    """Say that a licence is no SPDX expression."""
    return f"the licence {licence!r} is no SPDX expression: write one such as CC-BY-4.0, or LicenseRef-NAME"


def address(licence: str) -> str:
    """Give where the text of one identified licence stands; otherwise the licence itself."""
    if found := _COMMONS_ID.fullmatch(licence):
        return f"https://creativecommons.org/licenses/{found[1].lower()}/{found[2]}/"
    if re.fullmatch(r"[A-Za-z0-9.+-]+", licence) and not licence.startswith("LicenseRef-"):
        return f"https://spdx.org/licenses/{licence}"
    return licence
