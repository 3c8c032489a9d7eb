"""Searches of PubMed by NCBI's E-utilities: what they find is kept in the cache, and is a source of its own.

Each time the search is asked anew and what it finds is fetched anew, so that revisions and retractions come as well;
an unfinished run of the same day and result is taken up. What another source of the graph has stays with that source.
"""

from __future__ import annotations

import shutil
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote_plus

import msgspec

from ..errors import DownloadError, InputError, SourceFileError
from ..files import locked, write_whole
from ..graph import catalogue
from ..progress import note, progress
from ..server.fetch import AgainError, answer, patiently, session_of
from ..text import counted
from .addresses import Fetched, Place, mirrored
from .base import fingerprint
from .files.cell_values import slug

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import requests

    from ..graph.database import Database
    from ..settings import Settings

MOST: Final = 500  # citations, unless told
LIMIT: Final = 9999  # citations that PubMed gives of one search
BATCH: Final = 200  # citations of one request
_SERVICE: Final = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils"
_PAGE: Final = "https://pubmed.ncbi.nlm.nih.gov/?term="
_RATES: Final = {False: 3, True: 10}  # requests a second, without and with a key
_ROOT: Final = "PubmedArticleSet"


class _Result(msgspec.Struct):
    """What a search gives: how many there are, the ids of the most relevant, and what was wrong with the question."""

    count: str = "0"
    idlist: list[str] = []
    error: str = msgspec.field(default="", name="ERROR")
    errorlist: dict[str, list[str]] = {}


class _Search(msgspec.Struct):
    esearchresult: _Result


def find(
    settings: Settings, database: Database, words: str, most: int | None, name: str | None, *, offline: bool
) -> Place:
    """Ask PubMed, and say where what it found lies; its one file has the name of the source.

    A `SourceFileError` says that all that it finds comes with other sources already.
    """
    words, most = " ".join(words.split()), most or MOST
    if not words or not 0 < most <= LIMIT:
        raise InputError(f"a search has words, and finds at most {LIMIT:,} citations")
    name = name or source_id(words)
    own = settings.cache / "searches" / sha256(f"{name} {words} {most}".encode()).hexdigest()[:16]
    asker = _Asker(settings, own, words, most)
    with locked(own / ".lock", lambda: note(f"another command asks PubMed for {words}; waiting for it")):
        kept = asker.kept()
        if not offline:
            kept = asker.renewed(database, name, kept)
        elif kept is None:
            raise DownloadError(f"PubMed was never asked for {words}, and nothing is fetched offline")
    return Place(own / kept.sha256[:16], kept.address, (kept,))


def source_id(words: str) -> str:
    """Call the source of a search after its words; two searches never have one name."""
    name = f"pubmed-{slug(words)}"
    whole = slug(words) == "-".join(words.lower().split()) and len(name) <= 50
    return name if whole else f"{name[:43].rstrip('-')}-{sha256(words.encode()).hexdigest()[:6]}"


