"""Files by HTTP: continued where they broke off, tried again with waiting, checked by length, size and hash.

A partial file lies beside a note of which version of the file it is a part of (`*.part`, `*.part.json`); a server that
has another version by now sends the whole. Bytes are kept as they come, and unpacked at the end where the server packed
what is not called `.gz`. Redirects lead to HTTP alone, and none from HTTPS to HTTP.
"""

from __future__ import annotations

import errno
import gzip
import hashlib
import re
import socket
import zlib
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Event
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import urlsplit, urlunsplit

import msgspec

from ..errors import ChecksumError, DownloadError, NoSpaceError
from ..files import require_space, write_whole
from ..progress import Progress, note, progress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    import requests

Result = TypeVar("Result")

TRIES: Final = 5  # in a row that bring nothing
PAUSE: Final = 1.0  # seconds before the second try; before each other one twice as many as before the last
LONGEST_PAUSE: Final = 120.0
SILENCE: Final = 30  # seconds without a byte after which a try is given up
BLOCK: Final = 1 << 16
SPARE: Final = 64 << 20  # bytes that the disk keeps
_PASSING: Final = frozenset({408, 425, 429, 500, 502, 503, 504})  # statuses that may be others the next time
OK, PARTIAL, UNCHANGED, NO_RANGE = 200, 206, 304, 416
_GONE: Final = frozenset({404, 410})
_SECRET: Final = re.compile(r"(?i)([^=&?]*(?:key|token|secret|password|signature|credential)[^=&]*)=[^&]*")
_PAGE: Final = re.compile(rb"\s*<(?:!doctype html|html)", re.IGNORECASE)
_PAGES: Final = re.compile(r"(?i)\.x?html?$|^[^.]*$")  # names of what may be a page: called so, or without an ending
_POINTER: Final = b"version https://git-lfs.github.com/spec/"


class AbsentError(DownloadError):
    """The server has no such file."""


class AgainError(Exception):
    """Something that another try may mend, after some seconds."""

    def __init__(self, reason: str, wait: float = 0.0) -> None:
        super().__init__(reason)
        self.wait = wait


class Version(msgspec.Struct, frozen=True):
    """What a server says by which a file is known again: its `ETag` and `Last-Modified`, and how it packed it."""

    etag: str = ""
    modified: str = ""
    packed: str = ""

    @property
    def sign(self) -> str:
        """What only the same bytes have; empty where the server says nothing of the kind."""
        return self.modified if self.etag.startswith("W/") or not self.etag else self.etag


