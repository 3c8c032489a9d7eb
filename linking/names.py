"""The graph's names, packed in a folder of the data folder, and anew when they may have changed; and files linked."""

from __future__ import annotations

import csv
import hashlib
import json
import re
import shutil
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, BinaryIO, Final, NamedTuple, TextIO

from ..errors import InputError, SourceFileError
from ..files import locked, write_whole
from ..graph import catalogue
from ..progress import note, progress
from ..schema.prefixes import is_list
from ..schema.vocabulary import CONDITIONS
from ..text import sendable, sentences
from .context import contexts
from .curated import StopNames, drug_names, lay_names, load_never
from .holdings import Collected, Holdings
from .lexicon import ACRONYM, BRAND, LISTED, NAME, OTHER, SYNONYM, Lexicon, Named
from .linker import Linker
from .spelling import Similar, Vocabulary, plain
from .words import eponym, tumor

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from ..graph.database import Database, Row
    from ..settings import Settings
    from .concepts import Joining
    from .linked import Linked
    from .nearest import Encoder, NameVectors
    from .renamed import Renamed

VERSION: Final = 15  # raised when names are packed in another way
PAGE: Final = 5000  # entities a page
FEW: Final = 20_000  # entities whose names are packed in about a second


class PackedState(NamedTuple):
    """What was noted of packed names: the graph's state, what was packed, and what entities had been joined, if any."""

    state: str
    names: str
    joined: bool
    entities: str = ""  # by which they were joined
    documents: str = ""  # how many are about each


def load_linker(settings: Settings, database: Database) -> Linker:
    """Open the linker as `names_in_use` does; names are joined and packed first where they may have changed."""
    return names_in_use(settings, database)[0]


def names_in_use(settings: Settings, database: Database) -> tuple[Linker, str]:
    """Open the linker, with a fingerprint of its names and what they belong to; InputError where there are none."""
    with _locked(settings, database) as folder:
        state = database.read(catalogue.get("names_state"))[0]
        if not state["entities"]:
            raise InputError("the graph has no names yet; load a source first, such as: medgraph load sample")
        noted = _noted(folder)
        if noted is None or noted.state != state["state"] or not noted.joined:
            noted = _renewed(database, folder, state, noted)
    never = load_never(settings.home)
    return open_linker(folder, never), f"{noted.names}-{never.fingerprint}"


def _renewed(database: Database, folder: Path, state: Row, noted: PackedState | None) -> PackedState:
    """Join and pack again what a load may have changed, and only that: a load of documents leaves names alone."""
    content = database.read(catalogue.get("names_content"))[0]
    now = (f"{state['others']} {content['entities']}", content["documents"])
    if noted is None or not noted.joined or noted.entities != now[0]:
        note(_joining(database).summary())
    elif noted.documents == now[1]:
        return _note(folder, PackedState(state["state"], noted.names, True, *now))
    return _pack(database, folder, PackedState(state["state"], "", True, *now))


class GraphNames:
    """The linker of a graph's names: opened when it is first needed, and again where names were packed anew.

    Names that may have changed are packed anew where they are few, and joined before if it `joins`; of a large graph
    the former ones serve until `medgraph index` packs its new ones.
    """

    def __init__(self, settings: Settings, database: Database, *, joins: bool = False) -> None:
        self._settings = settings
        self._database = database
        self._joins = joins
        self._lock = threading.Lock()
        self.opened_lines: tuple[str, Linker] | None = None

    def __call__(self) -> Linker:
        """Give the linker; for a graph without names one that knows none."""
        state = self._database.read(catalogue.get("names_state"))[0]
        if not state["entities"]:
            return build_linker(())
        with self._lock:
            folder = names_folder(self._settings, self._database)
            noted = self._usable(_noted(folder), state) or self._packed_now(state)
            never = load_never(self._settings.home)
            names = f"{noted.names}-{never.fingerprint}"
            if self.opened_lines is None or self.opened_lines[0] != names:
                self.opened_lines = names, open_linker(folder, never)
            return self.opened_lines[1]

    def _usable(self, noted: PackedState | None, state: Row) -> PackedState | None:
        """Give what was packed where it serves: the names of now, or former ones of a large graph."""
        if noted is None or (self._joins and not noted.joined):
            return None
        return noted if noted.state == state["state"] or state["entities"] > FEW else None

    def _packed_now(self, state: Row) -> PackedState:
        """Pack names, unless another process has just done so."""
        with _locked(self._settings, self._database) as folder:
            if usable := self._usable(_noted(folder), state):
                return usable
            if self._joins:
                return _renewed(self._database, folder, state, _noted(folder))
            return _pack(self._database, folder, PackedState(state["state"], "", joined=False))


