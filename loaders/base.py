"""Interface of a source: facts about a data set, and a generator of its records."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from ..errors import RecordError, SourceFileError
from ..files import below, table_cells
from ..schema.records import Record, SourceInfo

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping


Kind = TypeVar("Kind")


@dataclass(frozen=True, slots=True)
class Row:
    """A record and where it was read.

    Example:
        >>> from medgraph.schema.records import Entity
        >>> Row(Entity("clinic:gout", "Disease", "Gout"), "names.csv", 2).record.name
        'Gout'
    """

    record: Record
    file: str  # the file, with the member for an archive, or the place in a file without lines
    line: int = 1  # the line it starts at, counted from one; 0 in a file without lines
    # the id of the source that says so, where that is a part of the one that is loaded: a vocabulary of the UMLS, a
    # source of an export. A row with the part's `SourceInfo` comes before
    source: str = ""
    # whether names and cross-references of the entity add to those of an earlier load of the source, of which each file
    # has only some
    adds: bool = False

    def stated_by(self, source: str) -> Row:
        """Give the row as a source's, unless a part of it says so."""
        return self if self.source else Row(self.record, self.file, self.line, source, self.adds)

    def of(self, kind: type[Kind]) -> Kind:
        """Give the record as one of its kind."""
        assert isinstance(self.record, kind)
        return self.record


@dataclass(frozen=True, slots=True)
class Reject:
    """Something that could not become a record.

    Example:
        >>> Reject("names.csv", 3, "the name is empty; write one").where
        'names.csv:3'
    """

    file: str
    line: int  # the line, counted from one; 0 in a file without lines
    reason: str  # what is wrong, and what mends it
    lacks: str = ""  # the entity whose coming would mend it, where that is so
    held: str = ""  # the source that has what it claims, whose going would mend it, where that is so

    @property
    def where(self) -> str:
        """The file, and the line where it has lines."""
        return f"{self.file}:{self.line}" if self.line else self.file


@dataclass(frozen=True, slots=True)
class Remark:
    """Something that a curator should look at, though nothing is lost: a prefix that nobody knows, say."""

    file: str
    line: int
    text: str
    what: str = ""  # what no reader takes up, in the plural, where it is that; `medgraph audit --check unread` lists it
    count: int = 0  # how many of it there are; 0 where the remark is of another kind
    example: str = ""
    loud: bool = False  # whether people are told at once, as where a file looks cut off


Item = Row | Reject | Remark


def made(
    file: str,
    line: int,
    make: Callable[..., Record],
    *said: Any,
    before: str = "",
    source: str = "",
    adds: bool = False,
    **more: Any,
) -> Row | Reject:
    """Make a record of what is said; a reject, with what stands `before` the reason, where it cannot be one."""
    try:
        return Row(make(*said, **more), file, line, source, adds)
    except RecordError as error:
        return Reject(file, line, f"{before}{error}")


def each(file: str, items: Iterable[Any], make: Callable[..., Iterator[Kind]]) -> Iterator[Kind | Reject]:
    """Give what is made of each tuple, whose line stands first, or a reject where that breaks a rule; others stay."""
    for item in items:
        if not isinstance(item, tuple):
            yield item
            continue
        try:
            yield from make(*item)
        except RecordError as error:
            yield Reject(file, item[0], str(error))


UNSTATED: Final = "LicenseRef-unstated"
UNVERSIONED: Final = "unversioned"  # What stands for a licence and a release that nobody states
NEUTRAL: Final = 5  # The rank of a source that no curator has ranked


@dataclass(frozen=True, slots=True)
class Files:
    """How a folder is read file by file, each apart from the others; what `read` yields can be pickled."""

    listed: Callable[[Path], list[Path]]
    read: Callable[[Path], Iterator[Any]]
    join: Callable[[Iterable[Iterable[Any]]], Iterator[Item]]

    def records(self, path: Path) -> Iterator[Item]:
        """Read a file, or a folder of files one after the other, as `Source.records` does."""
        return self.join(map(self.read, self.listed(path)))


