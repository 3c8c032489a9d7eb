"""Questions that are offered: examples, what to ask back, what to ask next, and what to ask instead."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ..graph import catalogue
from ..patterns import small, threshold
from ..queries import lucene
from ..queries.lookups import misspelt
from ..queries.relation_sentences import in_sentence, is_plural, listed
from ..queries.salience import stem
from ..schema.vocabulary import CONDITIONS, GENERAL, kind_values, lists
from .answer import ANSWERED, AskBack, FoundSection, Reply
from .facts import NAMED, FactQuery, facts_of
from .parts import PLAINEST
from .things import PART, RULES, is_plain, things_in, words_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from ..graph.database import Database, Row
    from ..queries.entities import Alternative, Mention
    from ..queries.question import Question
    from ..queries.retriever import Retriever
    from .answer import Answer

OFFERED: Final = 6  # examples that are offered at once, at most
NEXT: Final = 4  # questions that are offered after an answer, at most; set by hand

# What facts of treatment answer; of other kinds too few diseases have any that two voices say.
_BY_NAME: Final = "Which drugs treat {}?"

# Kinds of section in the order in which they are offered; the others come after them.
_FIRST: Final = tuple(kind_values("offered"))
INSTEAD: Final = 3  # questions that are offered instead of one that is not answered, at most; set by hand

# Kind of section → those that tell something near to it, the nearest first; what a thing is comes last of all.
_NEAR: Final = lists("near")
_LEAST_NAMED: Final = threshold("answers.offers.least_named")
_UNSAID: Final = ("treatment",)  # what comes near a question that asks for no kind of section
_SURE: Final = threshold("answers.named")

# Kinds that something wider has at once: goiter has few, and disease of the eye more than anybody asks of; set by hand.
_FEWEST_KINDS: Final = 2
_MOST_KINDS: Final = 15
_NEAREST: Final = threshold("answers.offers.nearest")
_LOOKED_AT: Final = 60  # entities that examples are chosen from

# Questions that are asked to find out whether they are answered, at most; each takes as long as anybody's.
_TRIED: Final = 24


def examples(database: Database, ask: Callable[[str], Answer]) -> tuple[str, ...]:
    """Choose questions that a graph answers, each for something else about something else; each was asked."""
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
    """Choose what else to ask about what a question names, or what to ask instead where it is not answered.

    It is a question for each other kind of section about the first entity, and what facts answer of it.
    """
    if answer.ask_back or (answer.urgent and not answer.sentences):
        return ()
    # Who asks of gout in pregnancy asks of gout.
    named = [mention for mention in answer.entities if not RULES["people"].fullmatch(mention.surface)]
    if answer.status != ANSWERED:
        return _instead(database, answer, named)
    types = list(dict.fromkeys(kind for kind in (*_FIRST, *PLAINEST) if kind not in answer.intents))
    found = _kinds_about(database, named, types)
    mention = next((mention for mention in named if mention.entity in found), None)
    if mention is None:
        return ()
    there = [_plainly(kind, _called(mention)) for kind in types if kind in found[mention.entity]]
    by_name = _BY_NAME.format(_called(mention))
    if small(by_name) == small(answer.understood) or len(facts_of(database, FactQuery("treatment", mention))) < NAMED:
        return tuple(there[:NEXT])
    return (*there[: NEXT - 1], by_name)


def _instead(database: Database, answer: Answer, named: Sequence[Mention]) -> tuple[str, ...]:
    """Choose what to ask instead of a question that is not answered: the same and what is near to it, plainly."""
    things = [mention for mention in named if _is_focus(answer, mention, named)]
    things = things if _is_mostly_names(answer, things) else []
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
        title = [stem(word) for word in lucene.content_words(lucene.all_words(RULES["wider"].sub("", page.title)))]
        if title and words.issuperset(title):
            return (_plainly(page.type, in_sentence(page.title, (), "Topic")),)
    return ()


def _is_focus(answer: Answer, mention: Mention, named: Sequence[Mention]) -> bool:
    """Tell whether something named is what a question is about, and no part of the body, or topic on the way."""
    if mention.similarity < _SURE or mention.label == PART:
        return False
    if mention.label != "Topic":
        return True
    text = answer.understood
    outside = [word for word in words_in(text) if not mention.start <= word.start < mention.end]
    return len(named) == 1 and is_plain(outside)


def _is_mostly_names(answer: Answer, things: Sequence[Mention]) -> bool:
    """Tell whether what a question names is enough of what it says."""
    own = [word for word in words_in(answer.understood) if not is_plain([word])]
    named = [word for word in own if any(thing.start <= word.start < thing.end for thing in things)]
    return len(named) > _LEAST_NAMED * len(own)


def _widened(
    database: Database, things: Sequence[Mention], found: Mapping[str, Sequence[str]], kinds: Sequence[str]
) -> tuple[list[Mention], dict[str, Sequence[str]]]:
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
    rows = database.read(
        catalogue.get("kinds_about"), entities=[mention.entity for mention in named], types=list(kinds)
    )
    return {row["entity"]: row["types"] for row in rows}


def _called(mention: Mention) -> str:
    """Give the plain name of something, as several where the question names several: hiccups, and no hiccup."""
    name = in_sentence(mention.name, (), mention.label)
    return mention.surface if mention.surface == f"{name}s" else name


def _plainly(kind: str, name: str) -> str:
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


MOST_REPLIES: Final = 5  # replies that a question back offers, at most; set by hand


def ask_back(retriever: Retriever, question: Question) -> AskBack | None:
    """Ask back which meaning is meant, or what to tell of it; None where a question says enough, or nothing differs."""
    if (medicine := misspelt(question)) is not None:
        return _spelt(retriever, question, medicine)
    mention = _open(question)
    if mention is None:
        return None
    meanings = {one.entity: one for one in mention.level()}
    counts: dict[str, dict[str, int]] = {}
    for row in retriever.kinds(question, list(meanings)):
        counts.setdefault(row["entity"], {})[row["type"]] = row["sections"]
    told = {name: sum(counts[name].values()) for name in meanings if name in counts}
    sections = counts.get(mention.entity) or next(iter(counts.values()), {})
    kinds = {kind: sections[kind] for kind in PLAINEST if kind in sections and kind != GENERAL}
    other = {small(meanings[name].name): name for name in reversed(told)}
    told = {name: told[name] for name in told if name in other.values()}
    if len(told) > 1 and _divided(told.values()) > _divided(kinds.values()):
        return _which(question, mention, [meanings[name] for name in _most(told)])
    return _what(question, mention, _most(kinds)) if len(kinds) > 1 else None


def ask_spelling(retriever: Retriever, question: Question) -> AskBack | None:
    """Ask what is meant by a name spelt nearly so, of a condition, or of a medicine in a message: nothing answers."""
    one = misspelt(question, CONDITIONS) or misspelt(question, in_message=True)
    return _spelt(retriever, question, one) if one else None


def _spelt(retriever: Retriever, question: Question, one: Mention) -> AskBack:
    """Ask whether this is meant or, where other names are as near, which of all these."""
    before, behind = question.text[: one.start], question.text[one.end :]
    near = dict.fromkeys(linked.matched for linked in retriever.linker().near(one.surface)) or [one.matched]
    replies = tuple(Reply(name, f"{before}{name}{behind}") for name in list(near)[:MOST_REPLIES])
    return AskBack(f"Did you mean {_either(replies)}?", replies)


def _open(question: Question) -> Mention | None:
    words = words_in(question.text)
    if question.is_message or question.intents or not question.mentions:
        return None
    verb = RULES["verb"]
    is_clause = any(verb.fullmatch(word.text) for word in words)
    if is_clause and not RULES["having"].fullmatch(small(" ".join(question.text.split())).rstrip(" .!")):
        return None
    things = things_in(question.text, question.mentions)
    if len(things) != 1 or not things[0].label:
        return None
    (thing,) = things
    if not is_plain(word for word in words if not thing.start <= word.start < thing.end):
        return None
    return next(one for one in question.mentions if thing.start <= one.start < thing.end)


def _most(counts: Mapping[str, int]) -> list[str]:
    return sorted(counts, key=lambda name: -counts[name])[:MOST_REPLIES]


def _divided(counts: Iterable[int]) -> float:
    numbers = list(counts)
    total = sum(numbers)
    return 1 - sum((number / total) ** 2 for number in numbers) if total else 0.0


def _which(question: Question, mention: Mention, meant: list[Mention | Alternative]) -> AskBack:
    text = question.text
    replies = tuple(Reply(one.name, f"{text[: mention.start]}{one.name}{text[mention.end :]}") for one in meant)
    said = text[mention.start : mention.end]
    return AskBack(f"Which do you mean by {said}: {_either(replies)}?", replies)


def _what(question: Question, mention: Mention, kinds: list[str]) -> AskBack:
    about = question.text[mention.start : mention.end]
    if mention.reworded:  # `My feet burn` asks what to know of paresthesia.
        about = in_sentence(mention.name, (), mention.label)
    replies = tuple(Reply(kind_values("called").get(kind, kind), PLAINEST[kind].format(about)) for kind in kinds)
    return AskBack(f"What would you like to know of {about}: {_either(replies)}?", replies)


def _either(replies: Sequence[Reply]) -> str:
    return listed([reply.text for reply in replies], joint="or")
