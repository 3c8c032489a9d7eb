"""A tagger of names in texts: multinomial logistic regression over words, their neighbours and a dictionary.

Tags are 0 for outside, 1 for the first word of a name and 2 for others of it.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from medgraph.errors import InputError, install_line
from medgraph.linking.words import normalise

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence, Set

    from numpy.typing import NDArray

    Key = tuple[str, ...]

LONGEST: Final = 8  # words of a name, at most
_TOKEN: Final = re.compile(r"[^\W\d_]+(?:['\u2019][a-z]+)?|\d+(?:\.\d+)?|[^\w\s]")
_BREAK: Final = re.compile(r"\n|\s{3}")
_AHEAD, _BEHIND = 14, 8  # words of the sentence on either side
_STEPS: Final = 8
_WIDTH: Final = 1 << 20
_RIDGE: Final = 2e-6
_PARTS: Final = 8  # steps of the share of labels in which a name is one
_NEVER: Final = -1e9


class Token(NamedTuple):
    """A word or a mark of a text, and its form for comparison."""

    start: int
    end: int
    normal: str


@dataclass(frozen=True, slots=True)
class TaggedText:
    """A text of a kind, its tokens, and what describes them without a dictionary: a sparse matrix."""

    kind: str
    text: str
    tokens: list[Token]
    words: Any


def text_of(kind: str, text: str) -> TaggedText:
    """Cut a text into tokens and describe them."""
    tokens = tokens_of(text)
    return TaggedText(kind, text, tokens, _hashed(_words(kind, text, tokens)))


def _hashed(rows: Iterable[Sequence[str]]) -> Any:
    try:
        from sklearn.feature_extraction import FeatureHasher
    except ImportError as error:
        raise InputError(f"fitting needs scikit-learn ({error}); {install_line('train')}") from error
    return FeatureHasher(_WIDTH, input_type="string", alternate_sign=False).transform(rows)


def tokens_of(text: str) -> list[Token]:
    """Cut a text into words and marks."""
    found = _TOKEN.finditer(text)
    return [Token(one.start(), one.end(), normalise(one[0]) if one[0][0].isalpha() else one[0]) for one in found]


def spans_of(chances: NDArray[Any]) -> list[tuple[int, int]]:
    """Give the names of the likeliest tags (Viterbi), first word and end; chances are (words, tags)."""
    logs = np.log(chances + 1e-9)
    best = logs[0] + [0, 0, _NEVER] if len(logs) else np.zeros(3)
    back = np.zeros((len(logs), 3), int)
    for at in range(1, len(logs)):
        ways = np.repeat(best[:, None], 3, axis=1)
        ways[0, 2] = _NEVER
        back[at], best = ways.argmax(0), ways.max(0) + logs[at]
    tags = [int(best.argmax())]
    for at in range(len(logs) - 1, 0, -1):
        tags.append(int(back[at][tags[-1]]))
    tags.reverse()
    starts = [at for at, tag in enumerate(tags) if tag == 1]
    return [(at, next((n for n in range(at + 1, len(tags)) if tags[n] != 2), len(tags))) for at in starts]


class Tagger:
    """Fitted to labels: their texts, the names in them, and all runs of words that they have."""

    def __init__(self, labels: Sequence[tuple[Sequence[TaggedText], Set[Key], Set[Key]]], vocabulary: Set[Key]) -> None:
        from scipy.sparse import vstack
        from sklearn.linear_model import SGDClassifier

        self._vocabulary = vocabulary
        self._named = Counter(name for _, names, _ in labels for name in names)
        self._seen = Counter(run for _, _, runs in labels for run in runs)
        rows, tags = [], []
        for texts, names, runs in labels:
            rows += [self._matrix(text, names, runs) for text in texts]
            tags += [_tags(text.tokens, names) for text in texts]
        model = SGDClassifier(loss="log_loss", alpha=_RIDGE, max_iter=_STEPS, tol=None, average=True, random_state=0)
        self._model = model.fit(vstack(rows), np.concatenate(tags))

    def chances(self, text: TaggedText) -> NDArray[Any]:
        """Give how likely each tag is of each word, (words, tags)."""
        found = np.zeros((len(text.tokens), 3))
        found[:, self._model.classes_] = self._model.predict_proba(self._matrix(text, frozenset(), frozenset()))
        return found

    def known(self, tokens: Sequence[Token]) -> set[tuple[int, int]]:
        """Give where names of the dictionary stand, also within others."""
        return set(_runs(tokens, lambda run: run in self._named or run in self._vocabulary))

    def known_features(self, name: Key) -> list[float]:
        """Give what the dictionary says of a name: whether it has it, and in which share of its texts it is one."""
        seen, named = self._seen[name], self._named[name]
        share = (named + 0.5) / (max(seen, named) + 1)
        length = [float(len(name) == 1), float(len(name) == 2), float(len(name) > 4)]
        return [float(named > 0), float(np.log(share / (1 - share))), float(name in self._vocabulary), *length]

    def _matrix(self, text: TaggedText, names: Set[Key], runs: Set[Key]) -> Any:
        """Describe words; `names` and `runs` are of the label itself, which must not tell of itself."""
        return text.words + _hashed(self._dictionary(text.tokens, names, runs))

    def _dictionary(self, tokens: Sequence[Token], names: Set[Key], runs: Set[Key]) -> list[list[str]]:
        rows: list[list[str]] = [[] for _ in tokens]

        def listed(run: Key) -> bool:
            return run in self._vocabulary

        def named(run: Key) -> bool:
            return self._named[run] > (run in names)

        def either(run: Key) -> bool:
            return (listed(run) or named(run)) and self._seen[run] > (run in runs)

        marks = [""] * len(tokens)
        for source, holds in (("V", listed), ("T", named), ("R", either)):
            for start, end in _longest(tokens, holds):
                run = tuple(token.normal for token in tokens[start:end])
                more = self._share(run, names, runs) if source == "R" else str(min(end - start, 4))
                for at in range(start, end):
                    tag = f"{source}{'B' if at == start else 'I'}"
                    rows[at] += [tag, f"{tag}{more}", f"{source}E{at == end - 1}"]
                    marks[at] += tag
        for at, mark in enumerate(marks):
            rows[at] += [f"D={mark}", f"<D={marks[at - 1] if at else ''}", f">D={''.join(marks[at + 1 : at + 2])}"]
        return rows

    def _share(self, run: Key, names: Set[Key], runs: Set[Key]) -> str:
        named, seen = self._named[run] - (run in names), self._seen[run] - (run in runs)
        return f"{int((named + 0.5) / (max(seen, named) + 1) * _PARTS)}/{min(seen, 3)}"


def _runs(tokens: Sequence[Token], holds: Callable[[Key], bool]) -> Iterator[tuple[int, int]]:
    """Give where runs of words hold, the longest first at each place."""
    normals = [token.normal for token in tokens]
    for at in range(len(normals)):
        for end in range(min(at + LONGEST, len(normals)), at, -1):
            if holds(tuple(normals[at:end])):
                yield at, end


def _longest(tokens: Sequence[Token], holds: Callable[[Key], bool]) -> Iterator[tuple[int, int]]:
    """Give the longest runs that hold, of those that overlap the first."""
    last = 0
    for start, end in _runs(tokens, holds):
        if start >= last:
            yield start, end
            last = end


def _tags(tokens: Sequence[Token], names: Set[Key]) -> NDArray[np.int64]:
    tags = np.zeros(len(tokens), np.int64)
    for start, end in _longest(tokens, names.__contains__):
        tags[start], tags[start + 1 : end] = 1, 2
    return tags


def _words(kind: str, text: str, tokens: Sequence[Token]) -> Iterator[list[str]]:
    """Describe each word by itself, the words around it and those of its sentence."""
    normals = ["", "", "", *(token.normal for token in tokens), "", "", ""]
    places = [token.start for token in tokens]
    breaks = [
        True,
        *(bool(_BREAK.search(text[one.end : start])) for one, start in zip(tokens, places[1:], strict=False)),
    ]
    for at, token in enumerate(tokens):
        near, raw = normals[at : at + 7], text[token.start : token.end]
        found = [f"kind={kind}", *(f"{place}={word}" for place, word in enumerate(near))]
        found += [f"{place}&{near[place]} {near[place + 1]}" for place in (1, 2, 3, 4)]
        found += [f"ends={token.normal[-n:]}" for n in (2, 3, 4, 5)]
        found += [
            f"begins={token.normal[:3]}",
            f"begins={token.normal[:5]}",
            f"<ends={near[2][-3:]}",
            f">ends={near[4][-3:]}",
        ]
        found.append(f"shape={raw.isupper() and len(raw) > 1} {raw[:1].isupper()} {raw[:1].isdigit()}")
        found.append(f"breaks={breaks[at]} {breaks[at + 1] if at + 1 < len(breaks) else True}")
        yield found + list(_sentence(normals, at + 3))


def _sentence(normals: Sequence[str], at: int) -> Iterable[str]:
    for sign, way in (
        ("<", range(at - 1, max(-1, at - 1 - _AHEAD), -1)),
        (">", range(at + 1, min(len(normals), at + 1 + _BEHIND))),
    ):
        for place in way:
            if normals[place] in {".", ";", ""}:
                break
            yield f"{sign}{normals[place]}"