@dataclass(slots=True)
class Transfer:
    """A file on its way into `path`; `expected` is its hash where that is known, and `limit` its bytes at most."""

    address: str
    path: Path
    expected: str = ""
    limit: int = 1 << 62
    known: Version | None = None  # the version that is here already: the file is fetched if there is another one
    stop: Event = field(default_factory=Event)
    sha256: str = ""  # of what came
    endless: bool = False  # whether the server did not say how long it is

    @property
    def part(self) -> Path:
        """The partial file."""
        return self.path.with_name(f"{self.path.name}.part")

    def fetch(self, session: requests.Session) -> Version | None:
        """Fetch the file; None if the known version is still the newest.

        Raises:
            AbsentError: There is none.
            ChecksumError: It is another file than expected; it was deleted.
            DownloadError: It could not be fetched; what has arrived is kept.
            NoSpaceError: The disk has too little room.
        """
        for left in reversed(range(TRIES)):
            resumed = size_of(self.part) > 0
            version = patiently(lambda: self._try(session), lambda: size_of(self.part), shown(self.address), self.stop)
            if version is None or self.stop.is_set():
                return None
            self._unpack(version)
            found = self.sha256 = hash_of(self.part)
            if found == self.expected or not self.expected:
                break
            self._forget()
            if not left or not (resumed or self.endless):  # what was begun long ago may be damaged, or cut unseen
                said = f"has the SHA-256 {found}, and {self.expected} is expected"
                raise ChecksumError(f"{shown(self.address)} {said}: it is another release; nothing of it was kept")
        self.part.replace(self.path)
        self._note.unlink(missing_ok=True)
        return version

    @property
    def _note(self) -> Path:
        return self.part.with_name(f"{self.part.name}.json")

    def _forget(self) -> None:
        self.part.unlink(missing_ok=True)
        self._note.unlink(missing_ok=True)

    def _try(self, session: requests.Session) -> Version | None:
        begun, done = Version(), size_of(self.part)
        with suppress(OSError, msgspec.DecodeError):
            begun = msgspec.json.decode(self._note.read_bytes(), type=Version)
        headers = {"Accept-Encoding": "identity"}
        if done and (begun.sign or self.expected):
            headers |= {"Range": f"bytes={done}-"} | ({"If-Range": begun.sign} if begun.sign else {})
        elif self.known:
            headers |= {"If-None-Match": self.known.etag} if self.known.etag else {}
            headers |= {"If-Modified-Since": self.known.modified} if self.known.modified else {}
        with answer(session, "GET", self.address, headers=headers, stream=True) as response:
            if response.status_code == UNCHANGED:
                return None
            version = _version(response)
            continued = response.status_code == PARTIAL
            if response.status_code == NO_RANGE or (continued and not _continues(response, done, begun, version)):
                self._forget()
                raise AgainError("the server has another version than the part that is here")
            version = begun if continued and begun.sign else version
            write_whole(self._note, msgspec.json.encode(version))
            self._receive(response, done if continued else 0)
        return version

    def _receive(self, response: requests.Response, done: int) -> None:
        said = response.headers.get("Content-Length", "")
        total = done + int(said) if said.isdecimal() else None
        self.endless = total is None and "chunked" not in response.headers.get("Transfer-Encoding", "")
        if self.endless and not self.expected:
            said = "comes without its length, so that a cut would go unseen; say its sha256"
            raise DownloadError(f"{shown(self.address)} {said}")
        if total is not None:
            self._check_limit(total)
            require_space(self.part.parent, total - done + SPARE, "MEDGRAPH_CACHE")
        with progress(f"fetching {self.path.name}", "B", total, scale=True) as bar:
            bar.update(done)
            save(response, self.part, bar, self.stop, continued=done > 0, check=self._check_limit)
        with self.part.open("rb") as file:
            start = file.read(512)
        if _POINTER in start or (_PAGE.match(start) and not _PAGES.search(self.path.name)):
            self._forget()
            said = "gives a page, or a pointer of Git LFS, and not the file; look at it in a browser"
            raise DownloadError(f"{shown(self.address)} {said}")

    def _check_limit(self, size: int) -> None:
        if size > self.limit:
            self._forget()
            said = f"{shown(self.address)} has {size / 1e6:,.0f} MB or more, and {self.limit / 1e6:,.0f} are allowed"
            raise DownloadError(f"{said}; MEDGRAPH_FETCH_LIMIT says how many GB may be")

    def _unpack(self, version: Version) -> None:
        if not version.packed or (version.packed.endswith("gzip") and self.path.name.lower().endswith((".gz", ".tgz"))):
            return
        if version.packed not in {"gzip", "x-gzip"}:
            self._forget()
            raise DownloadError(f"{shown(self.address)} comes packed as {version.packed}, which was not asked for")
        target = self.part.with_name(f"{self.path.name}.unpacked")
        try:
            with gzip.open(self.part) as packed, target.open("wb") as file:
                size = 0
                while block := packed.read(BLOCK):
                    size += len(block)
                    self._check_limit(size)
                    file.write(block)
            target.replace(self.part)
        except (EOFError, OSError, zlib.error) as error:
            self._forget()
            raise DownloadError(f"{shown(self.address)} is broken as it comes ({error}); try again later") from error
        finally:
            target.unlink(missing_ok=True)


def answer(session: requests.Session, method: str, address: str, **given: Any) -> requests.Response:
    """Ask a server; what may pass becomes an error of `patiently`, everything but 200, 206, 304 and 416 a final one."""
    response = session.request(method, address, timeout=SILENCE, **given)
    try:
        for step in (*response.history, response):
            if urlsplit(step.url).scheme != "https" and urlsplit(address).scheme == "https":
                raise DownloadError(f"{shown(address)} leads to {shown(step.url)}, where nobody vouches for what comes")
        status = response.status_code
        if status in _PASSING:
            raise AgainError(f"the server answers {status}", _seconds(response.headers.get("Retry-After", "")))
        if status in _GONE:
            raise AbsentError(f"{shown(address)}: there is no such file ({status}); has it another name by now?")
        if status not in {OK, PARTIAL, UNCHANGED, NO_RANGE}:
            remedy = "; a name and password may stand in ~/.netrc" if status in {401, 403} else ""
            raise DownloadError(f"{shown(address)}: the server answers {status}{remedy}")
    except BaseException:
        response.close()
        raise
    return response


