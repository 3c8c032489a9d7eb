"""How patients ask: wordings for questions that medgraph makes, and the model of what is like a patient's.

Wordings are learned from the questions that MedQuAD's pages pose, with the subject taken out, and stand beside those
that were written by hand. The model learns from sentences of MeQSum's messages that ask something, of the half to
choose by; it keeps pairs of words that several messages have, and no sentence.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..errors import InputError
from ..evaluation.logistic import fit as fit_logistic
from ..evaluation.questions import number, part_of
from ..files import table_lines, write_table
from ..graph import catalogue
from ..queries import patients
from ..queries.entities import find_mentions
from ..queries.frames import CONDITIONS, TABLE, Frame, chosen
from ..queries.lucene import all_words
from ..queries.message import parts_of
from ..queries.patients import LEAST_SEEN, PARTS, SLOT, Model, pairs, traits
from ..queries.sentences import kinds

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from ..evaluation.messages import Message
    from ..graph.database import Database
    from ..queries.entities import LinkerOf

    Example = tuple[str, str]
    """A wording, and the name that stands in its slot; empty where it has none."""

SOURCE: Final = "medquad"
EVERYDAY: Final = Path(__file__).with_name("everyday.tsv")
LEAST_POSED: Final = 20
"""Questions that pose a wording before it is a pattern, not one page's."""

NAMES: Final = 2000
"""Names of vocabularies that patients' are compared with."""

_FOLDS: Final = 4
_RIDGE: Final = 0.1
_SHORTEST, _LONGEST = 3, 25
_FEWEST: Final = 20
_NAMED: Final = CONDITIONS | {"Drug", "Chemical", "DrugClass", "Treatment"}
_BOTH: Final = re.compile(r"(?<!\w)(is|are|does|do|has|have)(?: \((?:is|are)\))? (?=\{x\})", re.IGNORECASE)
_NUMBERS: Final = {
    "is": "is|are",
    "are": "is|are",
    "does": "does|do",
    "do": "does|do",
    "has": "has|have",
    "have": "has|have",
}


@dataclass(frozen=True, slots=True)
class Learned:
    """What was learned.

    Attributes:
        frames: Wordings.
        model: The model.
        words: Words that several patients wrote.
        card: How much it was learned from, and how well patients are told from pages, by messages that are left out.
    """

    frames: tuple[Frame, ...]
    model: Model
    words: frozenset[str]
    card: dict[str, Any]


def learn(database: Database, linker: LinkerOf, messages: Sequence[Message]) -> Learned:
    """Learn how patients ask.

    Args:
        database: The graph, with MedQuAD loaded.
        linker: Gives what finds names.
        messages: Messages of the half to choose by.

    Returns:
        What was learned.

    Raises:
        InputError: The graph has nothing of MedQuAD, or there are too few messages.
        DatabaseError: The database refused or went away.
    """
    posed = database.read(catalogue.get("posed_questions"), source=SOURCE)
    if not posed:
        raise InputError("wordings are learned from MedQuAD, which the graph lacks; run: medgraph load medquad PATH")
    asked = [(message.id, one) for message in messages for one in _asked(database, linker, message.text)]
    if len(asked) < _FEWEST:
        raise InputError(f"{len(asked)} questions of messages are too few to learn from; give the table of MeQSum")
    wordings = _posed(posed)
    words = _words(messages)
    names = _names(posed)
    posing = {text: names[number(text) % len(names)] for _, _, text in wordings}
    pages = [(chosen(text, name), name) for text, name in posing.items()]
    pages += [("", name) for name in names]
    model, figures = _fitted(asked, pages, words)
    card = {
        "messages": len(messages),
        "questions of messages": len(asked),
        "wordings of pages": len(posing),
        "names": len(names),
    }
    return Learned(_frames(wordings), model, words, card | figures)


def write_files(database: Database, linker: LinkerOf, messages: Sequence[Message], folder: Path) -> dict[str, Any]:
    """Learn how patients ask, and write it down.

    Args:
        database: The graph, with MedQuAD loaded.
        linker: Gives what finds names.
        messages: Messages of the half to choose by.
        folder: Where `frames.tsv` and `patients.tsv` are put.

    Returns:
        How much it was learned from, and how well patients are told from pages.

    Raises:
        InputError: The graph has nothing of MedQuAD, or there are too few messages.
        DatabaseError: The database refused or went away.
        OSError: A file cannot be written.
    """
    learned = learn(database, linker, messages)
    folder.mkdir(parents=True, exist_ok=True)
    made_by = (
        f"by `medgraph train patients FOLDER --messages meqsum.csv`, from {learned.card['wordings of pages']} wordings"
    )
    made_by += " of MedQuAD's pages (CC BY 4.0), half dev"
    rows = ((one.kind, one.about, one.origin, str(one.times), one.text) for one in learned.frames)
    columns = "kind\tabout\torigin\tquestions that ask so\twording"
    write_table(folder / TABLE.name, f"{made_by}, and those of training/everyday.tsv", columns, rows)
    made_by += f", and {learned.card['questions of messages']} questions in {len(messages)} messages of MeQSum"
    patients.write(learned.model, learned.words, folder / patients.FILE.name, f"{made_by} (CC BY 4.0), half dev")
    return learned.card


