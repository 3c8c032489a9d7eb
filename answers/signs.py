"""Features of sections and sentences as the answer to a question, and the logistic models that weigh them.

Of a section one model says how likely it answers, one how likely it is at least about what is asked. Their weights are
in `confidence.tsv`; they are fitted to sections that were graded by reading (`medgraph evaluate graded … --fit FILE`).
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from ..logistic import LogisticModel, read_models, sigmoid
from ..patterns import read_pairs, read_patterns, small, threshold, thresholds
from ..queries import fusion, lucene
from ..queries.lookups import stems_of, telling_words, words_besides
from ..queries.question import numbers_of
from ..queries.salience import name_stem, stem
from ..schema.vocabulary import GENERAL, heading_type
from .things import RULES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from ..queries.entities import Mention
    from ..queries.question import Question
    from ..queries.retriever import SectionText

_OR: Final = "or "  # how kinds of the table begin that stand for questions alone
_FORMS: Final = read_patterns(Path(__file__).with_name("signs.tsv"))
_BETWEEN: Final = 2  # words that may stand among those of a name, at most; set by hand
_LEAST_TELLING: Final = 4  # letters of a word that tells what is named, at least; set by hand
_OF_EVERY_NAME: Final = frozenset(
    map(name_stem, "disease disorder syndrome condition disability deficiency problem type form acute chronic".split())
)


def things_of(question: Question) -> list[list[Mention]]:
    """Give the things that a question asks about, in order; names that touch or overlap are of one thing."""
    things: list[list[Mention]] = []
    for one in sorted(question.about, key=lambda one: (one.start, -one.end)):
        if things and one.start <= max(before.end for before in things[-1]) + 1:
            things[-1].append(one)
        else:
            things.append([one])
    return things


def telling_of(question: Question) -> frozenset[str]:
    """Give the stems of the words that tell what a question names, and are not those of every name (`disease`)."""
    words = (word for one in question.about for stems in stems_of(one) for word in stems)
    return frozenset(word for word in words if len(word) >= _LEAST_TELLING and word not in _OF_EVERY_NAME)


def is_about(mention: Mention, section: SectionText) -> bool:
    """Tell whether a section's document is about what a mention may mean, by its entities or its concepts."""
    return any(
        meant.entity in section.entities or not set(meant.concepts).isdisjoint(section.concepts)
        for meant in mention.called()
    )


def forms_of(text: str, *, is_title: bool = True) -> frozenset[str]:
    """Tell what in a title, or a question, makes a form of a disease another thing than its name; mostly nothing."""
    found = [form for form, words in _FORMS.items() if words.search(small(text))]
    return frozenset(form.removeprefix(_OR) for form in found if not (is_title and form.startswith(_OR)))


# What confidence is made of, each from 0 (cosines from -1) to 1: the cosine of the section's nearest passage and of its
# nearest sentence; the share of what is named that its title or heading names, or one sentence under it where several
# things are named; the share that it has of the words that tell something, and of those that neither name nor ask for a
# kind of section; whether it is of the kind asked for, as far as it names that; the same, where its page is about all
# that is named; and whether, a kind being asked for, it neither is of it nor has a sentence that tells such things.
FEATURES: Final = ("meaning", "sentence", "names", "words", "rest", "typed", "exact", "silent")

_OPPOSITES: Final = tuple(
    (re.compile(one, re.IGNORECASE), re.compile(other, re.IGNORECASE))
    for one, other in read_pairs(Path(__file__).with_name("opposites.tsv"))
)

_NO_KIND: Final = "-"
_LEAST_REST: Final = threshold("answers.signs.least_rest")
ALL_NAMED: Final = threshold("answers.signs.all_named")
SYMPTOMS: Final = frozenset(("Symptom", "Phenotype", "SideEffect"))
# Labels of what a question names beside the things that it asks about.
CONTEXT_LABELS: Final = frozenset(("Anatomy", "Topic"))
_VAGUE: Final = SYMPTOMS | CONTEXT_LABELS  # labels of what pages under other names may well tell of
_UNNAMED: Final = threshold("answers.signs.unnamed")


