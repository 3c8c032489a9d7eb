"""The role of a mention towards the condition that its section is about: what treats it, causes it or worsens it.

A multinomial logistic regression tells it over the words around the mention, with names masked; `role_words.tsv` groups
words that tell much the same. `medgraph train roles` makes its weights, `roles.tsv`.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from ..errors import InputError
from ..files import table_lines, write_table
from ..logistic import sigmoids
from ..patterns import read_patterns, small
from ..schema.vocabulary import CONDITIONS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

_WORDS: Final = Path(__file__).with_name("role_words.tsv")
MEANS: Final = ("Drug", "Chemical", "DrugClass", "Treatment")

# Label → what stands for a name in features.
MARKS: Final = (
    dict.fromkeys(CONDITIONS, "@c") | dict.fromkeys(MEANS, "@d") | {"Test": "@t", "Gene": "@g", "Organism": "@o"}
)
# What stands for the section's subject, and for names of other labels.
SUBJECT: Final = "@s"
OTHER: Final = "@n"
_RULES: Final = read_patterns(Path(__file__).with_name("sentence_roles.tsv"))
_SHORT: Final = 3  # words of a head that refers to the sentence before: `These things include`
_REACH: Final = 600  # characters from the head of a list to what stands in it, at most
_LISTED: Final = frozenset((",", "and", "or", "@c", "@d", "@t", "@g", "@o", "@n", "(", ")", "-", "*", "\u2022"))
_BREAK: Final = frozenset(".;:")


@dataclass(frozen=True, slots=True)
class Name:
    """A name in a text, and what stands for it in features (MARKS)."""

    start: int
    end: int
    mark: str


@dataclass(frozen=True, slots=True)
class SentenceWords:
    """A sentence in words, with the kinds of role_words.tsv, numbers of those that have one (`cues`), and names."""

    tokens: list[str]
    kinds: list[str]
    cues: list[int]
    subjects: list[int]
    breaks: list[int]
    at: dict[int, int]  # where a name begins in the text → number of its token
    always: list[str]  # features that all mentions in it have


NOTHING: Final = SentenceWords([], [], [], [], [], {}, [])


def words_of(text: str, sentence: tuple[int, int], names: Sequence[Name]) -> SentenceWords:
    """Cut a sentence into words; of names that overlap the first one counts."""
    (place, stop), tokens = sentence, list[str]()
    at: dict[int, int] = {}
    for name in names:
        if name.start < place or name.end > stop:
            continue
        tokens += _RULES["token"].findall(small(text[place : name.start]))
        at[name.start] = len(tokens)
        tokens.append(name.mark)
        place = name.end
    tokens += _RULES["token"].findall(small(text[place:stop]))
    tokens = ["0" if token.isdigit() else token for token in tokens]
    kinds = [*map(_kinds().get, tokens, repeat(""))]
    return SentenceWords(
        tokens,
        kinds,
        [number for number, kind in enumerate(kinds) if kind],
        [number for number, token in enumerate(tokens) if token == SUBJECT],
        [number for number, token in enumerate(tokens) if token in _BREAK],
        at,
        [f"has {kind}" for kind in sorted({*kinds} - {""})],
    )


def head_of(text: str, start: int) -> str:
    """Give the head of the list that a place is in (`You should avoid eating`); empty where there is none near."""
    window = text[max(0, start - _REACH) : start]
    ends = [found.end() for found in _RULES["head"].finditer(window)]
    if not ends:
        return ""
    *before, last = _RULES["head begins"].split(window[: ends[-1]].rstrip(": \n\t"))
    return f"{before[-1]} {last}" if before and len(last.split()) <= _SHORT else last


def described(
    text: str, kind: str, spans: Sequence[tuple[int, int]], names: Sequence[Name], judged: Mapping[int, str]
) -> dict[int, tuple[str, list[str]]]:
    """Map where each labelled mention of a section begins to label and features, unless it leaves its sentence."""
    found: dict[int, tuple[str, list[str]]] = {}
    starts, places = [name.start for name in names], sorted(judged)

    @cache
    def cut(span: tuple[int, int]) -> SentenceWords:
        return words_of(text, span, names[bisect_left(starts, span[0]) : bisect_left(starts, span[1])])

    for number, span in enumerate(spans):
        for start in places[bisect_left(places, span[0]) : bisect_left(places, span[1])]:
            if (place := cut(span).at.get(start)) is not None:
                before = cut(spans[number - 1]) if number else NOTHING
                label, head = judged[start], _listed(head_of(text, start))
                found[start] = (label, features(cut(span), place, kind, label, head, before))
    return found


@lru_cache(maxsize=1024)
def _listed(head: str) -> SentenceWords:
    return words_of(head, (0, len(head)), ())


def features(
    words: SentenceWords, place: int, kind: str, label: str, head: SentenceWords, before: SentenceWords
) -> list[str]:
    """Describe a mention of a label, in a list with a head."""
    mark = MARKS[label]
    found = ["", f"kind {kind}", f"mark {mark}", f"kind {kind} {mark}"]
    found += _near(words, place)
    found += _cues(words, place, f"{kind} {mark}")
    found += _subject(words, place)
    found += [f"begins {token}" for token in words.tokens[: min(place, 5)]]
    if head.tokens:
        last = head.tokens[-10:]
        found += [f"head {token}" for token in last]
        found += [f"head {one} {two}" for one, two in pairwise(last)]
        found += [f"head is {one}" for one in {*filter(None, head.kinds[-10:])}]
    found += [f"before is {one}" for one in {*filter(None, before.kinds[-25:])}]
    return found


def _near(words: SentenceWords, place: int) -> Iterator[str]:
    """Give words and pairs of words before and behind, nearer ones with how near."""
    tokens = words.tokens
    ahead, behind = ["^", *tokens[max(0, place - 12) : place]], [*tokens[place + 1 : place + 9], "$"]
    yield f"< {ahead[-1]}"
    yield f"> {behind[0]}"
    yield f"<< {' '.join(ahead[-2:])}"
    yield f">> {' '.join(behind[:2])}"
    yield f"<<< {' '.join(ahead[-3:])}"
    yield f"<> {ahead[-1]} {behind[0]}"
    for token in {*ahead[-5:]}:
        yield f"<5 {token}"
    for token in {*ahead}:
        yield f"<12 {token}"
    for token in {*behind}:
        yield f">8 {token}"
    for one, two in pairwise(ahead[-7:]):
        yield f"<2 {one} {two}"
    for one, two in pairwise(behind[:6]):
        yield f">2 {one} {two}"
    first = place - 1
    while first >= 0 and (tokens[first] in _LISTED or (first > 0 and tokens[first - 1] in _LISTED)):
        first -= 1
    if first < place - 1:
        yield f"list < {tokens[first] if first >= 0 else '^'}"
        yield f"list << {' '.join(tokens[max(0, first - 1) : first + 1])}"


def _cues(words: SentenceWords, place: int, kind: str) -> Iterator[str]:
    """Give the kinds of the nearest telling words before and behind, and of the whole sentence."""
    first = bisect_left(words.cues, place)
    ahead = [(at, words.kinds[at]) for at in reversed(words.cues[max(0, first - 4) : first]) if at > place - 60]
    behind = [(at, words.kinds[at]) for at in words.cues[first : first + 3] if at < place + 25]
    clause = bisect_left(words.breaks, place)
    near = ["none", "none"]
    for side, cues in enumerate((ahead, behind)):
        for order, (at, one) in enumerate(cues):
            yield f"cue {side} {one}{'' if bisect_left(words.breaks, at) == clause else ' cut'}"
            if not order:
                near[side] = one
                yield f"cue {side} first {one}"
                yield f"word {side} first {words.tokens[at]}"
        if len(cues) > 1:
            yield f"cues {side} {cues[0][1]} {cues[1][1]}"
    yield f"cue {kind} {near[0]}"
    yield f"cue {near[0]} {near[1]}"
    yield from words.always


def _subject(words: SentenceWords, place: int) -> Iterator[str]:
    """Tell where the subject stands, and what stands between."""
    if not words.subjects:
        yield "subject none"
        return
    near = min(words.subjects, key=lambda index: abs(index - place))
    low, high = sorted((near, place))
    side = "before" if near < place else "behind"
    yield f"subject {side}"
    yield f"subject {side} {min(3, (high - low) // 4)}"
    between = words.tokens[low + 1 : high]
    if len(between) <= 12:
        for token in {*between}:
            yield f"between {side} {token}"
    if len(between) <= 3:
        yield f"whole {side} {' '.join(between)}"
    for one in {*filter(None, words.kinds[low + 1 : high])}:
        yield f"between {side} is {one}"


@cache
def _kinds() -> Mapping[str, str]:
    rows = (line.split("\t") for _, line in table_lines(_WORDS))
    return {word: kind for kind, words in rows for word in words.split()}


FILE: Final = Path(__file__).with_name("roles.tsv")
_SLOPES: Final = "(slope)"
_SHIFTS: Final = "(shift)"
_LEAST: Final = 0.02  # weights that are smaller are not written
# Role → the relation that the condition has to what is mentioned, and the labels of what may have the role.
ROLES: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "treats": ("TREATED_BY", MEANS),
    "prevents": ("PREVENTED_BY", MEANS),
    "causes": ("CAUSED_BY", (*CONDITIONS, *MEANS, "Gene", "Organism")),
    "worsens": ("WORSENED_BY", (*CONDITIONS, *MEANS, "Organism")),
    "avoided": ("CONTRAINDICATED_WITH", MEANS),
    "diagnoses": ("DIAGNOSED_BY", ("Test",)),
    "symptom": ("HAS_SYMPTOM", CONDITIONS),
    "risk": ("HAS_RISK_FACTOR", (*CONDITIONS, *MEANS, "Organism")),
    "complication": ("HAS_COMPLICATION", CONDITIONS),
    "monitored": ("", ("Test", *CONDITIONS)),
    "mentioned": ("", (*CONDITIONS, *MEANS, "Gene", "Organism", "Test")),
}
NAMES: Final = tuple(ROLES)
# Role towards the drug that a page is about, which rules tell → relation, and the labels of what may have the role.
DRUG_ROLES: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "effect": ("HAS_SIDE_EFFECT", CONDITIONS),
    "barred": ("CONTRAINDICATED_WITH", CONDITIONS),
    "interacts": ("INTERACTS_WITH", ("Drug", "Chemical", "DrugClass")),
}
# Kind of a drug's section → roles that it tells.
DRUG_KINDS: Final = {
    "side effects": ("effect",),
    "contraindication": ("barred", "interacts"),
    "interactions with medications": ("interacts",),
}
TURNED: Final = ("barred",)  # roles whose relation starts at what is mentioned
# Role → the relation that it tells, and the labels of what is mentioned, for all roles that tell one.
STATED: Final = {role: row for role, row in ROLES.items() if row[0]} | DRUG_ROLES
LABELS: Final = ROLES["mentioned"][1]


@dataclass(frozen=True, slots=True)
class RoleModel:
    """What tells roles: rows of features in (features, roles) weights, and (roles,) slopes and shifts."""

    rows: Mapping[str, int]
    weights: Floats
    slopes: Floats
    shifts: Floats

    def chances(self, found: Sequence[tuple[str, Sequence[str]]]) -> Floats:
        """Tell how likely each role is, (mentions, roles), by label and features; 0 for what the label cannot have."""
        # Sorted, so that two roles that weigh the same are told apart alike in every process: sums of floats round.
        known = [sorted(self.rows[name] for name in names if name in self.rows) for _, names in found]
        flat = np.array([row for rows in known for row in rows])
        starts = np.cumsum([0, *map(len, known)])[:-1]
        logits: Floats = np.add.reduceat(self.weights[flat], starts)
        logits[~np.array([_allowed()[label] for label, _ in found])] = -np.inf
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        chances: Floats = odds / odds.sum(axis=1, keepdims=True)
        return chances

    def calibrated(self, chances: Floats) -> Floats:
        """Make probabilities, (mentions, roles), of what the regression says; a row need not have the sum 1."""
        inner = np.clip(chances, 1e-6, 1 - 1e-6)
        scores = sigmoids(self.slopes * np.log(inner / (1 - inner)) + self.shifts).astype(np.float32)
        return np.where(chances > 0, scores, 0)

    def predict(self, found: Sequence[tuple[str, Sequence[str]]]) -> list[tuple[str, float]]:
        """Tell the likeliest role of each mention, by label and features, and how likely it has it."""
        if not found:
            return []
        chances = self.chances(found)
        scores, best = self.calibrated(chances), chances.argmax(axis=1)
        return [(NAMES[role], round(float(scores[row, role]), 3)) for row, role in enumerate(best)]


@cache
def _allowed() -> Mapping[str, NDArray[np.bool_]]:
    return {label: np.array([label in labels for _, labels in ROLES.values()]) for label in LABELS}


@cache
def model() -> RoleModel:
    """Give the model that comes with medgraph."""
    return load(FILE)


def write(model: RoleModel, path: Path, card: str) -> None:
    """Write a model as a table that people can read; `card` says what it was made of, and how good it is."""
    columns = "\t".join(("feature", *NAMES))
    calibration = ((_SLOPES, model.slopes), (_SHIFTS, model.shifts))
    weights = ((name, model.weights[row]) for name, row in sorted(model.rows.items()))
    rows = ((name, *(_cell(value) for value in values)) for name, values in (*calibration, *weights))
    write_table(path, card.replace("\n", "\n# "), columns, rows)


def _cell(value: float) -> str:
    return f"{value:.2f}".replace("0.", ".", 1).rstrip("0").rstrip(".") if abs(value) >= _LEAST else ""


def load(path: Path) -> RoleModel:
    """Read what `write` wrote; InputError for a wrong line, or where there is no calibration."""
    rows: dict[str, list[float]] = {}
    for number, line in table_lines(path):
        name, *cells = line.split("\t")
        try:
            rows[name] = [float(cell or 0) for cell in cells]
        except ValueError as error:
            raise InputError(f"{path}:{number}: {error}; make it anew with: medgraph train roles") from error
        if len(cells) != len(NAMES):
            raise InputError(f"{path}:{number}: needs {len(NAMES) + 1} cells; make it anew with: medgraph train roles")
    if _SLOPES not in rows or _SHIFTS not in rows:
        raise InputError(f"{path}: has no rows {_SLOPES} and {_SHIFTS}; make it anew with: medgraph train roles")
    slopes, shifts = (np.array(rows.pop(name), np.float32) for name in (_SLOPES, _SHIFTS))
    return RoleModel(
        {name: row for row, name in enumerate(rows)}, np.array([*rows.values()], np.float32), slopes, shifts
    )
