"""Which sentences of the evidence answer best without repeating one another."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

import numpy as np

from ..embeddings.frequencies import is_reading
from .comparing import LEANING
from .evidence import features_of
from .helping import helps
from .verify.agreement import apart_of, same_subject, says

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence, Set

    from numpy.typing import NDArray

    from ..embeddings.sentences import Candidate
    from .comparing import Said
    from .deciding import Decides
    from .evidence import Evidence

SECTIONS: Final = 3
"""Sections that an answer may quote, the likeliest ones; set by hand."""

DOCUMENTS: Final = 3
"""Documents that it may quote: where the likeliest sections are of fewer, others about the same come beside them."""

NEAR: Final = 0.75
"""The part of the best section's probability that another one must have to be quoted beside it; set by hand."""

ALONE: Final = 0.55
"""How likely a section of another document must answer to be quoted beside a likelier one; as for one alone."""

LEAST_OF_EACH: Final = 0.45
"""How likely the likeliest sentence of another document must help to be quoted, too; chosen on graded sentences."""

MAX_SENTENCES: Final = 6
"""Sentences of an answer, at most; set by hand."""

NOVELTY: Final = 0.25
"""How much likeness to a sentence already chosen counts against one, from 0 to 1; set by hand."""

FLOOR: Final = 0.78
"""The part of the best sentence's likelihood to help below which none is chosen; chosen on graded sentences."""

LEAST: Final = 0.5
"""How likely a sentence must help to be chosen; where none is so likely, the likeliest is, alone. Chosen on graded
sentences."""

LEAST_DECIDING: Final = 0.15
"""How likely a sentence that decides must help to come first; set by hand."""

LEAST_LIMITING: Final = 0.15
"""How likely a sentence must help to come with one that it takes something back of; by 46 that answers had, of which 9
of the 9 below it say something else."""

LONGEST_HEADING: Final = 8
"""Words that stand before a sentence as its heading, at most, where it stands without them elsewhere; set by hand."""

TOO_ALIKE: Final = 0.92
ALIKE_ELSEWHERE: Final = 0.85
"""Cosine from which on a sentence says what another one said, of the same document and of another; set by hand."""


def quotable(evidence: Sequence[Evidence]) -> Sequence[Evidence]:
    """Keep the sections that an answer may quote.

    Args:
        evidence: Sections, best first, one at least.

    Returns:
        The first few, as far as they come near the best; those about exactly what is asked about alone where there are
        such, without forms of it. Where they are of few documents, the likeliest section of others about the same that
        tells such things follows. Sections of a document stand together.
    """
    least = NEAR * evidence[0].answers
    near = [item for item in evidence[:SECTIONS] if item.said and item.answers >= least]
    kept = [item for item in near if item.about] or near
    for item in evidence if kept else ():
        documents = {one.section.document for one in kept}
        if len(documents) < DOCUMENTS and item.section.document not in documents and _beside(item, kept[0], least):
            kept.append(item)
    order = list(dict.fromkeys(item.section.document for item in kept))
    return sorted(kept, key=lambda item: order.index(item.section.document))


def _beside(item: Evidence, first: Evidence, least: float) -> bool:
    """Tell whether a section of another document may be quoted beside the likeliest one."""
    tells = item.of_kind or any(said.told for said in item.said)
    exact = item.about or not first.about
    return bool(item.said) and item.answers >= min(least, ALONE) and tells and exact and _same(item, first)


def best_sentences(
    sections: Sequence[Evidence], most: int = MAX_SENTENCES, decides: Decides | None = None
) -> list[tuple[int, Said]]:
    """Choose the sentences that answer a question best.

    Args:
        sections: Sections that may be quoted, best first, one at least.
        most: How many at most.
        decides: Tells of a sentence whether it decides a question that wants a yes or a no; None where none is wanted.

    Returns:
        Pairs of a section's number and a sentence of it, by section and place; of those that decide one comes first,
        if any is likely to help at all.
    """
    pool = [(number, said) for number, item in enumerate(sections) for said in item.said]
    if not pool:
        return []
    likely = _likely(pool, sections)
    first = _deciding(pool, likely, decides)
    picked = _picked(pool, sections, likely, most)
    described = [(number, said.candidate) for number, said in pool]
    limiting = frozenset(
        place for place, (_, said) in enumerate(pool) if said.candidate.limits and likely[place] >= LEAST_LIMITING
    )
    chain = _standing([first], described, limiting, most) if first is not None else []
    rest = [place for place in _standing([*chain, *picked], described, limiting, most) if place not in chain]
    return [pool[place] for some in (chain, rest) for place in sorted(some, key=lambda place: _place(pool[place]))]


