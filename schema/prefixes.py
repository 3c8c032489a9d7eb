"""Prefixes of ids: from whatever a source writes to one standard CURIE, and on to its URI.

`prefixes.tsv` lists each prefix with the URI it stands for, other ways to write it, other URIs, the label that its
entities have, and the pattern of its ids as Bioregistry has it; one of that name in the data folder adds to it, a
prefix, a tab and what its addresses begin with in a line;
`bioregistry.tsv` adds what that registry and others know besides. The library `curies` compares URIs
and writes them; small and capital letters in prefixes, releases after them (`SNOMEDCT_US_2023_03_01`) and resolvers in
front of them are this module's.
"""

from __future__ import annotations

import csv
import re
from contextlib import contextmanager
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..errors import SourceFileError
from ..files import table_cells, table_lines
from ..settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    import curies

OWN: Final = "prefixes.tsv"  # what a curator's own table is called, in the data folder
TABLE: Final = Path(__file__).with_name("prefixes.tsv")
PATTERNS: Final = Path(__file__).with_name("id_patterns.tsv")  # of more prefixes than a short form may have
MORE: Final = Path(__file__).with_name("bioregistry.tsv")

_NOTHING: Final = {"synonyms": "", "other_uris": "", "label": "", "pattern": ""}
_ALSO: Final[dict[str, str]] = {}  # what a mapping or a project knows besides

_RELEASE = re.compile(r"_[0-9]{4}(_[0-9]{2}){0,2}$")
_RESOLVER = re.compile(r"https?://(?:www\.)?(?:identifiers\.org|bioregistry\.io|n2t\.net)/([^/:?#]+)[/:](.+)")
_NUMBERED: Final = {"GARD", "OMIM", "PMID", "MEDGEN"}
_PAGE = re.compile(r"([0-9]+)/.+")  # the number, and the name that its page has in addresses
_OWN: Final = "urn:medgraph:"
_OLD_OBO: Final = re.compile(r"https?://purl\.org/obo/owl/([^\s#]+)#\1_(\S+)")
_ID: Final = re.compile(r"[^\s:]+:\S*[^\s:]")
_BASE: Final = re.compile(r"[a-z][a-z0-9+.-]*:\S{0,400}")
_WIDEST: Final = 12  # Digits of an id with zeros in front
_OBO: Final = "http://purl.obolibrary.org/obo/"  # nearly every URI of an ontology: worth a way of its own


@cache
def _rows() -> tuple[dict[str, str], ...]:
    shipped = [*_load(TABLE), *_load(MORE)]
    bases = {word.casefold(): row["uri"] for row in shipped for word in (row["prefix"], *row["synonyms"].split())}
    new = {name: base for name, base in (_of_curator(bases) | _ALSO).items() if name.casefold() not in bases}
    return (*shipped, *({**_NOTHING, "prefix": name, "uri": base} for name, base in new.items()))


def own_table() -> Path:
    """Name the curator's own table, which need not be there."""
    return Settings.from_environment().home / OWN


def _of_curator(known: Mapping[str, str]) -> dict[str, str]:
    path, found = own_table(), dict[str, str]()
    for number, line in table_lines(path) if path.exists() else ():
        name, _, base = (text.strip() for text in line.partition("\t"))
        if said := _fault(name, base, known.get(name.casefold(), "")):
            raise SourceFileError(f"write a prefix, a tab and what its addresses begin with: {said}", path, number)
        found[name] = base
    return found


def _fault(name: str, base: str, known: str) -> str:
    if not is_base(base) or not name or re.search(r"[:\s]", name):
        return f"{name[:60]!r} is {base[:200]!r}, no beginning of addresses, such as https://house.example/"
    return f"{name} is known, and stands for {known}; take another word" if known and known != base else ""


def fault(name: str, base: str) -> str:
    """Say why a prefix of a curator's own cannot stand for what addresses begin with; nothing where it can."""
    return _fault(name, base, (uri(f"{name}:0") or "0")[:-1])