def patiently(act: Callable[[], Result], gained: Callable[[], int], name: str, stop: Event | None = None) -> Result:
    """Do something again, with waiting, as long as another try may mend it; one that gained something costs no try.

    Raises:
        DownloadError: It failed too often.
        NoSpaceError: The disk is full.
    """
    import requests

    stop, tries, before = stop or Event(), 0, gained()
    while True:
        try:
            return act()
        except (requests.ConnectionError, requests.Timeout, requests.exceptions.ChunkedEncodingError) as error:
            reason, wait = _reason(error), 0.0
            if not gained() and isinstance(_innermost(error), socket.gaierror):
                tries = TRIES  # nobody knows the name: there is no network, or no such server
        except AgainError as error:
            reason, wait = str(error), error.wait
        except requests.RequestException as error:
            raise DownloadError(f"{name} could not be fetched: {_reason(error)}") from None
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
            raise NoSpaceError("the disk is full; make room, or set MEDGRAPH_CACHE to another disk") from error
        now = gained()
        tries, before = (1 if now > before else tries + 1), now
        if tries >= TRIES or stop.is_set():
            remedy = "check the network and run the command again: it goes on where it broke off"
            raise DownloadError(f"{name} could not be fetched ({reason}); {remedy}")
        wait = max(wait, min(LONGEST_PAUSE, PAUSE * 2.0 ** (tries - 1)))
        note(f"{name}: {reason}; trying again in {wait:.0f} s")
        stop.wait(wait)


def save(
    response: requests.Response,
    part: Path,
    bar: Progress,
    stop: Event,
    *,
    continued: bool,
    check: Callable[[int], None] = lambda _: None,
) -> None:
    """Write what comes, as it comes, behind what is there or in its place; `check` is told how many bytes there are."""
    size = size_of(part) if continued else 0
    with part.open("ab" if continued else "wb") as file:
        for block in _blocks(response):
            size += len(block)
            check(size)
            file.write(block)
            bar.update(len(block))
            if stop.is_set():
                return


def _blocks(response: requests.Response) -> Iterator[bytes]:
    import requests
    from urllib3.exceptions import HTTPError

    try:
        yield from response.raw.stream(BLOCK, decode_content=False)
    except HTTPError as error:
        raise requests.ConnectionError(error) from error


def session_of(**headers: str) -> requests.Session:
    """Open a session with servers, which says who asks."""
    import requests

    from .. import __version__

    session = requests.Session()
    session.headers.update({"User-Agent": f"medgraph/{__version__}", **headers})
    return session


def shown(address: str) -> str:
    """Write an address without what is secret in it: name and password, and the values of keys and tokens."""
    parts = urlsplit(address)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2], query=_SECRET.sub(r"\1=…", parts.query)))


def hash_of(path: Path) -> str:
    """Give the SHA-256 of a file in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def size_of(path: Path) -> int:
    """Give the bytes of a file; 0 where there is none."""
    return path.stat().st_size if path.exists() else 0


def _version(response: requests.Response) -> Version:
    said: Mapping[str, str] = response.headers
    packed = said.get("Content-Encoding", "").strip().lower()
    return Version(said.get("ETag", ""), said.get("Last-Modified", ""), "" if packed == "identity" else packed)


def _continues(response: requests.Response, done: int, begun: Version, now: Version) -> bool:
    """Tell whether a part of a file goes on where the one that is here ends, and is of the same version."""
    found = re.match(r"bytes (\d+)-", response.headers.get("Content-Range", ""))
    same = now.etag in {"", begun.etag} and now.modified in {"", begun.modified}
    return found is not None and int(found[1]) == done and (same or not begun.sign)


def _seconds(said: str) -> float:
    return min(LONGEST_PAUSE, float(said)) if said.isdecimal() else 0.0


def _reason(error: BaseException) -> str:
    """Say why a request failed, without the address, in which secrets may stand: the innermost reason alone."""
    import requests

    if isinstance(error, requests.Timeout):
        return f"nothing came for {SILENCE} seconds"
    if isinstance(error, requests.exceptions.InvalidSchema):
        return "it leads to what is not HTTP, which is never followed"
    error = _innermost(error)
    return str(getattr(error, "strerror", None) or type(error).__name__)


def _innermost(error: BaseException) -> BaseException:
    while (inner := error.__cause__ or error.__context__) is not None:
        error = inner
    return error