def _likely(pool: Sequence[tuple[int, Said]], sections: Sequence[Evidence]) -> NDArray[np.float32]:
    """Say how likely each sentence helps; 0 for what is beside the point, or stands in a list that is quoted whole."""
    likely = np.array(
        [
            helps(features_of(said, sections[number], best=number == 0)) if said.helps is None else said.helps
            for number, said in pool
        ],
        dtype=np.float32,
    )
    if any(said.helps is None for _, said in pool):  # reading heeds all that follows
        likely[_beside_the_point(pool, sections)] = 0
    _keep_lists_whole(likely, pool)
    return likely


def _beside_the_point(pool: Sequence[tuple[int, Said]], sections: Sequence[Evidence]) -> NDArray[np.bool_]:
    """Tell which sentences say nothing that was asked for, as far as signs tell."""
    # Where a section is of another kind, what it says besides is not asked for.
    speaks = [any(said.told for said in item.said) for item in sections]
    # What only says that there is something to say is quoted where nothing else is.
    plain = any(not said.candidate.vague for _, said in pool)
    return np.array(
        [
            (plain and said.candidate.vague)
            or (
                not said.told and (is_reading(said.candidate.text) or (speaks[number] and not sections[number].of_kind))
            )
            for number, said in pool
        ]
    )


def _picked(
    pool: Sequence[tuple[int, Said]], sections: Sequence[Evidence], likely: NDArray[np.float32], most: int
) -> list[int]:
    """Pick the places of sentences, the likeliest ones, and one of each document about the same that has a good one."""
    vectors = np.array([said.vector for _, said in pool])
    alike = vectors @ vectors.T
    documents = [sections[number].section.document for number, _ in pool]

    def repeats(one: int, other: int) -> bool:
        return _repeats(pool[one], pool[other], sections, float(alike[one, other]))

    relevance = np.where(likely < min(LEAST, float(likely.max())), np.float32(0), likely)
    picked = choose(relevance, alike, most, novelty=NOVELTY, floor=FLOOR, repeats=repeats)
    added = []
    for places in _grouped(documents):
        good = [place for place in places if likely[place] >= LEAST_OF_EACH]
        if good and _same(sections[pool[good[0]][0]], sections[0]):
            added.append(max(good, key=lambda place: (pool[place][1].told, float(likely[place]))))
    return _with_each(picked, added, documents, most, repeats)


def _with_each(
    picked: Sequence[int],
    added: Sequence[int],
    documents: Sequence[str],
    most: int,
    repeats: Callable[[int, int], bool],
) -> list[int]:
    """Add a sentence of each document that has none among those picked, in place of the last of one with several."""
    picked = list(picked)
    for place in added:
        if documents[place] in {documents[one] for one in picked} or any(repeats(place, one) for one in picked):
            continue
        if len(picked) == most:
            counts = Counter(documents[one] for one in picked)
            spare = next((one for one in reversed(picked) if counts[documents[one]] > 1), None)
            if spare is None:
                break
            picked.remove(spare)
        picked.append(place)
    return picked


def _keep_lists_whole(likely: NDArray[np.float32], pool: Sequence[tuple[int, Said]]) -> None:
    """Let a list count for as much as the likeliest of its items, which stand in it; and leave out stuck headings."""
    for place, (number, said) in enumerate(pool):
        for other, (elsewhere, part) in enumerate(pool):
            text, held = said.candidate.text, part.candidate.text
            if number != elsewhere or len(text) <= len(held) or not _holds(text, held):
                continue
            if text.count(" - ") > 1:
                likely[place], likely[other] = max(likely[place], likely[other]), 0
            elif text.endswith(held) and len(text.removesuffix(held).split()) <= LONGEST_HEADING:
                likely[place], likely[other] = 0, max(likely[place], likely[other])


def _repeats(one: tuple[int, Said], other: tuple[int, Said], sections: Sequence[Evidence], cosine: float) -> bool:
    """Tell whether one of two sentences says what the other does."""
    texts, mine, theirs = (one[1].candidate.text, other[1].candidate.text), sections[one[0]], sections[other[0]]
    if _holds(*texts) or _holds(*texts[::-1]) or cosine >= TOO_ALIKE:
        return True
    if mine.section.document == theirs.section.document:
        return False
    apart = apart_of(mine.section, theirs.section)
    return cosine >= ALIKE_ELSEWHERE or (says(*texts, apart, cosine) and says(*texts[::-1], apart, cosine))


