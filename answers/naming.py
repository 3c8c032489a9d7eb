"""What a question names: its words, and the pages that are about it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ..queries import lucene
from ..queries.salience import name_stem

if TYPE_CHECKING:
    from ..queries.entities import Mention
    from ..queries.question import Question
    from ..queries.retriever import SectionText

_FORM: Final = re.compile(
    r"\b(?:juvenile|neonatal|infantile|benign|disseminated|gestational|postpartum|drug-induced)\b"
)
"""What makes a form of a disease another thing than what people mean by its name; set by hand."""

_LEAST_TELLING: Final = 4
"""Letters of a word that tells what is named, at least; set by hand."""

_OF_EVERY_NAME: Final = frozenset(
    map(name_stem, "disease disorder syndrome condition disability deficiency problem type form acute chronic".split())
)


def things_of(question: Question) -> list[list[Mention]]:
    """Give the things that a question asks about.

    Returns:
        What it names, in order; names that touch or overlap are of one thing (`Pelizaeus-Merzbacher leukodystrophy`).
    """
    things: list[list[Mention]] = []
    for one in sorted(question.about, key=lambda one: (one.start, -one.end)):
        if things and one.start <= max(before.end for before in things[-1]) + 1:
            things[-1].append(one)
        else:
            things.append([one])
    return things


def telling_of(question: Question) -> frozenset[str]:
    """Give the words that tell what a question names, and are not those of every name (`disease`, `type`).

    Returns:
        Their stems, as `name_stem` gives them.
    """
    words = (word for one in question.about for stems in stems_of(one) for word in stems)
    return frozenset(word for word in words if len(word) >= _LEAST_TELLING and word not in _OF_EVERY_NAME)


def stems_of(mention: Mention) -> list[list[str]]:
    """Give the words of the names by which a question knows something.

    Returns:
        The stems of each name, as it was typed, and as the graph has it.
    """
    names = dict.fromkeys((mention.surface, mention.name, mention.matched))
    return [[name_stem(word) for word in lucene.all_words(name)] for name in names]


def is_about(mention: Mention, section: SectionText) -> bool:
    """Tell whether a section's document is about what a mention may mean.

    Returns:
        Whether it is, by its entities or by its concepts.
    """
    return any(
        meant.entity in section.entities or not set(meant.concepts).isdisjoint(section.concepts)
        for meant in mention.called()
    )


def forms_of(text: str) -> frozenset[str]:
    """Give the words of a text that make a form of a disease another thing than what people mean by its name.

    Returns:
        The words, such as `juvenile`; empty for most.
    """
    return frozenset(_FORM.findall(text.lower()))