class Signs:
    """What a question looks for, worked out once; of `clause`, which it puts more plainly, every word counts."""

    def __init__(self, question: Question, clause: Question | None = None) -> None:
        model = fusion.model()
        self.question = question
        self._words = telling_words(question, model)
        self._kinds = set(question.intents)
        self._opposites = _opposites_of(question.text)
        surfaces = (question.text[one.start : one.end].upper() for one in question.about)
        self._numbers = [numbers for name in surfaces if (numbers := numbers_of(name))]
        self._rest = words_besides(clause or question, model)
        if self._rest:
            # `What are the best creams for eczema?` does not ask what eczema is.
            self._kinds.discard(GENERAL)
        self._names = [
            (mention, stems_of(mention), sum(model.rarity(stem(word)) for word in lucene.all_words(mention.surface)))
            for mention in question.about
        ]
        # What a name says more than what was typed was not asked for.
        typed = [one.name for one, (mine, *names), _ in self._names if not any(set(mine) < set(name) for name in names)]
        self._forms = forms_of(" ".join((question.text, *typed)), is_title=False)
        # A page without a word of what is named may be near it by what it says, and is of something else.
        self._telling = frozenset() if question.is_message else telling_of(question)
        self._several = len(things_of(question)) > 1

    def named(self, text: str, section: SectionText) -> float:
        """Give the share of what a question names that a text has, or its document is about; a half for nothing."""
        total = sum(weight for _, _, weight in self._names)
        if not total:
            return _UNNAMED
        return sum(w for one, stems, w in self._names if is_about(one, section) or fusion.has_name(text, stems)) / total

    def worded(self, text: str) -> float:
        """Give the share of a question's words that a text has, rare words counting more."""
        return fusion.coverage(self._words, text)

    def is_near_miss(self, features: Mapping[str, float]) -> bool:
        """Tell whether a section, by `of`, cannot answer, however near it comes.

        A question that asks for a kind found neither that nor a sentence that tells such things, most of what it asks
        besides stands nowhere in the section, or neither a title nor a sentence under it names all of several things
        asked about.
        """
        if self.question.is_message:
            return False
        apart = self._several and features["names"] < ALL_NAMED
        return bool(features["silent"]) or features["rest"] < _LEAST_REST or apart

    def about(self, section: SectionText) -> bool:
        """Tell whether a section's page is about all that is named, and not a form of it or something near."""
        every = bool(self._names) and all(is_about(one, section) for one, _, _ in self._names)
        return every and not self.is_form(section)

    def naming(self, section: SectionText) -> frozenset[str]:
        """Tell which of the things asked about a section's page is about, or has in its title or heading."""
        head = head_of(section)
        return frozenset(
            one.surface for one, stems, _ in self._names if is_about(one, section) or fusion.has_name(head, stems)
        )

    def is_on_thing(self, section: SectionText, texts: Iterable[str]) -> bool:
        """Tell whether a page is about a disease, medicine or procedure asked about, or a text names one, if any is.

        Sentences on another disease, or a form of one, read as if they were on the one that is asked about; of a
        message it is not sure which one that is.
        """
        things = [(one, stems) for one, stems, _ in self._names if one.label not in _VAGUE]
        if self.question.is_message or not things:
            return True
        said = [lucene.all_words(RULES["like"].sub(" ", text.lower())) for text in texts]
        return any(
            is_about(one, section) or any(_stands_in(words, name) for words in said for name in stems)
            for one, stems in things
        )

    def of_kind(self, section: SectionText) -> bool:
        """Tell whether a section as a whole is of the kind asked for, as any is where none is asked for."""
        return not self._kinds - {GENERAL} or _kind_of(section) in self._kinds

    def mentions_focus(self, text: str) -> bool:
        """Tell whether a text has any word of what is asked besides names and the kind of section, if anything is."""
        return not self._rest or fusion.coverage(self._rest, text.lower()) > 0

    def _is_off_topic(self, section: SectionText, head: str, whole: str) -> bool:
        """Tell whether a page is about something else: its opposite, another type or form of it, or nothing named."""
        unnamed = bool(self._telling) and not self.named(head, section)
        if unnamed and not any(fusion.has_stem(whole, word) for word in self._telling):
            return True
        opposite = any(other.search(head) and not one.search(head) for one, other in self._opposites)
        mine = numbers_of(section.title)  # of type 1, where type 2 is asked about
        apart = bool(mine and self._numbers) and all(mine.isdisjoint(one) for one in self._numbers)
        return (opposite or apart or self.is_form(section)) and not self.about(section)

    def is_form(self, section: SectionText) -> bool:
        """Tell whether a page is about a form of what is asked about that nothing asks for: familial thyroid cancer."""
        return bool(self._names) and not forms_of(section.title) <= self._forms

    def of(
        self, section: SectionText, meaning: float, sentence: float, *, told: bool, together: float = 0.0
    ) -> dict[str, float]:
        """Describe a section by `FEATURES`.

        Args:
            meaning: The cosine of its passage that is nearest to the question; `sentence` that of its nearest sentence.
            told: Whether one of its sentences tells what is asked for.
            together: The most that title and one sentence name of what is asked about, as `named` gives it.
        """
        head = head_of(section)
        whole = f"{head} {section.text.lower()}"
        # A page that mentions something is not about it; one on two things may be about one and tell of the other.
        names = max(self.named(head, section), together if len(self._names) > 1 else 0.0)
        typed = _kind_of(section) in self._kinds
        covered = fusion.coverage(self._rest, whole) if self._rest else 1.0
        return {
            "meaning": meaning,
            "sentence": sentence,
            "names": names,
            "words": self.worded(whole),
            "rest": 0.0 if self._is_off_topic(section, head, whole) else covered,
            "typed": names * typed,
            "exact": float(typed and self.about(section)),
            "silent": float(bool(self._kinds) and not told and not typed),
        }


