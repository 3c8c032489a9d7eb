"""Makes a turn of a dialogue a question that is whole by itself: `and in children?` asks of what came before.

What is whole already stays as it is: in doubt nothing is added. The state of a dialogue is a list of its questions, as
people typed them or as they were understood, and nothing else.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from ..errors import InputError
from ..patterns import small
from ..queries import message
from ..queries.message import LONGEST_PREVIOUS, find_intents
from .parts import PLAINEST
from .things import CONDITION, DRUG, PART, RULES, is_plain, things_in, words_in
from .turns import anaphor_in, bare, joint, put, scope_of, scoped, with_scope

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ..queries.entities import Mention
    from ..queries.filters import Filters
    from .answer import Answer
    from .things import Thing
    from .turns import Anaphor

    Names = Callable[[str], Sequence[Mention]]

MOST_PREVIOUS: Final = 20  # earlier questions that may be given

# Words of something that the graph does not know, and that is asked about instead, at most; set by hand.
_LONGEST_NAME: Final = 6
_DRUG_KINDS: Final = frozenset({"side effects", "usage", "dose"})
_POSSIBLY: Final = frozenset({"can", "could", "may", "might"})


@dataclass(frozen=True, slots=True)
class _EarlierQuestion:
    """An earlier question, whole by itself, with what it is about and the sentence of it that asks."""

    text: str
    things: tuple[Thing, ...]
    frame: str

    @property
    def intents(self) -> tuple[str, ...]:
        return find_intents(self.frame)


def understood(text: str, previous: Sequence[str], names: Names) -> str:
    """Complete what somebody says in a dialogue from what came before, oldest first; what is whole by itself stays.

    Raises:
        InputError: There are more earlier questions than `MOST_PREVIOUS`, or one is longer than `LONGEST_PREVIOUS`.
    """
    if len(previous) > MOST_PREVIOUS:
        raise InputError(f"previous has {len(previous):,} questions; send the last {MOST_PREVIOUS} at most")
    if (longest := max(map(len, previous), default=0)) > LONGEST_PREVIOUS:
        raise InputError(
            f"a question in previous has {longest:,} characters; {LONGEST_PREVIOUS:,} are the most: send what the "
            "answer says in understood"
        )
    return _Dialogue(tuple(previous), cache(names)).whole(text, len(previous))


class _Dialogue:
    """Earlier questions, each made whole when it is first needed."""

    def __init__(self, previous: tuple[str, ...], names: Names) -> None:
        self._previous = previous
        self._names = names
        self._asked: dict[int, _EarlierQuestion] = {}

    def whole(self, text: str, place: int) -> str:
        """Complete what was said after `place` earlier questions."""
        said = _without_courtesy(" ".join(text.split()))
        is_polite = RULES["courtesy"].fullmatch(small(said))
        if not place or not said or is_polite or message.is_message(message.parts_of(said)):
            return text
        return self._completed(said, place) or text

    def _completed(self, said: str, place: int) -> str:
        plain = small(said).replace("\u2019", "'")
        if (found := RULES["if"].fullmatch(plain)) and (last := self._last(place)):
            return with_scope(last.frame, bare(said[found.start("rest") :]))
        lead = RULES["lead"].match(plain)
        rest = said[lead.end() :] if lead else said
        things = things_in(rest, self._names(rest))
        if not any(RULES["verb"].fullmatch(word.text) for word in words_in(rest)):
            return self._fragment(bare(rest), things, place, bool(lead))
        return self._clause(rest, things, place)

    def _fragment(self, rest: str, things: Sequence[Thing], place: int, led: bool) -> str:
        """Complete a fragment that lacks a verb: a circumstance, a kind of section, or another thing."""
        last = self._last(place)
        if last is None:
            return ""
        plain = small(rest)
        if variant := RULES["variant"].fullmatch(plain.removeprefix("the ")):
            return _varied(last, variant)
        if scope := scope_of(rest, things):
            return with_scope(last.frame, scope)
        kinds = find_intents(plain)
        if not things:
            return self._of_kind(rest, kinds, place)
        if kinds:
            return ""
        is_part = len(things) == 1 and things[0].label == PART
        return self._of_part(rest, last, place) if is_part else self._of_other(rest, things, last, led)

    def _of_kind(self, rest: str, kinds: Sequence[str], place: int) -> str:
        words = words_in(rest)
        if not is_plain(words) or not (kinds or any(RULES["asked"].fullmatch(word.text) for word in words)):
            return ""
        about, _, scope = scoped(rest)
        subject, _ = self._subject(place, _group_of(kinds, rest))
        if not subject:
            return ""
        if len(kinds) == 1 and kinds[0] in PLAINEST:
            return with_scope(PLAINEST[kinds[0]].format(self._treated(subject, kinds, place)), scope)
        about = RULES["article"].sub("", about, count=1) if RULES["article"].match(small(about)) else about
        return f"{about} {joint(about, kinds)} {subject}{scope and ' '}{scope}?"

    def _of_part(self, rest: str, last: _EarlierQuestion, place: int) -> str:
        """Ask the same of another part of the body, or whether that is affected."""
        frame = last.frame
        if harmed := RULES["harmed"].search(small(frame)):
            return f"{frame[: harmed.start('part')]}{rest}{frame[harmed.end('part') :]}"
        if spans := [(one.start, one.end) for one in self._names(frame) if one.label == PART]:
            start, end = spans[-1]
            whose = RULES["whose"].search(small(frame[:start]))
            return f"{frame[: whose.start() if whose else start]}{rest}{frame[end:]}"
        subject, _ = self._subject(place, "")
        return f"Can {subject} affect {rest}?" if subject else ""

    def _of_other(self, rest: str, things: Sequence[Thing], last: _EarlierQuestion, led: bool) -> str:
        new = things[0]
        outside = [word for word in words_in(rest) if not new.start <= word.start < len(rest)]
        if len(things) > 1 or not (led or new.label) or len(words_in(new.text)) > _LONGEST_NAME:
            return ""
        if outside and not is_plain(outside):
            return ""
        in_frame = things_in(last.frame, self._names(last.frame))
        same = [thing for thing in in_frame if thing.group == new.group]
        old = next((thing for thing in (*same, *in_frame) if thing in same or not thing.group or not new.group), None)
        if old:
            return f"{last.frame[: old.start]}{new.text}{last.frame[old.end :]}"
        subject = next((thing for thing in in_frame if thing.group == CONDITION), None)
        if new.group == DRUG and subject and "treatment" in last.intents:
            return f"Can {new.text} treat {subject.text}?"
        return ""

    def _clause(self, rest: str, things: Sequence[Thing], place: int) -> str:
        """Complete a sentence: what stands for something before, or what it says nothing of."""
        kinds = find_intents(rest)
        if anaphor := anaphor_in(rest, things):
            return self._of_anaphor(rest, anaphor, kinds, place)
        if things and not RULES["helps"].fullmatch(small(rest)):
            return self._of_own(rest, things, place)
        if not things and not is_plain(words_in(rest)):
            return ""
        if not things and all(RULES["nothing"].fullmatch(word.text) for word in words_in(rest)):
            return self._reason(small(rest), place) or self._subject(place, "")[0]
        subject, _ = self._subject(place, _group_of(kinds, rest) if kinds and not things else CONDITION)
        if not subject or any(small(thing.text) == small(subject) for thing in things):
            return ""
        return _joined_to(rest, kinds, self._treated(subject, kinds, place), "with" if things else "")

    def _of_anaphor(self, rest: str, anaphor: Anaphor, kinds: Sequence[str], place: int) -> str:
        group = anaphor.group or _group_of(kinds, rest)
        subject, several = self._subject(place, group, strict=anaphor.group == DRUG)
        if subject:
            return put(rest, anaphor, several if anaphor.plural else subject)
        # `Does this antibiotic work?` after a disease asks whether one works for that.
        subject, _ = self._subject(place, CONDITION, strict=True)
        return _joined_to(rest, kinds, subject) if subject and anaphor.group == DRUG else ""

    def _of_own(self, rest: str, things: Sequence[Thing], place: int) -> str:
        """Ask what somebody may do, or what awaits them, with what they have: `can I eat rice or bread?`."""
        subject, _ = self._subject(place, CONDITION, strict=True)
        if not subject or any(small(thing.text) == small(subject) for thing in things):
            return ""
        is_own = not any(thing.group for thing in things) and RULES["own"].fullmatch(small(rest))
        return _joined_to(rest, (), subject, "with") if is_own else ""

    def _reason(self, plain: str, place: int) -> str:
        """Ask why what was asked before is so, or how; empty where that is not what is said, or makes no question."""
        last = self._last(place)
        is_why, is_how = bool(RULES["why"].fullmatch(plain)), bool(RULES["how"].fullmatch(plain))
        if last is None or not (is_why or is_how):
            return ""
        found = RULES["whether"].match(small(last.frame))
        if found and (is_why or found["first"] in _POSSIBLY):
            return f"{'Why' if is_why else 'How'} {found['first']}{last.frame[found.end('first') :]}"
        subject, _ = self._subject(place, CONDITION)
        named = next((thing for thing in last.things if thing.text == subject), None)
        if is_how or "causes" in last.intents or named is None or named.group != CONDITION:
            return ""
        return PLAINEST["causes"].format(subject)

    def _treated(self, subject: str, kinds: Sequence[str], place: int) -> str:
        """Name the treatment of a disease where side effects are asked for after it."""
        last = self._last(place)
        if last is None or "side effects" not in kinds or "treatment" not in last.intents:
            return subject
        named = next((thing for thing in last.things if thing.text == subject), None)
        return subject if named is None or named.group == DRUG else f"treatments for {subject}"

    def _earlier(self, place: int) -> Iterator[_EarlierQuestion]:
        for number in range(place - 1, -1, -1):
            if number not in self._asked:
                text = self.whole(self._previous[number], number)
                things = things_in(text, self._names(text)) if words_in(text) else []
                self._asked[number] = _EarlierQuestion(text, tuple(things), message.frame_of(text))
            if self._asked[number].things:
                yield self._asked[number]

    def _last(self, place: int) -> _EarlierQuestion | None:
        return next(self._earlier(place), None)

    def _subject(self, place: int, group: str, *, strict: bool = False) -> tuple[str, str]:
        """Choose what is meant, and all of the kind that may be: of the last question that is about such a thing."""
        last = None
        for asked in self._earlier(place):
            last = last or asked
            known = [thing for thing in asked.things if thing.label not in {"", PART}]
            fitting = [thing for thing in known if not group or thing.group in {"", group}]
            unknown = [thing for thing in asked.things if not thing.label]
            if strict:  # of the kind for sure, or all that a question is about
                fitting = [thing for thing in fitting if thing.group == group]
                unknown = unknown if len(asked.things) == 1 else []
            if fitting:
                # Of what one has, a disease before its symptoms.
                ill = group == CONDITION
                best = min(fitting, key=lambda one: (group not in {"", one.group}, ill and one.label != "Disease"))
                same = [thing.text for thing in fitting if thing.group == best.group]
                return best.text, " and ".join(same)
            if unknown:
                return unknown[-1 if group == CONDITION else 0].text, unknown[0].text
        return (last.things[0].text, last.things[0].text) if last and not strict else ("", "")


def _joined_to(said: str, kinds: Sequence[str], subject: str, word: str = "") -> str:
    about, end, scope = scoped(said)
    return f"{about} {word or joint(about, kinds)} {subject}{scope and ' '}{scope}{end}"


def _without_courtesy(said: str) -> str:
    """Leave out what stands before a question: `ok thanks, and in children?`."""
    polite = RULES["courtesy"]
    while (found := polite.match(small(said))) and found.end() < len(said):
        if small(said).startswith(("no, i mean", "no i mean", "sorry, i mean", "sorry i mean")):
            break
        if not re.match(r"[\s,.!;:-]", said[found.end() :]):
            break
        said = said[found.end() :].lstrip(" ,.!;:-")
    return said


def _varied(last: _EarlierQuestion, variant: re.Match[str]) -> str:
    frame, wanted = last.frame, f"{variant['what']} {variant['which']}"
    same = re.search(rf"\b{variant['what']} [\w]{{1,4}}\b", frame, re.IGNORECASE)
    if same:
        return f"{frame[: same.start()]}{wanted}{frame[same.end() :]}"
    place = small(frame).find(small(last.things[0].text))
    return f"{frame[:place]}{wanted} {frame[place:]}" if place >= 0 else ""


def _group_of(kinds: Sequence[str], text: str) -> str:
    """Tell what a question can only be about: something that one takes, or something that one has."""
    plain = small(text)
    if _DRUG_KINDS.intersection(kinds) or RULES["taking"].search(plain):
        return DRUG
    return CONDITION if RULES["ill"].search(plain) or (kinds and kinds != ("information",)) else ""


def carried(previous: Sequence[str], answer: Answer | None) -> tuple[str, ...]:
    """Give the questions that come along with the next one, oldest first: those so far, and this one if it was any.

    No more and no longer ones than may come along; who asks again what was asked before goes back to there.
    """
    kept = [question for question in previous if len(question) <= LONGEST_PREVIOUS]
    if answer is not None and answer.understood and not answer.remark:
        if answer.understood in kept:
            kept = kept[: kept.index(answer.understood)]
        kept.append(answer.understood)
    return tuple(kept[-MOST_PREVIOUS:])


class Conversation:
    """What somebody asks, turn by turn; `ask` answers a question, `filters` are those of all answers."""

    def __init__(self, ask: Callable[..., Answer], filters: Filters | None = None) -> None:
        self._ask = ask
        self._filters = filters
        self._previous: tuple[str, ...] = ()
        self._offered: tuple[str, ...] = ()

    def say(self, text: str) -> Answer:
        """Answer a turn; a number stands for a question that was offered last; InputError for what cannot be used."""
        number = text.strip().rstrip(".")
        if number.isdecimal() and 0 < int(number[:9]) <= len(self._offered):
            text = self._offered[int(number[:9]) - 1]
        answer = self._ask(text, self._filters, previous=self._previous)
        self._previous = carried(self._previous, answer)
        if not answer.remark:
            replies = answer.ask_back.replies if answer.ask_back else ()
            self._offered = tuple(reply.question for reply in replies) or answer.follow_ups
        return answer