@contextmanager
def also(bases: Mapping[str, str]) -> Iterator[None]:
    """Know prefixes besides, each with what its addresses begin with, for as long; those that are known stay."""
    new = {name: base for name, base in bases.items() if prefix(name) is None}
    _learn(_ALSO | new)
    try:
        yield
    finally:
        _learn({name: base for name, base in _ALSO.items() if name not in new})


def _learn(bases: dict[str, str]) -> None:
    if bases != _ALSO:
        _ALSO.clear()
        _ALSO.update(bases)
        for kept in (_rows, _spellings, _by_prefix, _converter, prefix, standard, is_list, _pattern):
            kept.cache_clear()


def _load(table: Path) -> list[dict[str, str]]:
    with table.open(encoding="utf-8", newline="") as file:
        lines = (line for line in file if not line.startswith("#"))
        return [_NOTHING | row for row in csv.DictReader(lines, delimiter="\t")]


@cache
def _spellings() -> dict[str, str]:
    """Map every way to write a prefix, in small letters, to the standard one."""
    return {word.casefold(): row["prefix"] for row in _rows() for word in (row["prefix"], *row["synonyms"].split())}


@cache
def _by_prefix() -> dict[str, dict[str, str]]:
    return {row["prefix"]: row for row in _rows()}


@cache
def _converter() -> curies.Converter:
    import curies

    records = []
    for row in _rows():
        others = [form for address in (row["uri"], *row["other_uris"].split()) for form in _schemes(address)]
        others = [address for address in dict.fromkeys(others) if address != row["uri"]]
        records.append(curies.Record(prefix=row["prefix"], uri_prefix=row["uri"], uri_prefix_synonyms=others))
    return curies.Converter(records, strict=False)  # comparing each with each takes two seconds; a test does it


def _schemes(address: str) -> tuple[str, ...]:
    scheme, mark, rest = address.partition("://")
    return (f"http://{rest}", f"https://{rest}") if mark and scheme in {"http", "https"} else (address,)


@lru_cache(maxsize=4096)
def prefix(text: str) -> str | None:
    """Give the standard spelling of a prefix in any case, with or without a release: `SNOMEDCT_US_2023_03_01`."""
    word = text.casefold()
    return _spellings().get(word) or _spellings().get(_RELEASE.sub("", word))


@lru_cache(maxsize=1 << 14)
def standard(text: str) -> str | None:
    """Give the CURIE of an id with the standard prefix; None when that is unknown, or nothing stands after it."""
    text = text.strip()
    start, _, local = text.partition(":")
    if start == "obo" and local:
        return _of_uri(_OBO + local)
    known = prefix(start)
    return _curie(known, local) if known else _of_uri(text)


def _of_uri(text: str) -> str | None:
    if ":" not in text:
        return None
    if resolved := _RESOLVER.fullmatch(text):
        known = prefix(resolved[1])
        return _curie(known, resolved[2]) if known else None
    start, _, local = text.removeprefix(_OBO).partition("_") if text.startswith(_OBO) else ("", "", "")
    known = prefix(start)
    if known and "_" not in local:  # there are prefixes with an underscore, too
        return _curie(known, local)
    if old := _OLD_OBO.fullmatch(text):
        found = prefix(old[1])
        return _curie(found, old[2]) if found else None
    reference = _converter().parse_uri(text)
    if not reference:
        return _curie(known, local) if known else None
    page = _PAGE.fullmatch(reference.identifier) if reference.prefix in _NUMBERED else None
    return _curie(reference.prefix, page[1] if page else reference.identifier)


def _curie(known: str, local: str) -> str | None:
    start, colon, rest = local.partition(":")
    local = (rest if colon and prefix(start) == known else local).strip().rstrip("/")
    if known == "OMIM" and local.startswith("PS"):
        known, local = "OMIMPS", local[2:]
    return f"{known}:{local}" if local else None


