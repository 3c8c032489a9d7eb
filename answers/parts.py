"""Splits a question into the parts that it asks: `How is gout treated and can I prevent it?` has two."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..patterns import read_patterns
from ..queries.lucene import all_words
from ..queries.message import in_order, points_back, without_kind
from ..queries.relation_sentences import in_sentence, is_plural
from ..schema.vocabulary import CONDITIONS, GENERAL, kind_values
from ..text import is_adjective
from .things import things_in, words_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..queries.entities import Mention
    from ..queries.question import Question
    from .populations import Population

MOST: Final = 4  # parts of a question that are answered, at most, as each takes as long as a question; set by hand

# Words of a question, at most, that needs no rewording if it names one thing and asks for one kind of it; by hand.
PLAIN: Final = 10
BRIEF: Final = 30  # words of a message, at most, that is read as the one question it asks; chosen on the half dev
_NAMED: Final = 2  # things that a part asks about, at most
_RULES: Final = read_patterns(Path(__file__).with_name("parts.tsv"))
_DISEASE: Final = "Disease"
_TAKEN: Final = frozenset(("Drug", "Chemical", "DrugClass"))

# Labels of what a question is about where it names one, whatever disease was named before.
_WEIGHTY: Final = _TAKEN | {_DISEASE, "Treatment", "Test", "Topic"}
_DOSE: Final = "dose"
PLAINEST: Final = kind_values("question")  # section type → the plainest question for it


@dataclass(frozen=True, slots=True)
class QuestionPart:
    """One thing that a question asks."""

    asked: str  # what it asks, in words
    question: Question  # what to search for
    # The question as it was typed that it is of, with what it leans on, whose every word an answer heeds.
    clause: Question
    populations: tuple[Population, ...] = ()  # for whom it is asked, where an answer for everybody may be wrong


def parts_of(question: Question) -> list[QuestionPart]:
    """Take a question apart that asks several things, in the order in which they are asked.

    A message is taken apart only where it says of what it asks each; one of few words that asks one thing is read as
    that question (`My mother has gout. What can help her?`).
    """
    return taken_apart(question)[0]


def is_plain(question: Question) -> bool:
    """Tell whether a question is put plainly: in few words, of one thing that is known, for one kind of section."""
    things = things_in(question.text, question.mentions)
    return not question.is_message and len(question.text.split()) <= PLAIN and len(things) == len(question.intents) == 1


def taken_apart(question: Question) -> tuple[list[QuestionPart], tuple[str, ...]]:
    """Take a question apart as `parts_of` does, and tell what it asks beyond that."""
    every = _every_part(question)
    parts, more = every[:MOST], tuple(part.asked for part in every[MOST:])
    asks = [part.text for part in question.parts if part.kind == "asks"]
    if len(question.searches) > 1 and question.is_message and len(asks) > MOST:
        answered = {part.asked for part in parts}
        more = tuple(text for text in asks if text not in answered)
    return parts, more


def _every_part(question: Question) -> list[QuestionPart]:
    row = _in_a_row(question)
    if len(row) > MOST:
        return [QuestionPart(text, one, one) for text in row for one in [question.reworded(text)]]
    if not row and (alone := question.apart):
        asked = [*question.searches[1:], *(question.reworded(text) for text in alone[len(question.searches) - 1 :])]
        return [QuestionPart(one.main_text, one, one) for one in asked]
    if either := _either(question):
        return [_part(text, question.reworded(text)) for text in either]
    parts: list[QuestionPart] = []
    if question.about and (row or not question.is_message):
        subjects = _names_in(question, question.text) or [_typed(question, mention) for mention in question.about]
        before = ""
        for text in row or _clauses(question.text):
            points = bool(parts and (_RULES["one"].search(text) or _RULES["all"].search(text)))
            # `Can it be passed to a fetus?` asks of what was named before.
            named = [] if points else _names_in(question, text)
            # What comes first stands by itself, named or not.
            stands = bool(named) or not parts
            subjects, before = named or subjects, "" if stands else before
            # `It` is all that was asked about before (excess hair on the legs), not only what of it has a name.
            clause = question.reworded(text)
            heeded = replace(question.reworded(f"{before} {text}"), as_typed=bool(row)) if before else clause
            more = _parts_of_clause(clause, heeded, subjects[:_NAMED], alone=stands)
            if {part.asked for part in more} <= {part.asked for part in parts}:
                # `When should I see a doctor about my symptoms?` does not ask once more what these are.
                more = [] if stands else [_of_subject(text, heeded, subjects[:_NAMED])]
            parts += more
            before = before or text
    parts = parts if len(parts) > 1 else _brief(question) or [whole_part(question)]
    return [one for part in parts for one in _each_thing(part)]


def _each_thing(part: QuestionPart) -> list[QuestionPart]:
    """Ask of each of two or more diseases or medicines by itself what a part asks of them in one list."""
    question, text = part.question, part.question.text
    kinds = [kind for kind in question.intents if kind in PLAINEST]
    if question.is_message or len(kinds) != 1 or _RULES["together"].search(f"{part.clause.text} {text}"):
        return [part]
    every = things_in(text, question.mentions)
    listed = [one for one in every if one.label in {_DISEASE, *_TAKEN}]
    between = itertools.pairwise(listed)
    apart = all(_RULES["and each"].fullmatch(text, one.end, other.start) for one, other in between)
    if len(listed) < _NAMED or len(listed) < len(every) or not apart or len({one.group for one in listed}) > 1:
        return [part]
    before, behind = text[: listed[0].start], text[listed[-1].end :]
    if not _RULES["ahead"].search(before):
        return [part]
    asked = [
        f"{before if is_plural(one.text) else _RULES['several'].sub(' is ', before)}{one.text}{behind}"
        for one in listed
    ]
    whole = part.clause.text == text
    return [
        replace(part, asked=one, question=alone, clause=alone if whole else part.clause)
        for one in asked
        for alone in [question.reworded(one)]
    ]


def _in_a_row(question: Question) -> list[str]:
    """Give questions that follow each other (`What is gout? How do I treat it?`), few words or too many questions."""
    texts = [part.text for part in question.parts]
    asking = all(part.kind == "asks" for part in question.parts) and all(map(_RULES["asking"].match, texts))
    if not question.is_message or not asking:
        return []
    brief = len(question.text.split()) <= BRIEF and len(texts) > len(question.apart)
    return texts if brief or len(texts) > MOST else []


def _either(question: Question) -> list[str]:
    """Ask of each of two things that `or` joins whether it is so: `Can stress or beer cause gout?`."""
    text = question.text
    if question.is_message or not _RULES["yes no"].fullmatch(text):
        return []
    for first, second in itertools.pairwise(things_in(text, question.mentions)):
        ends = [words_in(one.text)[-1].text for one in (first, second)]
        # `Does oral or topical minoxidil work?` does not ask of oral.
        if (joined := _RULES["or"].fullmatch(text, first.end, second.start)) and not any(map(is_adjective, ends)):
            ahead = _RULES["before"].sub("", text[: first.start])
            return [f"{text[: first.end]}{text[second.end :]}", f"{ahead}{joined['article']}{text[second.start :]}"]
    return []


def plainer(part: QuestionPart) -> QuestionPart | None:
    """Put what a part asks of one thing in the plainest words, to be looked for again; None where it stands so.

    An answer heeds all words of the part as before.
    """
    question = part.question
    things = [one for one in things_in(question.text, question.mentions) if one.label]
    kinds = [kind for kind in question.intents if kind in PLAINEST]
    if question.is_message or len(things) != 1 or len(kinds) != 1 or kinds[0] == GENERAL:
        return None
    plain = PLAINEST[kinds[0]].format(things[0].text)
    return None if plain.lower() == question.text.lower() else replace(part, question=question.reworded(plain))


def whole_part(question: Question) -> QuestionPart:
    """Take a question as the one thing that it asks."""
    return QuestionPart(question.main_text, question, question)


def _brief(question: Question) -> list[QuestionPart]:
    """Read a message of a few words as the question that it asks, of what it names; as nothing where it asks more."""
    if not question.is_message:
        return []
    asks = {part.text.strip(" ?.!").lower(): part.text for part in question.parts if part.kind == "asks"}
    known = [one for one in question.about if one.label != "Anatomy"]
    if len(asks) > 1 or not known or len(question.text.split()) > BRIEF:
        return []
    if (any(map(points_back, asks.values())) and not question.intents) or _DOSE in question.intents:
        return []  # what is to be taken after all that a message tells is not the usual dose
    if informed := _informed(question, known):
        plain = PLAINEST[GENERAL].format(" and ".join(informed))
        return [_part(plain, question.reworded(plain))]
    text = next(iter(asks.values()), "")
    words = set(all_words(text))
    clause = question.reworded(text or question.text)
    inside = [one for one in known if words >= {*all_words(one.surface)}]
    if not inside:  # what the sentence names, and the message otherwise, too (`can't sleep`, insomnia)
        entities = {one.entity for one in known}
        inside = [one for one in clause.mentions if one.entity in entities]
    diseases = [one for one in known if one.label == _DISEASE]
    conditions = diseases or [one for one in known if one.label in CONDITIONS]
    if (diseases and not any(one.label in _WEIGHTY for one in inside)) or (
        _RULES["helps"].search(text) and not any(one.label in CONDITIONS for one in inside)
    ):
        # `My room mate has scabies. How soon will I itch?` asks of scabies.
        inside = []
    subjects = list(dict.fromkeys(_typed(question, one) for one in inside or conditions or known))[:_NAMED]
    if asks:
        # Not every word of a story is one that an answer has to heed; what one has, takes or is, is.
        others = [_typed(question, one) for one in known if one not in inside and one.label in {_DISEASE, *_TAKEN}]
        states = [found["what"] or found["who"] for found in _RULES["state"].finditer(question.text)]
        heeded = question.reworded(" ".join((text, *others, *(one for one in states if one not in text))))
        return _parts_of_clause(clause, heeded, subjects, alone=bool(inside))
    told = " ".join(part.text for part in question.parts if part.kind != "courtesy")
    heeded = replace(question.reworded(told or question.text), as_typed=True)
    # `Can you tell me more about it?` says nothing but that.
    general = question.intents == (GENERAL,)
    return [_part(PLAINEST[GENERAL].format(" and ".join(subjects)), heeded)] if general else []


def _informed(question: Question, known: Sequence[Mention]) -> list[str]:
    """Give what a message wants information on, and asks nothing more of."""
    if question.intents != (GENERAL,) or not (found := _RULES["information"].search(question.text)):
        return []
    names, at = [], found.end()
    while one := next((one for one in known if one.start == at), None):
        names.append(_typed(question, one))
        joined = _RULES["and"].match(question.text, one.end)
        if joined is None:
            return names if _RULES["enough"].match(question.text, one.end) else []
        at = joined.end()
    return []


def _clauses(text: str) -> list[str]:
    """Cut a question into those that it joins; whole where a part of it asks nothing (`I have gout, can I …`)."""
    clauses = [clause.strip() for clause in _RULES["clause"].split(text)]
    return clauses if len(clauses) > 1 and all(map(_RULES["asking"].match, clauses)) else [text]


def _names_in(question: Question, clause: str) -> list[str]:
    """Give what a clause asks about, as it is typed with what stands before it: a scrotal rash is not any rash."""
    start = question.text.find(clause)
    inside = [
        one
        for one in question.about
        if start <= one.start and one.end <= start + len(clause) and without_kind(one.surface, question.intents).strip()
    ]
    apart = [one for one in inside if not any(_within(one, other) for other in inside)]
    things = things_in(question.text, question.mentions)
    whole = {one: next((thing for thing in things if thing.start <= one.start < thing.end), None) for one in apart}
    named = []
    for one, thing in sorted(whole.items(), key=lambda item: item[0].start):
        if thing and not one.reworded:
            before = _RULES["of another"].sub("", question.text[thing.start : one.start])
            named.append(before + question.text[one.start : thing.end])
        elif thing:
            named.append(_typed(question, one))
    unknown = [one.text for one in things if not one.label and start <= one.start and one.end <= start + len(clause)]
    return list(dict.fromkeys(named or (unknown if not any(one.label for one in things) else ())))


def _within(one: Mention, other: Mention) -> bool:
    return other.start <= one.start and one.end <= other.end and len(one.surface) < len(other.surface)


def _typed(question: Question, mention: Mention) -> str:
    if mention.reworded:  # `My feet burn` asks of paresthesia.
        return in_sentence(mention.name, (), mention.label)
    typed = question.text[mention.start : mention.end]
    return typed if typed.lower() == mention.surface else mention.surface


def _parts_of_clause(clause: Question, heeded: Question, subjects: Sequence[str], *, alone: bool) -> list[QuestionPart]:
    """Take apart what one clause asks: kinds of section that it joins, or what it says."""
    text, subject = clause.text, " and ".join(subjects)
    kinds = {kind: place for kind, place in in_order(text, clause.intents).items() if kind in PLAINEST}
    joined = [_RULES["joined"].search(text, *places) for places in itertools.pairwise(kinds.values())]
    if len(kinds) > 1 and all(joined):
        return [_part(PLAINEST[kind].format(subject), heeded) for kind in kinds]
    if len(kinds) == 1 and points_back(text):
        return [_part(PLAINEST[next(iter(kinds))].format(subject), heeded)]
    if alone:
        return [_part(_sentence(text), heeded)]
    said, replaced = _RULES["one"].subn(subjects[-1], text, count=1)
    if not replaced:
        said, replaced = _RULES["all"].subn(subject, text, count=1)
    if not replaced and len(kinds) == 1 and GENERAL not in kinds:
        return [_part(PLAINEST[next(iter(kinds))].format(subject), heeded)]
    return [_part(_sentence(said), heeded) if replaced else _of_subject(text, heeded, subjects)]


def _of_subject(text: str, heeded: Question, subjects: Sequence[str]) -> QuestionPart:
    asked = text.rstrip("?! ")
    joining = "with" if _RULES["preposition"].search(asked) else "for"
    return _part(_sentence(f"{asked} {joining} {' and '.join(subjects)}"), heeded)


def _part(asked: str, heeded: Question) -> QuestionPart:
    return QuestionPart(asked, heeded.reworded(asked), heeded)


def _sentence(clause: str) -> str:
    start = found.start("asks") if (found := _RULES["asking"].match(clause)) else 0
    clause = clause[start:].rstrip(" ?!.,")
    return f"{clause[:1].upper()}{clause[1:]}?"
