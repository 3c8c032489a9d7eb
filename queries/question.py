"""A question, taken apart once: its words, what it asks for, the entities that it names, its vector and its filters."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..errors import InputError
from ..linking.linked import SPELLING
from ..linking.words import LETTER_A, words
from ..patterns import read_patterns, read_words, small, threshold
from ..schema.vocabulary import CONDITIONS
from . import lucene, message, salience
from .message import find_intents

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from ..embeddings.encoders.encoder import TextEncoder
    from ..logistic import Calibration
    from .entities import Alternative, Mention
    from .filters import Restriction

MAX_QUESTION: Final = 10_000  # characters of a question, at most
MAX_SEARCHES: Final = 3  # questions of one message that are searched for by themselves, at most
_LEAST_WEIGHT: Final = threshold("queries.question.least_word")
_LEAST_NAME: Final = threshold("queries.question.least_name")
_EVERYDAY: Final = read_words(Path(__file__).with_name("word_lists.tsv"))["everyday"]
_LONGEST_NUMBER: Final = 3
_RULES: Final = read_patterns(Path(__file__).with_name("background.tsv"))


@dataclass(frozen=True, slots=True)
class Asked:
    """What a text was taken to ask."""

    text: str  # the words that ask it
    names: tuple[str, ...]  # names of the entities that it is about, the surest first
    types: tuple[str, ...]  # the section types that it asks for, the plainest first

    def summary(self) -> str:
        """Say it in a few words: `treatment: Gout (What helps against gout?)`."""
        about = ": ".join(filter(None, (", ".join(self.types), ", ".join(self.names))))
        return f"{about} ({self.text})" if about else self.text


@dataclass(frozen=True)
class Question:
    """A question that can be searched for; what takes time to find out is found out when first asked for, once.

    Example:
        >>> text = "What are the symptoms of gout?"  # `Retriever.question` makes one whose names are found in a graph
        >>> Question(text, words_of(text), None, lambda _: (), lambda: None).intents
        ('symptoms',)
    """

    text: str
    words: Sequence[str]
    restriction: Restriction | None = field(repr=False)  # what results may be; None where everything passes
    # finds the entities that a text names
    linker: Callable[[str], Sequence[Mention]] = field(repr=False, compare=False)
    encoder: Callable[[], TextEncoder] = field(repr=False, compare=False)  # gives the encoder of the graph's vectors
    as_typed: bool = False  # whether all of its words count alike, however long it is
    _vectors: dict[tuple[str, str], NDArray[np.float32]] = field(default_factory=dict, repr=False, compare=False)

    @property
    def left_out(self) -> Sequence[str]:
        """Ids of documents that it is not to be answered from."""
        return self.restriction.left_out if self.restriction else ()

    @cached_property
    def intent(self) -> str:
        """The section type that it asks for first; empty when it does not say."""
        return next(iter(self.intents), "")

    @cached_property
    def intents(self) -> tuple[str, ...]:
        """All section types that it asks for, the plainest first; what a message tells counts where nothing asks."""
        if not self.is_message:
            return find_intents(self.text)
        headed = " ".join(part.text for part in self.parts if part.kind == "heading")
        return find_intents(f"{headed} {self.asks}".strip() or self.text)

    @property
    def asks(self) -> str:
        """All of it, and of a message the sentences that ask."""
        return " ".join(part.text for part in self.parts if part.kind == "asks") if self.is_message else self.text

    @cached_property
    def parts(self) -> tuple[message.MessagePart, ...]:
        """Its sentences, the heading first."""
        return tuple(message.parts_of(self.text))

    @cached_property
    def is_message(self) -> bool:
        """Whether it is more than one sentence, and is to be understood."""
        return not self.as_typed and message.is_message(self.parts)

    @cached_property
    def salience(self) -> dict[str, float]:
        """How much each content word matters to what a message asks, from 0 to 1; all words of a name alike."""
        found = salience.model().salience(salience.features_of(self.parts, self.mentions))
        alike = dict(found)
        for mention in self.mentions:
            words = [word for word in lucene.all_words(mention.surface) if word in found]
            if mention.label != "Anatomy":
                most = max((found[word] for word in words), default=0.0)
                alike.update({word: max(alike[word], most) for word in words})
        return alike

    @cached_property
    def weights(self) -> dict[str, float]:
        """Its content words with how much each counts: 1 for all, unless it is a message."""
        most = max(self.salience.values(), default=0.0) if self.is_message else 0.0
        if not most:
            return dict.fromkeys(self.content, 1.0)
        best = sorted(self.salience.items(), key=lambda item: -item[1])[: lucene.MAX_WORDS]
        # The root, since what an expert would have left out may still be what a page says.
        return {word: math.sqrt(value / most) for word, value in best if value / most > _LEAST_WEIGHT}

    @cached_property
    def about(self) -> tuple[Mention, ...]:
        """The entities that it asks about, of those that it names."""
        named = self._named()
        if not self.is_message:
            return named
        most = max(self.salience.values(), default=0.0)
        return tuple(one for one in named if self._matters(one) > _LEAST_NAME * most)

    def _matters(self, mention: Mention) -> float:
        return max((self.salience.get(word, 0.0) for word in lucene.all_words(mention.surface)), default=0.0)

    def _named(self) -> tuple[Mention, ...]:
        """Leave out what it denies, and complaints beside a disease or drug, which say how that shows."""
        named = [
            one
            for one in self.mentions
            if not (one.label in CONDITIONS and _RULES["denying"].search(self.text[: one.start]))
        ]
        if any(one.label not in {*CONDITIONS[1:], "Anatomy", "Topic"} for one in named):
            named = [one for one in named if not one.reworded or one.label == CONDITIONS[0]]
        return tuple(named) or self.mentions

    @cached_property
    def apart(self) -> tuple[str, ...]:
        """The sentences of a message that ask several things of several entities; nothing of anything else."""
        sentences: dict[tuple[object, ...], str] = {}
        for part in self.parts if self.is_message else ():
            words = set(lucene.all_words(part.text))
            names = frozenset(
                one.entity for one in self.about if one.label != "Anatomy" and words >= {*lucene.all_words(one.surface)}
            )
            if part.kind == "asks" and names:
                sentences.setdefault((names, find_intents(part.text)[:1]), part.text)
        return tuple(sentences.values()) if len(sentences) > 1 else ()

    @cached_property
    def searches(self) -> tuple[Question, ...]:
        """What to search for: itself, and of a message that asks several things of several entities each one alone."""
        return (self, *map(self._alone, self.apart[:MAX_SEARCHES]))

    def _alone(self, sentence: str) -> Question:
        """Make a question of the message without the others that it asks."""
        kept = (part.text for part in self.parts if part.kind != "asks" or part.text == sentence)
        return self.reworded("\n\n".join(kept))

    def reworded(self, text: str) -> Question:
        """Make a question of other words with this one's filters, names, vectors; InputError for none, or too long."""
        return replace(self, text=text, words=words_of(text))

    @cached_property
    def understood(self) -> tuple[Asked, ...]:
        """What it was taken to ask, one or several things; nothing where it is one sentence, and stands as it is."""
        return tuple(question.reading() for question in self.searches[1:] or self.searches) if self.is_message else ()

    @cached_property
    def main_text(self) -> str:
        """The sentences that ask, or the heading where none does, or else what it tells.

        Where they ask what is told before them (`What could it be?`), that comes first.
        """
        texts = {kind: [part.text for part in self.parts if part.kind == kind] for kind in ("asks", "heading", "tells")}
        if self.is_message and texts["asks"] and all(map(message.points_back, texts["asks"])):
            return " ".join(message.plainly(part.text) for part in self.parts if part.kind != "courtesy")
        return " ".join(map(message.plainly, next(filter(None, texts.values()), [self.text])))

    def reading(self) -> Asked:
        """Tell what it asks, as one thing."""
        names = dict.fromkeys(mention.name for mention in self.about)
        return Asked(self.main_text, tuple(names), self.intents)

    @cached_property
    def content(self) -> Sequence[str]:
        """Its words, in a short question spelt right, without those that every question has, each once."""
        as_typed = self.is_message or self.spelt == self.text
        return lucene.content_words(self.words if as_typed else lucene.all_words(self.spelt))

    @cached_property
    def particular(self) -> Sequence[str]:
        """Its content words without those that just any question about health has."""
        return [word for word in self.content if word not in _EVERYDAY]

    @cached_property
    def mentions(self) -> tuple[Mention, ...]:
        """The entities that it names, the longest and surest first."""
        return tuple(self.linker(message.without_masks(self.text)))

    @cached_property
    def spelt(self) -> str:
        """Its text as search reads it: what is misspelt put right, and short forms with what they stand for."""
        text, later = self.text, len(self.text)
        for one in sorted(self.mentions, key=lambda mention: (-mention.start, -mention.end)):
            typed, read = self.text[one.start : one.end], ""
            if one.method == SPELLING:
                read = one.matched
            elif (
                _RULES["short"].fullmatch(one.matched)
                and one.matched.lower() == typed.lower() not in one.name.lower().split()
            ):
                read = f"{one.name} ({typed})"
            if read and one.end <= later:
                text, later = f"{text[: one.start]}{read}{text[one.end :]}", one.start
        return text

    def understand(self, vector: str) -> None:
        """Find out at once what it names and its vector (`search_vector` or `vector`); EncoderError without one."""
        if not self.__dict__.keys().isdisjoint(("mentions", vector)):
            return
        with ThreadPoolExecutor(1) as beside:
            encoded = beside.submit(self._encoded, vector, self.text)
            self.mentions  # noqa: B018 # it is kept
            found = encoded.result()
        self.__dict__[vector] = found if self.spelt == self.text else self._encoded(vector, self.spelt)

    @cached_property
    def meant(self) -> tuple[Mention | Alternative, ...]:
        """All that it may mean by what it names, as surely as anything else."""
        return tuple(meant for mention in self.mentions for meant in mention.level())

    @cached_property
    def asking(self) -> str:
        """It with what it asks first, for what reads only so much of it."""
        return message.asking_first(self.text)

    def passage_logits(self, passages: Sequence[str]) -> NDArray[np.float32] | None:
        """Read it with passages that `text.passage_of` wrote: (passages,) float32 logits; None if nothing can tell."""
        return self.encoder().passage_logits(self.asking, passages)

    @property
    def calibration(self) -> Calibration | None:
        """What turns logits of `passage_logits` into probabilities; None where nothing was fitted for it."""
        return self.encoder().calibration

    @cached_property
    def search_vector(self) -> NDArray[np.float32]:
        """What passages are searched for by: (dimension,) float32, unit length."""
        return self._encoded("search_vector", self.spelt)

    @cached_property
    def vector(self) -> NDArray[np.float32]:
        """Its vector among those of other texts: (dimension,) float32, unit length."""
        return self._encoded("vector", self.spelt)

    def _encoded(self, vector: str, text: str) -> NDArray[np.float32]:
        if (vector, text) not in self._vectors:
            encoder = self.encoder()
            encode = encoder.encode_questions if vector == "search_vector" else encoder.encode
            self._vectors[vector, text] = encode([text])[0]
        return self._vectors[vector, text]


