"""The span of some sections that supports a sentence best, claim by claim."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Final

from ...embeddings.sentences import Candidate, said
from ..answer import SUPPORTED, Sentence
from ..citing import citation_of
from ..evidence import sentences_of
from .agreement import about_of, name_in
from .claims import claims_of
from .rules import compare
from .verifier import judge_claim

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..evidence import Evidence
    from .chances import Chances

JUDGED: Final = 6
"""Spans that are judged for a claim, at most: those that have most of its words; set by hand."""

NEARLY: Final = 0.2
"""What a span may have less of a claim's words than the one that has most: where that one differs in a number or a
negation, one that is only about the same does not stand in for it. Chosen on the half dev of a large model's words."""

_GAP: Final = 2
"""Characters between sentences that are one span together, at most."""


def citing(text: str, sections: Sequence[Evidence], chances: Chances) -> Sentence:
    """Cite what supports a sentence best.

    Args:
        text: The sentence.
        sections: The sections that it may cite.
        chances: Says how likely a text supports a claim.

    Returns:
        The sentence with the span that decides on each of its claims: a sentence, and the one before where it leans on
        that. It is yet to be checked against them.
    """
    claims = (_best(claim.text, sections, chances) for claim in claims_of(text))
    found = dict.fromkeys(best for best in claims if best)
    return Sentence(text, tuple(citation_of(sections[place].section, span) for place, span in found), SUPPORTED)


def _best(claim: str, sections: Sequence[Evidence], chances: Chances) -> tuple[int, Candidate] | None:
    """Choose the span that says a claim, or else that comes nearest to it."""
    ranked = sorted(_spans(claim, sections), key=lambda one: one[0])
    judged = []
    for rank, place, span in [one for one in ranked if one[0][0] <= ranked[0][0][0] + NEARLY][:JUDGED]:
        section = sections[place].section
        verdict, sure = judge_claim(claim, span.text, chances, name_in(claim, section), about_of(section))
        supports = verdict == SUPPORTED
        judged.append((not supports, supports and rank[1], -sure if supports else 0.0, rank, place, span))
    return min(judged, key=lambda one: one[:4])[4:] if judged else None


def _spans(claim: str, sections: Sequence[Evidence]) -> Iterator[tuple[tuple[float, int, int], int, Candidate]]:
    """Give sentences, and those that lean on the one before with it, with their rank: what says most comes first."""
    for place, item in enumerate(sections):
        text = item.section.text
        single = sentences_of(item)
        double = [
            Candidate(one.section, one.order, one.start, two.end, said(text[one.start : two.end]))
            for one, two in itertools.pairwise(single)
            if two.needs and two.start - one.end <= _GAP
        ]
        for number, span in enumerate((*single, *double)):
            yield (-round(compare(claim, span.text).covered, 3), int(number >= len(single)), place), place, span
