"""Questions that are offered: examples, what else is told of what a question names, and what to ask instead of it."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ..graph import catalogue
from ..patterns import small
from ..queries import lucene
from ..queries.relation_sentences import in_sentence, is_plural
from ..queries.salience import stem
from ..schema.kinds import GENERAL, lists, said
from ..schema.vocabulary import CONDITIONS
from .answer import ANSWERED, FoundSection
from .facts import NAMED, FactQuery, facts_of
from .parts import PLAINEST
from .things import PART, is_plain, patterns, words_in

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ..graph.database import Database, Row
    from ..queries.entities import Mention
    from .answer import Answer

OFFERED: Final = 6
"""Examples that are offered at once, at most."""

NEXT: Final = 4
"""Questions that are offered after an answer, at most; set by hand."""

_BY_NAME: Final = {"treatment": "Which drugs treat {}?"}
"""Kind of fact → the question that such facts answer; of other kinds too few diseases have any that two voices say."""

_FIRST: Final = tuple(said("offered"))
"""Kinds of section in the order in which they are offered; the others come after them."""

INSTEAD: Final = 3
"""Questions that are offered instead of one that is not answered, at most; set by hand."""

_NEAR: Final = lists("near")
"""Kind of section → those that tell something near to it, the nearest first; what a thing is comes last of all."""

_LEAST_SAID: Final = 0.25
"""The part of a question's own words that must name what is offered, and more: of hiccups among six other signs of
something nobody asks what they are; chosen on the half dev, by reading."""

_UNSAID: Final = ("treatment",)
"""What comes near a question that asks for no kind of section."""

_SURE: Final = 0.9
"""How sure it must be what a question names, for something to be offered instead."""

_FEWEST_KINDS: Final = 2
_MOST_KINDS: Final = 15
"""Kinds that something wider has at once: goiter has few, and disease of the eye more than anybody asks of; set by
hand."""

_NEAREST: Final = 0.2
"""How likely a page must answer to be offered for its title; chosen on the half dev, by reading."""

_WIDER: Final = re.compile(r"\b(?:disorders?|diseases?|injur(?:y|ies)|conditions?|problems?)\b", re.IGNORECASE)
"""What the title of a page may say beyond a question."""

_LOOKED_AT: Final = 60
"""Entities that examples are chosen from."""

_TRIED: Final = 24
"""Questions that are asked to find out whether they are answered, at most; each takes as long as anybody's."""


def examples(database: Database, ask: Callable[[str], Answer]) -> tuple[str, ...]:
    """Choose questions that a graph answers.

    Returns:
        Questions about what most sections describe, each asking for something else and about something else, as far as
        there is so much; each was asked, and answered.
    """
    rows = database.read(catalogue.get("well_described"), types=list(PLAINEST), limit=_LOOKED_AT)
    chosen: dict[str, str] = {}
    for row in _varied(rows)[:_TRIED]:
        new = (kind for kind in PLAINEST if kind in row["types"] and kind not in chosen.values())
        kind = next(new, row["types"][0])
        question = PLAINEST[kind].format(in_sentence(row["name"], (), row["label"]))
        if ask(question).status == ANSWERED:
            chosen[question] = kind
        if len(chosen) == OFFERED:
            break
    return tuple(chosen)


def follow_ups(database: Database, answer: Answer) -> tuple[str, ...]:
    """Choose what else to ask about what a question names.

    Returns:
        What facts answer of the first entity that any section is about, and a question for each type of section about
        it, without the types that were asked for; what to ask instead of a question that is not answered; none where
        something is asked back.
    """
    if answer.ask_back or (answer.urgent and not answer.sentences):
        return ()
    # Who asks of gout in pregnancy asks of gout.
    named = [mention for mention in answer.entities if not patterns()["people"].fullmatch(mention.surface)]
    if answer.status != ANSWERED:
        return _instead(database, answer, named)
    types = list(dict.fromkeys(kind for kind in (*_FIRST, *PLAINEST) if kind not in answer.intents))
    found = _kinds_about(database, named, types)
    mention = next((mention for mention in named if mention.entity in found), None)
    if mention is None:
        return ()
    there = [_plainly(kind, _called(mention)) for kind in types if kind in found[mention.entity]]
    facts = [question for question in _by_name(database, mention) if small(question) != small(answer.understood)]
    return (*there[: NEXT - len(facts)], *facts)


