"""Files by address: fetched once into the cache, then only asked after whether they changed, and read from there.

Each address has a folder of its own in the cache, with a folder a release, so that whoever reads one still has it when
another process fetches the next; the release before is kept. Of several addresses, a folder links the files.
"""

from __future__ import annotations

import re
import shutil
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

import msgspec

from ..errors import ChecksumError, DownloadError, InputError, SettingsError, SourceFileError, TermsError
from ..files import locked, table_cells, write_whole
from ..progress import note
from ..server.fetch import AbsentError, Transfer, Version, hash_of, session_of, shown
from .base import UNSTATED

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import requests

    from ..settings import Settings

MOST: Final = 10_000  # files of one entry
DAYS: Final = 14  # how old the newest file of a dated name may be
_SCHEMES: Final = ("https", "http", "file")
_ADDRESS: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
_RANGE: Final = re.compile(r"\[(\d+)-(\d+)\]")
_DATE: Final = "[date]"
_UNSAFE: Final = re.compile(r"[\x00-\x1f/\\:*?\"<>|]")
_TERMS: Final = Path(__file__).with_name("terms.tsv")


class Fetched(msgspec.Struct, frozen=True, kw_only=True):
    """A file of the cache: where it came from, without secrets, what it is, and the day on which it came."""

    address: str
    name: str
    sha256: str
    size: int
    date: str
    version: Version = Version()
    before: str = ""  # the hash of the release before, which is kept


@dataclass(frozen=True, slots=True)
class Place:
    """What is loaded: a file or folder, and the address and files that it was fetched from, if it was."""

    path: Path
    address: str = ""
    files: tuple[Fetched, ...] = ()


def is_address(text: object) -> bool:
    """Tell an address from the path of a file."""
    return isinstance(text, str) and bool(_ADDRESS.match(text))


def expanded(given: Sequence[str]) -> list[str]:
    """Write ranges of numbers out, as in `pubmed26n[0001-0010].xml.gz`; `[date]` stays.

    An `InputError` says that an address is of another kind than http, https and file, or that there are too many.
    """
    found = list(given)
    while match := next(filter(None, map(_RANGE.search, found)), None):
        low, high, text = int(match[1]), int(match[2]), match.string
        at = found.index(text)
        if not 0 < high - low + 1 <= MOST - len(found):
            raise InputError(f"{shown(text)} stands for no file, or for more than {MOST:,}")
        numbers = (f"{number:0{len(match[1])}}" for number in range(low, high + 1))
        found[at : at + 1] = [text[: match.start()] + number + text[match.end() :] for number in numbers]
    for address in found:
        if urlsplit(address).scheme.lower() not in _SCHEMES:
            raise InputError(f"{shown(address)} cannot be fetched; addresses begin with https://, http:// or file://")
    return found


def refuse_terms(loader: str, given: Iterable[str]) -> None:
    """Refuse what is under terms that whoever uses it must accept, and say what to do instead."""
    for _, (key, name, where) in table_cells(_TERMS, 3, "KEY, NAME and WHERE"):
        for address in given:
            if key == loader or (key not in {loader, "umls"} and key in shown(address).lower()):
                said = f"{name} is never fetched, because its terms are yours to accept: {where}"
                raise TermsError(f"{said}; get the file there, and give its path")


def announce(settings: Settings, title: str, licence: str, given: Sequence[str]) -> None:
    """Name what will be fetched that is not here yet, with its licence."""
    new = [one for one in expanded(given) if not one.lower().startswith("file:") and not _kept(_own(settings, one))]
    if new:
        terms = "its licence is what the file states" if licence == UNSTATED else f"licence {licence}"
        more = f" and {len(new) - 1:,} more" * (len(new) > 1)
        note(f"to be fetched: {shown(new[0])}{more}: {title}; {terms}")