def index_names(settings: Settings, database: Database, encoder: Encoder | None = None) -> Joining:
    """Join entities and pack names; by an encoder, near names wait for a curator. It goes on where broken off."""
    from .nearest import NameVectors

    with _locked(settings, database) as folder:
        state = database.read(catalogue.get("names_state"))[0]["state"]
        vectors = NameVectors(folder.with_suffix(".vectors.npz"), encoder) if encoder else None
        joining = _joining(database, vectors)
        _pack(database, folder, PackedState(state, "", joined=True))
    return joining


def _joining(database: Database, vectors: NameVectors | None = None) -> Joining:
    """Join the graph's entities at concepts; questions over packed names do without what does so."""
    from .concepts import index_concepts

    return index_concepts(database, vectors)


@contextmanager
def _locked(settings: Settings, database: Database) -> Iterator[Path]:
    """Give the folder of a graph's names, to one at a time."""
    folder = names_folder(settings, database)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with locked(folder.with_suffix(".lock")):
        yield folder


def names_folder(settings: Settings, database: Database) -> Path:
    """Tell where a graph's packed names are; workers elsewhere open the linker from it."""
    graph = hashlib.sha256(f"{database.uri} {settings.neo4j_database}".encode()).hexdigest()[:12]
    return settings.home / "names" / graph


def _noted(folder: Path) -> PackedState | None:
    """Read what was noted of packed names; None where there are none, or they were packed in another way."""
    try:
        version, *noted = json.loads((folder / "state.json").read_text(encoding="utf-8"))
        return PackedState(*noted) if version == VERSION else None
    except (OSError, ValueError, TypeError):
        return None


def open_linker(folder: Path, never: StopNames) -> Linker:
    """Open packed names, with what curators settled to be none."""
    lexicon = Lexicon.load(folder)
    similar, vocabulary = Similar.load(folder, lexicon.text), Vocabulary.load(folder)
    return Linker(lexicon, Holdings.load(folder), never, similar, vocabulary)


def has_names(database: Database) -> bool:
    """Tell whether a graph has entities, and not documents alone."""
    return bool(database.read(catalogue.get("names_state"))[0]["entities"])


def build_linker(rows: Iterable[Row]) -> Linker:
    """Pack names in memory, of rows as `named_entities_of_concepts` gives them."""
    lexicon, holdings, similar, vocabulary = packed_names(rows)
    return Linker(lexicon, holdings, load_never(), similar, vocabulary)


def pack(folder: Path, rows: Iterable[Row]) -> None:
    """Pack names in a folder, of rows as `named_entities_of_concepts` gives them."""
    folder.mkdir(parents=True, exist_ok=True)
    for part in packed_names(rows):
        part.save(folder)