@dataclass(frozen=True, slots=True)
class Source:
    """One data set, or one format, that `medgraph load` knows.

    Example:
        >>> from medgraph.schema.records import Entity, SourceInfo
        >>> info = SourceInfo("clinic", "Our clinic's names", version="2026-03", licence="CC0-1.0", url="")
        >>> source = Source(info, lambda path: iter([Row(Entity("clinic:gout", "Disease", "Gout"), path)]))
        >>> [row.record.id for row in source.records("names.csv")]
        ['clinic:gout']
    """

    # name, version, licence; for a format, what holds where neither the file nor the curator says otherwise
    info: SourceInfo
    # reads a file or folder into rows, rejects and remarks, in an order that depends on its content alone: entities
    # before what points to them. It takes the path, and the options as keywords
    records: Callable[..., Iterator[Item]]
    # how many documents, or records, a file will give, for the progress bar; None where only reading tells
    estimate: Callable[[Path], int | None] = field(default=lambda _: None)
    packaged: Path | None = None  # the file that comes with medgraph, for a source that needs no path
    # for a format: reads from the file which source it is, and its release and licence where it says so
    describe: Callable[[Path], SourceInfo] | None = None
    # tells whether a file or folder is of this source, from its name and its first bytes; a folder that it recognises
    # is loaded as a whole. None: never by itself
    recognise: Callable[[Path], bool] | None = None
    unit: str = "record"  # what the progress bar counts: `document` or `record`
    # names of the options that `records` takes, each with what it means
    options: Mapping[str, str] = field(default_factory=dict)
    # whether a later record replaces an earlier one of the same id in the same file or folder, as updates do; otherwise
    # the later one is rejected
    last_wins: bool = False
    # whether `records` takes the id that the source is loaded under as the keyword `name`, to call its parts after it
    names_parts: bool = False
    # whether a load is refused for which nobody states a licence
    needs_licence: bool = False
    # whether what it reads may change while its file does not, so that each load reads it
    changes: bool = False
    # whether `records` takes the licence that a curator names for the load as the keyword `licence`
    licensed: bool = False
    # where it stands among the sources: what has entities (10 to 29) before exchange formats (30), and those before
    # texts that point to entities (40). A file is of the first source that recognises it, and a folder is loaded in
    # this order
    order: int = 100
    # gives the file beside one that tells of it, where there is one: what it says is part of what is loaded
    beside: Callable[[Path], Path | None] = field(default=lambda _: None)
    # how its files are read apart, where they can be, so that `--engine` reads several at once
    files: Files | None = None

    def __post_init__(self) -> None:
        if self.recognise:
            object.__setattr__(self, "recognise", partial(_recognise, self.recognise))


def _recognise(ask: Callable[[Path], bool], path: Path) -> bool:
    try:
        return ask(path)
    except SourceFileError:  # what cannot be read is nobody's
        return False


def _infos() -> dict[str, SourceInfo]:
    named = "ID, TITLE, VERSION, LICENCE, URL, RANK, MINIMUM, TABLE, PREFIXES and CITATION"
    found: dict[str, SourceInfo] = {}
    for _, cells in table_cells(Path(__file__).with_name("sources.tsv"), 10, named):
        stated = ("" if cell == "-" else cell for cell in cells)
        name, title, version, licence, url, rank, minimum, kind, coined, citation = stated
        facts = (name, title, version, licence, url, citation, int(minimum), int(rank), tuple(coined.split()))
        found[name] = SourceInfo(*facts, table=kind == "table")
    return found


INFOS: Final = _infos()  # The facts of the sources that come with medgraph, by id


def unread_of(items: Iterable[Any]) -> dict[str, list[Any]]:
    """Give the statements that no reader takes up as a load records them, in lists in step."""
    found = [item for item in items if isinstance(item, Remark) and item.count]
    return {
        "unread": [remark.what[:300] for remark in found],
        "unread_counts": [remark.count for remark in found],
        "unread_examples": [
            f"{remark.file}:{remark.line or ''} {remark.example}"[:300].encode("utf-8", "backslashreplace").decode()
            for remark in found
        ],
    }


def facts_of(info: SourceInfo) -> dict[str, Any]:
    """Give what the graph records of a source; None for what it does not say."""
    facts = asdict(info)
    del facts["minimum"]
    more: dict[str, Any] = {"prefixes": list(info.prefixes), "namespaces": list(info.namespaces)}
    more |= {"released": info.released, "table": info.table}
    return facts | {name: value or None for name, value in more.items()}


def standing_of(info: SourceInfo) -> str:
    """Say by what a source's word is weighed that no curator has ranked, as the query `unsettled_sources` tells it."""
    return "".join(f"{prefix} " for prefix in info.prefixes) + f"{info.released} {info.rank} {NEUTRAL}"


def fingerprint(path: Path) -> str:
    """Hash a file, or every file of a folder with its name, as SHA-256 in hexadecimal."""
    digest = hashlib.sha256()
    try:
        for file in sorted(p for p in below(path) if p.is_file()) if path.is_dir() else [path]:
            if file != path:
                name = file.relative_to(path).as_posix()
                digest.update(f"\0{name}\0".encode("utf-8", "surrogateescape"))  # a name may be no UTF-8
            with file.open("rb") as opened:
                hashlib.file_digest(opened, lambda: digest)
    except OSError as error:
        raise SourceFileError(f"cannot be read: {error.strerror}", path) from error
    return digest.hexdigest()
