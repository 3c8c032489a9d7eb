"""Questions that people may ask of what relations tell, made by rule: each like a patient's, and found by its document.

No source asks them. They are kept as `Question {generated: true}` beside the documents of the source `graph`, and are
searched only where these are.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from ..errors import InputError
from ..files import table_lines
from ..graph import catalogue
from ..graph.database import as_vector
from ..logistic import LogisticModel
from ..patterns import read_patterns, threshold
from ..progress import progress
from ..schema.vocabulary import CONDITIONS
from .message import find_intents
from .relation_sentences import in_sentence, is_plural, kinds
from .salience import rows_by_kind

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from ..embeddings.encoders.encoder import TextEncoder
    from ..graph.database import Database, Row
    from ..linking.linker import Linker
    from .entities import LinkerOf

PATIENTS: Final = Path(__file__).with_name("patients.tsv")
LEAST: Final = threshold("queries.made_questions.least")
SLOT: Final = "{x}"
PARTS: Final = ("wording", "name")
_DOUBT: Final = 0.5
_RULES: Final = read_patterns(Path(__file__).with_name("made_questions.tsv"))
_MANY: Final = 4


@dataclass(frozen=True, slots=True)
class PatientModel:
    """Estimates the likelihood that a patient would ask a question so, with few, readable counts.

    A question is looked at in two parts: its wording, with `{x}` for what it is about, and the name that stands there.
    The model is fitted to what people wrote to a library (MeQSum's messages) beside the questions that MedQuAD's pages
    pose and the names that vocabularies have; `patients.tsv` holds how often each saw a pair of words or a trait.
    """

    # part (`wording` or `name`) → pair of words or trait → how many of patients, and of pages, have it
    seen: Mapping[str, Mapping[str, tuple[int, int]]]
    totals: Mapping[str, tuple[int, int]]  # part → how many there are of patients, and of pages
    weights: Mapping[str, float]  # what each part's likelihood counts, with `always`
    words: Container[str]  # words that several patients wrote

    def likeness(self, wording: str, name: str) -> float:
        """Tell how likely it is, from 0 to 1, that a patient asks so."""
        odds = {"wording": self._odds("wording", pairs(wording)), "name": self._odds("name", traits(name, self.words))}
        return LogisticModel(self.weights).likely({"always": 1.0, **odds})

    def _odds(self, part: str, marks: Iterable[str]) -> float:
        """Tell how much likelier patients than pages write a part: the mean of log-odds."""
        patients, pages = self.totals[part]
        odds = []
        for mark in marks:
            asked, posed = self.seen[part].get(mark, (0, 0))
            odds.append(math.log((asked + _DOUBT) / (patients + 1)) - math.log((posed + _DOUBT) / (pages + 1)))
        return sum(odds) / len(odds) if odds else 0.0


def pairs(wording: str) -> Sequence[str]:
    """Cut a wording into pairs of neighbouring words in small letters; `<` and `>` stand for its ends."""
    words = ["<", *(word.lower() for word in _RULES["word"].findall(wording)), ">"]
    return [f"{one} {other}" for one, other in pairwise(words)]


def traits(name: str, words: Container[str]) -> Sequence[str]:
    """Say how a name looks: `short`, `comma`, `all known`."""
    parts = [word.lower() for word in _RULES["word"].findall(name)]
    known = sum(word in words for word in parts)
    marks = {
        "short": len(parts) < _MANY,
        "long": len(parts) >= _MANY,
        "comma": "," in name,
        "digit": any(letter.isdigit() for letter in name),
        "bracket": any(letter in "()[]/" for letter in name),
        "all known": known == len(parts),
        "some known": 0 < known < len(parts),
        "none known": bool(parts) and not known,
    }
    return [mark for mark, there in marks.items() if there]


@cache
def patients_model() -> PatientModel:
    """Read the model that the package has."""
    return load(PATIENTS)


def load(path: Path) -> PatientModel:
    """Read a model: a table of weights, totals, counts and words."""
    rows = rows_by_kind(path)
    weights = {name: float(value) for name, value in rows["weight"]}
    counts = {
        kind: {mark: (int(patients), int(pages)) for mark, patients, pages in rows[kind]} for kind in (*PARTS, "all")
    }
    totals = counts.pop("all")
    return PatientModel(counts, totals, weights, frozenset(word for (word,) in rows["word"]))


VERSION: Final = "1"  # changes with the rules of this file
MOST: Final = 4  # questions of a document, at most
TRIED: Final = 6  # wordings that are tried for a document
# A question's own document is among this many that are nearest to it, of all that tell what relations do.
FIRST: Final = 5
NAMES: Final = 2  # names of a concept that are used: its title, and the one that patients are likeliest to write
_PAGE: Final = 500
_BATCH: Final = 256
_LONGEST: Final = 60

# Kinds that have no words of their own, with what questions for them may be read as; empty for nothing.
_UNDERSTOOD_AS: Final[dict[str, frozenset[str]]] = {
    "indication": frozenset({"", "information", "treatment"}),
    "how does it work": frozenset({"", "information"}),
    "information": frozenset({"", "information"}),
}
TABLE: Final = Path(__file__).with_name("frames.tsv")
# What a wording may be about: what people have, what they are given for it, or both.
_ABOUT: Final = ("condition", "given", "any")


@dataclass(frozen=True, slots=True)
class Frame:
    """A wording."""

    kind: str  # the kind of section that answers it
    about: str  # `condition` for what people have, `given` for what they are given for it, or `any`
    origin: str  # where it is from: `medquad`, whose pages ask so, or `everyday`, written by hand
    times: int  # how many questions ask so; 0 where it was written by hand
    text: str  # the question, with `{x}` for what it is about, and `<is|are>` by its number


@dataclass(frozen=True, slots=True)
class DraftQuestion:
    """A question that may be asked: its wording, with `{x}` for what it is about, what stands there, and its origin."""

    wording: str
    name: str
    origin: str

    @property
    def text(self) -> str:
        """The question."""
        asked = self.wording.replace(SLOT, self.name)
        return f"{asked[:1].upper()}{asked[1:]}"


@dataclass(slots=True)
class MadeQuestions:
    """How many documents questions were made for, and questions were tried, left out and kept."""

    documents: int = 0
    tried: int = 0
    unlike: int = 0  # those not like a patient's
    misread: int = 0  # those not read as asking for the document's kind, or its concept
    unfound: int = 0  # those that do not find their document
    kept: int = 0

    def summary(self) -> str:
        """Say it in a sentence."""
        return (
            f"{self.kept:,} questions made for {self.documents:,} documents; of {self.tried:,}, {self.unlike:,} were "
            f"not like a patient's, {self.misread:,} are not read as meant, {self.unfound:,} do not find their document"
        )


def make_questions(database: Database, encoder: TextEncoder, linker: LinkerOf) -> MadeQuestions:
    """Make questions for documents of new or changed relations; after a DatabaseError a second call goes on."""
    stale = []
    for rows in database.pages(catalogue.get("told_documents"), _PAGE):
        for row in rows:
            row["called"] = _called(row)
            row["made"] = _fingerprint(encoder.name, row)
            if row["asked"] != row["made"]:
                stale.append(row)
    if not stale:
        return MadeQuestions()
    maker = _Maker(database, encoder, linker())
    with progress("making questions", "document", len(stale)) as bar:
        for start in range(0, len(stale), _BATCH):
            maker.make(stale[start : start + _BATCH])
            bar.update(len(stale[start : start + _BATCH]))
    return maker.made


class _Maker:
    """Tries questions, and keeps the good ones."""

    def __init__(self, database: Database, encoder: TextEncoder, linker: Linker) -> None:
        self._database = database
        self._encoder = encoder
        self._linker = linker
        self._documents, self._vectors = _vectors(database, encoder)
        self._meant: dict[tuple[str, str], bool] = {}
        self.made = MadeQuestions()

    def make(self, rows: Sequence[Row]) -> None:
        """Make questions for some documents, and store them."""
        good = [(row, one) for row in rows for one in self._understood(row)]
        texts = list(dict.fromkeys(one.text for _, one in good))
        vectors = dict(zip(texts, self._encoder.encode(texts), strict=True)) if texts else {}
        kept: dict[str, list[tuple[DraftQuestion, int]]] = {row["id"]: [] for row in rows}
        for row, one in good:
            rank = self._rank(row["id"], vectors[one.text])
            if rank > FIRST:
                self.made.unfound += 1
            elif len(kept[row["id"]]) < MOST:
                kept[row["id"]].append((one, rank))
        self.made.documents += len(rows)
        self.made.kept += sum(map(len, kept.values()))
        self._database.write(
            catalogue.get("write_made_questions"),
            rows=[_stored(row, kept[row["id"]], vectors) for row in rows],
            model=self._encoder.name,
        )

    def _understood(self, row: Row) -> Iterator[DraftQuestion]:
        """Give questions that are like a patient's, and that medgraph reads as they are meant."""
        for one in candidates(row["kind"], row["label"], list(row["called"]), row["concept"], TRIED):
            self.made.tried += 1
            if patients_model().likeness(one.wording, one.name) < LEAST:
                self.made.unlike += 1
            elif not (asks_for(one.text, row["kind"]) and self._means(one, row["concept"])):
                self.made.misread += 1
            else:
                yield one

    def _means(self, one: DraftQuestion, concept: str) -> bool:
        """Tell whether the linker takes a question's name for the concept; a name is looked at in one question."""
        if (one.name, concept) not in self._meant:
            concept_id = self._linker.holdings.concept_id
            self._meant[one.name, concept] = any(
                linked.score == place[0].score and concept_id(linked.entity) == concept
                for place in self._linker.question(one.text)
                for linked in place
            )
        return self._meant[one.name, concept]

    def _rank(self, document: str, vector: NDArray[np.float32]) -> int:
        own = self._documents.get(document)
        if not own:
            return FIRST + 1
        near = self._vectors @ vector
        return int((near > near[own].max()).sum()) + 1


def _vectors(database: Database, encoder: TextEncoder) -> tuple[dict[str, list[int]], NDArray[np.float32]]:
    documents: dict[str, list[int]] = {}
    vectors: list[NDArray[np.float32]] = []
    for rows in database.pages(catalogue.get("told_vectors"), 2 * _PAGE, model=encoder.name):
        for row in rows:
            documents.setdefault(row["document"], []).append(len(vectors))
            vectors.append(np.asarray(row["vector"], dtype=np.float32))
    return documents, np.stack(vectors) if vectors else np.zeros((0, encoder.dimension), dtype=np.float32)


def _called(row: Row) -> dict[str, Sequence[str]]:
    """Choose names to ask by, with the sources that give each: the title, and what patients are likeliest to write."""
    given: dict[str, set[str]] = {}
    for one in row["names"]:
        name = in_sentence(one["name"], (), row["label"])
        if len(name) <= _LONGEST:
            given.setdefault(name, set()).update(one["sources"])
    title = in_sentence(row["title"], (), row["label"])
    title = next((name for name in given if name.lower() == title.lower()), title)
    model = patients_model()
    others = [name for name in given if name.lower() != title.lower()]
    others.sort(key=lambda name: (-round(model.likeness(SLOT, name), 3), len(name), name))
    chosen = [name for name in (title, *others) if not _RULES["written only"].search(name)][:NAMES]
    return {name: sorted(given.get(name, ())) for name in chosen}


def asks_for(text: str, kind: str) -> bool:
    """Tell whether a question is read as asking for a kind, or as what one without words of its own is read as."""
    intents = find_intents(text)
    return kind in intents or bool(_UNDERSTOOD_AS.get(kind, frozenset()) & set(intents or ("",)))


def _stored(row: Row, kept: Sequence[tuple[DraftQuestion, int]], vectors: Mapping[str, NDArray[np.float32]]) -> Row:
    questions = [
        {
            "id": f"{row['id']}?{_short(one.text)}",
            "text": one.text,
            "name": one.name,
            "named_by": row["called"][one.name],
            "origin": one.origin,
            "likeness": round(patients_model().likeness(one.wording, one.name), 3),
            "rank": rank,
            "vector": as_vector(vectors[one.text]),
        }
        for one, rank in kept
    ]
    return {"document": row["id"], "section": row["section"], "asked": row["made"], "questions": questions}


def _fingerprint(encoder: str, row: Row) -> str:
    return _short("\0".join([_rules(), encoder, *(f"{name} {','.join(by)}" for name, by in row["called"].items())]))


@cache
def _rules() -> str:
    return _short("\0".join([VERSION, *(file.read_text(encoding="utf-8") for file in (TABLE, PATIENTS))]))


def _short(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def chosen(text: str, name: str) -> str:
    """Choose the verbs of a wording.

    Example:
        >>> chosen("What <is|are> {x}?", "kidney stones")
        'What are {x}?'
    """
    return _RULES["verb"].sub(lambda found: found[2 if is_plural(name) else 1], text)


@cache
def frames() -> tuple[Frame, ...]:
    """Read medgraph's wordings: kind of section, its subject, origin, times and wording; InputError for a bad line."""
    found = []
    for number, line in table_lines(TABLE):
        cells = line.split("\t")
        if problem := _problem(cells):
            raise InputError(f"{TABLE}:{number}: {problem}; write kind of section, about, origin, times, wording")
        kind, about, origin, times, text = cells
        found.append(Frame(kind, about, origin, int(times), text))
    return tuple(found)


def _problem(cells: Sequence[str]) -> str:
    if len(cells) != 5:
        return f"there are {len(cells)} columns"
    kind, about, _, times, text = cells
    if kind not in kinds():
        return f"no relation tells {kind!r}"
    if about not in _ABOUT:
        return f"{about!r} is none of {', '.join(_ABOUT)}"
    if not times.isdecimal():
        return f"{times!r} is no number"
    return "" if text.count(SLOT) == 1 else f"the wording has no {SLOT}, or several"


def candidates(kind: str, label: str, names: Sequence[str], key: str, most: int) -> list[DraftQuestion]:
    """Choose wordings for what people may ask of a concept, each once, with its names by turns.

    The same ones each time, and others of another concept, which `key` tells from others.
    """
    about = "condition" if label in CONDITIONS else "given"
    fitting = [frame for frame in frames() if frame.kind == kind and frame.about in {about, "any"}]
    fitting.sort(key=lambda frame: hashlib.blake2b(f"{key} {frame.text}".encode(), digest_size=8).digest())
    several = []
    for place, frame in enumerate(fitting[:most] if names else ()):
        name = names[place % len(names)]
        several.append(DraftQuestion(chosen(frame.text, name), name, frame.origin))
    return several