def _holds(text: str, part: str) -> bool:
    """Tell whether a sentence, or an item of a list, stands within another one."""
    return part.strip(" .") in text


def _same(one: Evidence, other: Evidence) -> bool:
    """Tell whether two pages are about the same: exactly what is asked about, or what both are named for."""
    return (one.about and other.about) or same_subject(one.section, other.section)


def _grouped(names: Sequence[str]) -> list[list[int]]:
    """Give the places of each name, in the order of their first ones."""
    return [[at for at, other in enumerate(names) if other == name] for name in dict.fromkeys(names)]


def _place(pair: tuple[int, Said]) -> tuple[int, int]:
    return pair[0], pair[1].candidate.start


def _deciding(pool: Sequence[tuple[int, Said]], relevance: NDArray[np.float32], decides: Decides | None) -> int | None:
    """Give the place of the likeliest sentence that decides, if it is likely enough to help."""
    deciding = [place for place, (_, said) in enumerate(pool) if decides and decides(said)]
    best = max(deciding, key=lambda place: float(relevance[place]), default=None)
    return best if best is not None and relevance[best] >= LEAST_DECIDING else None


def _standing(picked: Sequence[int], pool: Sequence[tuple[int, Candidate]], limiting: Set[int], most: int) -> list[int]:
    """Keep what stands by itself, what leans on the sentence before it together with that one, and what limits them."""
    places = {(number, one.order): place for place, (number, one) in enumerate(pool)}
    kept: dict[int, None] = {}
    for place in picked:
        chain = [place]
        while pool[chain[-1]][1].needs:
            number, one = pool[chain[-1]]
            before = places.get((number, one.order - 1))
            if before is None:
                chain = []
                break
            chain.append(before)
        fits = len(kept.keys() | set(chain)) <= most
        # What is quoted first comes with what it leans on, even where that is one more.
        if chain and (fits or (not kept and len(chain) <= LEANING)):
            kept.update(dict.fromkeys(chain))
    if kept:
        # Half of `You can't catch it. However, …` misleads.
        behind = [places.get((number, one.order + 1)) for number, one in (pool[place] for place in kept)]
        return list(dict.fromkeys((*kept, *(place for place in behind if place is not None and place in limiting))))
    # Alone `This is mostly because …` says nothing, and what stands before it may.
    leaning = [pool[place] for place in picked]
    ahead = [places.get((number, one.order - back)) for back in range(1, LEANING) for number, one in leaning]
    places_alone = [place for place in (*picked, *ahead) if place is not None]
    alone = [place for place in places_alone if not (pool[place][1].dangles or pool[place][1].stands_for_things)]
    return sorted(alone, key=lambda place: pool[place][1].needs)[:1]


def choose(
    relevance: NDArray[np.float32],
    similarity: NDArray[np.float32],
    most: int,
    *,
    novelty: float,
    floor: float,
    repeats: Callable[[int, int], bool] | None = None,
) -> list[int]:
    """Pick sentences one after another: relevant, and unlike those already picked (maximal marginal relevance).

    Carbonell and Goldstein, "The use of MMR, diversity-based reranking for reordering documents and producing
    summaries", SIGIR 1998.

    Args:
        relevance: How well each of n sentences answers: (n,) float32.
        similarity: The cosine of each two: (n, n) float32.
        most: How many at most.
        novelty: How much likeness to a picked sentence counts against one, from 0 to 1.
        floor: The part of the best relevance below which none is picked.
        repeats: Tells of two whether one says what the other does; by default their cosine does.

    Returns:
        Indexes in the order they were picked.
    """
    picked: list[int] = []
    if not len(relevance):
        return picked
    least = float(relevance.max()) * floor
    left = [i for i in range(len(relevance)) if relevance[i] >= least]
    while left and len(picked) < most:
        likeness = similarity[:, picked].max(axis=1) if picked else np.zeros(len(relevance), dtype=np.float32)
        gain = (1 - novelty) * relevance - novelty * likeness
        best = max(left, key=lambda i: (float(gain[i]), -i))
        left.remove(best)
        repeated = any(repeats(best, one) for one in picked) if repeats else likeness[best] >= TOO_ALIKE
        if not repeated:
            picked.append(best)
        elif repeats:
            most -= 1  # what is said already is no reason to say what helps less
    return picked
