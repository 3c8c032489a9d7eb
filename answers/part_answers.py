"""The answer to each part of a question, what it is made of, and one answer made of all, by its rules."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

from ..errors import SettingsError
from ..patterns import read_patterns, small, threshold
from ..text import is_english
from .answer import ANSWERED, NOT_ENOUGH_EVIDENCE, RELATED, Answer, AnswerPart, FoundPage, FoundSection
from .populations import head_of, speaks_of
from .things import is_plain, words_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..queries.entities import Mention
    from .answer import CitedFact, Sentence, Status
    from .parts import QuestionPart
    from .scoring import ScoredSection

# Told what becomes of an answer while it is made: the name of an event, and what there is to tell.
Tell = Callable[[str, object], None]


def untold(_name: str, _value: object) -> None:
    """Leave out what becomes of an answer while it is made."""


def no_model() -> NoReturn:
    """Refuse to write, where whoever makes the answerer gives it no model."""
    raise SettingsError("no language model is at hand; set MEDGRAPH_MODEL, and ask as `medgraph ask` does")


@dataclass(frozen=True, slots=True)
class Material:
    """What an answer may be composed of: sections, the likeliest first, relations, and paths of relations."""

    sections: Sequence[ScoredSection] = ()
    facts: Sequence[CitedFact] = ()
    paths: Sequence[Sequence[CitedFact]] = ()


LEAST_CLOSEST: Final = threshold("answers.part_answers.least_closest")


@dataclass(frozen=True, slots=True)
class PartAnswer:
    """The answer to one part of a question."""

    part: QuestionPart
    status: Status
    sentences: tuple[Sentence, ...]
    shown: tuple[FoundSection | FoundPage, ...]  # the sections and pages that are shown as evidence
    sure: float  # the probability that the quoted sentences, or the best ones found, answer it, from 0 to 1
    apart: tuple[str, ...] = ()  # the things asked about, where no section is about all of them
    closest: tuple[Sentence, ...] = ()  # the closest sentences, where another part is answered and this one is not
    caution: str = ""  # why nothing is quoted, where that has to be said
    # All evidence that was found, from which a language model may answer.
    material: Material = field(default_factory=Material)


def separate_closest(given: Sequence[PartAnswer]) -> list[PartAnswer]:
    """Separate sentences that are only related to a part, as they would read like an answer to another part.

    Where a part is answered, the others have no sentences, and their likeliest ones as `closest`, unless these answer
    another part.
    """
    if all(one.status != ANSWERED for one in given):
        return list(given)
    answering = {sentence.text for one in given if one.status == ANSWERED for sentence in one.sentences}

    def set_apart(one: PartAnswer) -> PartAnswer:
        near = one.sentences if one.sure >= LEAST_CLOSEST else ()
        return replace(one, sentences=(), closest=tuple(said for said in near if said.text not in answering))

    return [one if one.status == ANSWERED else set_apart(one) for one in given]


def _answer_part(one: PartAnswer, texts: Sequence[str], closest: Sequence[str]) -> AnswerPart:
    """Give a part with the numbers of its sentences among the texts of all, and of its closest ones among those."""
    said = tuple(texts.index(sentence.text) for sentence in one.sentences)
    near = tuple(closest.index(sentence.text) for sentence in one.closest)
    return AnswerPart(one.part.asked, one.status, said, round(one.sure, 3), near)


def merge_parts(base: Answer, given: Sequence[PartAnswer], left_out: Sequence[str]) -> Answer:
    """Make one answer of the answers to all parts; `left_out` are parts too many to be answered at once."""
    given = separate_closest(given)
    sentences = {sentence.text: sentence for one in given for sentence in one.sentences}
    closest = {sentence.text: sentence for one in given for sentence in one.closest}
    statuses = {one.status for one in given}
    status: Status = next(filter(statuses.__contains__, (ANSWERED, RELATED)), NOT_ENOUGH_EVIDENCE)
    return replace(
        base,
        status=status,
        sentences=tuple(sentences.values()),
        unanswered=(*(one.part.asked for one in given if status == ANSWERED != one.status), *left_out),
        evidence=tuple({found: None for one in given for found in one.shown}),
        confidence=round(max(one.sure for one in given), 3),
        parts=tuple(_answer_part(one, list(sentences), list(closest)) for one in given),
        apart=() if status == ANSWERED else next((one.apart for one in given if one.apart), ()),
        closest=tuple(closest.values()),
        caution=next((one.caution for one in given if one.caution and not sentences), ""),
    )


def heeded(given: PartAnswer) -> PartAnswer:
    """Drop the sentences of an answer that do not speak of those for whom it is asked, whatever composed them."""
    populations = given.part.populations
    if not populations:
        return given
    found = {item.section.section: item for item in given.material.sections}

    def stands(sentence: Sentence) -> bool:
        cited = [found[one.section] for one in sentence.citations if one.section in found]
        heads = " ".join((*map(head_of, cited), *(f"{one.title} {one.quote}" for one in sentence.citations)))
        passage = " ".join(item.section.text for item in cited)
        return speaks_of(populations, small(heads), sentence.text, small(f"{heads} {passage}"))

    kept = tuple(filter(stands, given.sentences))
    status = given.status if kept else NOT_ENOUGH_EVIDENCE
    told = replace(given.material, facts=[fact for one in kept for fact in one.facts], paths=())
    return replace(given, sentences=kept, status=status, closest=tuple(filter(stands, given.closest)), material=told)


EXAMPLE: Final = "\u201cWhat are the symptoms of gout?\u201d"  # a question, as one could be asked

OUTSIDE: Final = (
    "This does not seem to be about health, and medgraph answers questions on health from what is loaded, such as "
    f"{EXAMPLE}."
)

UNKNOWN: Final = "Nothing that is loaded has \u201c{}\u201d. Check how it is spelt, or use another name."

# Letters that words of one stem begin with, at least, and that one may have more than the other; set by hand.
_BEGINNING: Final = 4
_TABLE: Final = Path(__file__).with_name("health_words.tsv")
_FAR: Final = threshold("answers.part_answers.far")
_FARTHEST: Final = threshold("answers.part_answers.farthest")
_FEWEST: Final = 3  # words of a question outside health, at least: a name by itself may be one of health; set by hand
_SURE: Final = threshold("answers.part_answers.sure")
_LONGEST: Final = 15  # words of a question outside health, at most: who writes more is heard; set by hand
_WORD: Final = re.compile(r"[^\W\d_]+")


def bounded(answer: Answer, given: Iterable[PartAnswer] = ()) -> Answer:
    """Keep an answer to what it should say, by what was `given` for its parts.

    No related passages in an emergency, and nothing where the question is not about health.
    """
    if answer.status == ANSWERED and answer.urgent:
        return replace(answer, closest=(), parts=tuple(replace(part, closest=()) for part in answer.parts))
    if not answer.urgent and (unknown := unknown_words(answer, given)):
        return _silent(answer, UNKNOWN.format(" ".join(unknown)))
    if answer.status == ANSWERED or answer.remark:
        return answer
    if answer.urgent:
        parts = tuple(replace(part, status=NOT_ENOUGH_EVIDENCE, sentences=()) for part in answer.parts)
        return replace(
            answer, status=NOT_ENOUGH_EVIDENCE, sentences=(), evidence=(), parts=parts, ask_back=None, apart=()
        )
    return _silent(answer, OUTSIDE) if is_outside(answer) else answer


def _silent(answer: Answer, remark: str) -> Answer:
    question, understood, notice = answer.question, answer.understood, answer.notice
    return Answer(question, NOT_ENOUGH_EVIDENCE, notice=notice, remark=remark, understood=understood)


def unknown_words(answer: Answer, given: Iterable[PartAnswer] = ()) -> list[str]:
    """Give the words of what a question is about, where neither English, names nor what was found has any of them."""
    if answer.entities or answer.remark:
        return []
    words = [word.text for word in words_in(answer.understood or answer.question) if not is_plain([word])]
    if any(is_english(word.removesuffix("s")) or any(map(is_english, _WORD.findall(word))) for word in words):
        return []
    found = [sentence.text for sentence in answer.sentences]
    found += [one.title for one in answer.evidence if isinstance(one, FoundSection | FoundPage)]
    found += [item.section.text for one in given for item in one.material.sections]
    text = small(" ".join(found))
    # Who asks why they urinate has found what is urinary.
    return [] if any(word[: max(_BEGINNING, len(word) - _BEGINNING)] in text for word in words) else words


def is_outside(answer: Answer) -> bool:
    """Tell whether a question is not about health: no name or word is, and nothing related is found; not in doubt."""
    text = small(answer.understood or answer.question)
    words = _WORD.findall(text)
    of_health = read_patterns(_TABLE)["word"].search(" ".join(words))
    if not 0 < len(words) <= _LONGEST or any(map(_counts, answer.entities)) or of_health:
        return False
    if all(map(is_english, words)):
        return answer.confidence < _FAR
    return len(words) >= _FEWEST and answer.confidence < _FARTHEST


def _counts(mention: Mention) -> bool:
    """Tell whether a name is one of health: of what texts are about, or neither a topic nor a side effect alone."""
    named = bool(mention.documents) or mention.label not in {"SideEffect", "Topic"}
    return named and mention.similarity >= _SURE