def _pack(database: Database, folder: Path, state: PackedState) -> PackedState:
    """Pack the graph's names, and note by which state, which lacks what they are."""
    fresh = folder.with_suffix(".new")
    shutil.rmtree(fresh, ignore_errors=True)
    pack(fresh, _rows(database))
    digest = hashlib.sha256()
    for file in sorted(fresh.glob("*.npy")):
        digest.update(file.read_bytes())
    noted = _note(fresh, state._replace(names=digest.hexdigest()[:16]))
    former = folder.with_suffix(".former")
    if _noted(folder) and not former.exists():
        folder.rename(former)
    shutil.rmtree(folder, ignore_errors=True)
    fresh.rename(folder)
    return noted


@contextmanager
def renamed_since(settings: Settings, database: Database, linker: Linker) -> Iterator[Renamed | None]:
    """Tell what names stand for since all texts were linked, where those of then are kept, until all are linked."""
    from .renamed import Renamed

    former = names_folder(settings, database).with_suffix(".former")
    never = load_never(settings.home)
    noted = _noted(former)
    yield Renamed(open_linker(former, never), linker, f"{noted.names}-{never.fingerprint}") if noted else None
    shutil.rmtree(former, ignore_errors=True)


def _note(folder: Path, noted: PackedState) -> PackedState:
    write_whole(folder / "state.json", json.dumps([VERSION, *noted]).encode())
    return noted


def _rows(database: Database) -> Iterator[Row]:
    with progress("packing names", "entity", None) as bar:
        for page in database.pages(catalogue.get("named_entities_of_concepts"), PAGE):
            yield from page
            bar.update(len(page))


_WORD: Final = re.compile(r"[^\W\d_]+")


def packed_names(rows: Iterable[Row]) -> tuple[Lexicon, Holdings, Similar, Vocabulary]:
    """Pack names, of rows as `named_entities_of_concepts` gives them, in memory, with what finds them misspelt."""
    collected = Collected()
    lexicon = Lexicon.build(_names(rows, collected))
    holdings = collected.packed()
    similar = Similar.build(_spellings(lexicon, holdings), lexicon.text)
    return lexicon, holdings, similar, Vocabulary.build(_words(lexicon, holdings))


def _names(rows: Iterable[Row], collected: Collected) -> Iterator[Named]:
    for row in rows:
        number = len(collected)
        collected.add(row)
        if row["obsolete"] and not row["documents"]:
            continue
        yield Named(number, row["name"], NAME)
        own = (row["name"], *row["synonyms"])
        lay = lay_names(own)
        # What the table has as a short form is what people mean by it, whatever else is called so.
        yield from (Named(number, name, NAME) for name in lay if ACRONYM.fullmatch(name))
        # What comes of too much of a drug is listed under its names, too.
        generic, brands = drug_names(() if row["label"] in CONDITIONS else own)
        others = [*row["synonyms"], *generic, *map(eponym, own), *(name for name in lay if not ACRONYM.fullmatch(name))]
        listed = is_list(row["id"].partition(":")[0])
        for name in dict.fromkeys(filter(None, others)):
            yield Named(number, name, LISTED if listed and not ACRONYM.fullmatch(name) else SYNONYM)
        yield from (Named(number, name, BRAND) for name in brands)
        yield from (Named(number, name, OTHER) for name in (*row["other_names"], *filter(None, map(tumor, own))))


def _spellings(lexicon: Lexicon, holdings: Holdings) -> Iterator[tuple[int, str]]:
    """Give each spelling once; symbols of genes are never misspelt names."""
    seen: set[int] = set()
    for number in range(len(lexicon)):
        if not holdings.is_gene(int(lexicon.entities[number])):
            spelling = plain(lexicon.text(number))
            key = hash(spelling)
            if key not in seen:
                seen.add(key)
                yield number, spelling


def _words(lexicon: Lexicon, holdings: Holdings) -> Iterator[str]:
    """Give the words of all names but genes' symbols."""
    for number in range(len(lexicon)):
        if not holdings.is_gene(int(lexicon.entities[number])):
            yield from set(_WORD.findall(lexicon.text(number).lower()))