def short_form(text: str) -> str | None:
    """Give the CURIE of an id such as `EFO_0000270`; None where its prefix is unknown, or the rest is no id of it."""
    start, _, local = text.partition("_")
    row = _by_prefix().get(prefix(start) or "", {})
    if not row.get("pattern") or not re.fullmatch(row["pattern"], local):
        return None
    return f"{row['prefix']}:{local}"


def curie(text: str) -> str:
    """Give the standard CURIE of a CURIE, a URI or a short form; the same text where its prefix is unknown."""
    plain = text.strip().removeprefix("<").removesuffix(">")
    return standard(plain) or short_form(plain) or plain


def is_id(text: str) -> bool:
    """Tell whether a text is a CURIE or an address: what files have in place of one, such as a label, is none."""
    return _ID.fullmatch(text) is not None


@lru_cache(maxsize=4096)
def _pattern(start: str) -> re.Pattern[str] | None:
    """Give what the ids of a prefix, however it is written, are like; None where nobody says."""
    known = prefix(start) or ""
    said = _patterns().get(known) or _by_prefix().get(known, {}).get("pattern")
    return re.compile(said) if said else None


@cache
def _patterns() -> dict[str, str]:
    return {known: pattern for _, (known, pattern) in table_cells(PATTERNS, 2, "PREFIX and PATTERN")}


def misfit(curie: str) -> tuple[str, str] | None:
    """Tell that an id is none of its prefix: the prefix, and the one id that may be meant, or nothing.

    None for an id that is like others of its prefix, or of whose prefix nobody says what they are like.
    """
    start, _, local = curie.partition(":")
    pattern = _pattern(start)
    if pattern is None or pattern.fullmatch(local):
        return None
    better = standard(curie) or ""
    if better != curie and better and misfit(better) is None:
        return None
    return _mended(start, local, pattern)


def _mended(start: str, local: str, pattern: re.Pattern[str]) -> tuple[str, str]:
    plain = re.sub(rf"^{re.escape(start)}[:_]?", "", local.strip(), flags=re.IGNORECASE).removesuffix(".0")
    written = {plain, plain.upper(), plain.lower()}
    numbered = {plain.lstrip("0"), *(plain.zfill(width) for width in range(len(plain) + 1, _WIDEST))}
    for forms in (written, numbered):
        if found := [form for form in forms if pattern.fullmatch(form)]:
            return start, f"{start}:{found[0]}" if len(found) == 1 else ""
    return start, ""


def own(bases: Mapping[str, str]) -> tuple[str, ...]:
    """List the prefixes that only a file explains, each with a blank and what its addresses begin with."""
    return tuple(sorted(f"{name} {base}" for name, base in bases.items() if name and standard(f"{base}0") is None))


def bases(namespaces: Iterable[str]) -> dict[str, str]:
    """Give what prefixes stand for as `own` lists them."""
    return dict(text.split(" ", 1) for text in namespaces)


def is_base(text: str) -> bool:
    """Tell whether addresses can begin with a text: whether it is absolute, and no longer than they may be."""
    return _BASE.fullmatch(text.strip()) is not None


def uri(curie: str) -> str | None:
    """Give the URI that a CURIE stands for; None when the prefix is unknown."""
    known = standard(curie)
    return _converter().expand(known) if known else None


@lru_cache(maxsize=4096)
def is_list(prefix: str) -> bool:
    """Tell whether ids of a prefix tell titles apart rather than things: the graph made it, or nobody knows it."""
    return prefix not in _by_prefix() or _by_prefix()[prefix]["uri"].startswith(_OWN)


def label_of(curie: str) -> str:
    """Give the label of entities that a prefix is used for; `Topic` when it says nothing, or is unknown."""
    row = _by_prefix().get(prefix(curie.partition(":")[0]) or "", {})
    return row.get("label") or "Topic"
