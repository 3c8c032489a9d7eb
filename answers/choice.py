"""Which sentences of the evidence answer best without repeating one another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from .helping import features_of, helps

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from .deciding import Decides
    from .evidence import Evidence, Said
    from .sentences import Candidate

SECTIONS: Final = 3
"""Sections that an answer may quote; set by hand."""

NEAR: Final = 0.75
"""The part of the best section's probability that another one must have to be quoted beside it; set by hand."""

MAX_SENTENCES: Final = 6
"""Sentences of an answer, at most; set by hand."""

NOVELTY: Final = 0.25
"""How much likeness to a sentence already chosen counts against one, from 0 to 1; set by hand."""

FLOOR: Final = 0.75
"""The part of the best sentence's likelihood to help below which none is chosen; chosen on graded sentences."""

LEAST: Final = 0.45
"""How likely a sentence must help to be chosen; where none is so likely, the likeliest is, alone. Chosen on graded
sentences."""

LEAST_DECIDING: Final = 0.15
"""How likely a sentence that decides must help to come first; set by hand."""

TOO_ALIKE: Final = 0.92
"""Cosine from which on a sentence says what another one said; set by hand."""


def quotable(evidence: Sequence[Evidence]) -> Sequence[Evidence]:
    """Keep the sections that an answer may quote.

    Args:
        evidence: Sections, best first, one at least.

    Returns:
        The first few, as far as they come near the best; those about exactly what is asked about alone where there are
        such, without forms of it.
    """
    near = [item for item in evidence[:SECTIONS] if item.said and item.answers >= NEAR * evidence[0].answers]
    return [item for item in near if item.about] or near


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
    # Where a section is of another kind, what it says besides is not asked for.
    speaks = [any(said.told for said in item.said) for item in sections]
    signs = [features_of(said, sections[number], best=number == 0) for number, said in pool]
    relevance = np.array([helps(features) for features in signs], dtype=np.float32)
    # What only says that there is something to say is quoted where nothing else is.
    plain = any(not said.candidate.vague for _, said in pool)
    beside = [
        (plain and said.candidate.vague) or (speaks[number] and not (sections[number].of_kind or said.told))
        for number, said in pool
    ]
    relevance[np.array(beside)] = 0
    first = _deciding(pool, relevance, decides)
    relevance[relevance < min(LEAST, float(relevance.max()))] = 0
    vectors = np.array([said.vector for _, said in pool])
    picked = choose(relevance, vectors @ vectors.T, most, novelty=NOVELTY, floor=FLOOR)
    described = [(number, said.candidate) for number, said in pool]
    chain = _standing([first], described, most) if first is not None else []
    rest = [place for place in _standing([*chain, *picked], described, most) if place not in chain]
    return [pool[place] for some in (chain, rest) for place in sorted(some, key=lambda place: _place(pool[place]))]


def _place(pair: tuple[int, Said]) -> tuple[int, int]:
    return pair[0], pair[1].candidate.start


def _deciding(pool: Sequence[tuple[int, Said]], relevance: NDArray[np.float32], decides: Decides | None) -> int | None:
    """Give the place of the likeliest sentence that decides, if it is likely enough to help."""
    deciding = [place for place, (_, said) in enumerate(pool) if decides and decides(said)]
    best = max(deciding, key=lambda place: float(relevance[place]), default=None)
    return best if best is not None and relevance[best] >= LEAST_DECIDING else None


def _standing(picked: Sequence[int], pool: Sequence[tuple[int, Candidate]], most: int) -> list[int]:
    """Keep what stands by itself, and what leans on the sentence before it together with that one."""
    places = {(number, one.order): place for place, (number, one) in enumerate(pool)}
    kept: dict[int, None] = {}
    for place in picked:
        chain = [place]
        while pool[chain[-1]][1].leans:
            number, one = pool[chain[-1]]
            before = places.get((number, one.order - 1))
            if before is None:
                chain = []
                break
            chain.append(before)
        if chain and len(kept.keys() | set(chain)) <= most:
            kept.update(dict.fromkeys(chain))
    return list(kept) or list(picked[:1])


def choose(
    relevance: NDArray[np.float32], similarity: NDArray[np.float32], most: int, *, novelty: float, floor: float
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
        if not picked or likeness[best] < TOO_ALIKE:
            picked.append(best)
    return picked