def _posed(rows: Sequence[dict[str, Any]]) -> Counter[tuple[str, str, str]]:
    """Count wordings of pages of the half to choose by: kind, what they are about, wording."""
    found: Counter[tuple[str, str, str]] = Counter()
    for row in rows:
        if part_of(row["names"][0].lower()) != "dev":
            continue
        text = " ".join(row["text"].split())
        for name in sorted(row["names"], key=lambda name: -len(name)):
            at = text.lower().find(name.lower())
            if at >= 0:
                text = f"{text[:at]}{SLOT}{text[at + len(name) :]}"
                break
        if text.count(SLOT) == 1:
            about = "condition" if row["label"] in CONDITIONS else "given"
            found[row["type"], about, _plain(text)] += 1
    return found


def _plain(text: str) -> str:
    """Write a wording as people do: its mark at its end, and verbs by the number of what it is about."""
    text = f"{re.sub(r'[ ?]+$', '', text)}?"
    text = _BOTH.sub(lambda found: f"<{_NUMBERS[found[1].lower()]}> ", text)
    text = re.sub(r"^<(\w)(\w+)\|(\w)(\w+)>", lambda f: f"<{f[1].upper()}{f[2]}|{f[3].upper()}{f[4]}>", text)
    return f"{text[:1].upper()}{text[1:]}"


def _frames(wordings: Counter[tuple[str, str, str]]) -> tuple[Frame, ...]:
    """Put what several pages ask beside what was written by hand."""
    told = list(kinds())
    found = [
        Frame(kind, about, SOURCE, times, text)
        for (kind, about, text), times in wordings.items()
        if kind in kinds() and times >= LEAST_POSED
    ]
    for _, line in table_lines(EVERYDAY):
        kind, about, text = line.split("\t")
        found.append(Frame(kind, about, "everyday", 0, text))
    return tuple(sorted(found, key=lambda one: (told.index(one.kind), one.about, -one.times, one.text)))


def _asked(database: Database, linker: LinkerOf, text: str) -> list[Example]:
    """Give the questions of a message, each with what it is about taken out."""
    found = []
    for part in parts_of(text):
        if part.kind != "asks" or not _SHORTEST <= len(part.text.split()) <= _LONGEST:
            continue
        mentions = [one for one in find_mentions(database, linker(), part.text) if one.label in _NAMED]
        if mentions:
            first = mentions[0]
            found.append((part.text[: first.start] + SLOT + part.text[first.end :], first.surface))
        else:
            found.append((part.text, ""))
    return found


def _words(messages: Sequence[Message]) -> frozenset[str]:
    """Give the words that several messages have."""
    seen = Counter(word for message in messages for word in set(all_words(message.text)))
    return frozenset(word for word, times in seen.items() if times >= LEAST_SEEN)


def _names(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Give names of subjects, and of nothing else, the same ones each time."""
    return sorted({name for row in rows for name in row["names"]}, key=number)[:NAMES]


def _fitted(
    asked: Sequence[tuple[str, Example]], pages: Sequence[Example], words: Collection[str]
) -> tuple[Model, dict[str, Any]]:
    """Count, and weigh what each part tells by messages and wordings that the counts have not seen."""
    evidence, labels = [], []
    for fold in range(_FOLDS):
        model = _counted(
            [one for name, one in asked if number(name) % _FOLDS != fold],
            [one for one in pages if number(" ".join(one)) % _FOLDS != fold],
            words,
        )
        left = [(one, 1.0) for name, one in asked if number(name) % _FOLDS == fold and one[1]]
        left += [(one, 0.0) for one in pages if number(" ".join(one)) % _FOLDS == fold and one[0]]
        evidence += [model.evidence(*one) for one, _ in left]
        labels += [label for _, label in left]
    features, truth = np.array(evidence), np.array(labels)
    if not 0 < (people := truth.sum()) < len(truth):
        raise InputError("no message names anything that the graph knows; load what it should know, such as MedQuAD")
    counts = np.where(truth == 1, 1 / people, 1 / (len(truth) - people)) * len(truth) / 2
    fitted = fit_logistic(features, truth, counts, _RIDGE)
    odds = np.c_[features, np.ones(len(features))] @ fitted
    whole = _counted([one for _, one in asked], pages, words)
    weights = dict(zip((*PARTS, "always"), map(float, fitted), strict=True))
    right = {
        "patients' questions taken for such": round(float((odds[truth == 1] > 0).mean()), 3),
        "pages' questions taken for such": round(float((odds[truth == 0] > 0).mean()), 3),
        "area under the curve": round(float((odds[truth == 1][:, None] > odds[truth == 0][None]).mean()), 3),
    }
    return Model(whole.seen, whole.totals, weights, whole.words), right


def _counted(asked: Sequence[Example], pages: Sequence[Example], words: Collection[str]) -> Model:
    """Count pairs of words and traits of names."""
    seen: dict[str, dict[str, list[int]]] = {part: defaultdict(lambda: [0, 0]) for part in PARTS}
    totals = {part: [0, 0] for part in PARTS}
    for side, examples in enumerate((asked, pages)):
        for wording, name in examples:
            for part, marks in (
                ("wording", pairs(wording) if wording else ()),
                ("name", traits(name, words) if name else ()),
            ):
                totals[part][side] += bool(marks)
                for mark in set(marks):
                    seen[part][mark][side] += 1
    return Model(
        {part: {mark: (two[0], two[1]) for mark, two in marks.items()} for part, marks in seen.items()},
        {part: (two[0], two[1]) for part, two in totals.items()},
        {"always": 0.0, "wording": 1.0, "name": 1.0},
        words,
    )