def _instead(database: Database, answer: Answer, named: Sequence[Mention]) -> tuple[str, ...]:
    """Choose what to ask instead of a question that is not answered: the same and what is near to it, plainly."""
    things = [mention for mention in named if _is_asked_about(answer, mention, named)]
    things = things if _says_little_else(answer, things) else []
    things = sorted(things, key=lambda mention: mention.start)[:INSTEAD]
    kinds = list(answer.intents or _UNSAID)
    kinds = [*kinds, *(near for kind in kinds for near in _NEAR.get(kind, ()))]
    kinds = [kind for kind in dict.fromkeys((*kinds, GENERAL)) if kind in PLAINEST]
    found = _kinds_about(database, things, kinds)
    things, found = _widened(database, things, found, kinds)
    each = [
        [_plainly(kind, _called(mention)) for kind in kinds if kind in found[mention.entity]]
        for mention in things
        if mention.entity in found
    ]
    asked = small(answer.understood).strip(" ?.!")
    each = [[question for question in questions if small(question).strip(" ?") != asked] for questions in each]
    # Of two things one question each, before a second one of either.
    ranked = [question for row in itertools.zip_longest(*each) for question in row if question]
    return tuple(dict.fromkeys(ranked))[:INSTEAD] or _of_pages(answer, kinds)


def _of_pages(answer: Answer, kinds: Sequence[str]) -> tuple[str, ...]:
    """Ask for what the nearest page tells whose title says nothing that the question does not."""
    words = {stem(word) for word in lucene.all_words(answer.understood)}
    for page in answer.evidence:
        if not isinstance(page, FoundSection) or page.score < _NEAREST or page.type not in kinds:
            continue
        title = [stem(word) for word in lucene.content_words(lucene.all_words(_WIDER.sub("", page.title)))]
        if title and words.issuperset(title):
            return (_plainly(page.type, in_sentence(page.title, (), "Topic")),)
    return ()


def _is_asked_about(answer: Answer, mention: Mention, named: Sequence[Mention]) -> bool:
    """Tell whether something named is what a question is about, and no part of the body, or topic on the way."""
    if mention.similarity < _SURE or mention.label == PART:
        return False
    if mention.label != "Topic":
        return True
    text = answer.understood
    outside = [word for word in words_in(text) if not mention.start <= word.start < mention.end]
    return len(named) == 1 and is_plain(outside)


def _says_little_else(answer: Answer, things: Sequence[Mention]) -> bool:
    """Tell whether what a question names is enough of what it says."""
    own = [word for word in words_in(answer.understood) if not is_plain([word])]
    named = [word for word in own if any(thing.start <= word.start < thing.end for thing in things)]
    return len(named) > _LEAST_SAID * len(own)


def _widened(
    database: Database, things: Sequence[Mention], found: Mapping[str, Sequence[str]], kinds: Sequence[str]
) -> tuple[list[Mention], dict[str, Sequence[str]]]:
    """Put what things are kinds of in the place of those that no section is about."""
    narrow = [mention.entity for mention in things if mention.entity not in found and mention.label in CONDITIONS]
    if not narrow:
        return list(things), dict(found)
    rows = database.read(
        catalogue.get("wider_about"), entities=narrow, types=list(kinds), fewest=_FEWEST_KINDS, most=_MOST_KINDS
    )
    wider = {row["entity"]: row for row in reversed(rows)}
    widened = [
        replace(mention, entity=row["wider"], name=row["name"], label=row["label"])
        if (row := wider.get(mention.entity))
        else mention
        for mention in things
    ]
    return widened, {**found, **{row["wider"]: row["types"] for row in wider.values()}}


def _kinds_about(database: Database, named: Sequence[Mention], kinds: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """Give the kinds of section, of some, that there are about what is named."""
    rows = database.read(
        catalogue.get("kinds_about"), entities=[mention.entity for mention in named], types=list(kinds)
    )
    return {row["entity"]: row["types"] for row in rows}


def _by_name(database: Database, mention: Mention) -> list[str]:
    """Ask for what facts list of something, where they list enough."""
    known = {kind: facts_of(database, FactQuery(kind, mention)) for kind in _BY_NAME}
    name = _called(mention)
    return [form.format(name) for kind, form in _BY_NAME.items() if len(known[kind]) >= NAMED]


def _called(mention: Mention) -> str:
    """Give the plain name of something, as several where the question names several: hiccups, and no hiccup."""
    name = in_sentence(mention.name, (), mention.label)
    return mention.surface if mention.surface == f"{name}s" else name


def _plainly(kind: str, name: str) -> str:
    """Ask for a kind of section about something in the plainest words."""
    form = PLAINEST[kind]
    if is_plural(name):
        form = form.replace("is {}", "are {}").replace("Is {}", "Are {}")
    return form.format(name)


def _varied(rows: Sequence[Row]) -> list[Row]:
    """Put what shares no word of its name with anything before it first: one cancer, and not four."""
    said: set[str] = set()
    first: list[Row] = []
    others: list[Row] = []
    for row in rows:
        words = set(lucene.content_words(lucene.all_words(row["name"])))
        (others if words & said else first).append(row)
        said |= words
    return first + others