# Columns of a table of mentions.
MENTIONS: Final = ("id", "start", "end", "surface", "concept", "entity", "ids", "score", "negated")
NAMES: Final = ("name", "concept", "entity", "ids", "score", "method")  # columns of a table of names
MAX_TEXT: Final = 10_000_000  # characters of a text, at most
_BLANKS: Final = dict.fromkeys(map(ord, "\t\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"), " ")


def link_texts(linker: Linker, path: Path, out: TextIO) -> int:
    """Write what JSON lines with `id` and `text` name, a mention a line; SourceFileError tells which line is none."""
    read = 0
    with opened_lines(path) as lines, progress("linking", "text", None) as bar:
        table = _table(out, MENTIONS)
        for key, text in _texts(path, lines):
            for linked, negated in mentions(linker, text):
                place = (_cell(key), linked.start, linked.end, _cell(text[linked.start : linked.end]))
                table.writerow((*place, *_ids(linker, linked), linked.score, int(negated)))
            read += 1
            bar.update(1)
    return read


def mentions(linker: Linker, text: str) -> Iterator[tuple[Linked, bool]]:
    """Find what a text names, in order, and whether it says that it is absent."""
    found = linker.text(text)
    places = ((linked.start, linked.end) for linked in found)
    for linked, (_, said) in zip(found, contexts(text, sentences(text), places), strict=True):
        yield linked, said.negated


def link_names(linker: Linker, path: Path, out: TextIO, top_k: int = 1) -> int:
    """Write what names stand for, the surest first, or empty fields; SourceFileError where the file is no text."""
    read = 0
    with opened_lines(path) as lines, progress("linking", "name", None) as bar:
        table = _table(out, NAMES)
        for name in lines:
            found = linker.name(name, top_k)
            for linked in found:
                table.writerow((_cell(name), *_ids(linker, linked), linked.score, linked.method))
            if not found:
                table.writerow((_cell(name), *[""] * (len(NAMES) - 1)))
            read += 1
            bar.update(1)
    return read


def _table(out: TextIO, columns: tuple[str, ...]) -> Any:
    table = csv.writer(out, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_NONE, quotechar=None)
    table.writerow(columns)
    return table


def _ids(linker: Linker, linked: Linked) -> tuple[str, str, str]:
    held = linker.holdings
    return (_cell(held.concept_id(linked.entity)), _cell(held.id(linked.entity)), _cell(held.ids(linked.entity)))


def _cell(text: str) -> str:
    """Keep a text in one cell: tabs and line ends become blanks, each one, so that lengths stay."""
    return sendable(text.translate(_BLANKS))


@contextmanager
def opened_lines(path: Path) -> Iterator[Iterator[str]]:
    """Open a file before anything is written, and give its lines."""
    try:
        file = path.open("rb")
    except OSError as error:
        raise SourceFileError(f"cannot be read: {error.strerror}", path) from error
    with file:
        yield _lines(path, file)


def _lines(path: Path, file: BinaryIO) -> Iterator[str]:
    number = 1
    try:
        for number, line in enumerate(file, start=1):
            yield line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise SourceFileError(f"the line is not text in UTF-8 ({error.reason}); save it so", path, number) from error


def _texts(path: Path, lines: Iterator[str]) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise SourceFileError(f"the line is no JSON: {error}; give an object a line", path, number) from error
        if not _is_text(row):
            example = '{"id": "1", "text": "\u2026"}'
            raise SourceFileError(f'the line needs an object with "id" and "text", such as {example}', path, number)
        if len(row["text"]) > MAX_TEXT:
            size = len(row["text"])
            raise SourceFileError(f"the text has {size:,} characters; {MAX_TEXT:,} are the most", path, number)
        yield str(row["id"]), row["text"]


def _is_text(row: Any) -> bool:
    if not isinstance(row, dict) or not isinstance(row.get("text"), str):
        return False
    return isinstance(row.get("id"), str | int) and not isinstance(row["id"], bool)