def _stands_in(words: Sequence[str], name: Sequence[str]) -> bool:
    """Tell whether the words of a name, given as stems, stand together: no `thyroid hormone ... a cancer medicine`."""
    near = len(name) + _BETWEEN
    return any(fusion.has_name(" ".join(words[at : at + near]), [name]) for at in range(len(words)))


def head_of(section: SectionText) -> str:
    """Give what stands over a section, in small letters."""
    return " ".join([section.title, *section.aliases, section.heading, section.question]).lower()


def _opposites_of(text: str) -> list[tuple[re.Pattern[str], re.Pattern[str]]]:
    """Find the words of `_OPPOSITES` that a text has without the other of the two, each with that other."""
    either = (ends for pair in _OPPOSITES for ends in (pair, pair[::-1]))
    return [(one, other) for one, other in either if one.search(text) and not other.search(text)]


def _kind_of(section: SectionText) -> str:
    """Give a section's kind, or the one that its heading or the end of its title tells (`Ear infection (Causes)`)."""
    of_title = heading_type(section.title) if section.title.endswith(")") else ""
    return section.type or heading_type(section.heading) or of_title or _NO_KIND


LEVELS: Final = ("answers", "related")

# Long messages are judged by weights of their own: their cosines are lower, and their words tell less.
KINDS: Final = ("question", "message")
ANSWERS: Final = thresholds("answers.signs.answers")
READ: Final = threshold("answers.signs.read")
RELATED: Final = threshold("answers.signs.related")
FAR: Final = threshold("answers.signs.far")
MESSAGE_NEAR: Final = threshold("answers.signs.message_near")
NEAR_READ: Final = threshold("answers.signs.near_read")
APART_READ: Final = threshold("answers.signs.apart_read")


def kind_of(question: Question) -> str:
    """Tell by which of `KINDS` of weights a question is judged."""
    return "message" if question.is_message else "question"


def least_near(question: Question, *, reads: bool) -> float:
    """Give how likely the best of what was found must help, for anything to be shown as related."""
    if question.is_message:
        return MESSAGE_NEAR
    if not reads:
        return FAR
    return APART_READ if len(things_of(question)) > 1 else NEAR_READ


def likely(kind: str, level: str, features: Mapping[str, float]) -> float:
    """Tell how likely a section with `signs.FEATURES` answers, or is related (`LEVELS`), to a question of a kind."""
    return models()[f"{kind} {level}"].likely(features)


@cache
def models() -> dict[str, LogisticModel]:
    """Read the models: kind and level, with a space between, → what weighs `signs.FEATURES`."""
    names = {f"{kind} {level}": FEATURES for kind in KINDS for level in LEVELS}
    path = Path(__file__).with_name("confidence.tsv")
    return read_models(path, "medgraph evaluate graded MEQSUM GRADES --fit FILE", names)


# What it is made of, each from 0 (cosines from -1) to 1: how near the sentence is to the question; whether it tells
# such things as are asked for; the shares that it has of what is named, and of the words; whether it only says that
# there is something to say, leans on the one before, or tells of studies; how early it stands (1 for a section's first,
# half for the second); its length in 400 characters; how likely its section answers, whether that is the likeliest one,
# and of the kind asked for on a page about exactly what is named; and whether it tells nothing such in a section of
# another kind.
SENTENCE_FEATURES: Final = (
    "near", "told", "names", "words", "vague", "leans", "lead", "length", "research", "section", "best section",
    "exact", "apart",
)  # fmt: skip

# What the names of the numbers that describe a question and a sentence begin with, in `reading.tsv` and `labels.tsv`.
DIMENSION: Final = "dimension "


def promises(features: Mapping[str, float]) -> float:
    """Tell, of a sentence that was not read, how likely reading would find that it helps, by `SENTENCE_FEATURES`."""
    return model("promising", "promises").likely(features)


def helps_when_paired(features: Mapping[str, float], vector: NDArray[np.float32], *, of_label: bool = False) -> float:
    """Tell how likely a sentence, of a label or a page, helps that was read with the question; `vector` is of both."""
    signs, of_vector = reading("labels" if of_label else "reading")
    return sigmoid(signs.logit(features) + float(vector @ of_vector))


@cache
def model(table: str, name: str) -> LogisticModel:
    """Read the table that weighs `SENTENCE_FEATURES`, and perhaps the numbers that describe question and sentence."""
    path = Path(__file__).with_name(f"{table}.tsv")
    remedy = "medgraph evaluate sentences MEQSUM GRADES --fit-reading FILE (or --fit-labels, --fit-promising)"
    return read_models(path, remedy, {name: SENTENCE_FEATURES}, DIMENSION)[name]


@cache
def reading(name: str) -> tuple[LogisticModel, NDArray[np.float32]]:
    """Read what weighs `SENTENCE_FEATURES` of sentences that were read, and the numbers that describe these."""
    weights = model(name, "reads").weights
    named = {name: value for name, value in weights.items() if not name.startswith(DIMENSION)}
    numbers = [weights[f"{DIMENSION}{place}"] for place in range(len(weights) - len(named))]
    return LogisticModel(named), np.array(numbers, dtype=np.float32)
