"""The sentences of the evidence that answer best without repeating one another, quoted and cited."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Final

import numpy as np

from ..embeddings.candidate_sentences import stuck_before, unnamed
from ..patterns import threshold
from ..queries import lucene
from ..queries.fusion import untitled
from .answer import ANSWERED, NOT_ENOUGH_EVIDENCE, RELATED, Sentence
from .citing import citation_of, explained, trimmed, verdict
from .scoring import LEANING, features_of
from .signs import ALL_NAMED, NEAR_READ, Signs, head_of, least_near, promises, things_of
from .signs import RELATED as LEAST_RELATED
from .verify.claims import apart_of, restates

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence, Set

    from numpy.typing import NDArray

    from ..embeddings.candidate_sentences import CandidateSentence
    from ..queries.question import Question
    from ..queries.retriever import SectionText
    from .answer import Status
    from .parts import QuestionPart
    from .scoring import ScoredSection, ScoredSentence

    Quotable = tuple[ScoredSection, ScoredSentence]

SECTIONS: Final = 3  # sections that an answer may quote, the likeliest ones; set by hand
NEAR: Final = threshold("answers.selecting.near")
MAX_SENTENCES: Final = 6  # sentences of an answer, at most; set by hand
NOVELTY: Final = threshold("answers.selecting.novelty")
FLOOR: Final = threshold("answers.selecting.floor")
LEAST: Final = threshold("answers.selecting.least")
LEAST_LIMITING: Final = threshold("answers.selecting.least_limiting")
TOO_ALIKE: Final = threshold("answers.selecting.too_alike")
ALIKE_ELSEWHERE: Final = threshold("answers.selecting.alike_elsewhere")
_WORDS: Final = re.compile(r"\w{2}")  # what parts two sentences: a heading, or what cannot be quoted
# What asks for a cure, and tells of one: treatments alone do not.
_CURE: Final = re.compile(r"\b(?:in|un)?cur(?:e[ds]?|able)\b", re.IGNORECASE)
LEAST_SENTENCES: Final = 2  # sentences of each part of an answer, at most, however many parts there are; set by hand

# Sentences of what is only related, at most, each of a section; one where much is asked. Set by hand.
RELATED_SENTENCES: Final = 2

# The similarity of letters, of 100, from which on one of two sentences is left out; set by hand.
NEAR_DUPLICATE: Final = 80


def select(
    part: QuestionPart, evidence: Sequence[ScoredSection], most: int, least: float, *, reads: bool
) -> tuple[Status, tuple[Sentence, ...], tuple[str, ...]]:
    """Select `most` sentences that answer, where the best section does so `least` likely, or that are related.

    Returns:
        Whether they answer, the sentences, and the things asked about where no section is about all of them.
    """
    question, sure = part.question, evidence[0].answers if evidence else 0.0
    signs = Signs(question, part.clause)
    if sure >= least:
        sentences = quote_sentences(question, evidence, most)
        # The section may say it, and what is quoted of it does not.
        said = " ".join(sentence.text for sentence in sentences)
        heeds = signs.mentions_focus(said) and bool(_CURE.search(said) or not _CURE.search(question.text))
        # What one form of a disease has is no answer on the disease.
        quoted = quotable(evidence)
        exact = any(signs.is_on_thing(item.section, _texts(item)) for item in quoted if not signs.is_form(item.section))
        if heeds and exact:
            return ANSWERED, sentences, ()
        # A page on another disease is not near it, however sure it seems: hypothyroidism for thyroid cancer.
        on_thing = any(signs.is_on_thing(item.section, [head_of(item.section)]) for item in quoted)
        return (RELATED, sentences, ()) if on_thing or exact else (NOT_ENOUGH_EVIDENCE, (), ())
    far = sure < least_near(question, reads=reads)
    near = [item for item in evidence if item.related >= LEAST_RELATED and item.sentences and not far]
    near = [item for item in near if signs.is_on_thing(item.section, [head_of(item.section), *_texts(item)])]
    if not near:
        return NOT_ENOUGH_EVIDENCE, (), ()
    if reads:
        near = [near[0], *(item for item in near[1:] if item.answers >= NEAR_READ)]
    shown = RELATED_SENTENCES if most > LEAST_SENTENCES else 1
    near, apart = choose_related(question, near, shown)
    each = [quote_sentences(question, [item], max(1, shown // len(near))) for item in near]
    return RELATED, drop_near_duplicates(itertools.chain.from_iterable(each)), apart


def _texts(item: ScoredSection) -> list[str]:
    return [said.candidate.text for said in item.sentences]


def drop_near_duplicates(sentences: Iterable[Sentence]) -> tuple[Sentence, ...]:
    """Leave out sentences that say nearly the same words as one before."""
    from rapidfuzz import fuzz

    kept: list[Sentence] = []
    for sentence in sentences:
        if all(fuzz.ratio(sentence.text, one.text) < NEAR_DUPLICATE for one in kept):
            kept.append(sentence)
    return tuple(kept)


def choose_related(
    question: Question, near: Sequence[ScoredSection], most: int
) -> tuple[list[ScoredSection], tuple[str, ...]]:
    """Choose related sections: one about all that is asked about, or else one about each; and give these things."""
    things = things_of(question)
    if len(things) < 2 or question.is_message:
        return list(near[:most]), ()
    together = [item for item in near if item.features["names"] >= ALL_NAMED]
    chosen = dict.fromkeys(map(near.index, together[:1] or near[:1]))
    for thing in things if not together else ():
        names = {one.surface for one in thing}
        if not any(near[place].naming & names for place in chosen):
            chosen |= dict.fromkeys([place for place, item in enumerate(near) if item.naming & names][:1])
    chosen |= dict.fromkeys(range(min(most, len(near)) if len(chosen) < most else 0))
    typed = tuple(question.text[thing[0].start : max(one.end for one in thing)] for thing in things)
    return [near[place] for place in list(chosen)[: max(most, len(things))]], () if together else typed


def quotable(evidence: Sequence[ScoredSection]) -> Sequence[ScoredSection]:
    """Keep the first few sections, as far as they come near the best; those about exactly what is asked alone, if any.

    Sections of a document stand together.
    """
    least = NEAR * evidence[0].answers
    near = [item for item in evidence[:SECTIONS] if item.sentences and item.answers >= least]
    kept = [item for item in near if item.about] or near
    order = list(dict.fromkeys(item.section.document for item in kept))
    return sorted(kept, key=lambda item: order.index(item.section.document))


def best_sentences(sections: Sequence[ScoredSection], most: int = MAX_SENTENCES) -> list[Quotable]:
    """Choose the sentences that answer a question best, in order, each with its section."""
    pool = [(item, said) for item in sections for said in item.sentences]
    if not pool:
        return []
    likely = np.array(
        [
            promises(features_of(said, item, best=item is sections[0])) if said.helps is None else said.helps
            for item, said in pool
        ],
        dtype=np.float32,
    )
    vectors = np.array([said.vector for _, said in pool])
    alike = vectors @ vectors.T

    def repeats(one: int, other: int) -> bool:
        return _repeats(pool[one], pool[other], float(alike[one, other]))

    relevance = np.where(likely < min(LEAST, float(likely.max())), np.float32(0), likely)
    picked = _choose(relevance, alike, most, repeats)
    behind = frozenset(
        place
        for place, (_, said) in enumerate(pool)
        if said.candidate.details or (said.candidate.limits and likely[place] >= LEAST_LIMITING)
    )
    return [pool[place] for place in sorted(_standing(picked, pool, behind, most))]


def _repeats(one: Quotable, other: Quotable, cosine: float) -> bool:
    texts, mine, theirs = (one[1].candidate.text, other[1].candidate.text), one[0].section, other[0].section
    if _holds(*texts) or _holds(*texts[::-1]) or cosine >= TOO_ALIKE:
        return True
    if mine.document == theirs.document:
        return False
    apart = apart_of(mine, theirs)
    return cosine >= ALIKE_ELSEWHERE or (restates(*texts, apart, cosine) and restates(*texts[::-1], apart, cosine))


def _holds(text: str, part: str) -> bool:
    return part.strip(" .") in text


def _standing(picked: Sequence[int], pool: Sequence[Quotable], behind: Set[int], most: int) -> list[int]:
    """Keep what stands by itself, what leans on the sentence before it together with that one, and what goes `behind`.

    Args:
        picked: Places in the pool, those that help most first.
        behind: Places of what says more on the sentence before, or takes something of it back.
    """
    places = {(item.section.section, said.candidate.order): place for place, (item, said) in enumerate(pool)}

    def near(place: int, steps: int) -> int | None:
        item, said = pool[place]
        return places.get((item.section.section, said.candidate.order + steps))

    kept: dict[int, None] = {}
    for place in picked:
        chain = _chain(place, pool, near)
        fits = len(kept.keys() | set(chain)) <= most
        # What is quoted first comes with what it leans on, even where that is one more.
        if chain and (fits or (not kept and len(chain) <= LEANING)):
            kept.update(dict.fromkeys(chain))
    if kept:
        # Half of `You can't catch it. However, …` misleads.
        after = [near(place, 1) for place in kept]
        return list(dict.fromkeys((*kept, *(place for place in after if place is not None and place in behind))))
    # Alone `This is mostly because …` says nothing, and what stands before it may.
    ahead = [near(place, -back) for back in range(1, LEANING) for place in picked]
    alone = [(place, pool[place][1].candidate) for place in (*picked, *ahead) if place is not None]
    alone = [(place, one) for place, one in alone if not one.needs or one.stands_for_page]
    return [place for place, _ in sorted(alone, key=lambda each: each[1].needs)[:1]]


def _chain(place: int, pool: Sequence[Quotable], near: Callable[[int, int], int | None]) -> list[int]:
    """Give the place of a sentence, and of those right before it that it cannot be read without; none where one lacks.

    What it points at may stand before those, or nowhere: `these risk factors` takes one that names them.
    """
    item, sentence = pool[place][0], pool[place][1].candidate
    chain, one, said = [place], sentence, ""
    while one.needs or unnamed(sentence.text, said):
        before = near(chain[-1], -1)
        if before is None or _WORDS.search(item.section.text, pool[before][1].candidate.end, one.start):
            return []
        one = pool[before][1].candidate
        chain, said = [*chain, before], f"{one.text} {said}"
    return chain


def _choose(
    relevance: NDArray[np.float32], similarity: NDArray[np.float32], most: int, repeats: Callable[[int, int], bool]
) -> list[int]:
    """Pick sentences one after another: relevant, and unlike those already picked (maximal marginal relevance).

    Carbonell and Goldstein, SIGIR 1998. `relevance` is (n,) float32; `similarity`, the cosine of each two, (n, n).
    """
    picked: list[int] = []
    least = float(relevance.max()) * FLOOR
    left = [i for i in range(len(relevance)) if relevance[i] >= least]
    while left and len(picked) < most:
        likeness = similarity[:, picked].max(axis=1) if picked else np.zeros(len(relevance), dtype=np.float32)
        gain = (1 - NOVELTY) * relevance - NOVELTY * likeness
        best = max(left, key=lambda i: (float(gain[i]), -i))
        left.remove(best)
        if any(repeats(best, one) for one in picked):
            most -= 1  # what is said already is no reason to say what helps less
        else:
            picked.append(best)
    return picked


def quote_sentences(question: Question, evidence: Sequence[ScoredSection], most: int) -> tuple[Sentence, ...]:
    """Quote `most` sentences of sections, the best first; none where none can stand by itself."""
    if not evidence:
        return ()
    return tuple(_cited(said.candidate, item, question) for item, said in best_sentences(quotable(evidence), most))


def _cited(candidate: CandidateSentence, evidence: ScoredSection, question: Question) -> Sentence:
    section = evidence.section
    candidate = trimmed(candidate, section.text)
    citation = citation_of(section, candidate)
    exact = evidence.about and not _is_form(section.title.lower(), question)
    over = "" if exact else _unsaid(section, f"{question.text} {candidate.text}".lower())
    about = ", ".join(filter(None, (over, stuck_before(section.text, candidate.start) if section.label else "")))
    short_forms = explained(candidate.text, section.text, f"{question.text} {section.title}")
    checked = verdict(candidate.text, citation, section.text)
    return Sentence(candidate.text, (citation,), checked, about=about, short_forms=short_forms)


def _is_form(title: str, question: Question) -> bool:
    """Tell whether a title is a name of what is asked about and goes on (`Glycogen storage disease type 1B`)."""
    names = {name.lower() for one in question.about for name in (one.surface, one.name, one.matched)}
    return title not in names and any(title.startswith(f"{name} ") and "(" not in title for name in names)


def _unsaid(section: SectionText, said: str) -> str:
    """Give what a page is about, if it has a title and nothing says so (`There is no cure for the condition`)."""
    words = lucene.content_words(lucene.all_words(section.title))
    return "" if untitled(section.title, section.document) or all(word in said for word in words) else section.title