@dataclass(frozen=True)
class Store:
    """The files of the cache that came from addresses; `offline` takes what is there and asks nobody."""

    settings: Settings
    offline: bool = False
    pinned: Mapping[str, str] = field(default_factory=dict)  # hashes of the only files that are wanted, by address

    @cached_property
    def session(self) -> requests.Session:
        """The session with all servers."""
        return session_of()

    def place(self, given: Sequence[str], expected: str = "") -> Place:
        """Fetch what is not here, or not as its server has it, and say where it lies.

        Args:
            given: Addresses, in which ranges and `[date]` may stand.
            expected: The hash of the one file, where only that is wanted; any other is a `ChecksumError`.
        """
        addresses = expanded(given)
        if expected and len(addresses) > 1:
            raise InputError("sha256 goes with one address; give each an entry of its own")
        try:
            found = [self._get(address, expected) for address in addresses]
        except PermissionError as error:
            remedy = "set MEDGRAPH_CACHE to a folder that you may write to"
            raise SettingsError(f"{error.filename} cannot be written; {remedy}") from error
        files = tuple(file for _, file in found)
        path = found[0][0] if len(found) == 1 else self._linked(addresses, found)
        return Place(path, " ".join(map(shown, given)), files)

    def _get(self, address: str, expected: str) -> tuple[Path, Fetched]:
        if address.lower().startswith("file:"):
            return _local(address, expected)
        own, expected = _own(self.settings, address), expected or self.pinned.get(shown(address), "")
        with locked(own / ".lock", lambda: note(f"another command fetches {shown(address)}; waiting for it")):
            kept = _kept(own)
            wanted = {expected} if expected else set(self.pinned.values())
            if kept and (kept.sha256 in wanted or (self.offline and not expected)):
                return _path(own, kept), kept
            if self.offline:
                raise DownloadError(f"{shown(address)} is not in the cache, and nothing is fetched offline")
            try:
                kept = self._newest(own, address, kept, expected)
            except DownloadError as error:
                if not kept or expected:
                    raise
                note(f"{error}; going on with what came on {kept.date}")
            return _path(own, kept), kept

    def _newest(self, own: Path, address: str, kept: Fetched | None, expected: str) -> Fetched:
        """Fetch an address, the newest that is there where it has a date, unless what is kept is still that."""
        today = datetime.now(UTC).date()
        days = range(DAYS) if _DATE in address else range(1)
        for day in days:
            dated = address.replace(_DATE, str(today - timedelta(day)))
            path = own / _name(dated)
            known = kept.version if kept and not expected and shown(dated) == kept.address else None
            limit = self.settings.fetch_limit * 10**9
            transfer = Transfer(mirrored(self.settings, dated), path, expected, limit, known)
            try:
                version = transfer.fetch(self.session)
            except AbsentError:
                if day == days[-1]:
                    raise
                continue
            if version:
                return self._keep(own, transfer, shown(dated), version, kept, today)
            break
        assert kept is not None  # a server that was told no version has none that is the same
        return kept

    def _keep(
        self, own: Path, transfer: Transfer, address: str, version: Version, kept: Fetched | None, today: date
    ) -> Fetched:
        same = kept is not None and kept.sha256 == transfer.sha256
        fetched = Fetched(
            address=address,
            name=transfer.path.name,
            sha256=transfer.sha256,
            size=transfer.path.stat().st_size,
            date=kept.date if kept and same else today.isoformat(),
            version=version,
            before=kept.before if kept and same else kept.sha256 if kept else "",
        )
        target = _path(own, fetched)
        target.parent.mkdir(exist_ok=True)
        transfer.path.replace(target)
        write_whole(own / "fetched.json", msgspec.json.encode(fetched))
        stay = {fetched.sha256[:16], fetched.before[:16]}
        for other in own.iterdir():
            if other.is_dir() and other.name not in stay:
                shutil.rmtree(other, ignore_errors=True)
        return fetched

    def _linked(self, addresses: Sequence[str], found: Sequence[tuple[Path, Fetched]]) -> Path:
        """Link the files of several addresses in a folder, which has another name when one of them changes."""
        names = [file.name for _, file in found]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise InputError(f"two of the addresses have files called {twice}; give each an entry of its own")
        own = self.settings.cache / "sources" / "sets" / sha256(" ".join(addresses).encode()).hexdigest()[:16]
        with locked(own / ".lock"):
            folder = own / sha256(" ".join(file.sha256 for _, file in found).encode()).hexdigest()[:16]
            for other in own.iterdir():
                if other.is_dir() and other != folder:
                    shutil.rmtree(other, ignore_errors=True)
            folder.mkdir(exist_ok=True)
            for path, file in found:
                link = folder / file.name
                if not link.exists() or link.resolve() != path.resolve():
                    link.unlink(missing_ok=True)
                    link.symlink_to(path)
        return folder


def mirrored(settings: Settings, address: str) -> str:
    """Give the address at which a mirror has what is at another, if there is one."""
    if not settings.mirror:
        return address
    parts = urlsplit(shown(address))
    return f"{settings.mirror.rstrip('/')}/{parts.netloc}{parts.path}" + f"?{parts.query}" * bool(parts.query)


def _own(settings: Settings, address: str) -> Path:
    return settings.cache / "sources" / sha256(address.encode()).hexdigest()[:16]


def _kept(own: Path) -> Fetched | None:
    """Read what is known of the file of an address; None if it is not here, or not whole."""
    with suppress(OSError, msgspec.DecodeError):
        kept = msgspec.json.decode((own / "fetched.json").read_bytes(), type=Fetched)
        if _path(own, kept).stat().st_size == kept.size:
            return kept
    return None


def _path(own: Path, file: Fetched) -> Path:
    return own / file.sha256[:16] / file.name


def _name(address: str) -> str:
    """Give the file's name: the last part of the address's path, or the host's where there is none."""
    parts = urlsplit(address)
    name = _UNSAFE.sub("_", unquote(PurePosixPath(parts.path).name) or parts.hostname or "file").lstrip(".") or "file"
    return name if len(name.encode()) <= 200 else sha256(name.encode()).hexdigest()[:16] + Path(name).suffix[:20]


def _local(address: str, expected: str) -> tuple[Path, Fetched]:
    parts = urlsplit(address)
    path = Path(url2pathname(parts.path))
    if parts.netloc not in {"", "localhost"} or not path.is_file():
        raise SourceFileError("is no file of this machine; a folder is given by its path", shown(address))
    found = hash_of(path)
    if expected not in {"", found}:
        raise ChecksumError(f"{shown(address)} has the SHA-256 {found}, and {expected} is expected")
    stat = path.stat()
    day = datetime.fromtimestamp(stat.st_mtime, UTC).date().isoformat()
    return path, Fetched(address=shown(address), name=path.name, sha256=found, size=stat.st_size, date=day)