def numbers_of(name: str) -> set[str]:
    """Give the numbers and single letters of a name, which tell one type of a disease from another.

    Roman numbers come as Arabic ones, and may be small letters in the name; places on chromosomes and parts of numbers
    are left out.
    """
    found = {word.normal for word in words(_RULES["decimal"].sub(" ", name))}
    letters = {word for word in found if len(word) == 1 or word == LETTER_A} - {"a", "i"}
    return letters | {word for word in found if word[0].isdigit() and len(word) <= _LONGEST_NUMBER}


def words_of(text: str) -> list[str]:
    """Cut a question into words in lower case, in order, repeated ones too; InputError for no word, or if too long."""
    if len(text) > MAX_QUESTION:
        raise InputError(f"the question has {len(text):,} characters; {MAX_QUESTION:,} are the most")
    if not (words := lucene.all_words(text)):
        raise InputError("the question has no word in it; ask in words, such as: What are the symptoms of asthma?")
    return words


def without_background(question: Question) -> Question:
    """Leave out of a message what it tells and does not ask about, where what stays names what it asks about.

    `I used to take metformin. Now my feet burn, what helps?` asks of feet that burn. Whether something may be taken is
    asked of all that somebody ever had; what relatives have counts where risks and tests are asked for, and a child, or
    who is pregnant, where nothing is asked of oneself.
    """
    if not question.is_message:
        return question
    asked = _plain(" ".join(part.text for part in question.parts if part.kind == "asks"))
    kept = [part for part in question.parts if part.kind in {"asks", "courtesy"} or not is_background(part.text, asked)]
    if not asked or len(kept) == len(question.parts):
        return question
    text = " ".join(part.text for part in kept if part.kind != "courtesy")
    words = {*lucene.all_words(text)}
    named = any(one.label != "Anatomy" and words >= {*lucene.all_words(one.surface)} for one in question.mentions)
    return question.reworded(text) if named else question


def is_background(sentence: str, asked: str) -> bool:
    """Tell whether a sentence of a message is only background of what the message asks, in small letters."""
    known, told = _RULES, _plain(sentence)

    def has(kind: str, text: str = told) -> bool:
        return bool(known[kind].search(text))

    if has("heard"):
        return True
    if has("others"):
        for_them = has("whom") and not has("self", asked)
        return not (for_them or has("own") or has("person", asked) or has("family", asked))
    return (has("past") or has("denied")) and not (has("matters") or has("taking", asked))


def _plain(text: str) -> str:
    return small(text).replace("\u2019", "'")
