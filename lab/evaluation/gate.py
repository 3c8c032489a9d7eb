"""The gate: frozen questions asked of a small graph, and whether answers, search or linking got worse.

What is asked, and of which pages, is frozen with what came of each; `gate_outcomes` compares. The graph is a part of
the data, loaded and indexed as a user does it. Vectors that an earlier run made of the same texts are used again where
the code that encodes is the same, and the encoder gives texts that are tried the same vectors as it did then, so that
another model or precision makes all of them anew.
"""

from __future__ import annotations

import csv
import hashlib
import json
import shutil
import tempfile
import time
import zipfile
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from medgraph.answers.assembly import Assembly
from medgraph.answers.scoring import rerank_by_sentences
from medgraph.answers.signs import KINDS
from medgraph.embeddings import encoders
from medgraph.embeddings.encoders.encoder import load_emergencies
from medgraph.embeddings.index import index
from medgraph.errors import InputError, SourceFileError
from medgraph.files import table_lines
from medgraph.linking.concepts import load_members
from medgraph.linking.mentions import index_links
from medgraph.linking.names import GraphNames, names_in_use
from medgraph.loaders.commands import load_all
from medgraph.progress import progress

from .gate_outcomes import AnswerOutcome, EmergencyOutcome, LinkingOutcome, Outcomes, ReadingOutcome
from .gate_sets import PAGES
from .graded import case_of, text_of
from .sets.grades import HELPS, NEAR, read_sentences
from .sets.mediqa import DEPTH, JudgedQuestion, ndcg
from .sets.mediqa import RankedAnswers as Found
from .sets.meqsum import load_all_messages
from .sets.pubtator import found_in, known_ids, named_rightly, read_corpus
from .statistics import number

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from medgraph.embeddings.encoders.encoder import TextEncoder
    from medgraph.embeddings.reranking import SentenceReader
    from medgraph.graph.database import Database
    from medgraph.settings import Settings

    from .gate_sets import GateSelection
    from .sets.grades import Grades, Quoted
    from .sets.meqsum import Message

TRIED: Final = 64  # texts that are encoded anew to tell whether vectors are the same
# How far the same number may be off where texts are encoded in other batches; other precisions are off by more.
CLOSE: Final = 1e-5

# Files that are loaded whole, below the folder of data: names that questions and abstracts are linked by.
WHOLE: Final = ("doid/NCIthesaurus.obo", "doid/DO_rare_slim.obo", "symp/symp.obo", "hpo/layperson-synonyms.tsv")
# All that the gate reads of the folder of data.
NEEDED: Final = (*PAGES.values(), *WHOLE, "questions/meqsum.csv", "ncbi-disease/devel.txt")

MODE: Final = "learned"  # the mode that is searched in: the default one
ABSTRACTS: Final = 60  # abstracts of the NCBI Disease corpus, development part
HALVES: Final = frozenset(("dev", "held"))  # parts of the messages that tell of, or mention, an emergency: 60 each


class KeptVectors:
    """Encodes passages as an encoder does, or takes their vectors from a file; all else is the encoder's."""

    def __init__(self, encoder: TextEncoder, folder: Path) -> None:
        self._encoder = encoder
        self._file = folder / f"{_fingerprint(encoder)}.npz"
        self._known: dict[bytes, NDArray[np.float32]] = {}
        if self._file.is_file():
            with np.load(self._file) as kept:
                self._known = dict(zip(map(bytes, kept["texts"]), kept["vectors"], strict=True))
        self._tried = not self._known

    def __getattr__(self, name: str) -> Any:
        return getattr(self._encoder, name)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Encode texts: `(texts, dimension)` float32 of unit length, in the order of the texts."""
        keys = [hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).digest() for text in texts]
        found = [place for place, key in enumerate(keys) if key in self._known][:TRIED]
        if found and not self._tried:
            made = self._encoder.encode([texts[place] for place in found])
            self._tried = True
            if not np.allclose(made, [self._known[keys[place]] for place in found], rtol=0, atol=CLOSE):
                self._known = {}
        lacking = [place for place, key in enumerate(keys) if key not in self._known]
        made = self._encoder.encode([texts[place] for place in lacking])
        self._known |= {keys[place]: vector for place, vector in zip(lacking, made, strict=True)}
        return np.array([self._known[key] for key in keys], dtype=np.float32).reshape(
            len(texts), self._encoder.dimension
        )

    def keep(self) -> None:
        """Write the file."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        texts = np.frombuffer(b"".join(self._known), dtype=np.uint8).reshape(len(self._known), -1)
        part = self._file.with_suffix(".part.npz")
        np.savez(part, texts=texts, vectors=np.array(list(self._known.values())))
        part.replace(self._file)