@dataclass(frozen=True, slots=True)
class _Asker:
    settings: Settings
    own: Path  # the search's folder in the cache
    words: str
    most: int

    def kept(self) -> Fetched | None:
        with suppress(OSError, msgspec.DecodeError):
            kept = msgspec.json.decode((self.own / "fetched.json").read_bytes(), type=Fetched)
            if (self.own / kept.sha256[:16]).is_dir():
                return kept
        return None

    def renewed(self, database: Database, name: str, kept: Fetched | None) -> Fetched:
        """Ask anew; where PubMed cannot be asked, what was found before is good enough."""
        session = session_of()
        try:
            wanted = self._wanted(session, database, name)
            self._fetch(session, wanted)
        except DownloadError as error:
            if kept is None:
                raise
            note(f"{error}; going on with what PubMed gave on {kept.date}")
            return kept
        new = self.own / "new" / "citations"
        found = fingerprint(new)
        if kept is None or kept.sha256 != found:
            size = sum(file.stat().st_size for file in new.iterdir())
            address, today = _PAGE + quote_plus(self.words), datetime.now(UTC).date().isoformat()
            kept = Fetched(address=address, name=name, sha256=found, size=size, date=today)
            shutil.rmtree(self.own / found[:16], ignore_errors=True)
            new.replace(self.own / found[:16])
            write_whole(self.own / "fetched.json", msgspec.json.encode(kept))
        for other in self.own.iterdir():
            if other.is_dir() and other.name != found[:16]:
                shutil.rmtree(other, ignore_errors=True)
        return kept

    def _wanted(self, session: requests.Session, database: Database, name: str) -> list[str]:
        """Search, and give the PMIDs that no other source of the graph has."""
        asked = {"term": self.words, "retmax": str(self.most), "sort": "relevance", "retmode": "json"}
        found = patiently(lambda: self._searched(session, asked), lambda: 0, "the search of PubMed")
        if unknown := [word for words in found.errorlist.values() for word in words]:
            note(f"PubMed does not know: {', '.join(unknown)}")
        if not found.idlist:
            raise DownloadError(f"PubMed finds nothing for {self.words}; use other words")
        ids = [f"PMID:{number}" for number in found.idlist]
        held = database.read(catalogue.get("held_documents"), ids=ids, source=name)
        others = {identifier.removeprefix("PMID:") for row in held for identifier in row["ids"]}
        wanted = sorted((number for number in found.idlist if number not in others), key=int)
        if not wanted:
            holders = " and ".join(row["source"] for row in held)
            said = f"all {counted(len(found.idlist), 'citation')} that PubMed finds come with {holders} already"
            raise SourceFileError(said, f"search for {self.words}")
        note(f"PubMed finds {counted(int(found.count), 'citation')} for {self.words}; taking {len(wanted):,}")
        for row in held:
            note(f"{counted(len(row['ids']), 'citation')} of these come with {row['source']} already")
        return wanted

    def _searched(self, session: requests.Session, asked: dict[str, str]) -> _Result:
        try:
            found = msgspec.json.decode(self._ask(session, "esearch", asked), type=_Search).esearchresult
        except msgspec.DecodeError as error:
            raise AgainError("the answer is no JSON of a search") from error
        if found.error or not (found.count.isdecimal() and all(number.isdecimal() for number in found.idlist)):
            raise AgainError(f"PubMed says: {found.error[:200] or 'what is no number'}")
        return found

    def _fetch(self, session: requests.Session, wanted: Sequence[str]) -> None:
        """Fetch citations batch by batch; a run of the same day and result goes on where it stopped."""
        begun = msgspec.json.encode([datetime.now(UTC).date().isoformat(), *wanted])
        folder, mark = self.own / "new" / "citations", self.own / "new" / "begun.json"
        if not mark.exists() or mark.read_bytes() != begun:
            shutil.rmtree(self.own / "new", ignore_errors=True)
            folder.mkdir(parents=True)
            write_whole(mark, begun)
        with progress(f"fetching from PubMed: {self.words[:60]}", "citation", len(wanted)) as bar:
            for start in range(0, len(wanted), BATCH):
                file, batch = folder / f"{start // BATCH + 1:04d}.xml", wanted[start : start + BATCH]
                if not file.exists():
                    ask = partial(self._citations, session, batch)
                    write_whole(file, patiently(ask, lambda: 0, f"a batch of {len(batch)} citations"))
                bar.update(len(batch))

    def _citations(self, session: requests.Session, batch: Sequence[str]) -> bytes:
        """Fetch a batch, and make sure that it is whole; books, which the reader does not take, are left out."""
        from lxml import etree

        data = self._ask(session, "efetch", {"id": ",".join(batch), "retmode": "xml"})
        try:
            root = etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True))
        except etree.XMLSyntaxError as error:
            raise AgainError("the answer is no whole XML") from error
        came = {pmid.text for pmid in root.iterfind("*/MedlineCitation/PMID")}
        books = root.findall("PubmedBookArticle")
        if root.tag != _ROOT or not came <= set(batch) or not (came or books):
            raise AgainError("the answer has other citations than those that were asked for")
        if missing := len(batch) - len(came) - len(books):
            note(f"PubMed has {counted(missing, 'citation')} no more of those that it found")
        for book in books:
            root.remove(book)
        return etree.tostring(root, encoding="UTF-8", xml_declaration=True) if books else data

    def _ask(self, session: requests.Session, what: str, asked: dict[str, str]) -> bytes:
        """Ask the service, as often a second as it allows; what is asked stands in no address."""
        key, email = self.settings.ncbi_api_key, self.settings.ncbi_email
        given: dict[str, Any] = {"db": "pubmed", "tool": "medgraph", **asked}
        given |= ({"api_key": key} if key else {}) | ({"email": email} if email else {})
        lock, seconds = self.settings.cache / "searches" / "asked.lock", 1 / _RATES[bool(key)]
        with locked(lock):  # so many seconds pass between the requests of all processes of this machine
            time.sleep(max(0.0, min(seconds, lock.stat().st_mtime + seconds - time.time())))
            lock.touch()
        address = mirrored(self.settings, f"{_SERVICE}/{what}.fcgi")
        with answer(session, "POST", address, data=given) as response:
            return response.content