def _fingerprint(encoder: TextEncoder) -> str:
    code = hashlib.sha256(encoder.name.encode())
    for path in sorted(Path(str(encoders.__file__)).parent.glob("*.py")):
        code.update(path.read_bytes())
    return code.hexdigest()[:16]


def check(data: Path) -> None:
    """Make sure that the data is there."""
    if missing := [name for name in NEEDED if not (data / name).is_file()]:
        raise InputError(f"{data} lacks {', '.join(missing)}; name the folder of data with --data or MEDGRAPH_DATA")


def fill(
    database: Database, settings: Settings, data: Path, files: Mapping[str, Sequence[str]], encoder: TextEncoder
) -> None:
    """Load and index the part of the data."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for name in WHOLE:
            shutil.copyfile(data / name, folder / Path(name).name)
        _write_archive(data / PAGES["medquad"], files["medquad"], folder / "medquad.zip")
        _write_abstracts(data / PAGES["pubmedqa"], files["pubmedqa"], folder / "pqal_dev.json")
        _write_table(data / PAGES["disease-tables"], files["disease-tables"], folder / "format_dataset.csv")
        for loaded in load_all(database, settings, folder):
            if loaded.report is None or loaded.report.rejected:
                raise InputError(f"{loaded.path.name} was not loaded whole: {loaded.reason or 'records were rejected'}")
    kept = KeptVectors(encoder, settings.cache / "gate")
    index(database, cast("TextEncoder", kept), "all")
    kept.keep()
    index_links(database, *names_in_use(settings, database))


def _write_archive(path: Path, names: Sequence[str], part: Path) -> None:
    with zipfile.ZipFile(path) as whole, zipfile.ZipFile(part, "w") as archive:
        known = set(whole.namelist())
        for name in names:
            if name not in known:
                raise SourceFileError(f"lacks {name}; freeze the gate anew", path)
            archive.writestr(name, whole.read(name))


def _write_abstracts(path: Path, names: Sequence[str], part: Path) -> None:
    whole = json.loads(path.read_text(encoding="utf-8"))
    if missing := [name for name in names if name not in whole]:
        raise SourceFileError(f"lacks {missing[0]}; freeze the gate anew", path)
    part.write_text(json.dumps({name: whole[name] for name in names}), encoding="utf-8")


def _write_table(path: Path, names: Sequence[str], part: Path) -> None:
    with path.open(encoding="utf-8", newline="") as whole, part.open("w", encoding="utf-8", newline="") as table:
        rows, wanted = csv.DictReader(whole), {*names}
        written = csv.DictWriter(table, rows.fieldnames or ())
        written.writeheader()
        written.writerows(row for row in rows if row["disease"] in wanted)


@dataclass(frozen=True, slots=True)
class Inputs:
    """What the gate reads."""

    grades: Mapping[str, Grades]  # set → its grades
    sentences: Mapping[Quoted, int]
    messages: Mapping[str, Message]  # id → question, with its message where there is one
    emergencies: Mapping[str, str]  # message → its kind of emergency; empty for what only mentions one


def read_inputs(data: Path, folder: Path, grades: Mapping[str, Grades]) -> Inputs:
    """Read what the gate asks by."""
    tables = (data / "questions" / "meqsum.csv", folder / "everyday.csv")
    emergencies = [line.split("\t") for _, line in table_lines(folder / "emergencies.tsv")]
    mentions = [line.split("\t") for _, line in table_lines(folder / "mentions.tsv")]
    told = {text: kind for half, kind, text in emergencies if half in HALVES}
    return Inputs(
        grades,
        read_sentences(folder / "sentences.tsv"),
        {one.id: one for table in tables for one in load_all_messages(table)},
        told | {text: "" for half, text in mentions if half in HALVES},
    )


class _CachedReader:
    """Reads as a reader of sentences does, and reads the same once: what is asked is measured once more by itself."""

    def __init__(self, reader: SentenceReader) -> None:
        self._reader = reader
        self._read: dict[tuple[str, ...], NDArray[np.float32]] = {}

    def describe(self, question: str, sentences: Sequence[str]) -> NDArray[np.float32]:
        """Read a question together with each of several sentences."""
        key = (question, *sentences)
        if key not in self._read:
            self._read[key] = self._reader.describe(question, sentences)
        return self._read[key]


class Gate:
    """Asks everything of a graph that is ready."""

    def __init__(
        self,
        database: Database,
        settings: Settings,
        encoder: Callable[[], TextEncoder],
        sentence_reader: Callable[[], SentenceReader | None],
        inputs: Inputs,
    ) -> None:
        names = GraphNames(settings, database)
        reader = sentence_reader()
        self._reader = cast("SentenceReader", _CachedReader(reader)) if reader else None
        self._database, self._linker = database, names
        self._inputs, self._found = inputs, Outcomes()
        without_reading = Assembly(database, encoder, names, load_emergencies=partial(load_emergencies, settings))
        reading = replace(without_reading, load_sentence_reader=lambda: self._reader)
        self._retriever, self._answerer = reading.retriever, reading.answerer
        # Whether a text is an emergency is told before anything is read.
        self._without_reading = without_reading.answerer

    def run(self, chosen: GateSelection, corpus: Path) -> Outcomes:
        """Ask everything."""
        asked = [
            (name, self._inputs.messages[question], kind)
            for name, ids in chosen.questions.items()
            for question in ids
            for kind in KINDS
            if text_of(self._inputs.messages[question], kind)
        ]
        for text in [text_of(one, kind) for _, one, kind in asked[:2]]:
            self._retriever.search(text, mode=MODE, top_k=DEPTH)  # whatever is loaded at first use counts for nothing
            self._answerer.ask(text)
        with progress("asking", "question", len(asked) + len(self._inputs.emergencies)) as bar:
            for name, message, kind in asked:
                self._found.asked.append(self._ask(name, message, kind))
                if kind == KINDS[0]:
                    self._score_sentences(message)
                bar.update(1)
            for text, kind in self._inputs.emergencies.items():
                kinds = [urgent.kind for urgent in self._without_reading.ask(text).urgent]
                self._found.alarms.append(EmergencyOutcome(text, kind, kind in kinds if kind else bool(kinds)))
                bar.update(1)
        self._link(corpus)
        return self._found

    def _ask(self, name: str, message: Message, kind: str) -> AnswerOutcome:
        text, grades = text_of(message, kind), self._inputs.grades[name][message.id]
        started = time.perf_counter()
        hits = self._retriever.search(text, mode=MODE, top_k=DEPTH)
        searched = time.perf_counter()
        answer = self._answerer.ask(text)
        self._found.searching.append((searched - started) * 1000)
        self._found.asking.append((time.perf_counter() - searched) * 1000)
        gains = {section: grade - 1 for section, grade in grades.items()}
        reached = None
        if max(grades.values()) >= NEAR:
            results = Found([hit.section for hit in hits if hit.section], {}, {})
            reached = round(ndcg([JudgedQuestion(message.id, text, kind, gains)], [results])[0], 6)
        case = case_of(answer, grades)
        return AnswerOutcome(
            name, message.id, kind, case["answerable"], case["status"], case["first"], case["best"], reached
        )

    def _score_sentences(self, message: Message) -> None:
        """Read a question with the sentences that are found, and keep how likely those that were graded help."""
        graded: dict[tuple[str, int, int], int] = {}
        for (question, _, section, start, end), grade in self._inputs.sentences.items():
            if question == message.id:
                graded[section, start, end] = max(grade, graded.get((section, start, end), 0))
        if not graded or self._reader is None:
            return
        found: dict[tuple[str, int, int], float] = {}
        for part, evidence in self._answerer.parts_weighed(message.short):
            for item in rerank_by_sentences(part.question.text, evidence, self._reader.describe):
                for said in item.sentences:
                    key = (item.section.section, said.candidate.start, said.candidate.end)
                    found[key] = max(said.helps or 0.0, found.get(key, 0.0))
        self._found.read.append(
            ReadingOutcome(
                message.id,
                tuple(round(found.get(key, 0.0), 4) for key in graded),
                tuple(grade >= HELPS for grade in graded.values()),
            )
        )

    def _link(self, corpus: Path) -> None:
        known = known_ids(load_members(self._database))
        linker = self._linker()
        texts = sorted(read_corpus(corpus), key=lambda text: number(f"{text.id} gate"))[:ABSTRACTS]
        for text in texts:
            named, _ = named_rightly(text, known, linker)
            self._found.linked.append(LinkingOutcome(text.id, *found_in(text, known, linker), named))


def run(
    database: Database,
    settings: Settings,
    encoder: Callable[[], TextEncoder],
    sentence_reader: Callable[[], SentenceReader | None],
    data: Path,
    inputs: Inputs,
    chosen: GateSelection,
) -> Outcomes:
    """Fill a graph, and ask everything of it."""
    fill(database, settings, data, chosen.files, encoder())
    return Gate(database, settings, encoder, sentence_reader, inputs).run(chosen, data / "ncbi-disease" / "devel.txt")
