"""Detects sentences that refer to the one before them and cannot be read alone."""

from __future__ import annotations

import re
from typing import Final

# What a page is about, so that `this disease` needs no sentence before it.
_CONDITIONS: Final = r"(?:conditions?|diseases?|disorders?|syndromes?|infections?)\b"
# What does not follow an `it` that stands for something.
_EXPLETIVE: Final = (
    r"(?!it (?:is|was|may be|can be) (?:\w+ly )?(?:best|common|difficult|easy|estimated|hard|helpful|important|known|"
    r"likely|not|possible|recommended|thought|unclear|unlikely)\b)"
)
# How a sentence begins that goes on from the one before.
GOES_ON: Final = (
    r"(?:However|But|Yet|Or|And|So|Then|Perhaps|Also|Therefore|Thus|Instead|Otherwise|Nor|Likewise|Similarly|If so"
    r"|Consequently|Hence|Furthermore|Moreover|Lastly"
    r"|In addition|For example|As a result|In these cases|In the remaining|In the same way|On the other hand|After that"
    r"|Accordingly|Afterwards?(?=,)|As such|By contrast|Conversely|Either way|Even so|Finally(?=,)|For instance"
    r"|For this reason|In contrast(?! to)|In either case|In fact|In other words|In particular|In this way|In turn"
    r"|Indeed|Meanwhile|Nevertheless|Next(?=,)|Nonetheless|Rather(?=,)|Secondly|Second(?=,)|Specifically(?=,)"
    r"|Equivalently|Similar(?= (?:studies|results|findings|effects)\b)"
    r"|Still other|Third(?=,)|To do this|Still(?=,)|Another|Additional(?:ly)?)\b"
)
_ORPHAN: Final = re.compile(
    r"(?:It|Its|They|Their|Them|These|Those|Such|He|She|His|Her|Both(?! [^.;:]{1,60} and\b)|This)\b"
    r"(?! (?:condition|disease|disorder|syndrome)\b)"
    r"|(?:All|Any|Each|Few|Many|Most|Neither|None|One|Several|Two|Three|Four|Five) (?:of (?:them|these|those)\b(?! who)"
    r"|(?:also|are|can|could|had|has|have|is|may|might|must|should|was|were|will)\b)"
    r"|One [a-z]+,|The (?:others?|rest|remaining|same(?! \w+ (?:as|that)\b)|second|third|fourth|next)\b"
    r"(?! (?:cause|common|half|leading|most|opinion|step|trimester)\b)"
    r"|Others? (?!than\b)|In others?\b|In that case\b|Examples (?:are|include)\b(?! of\b)"
    r"|Some (?:of (?:them|these|those|the most common (?:are|include))|also|are|can|develop|get|have|may|other)\b"
    r"|(?:After|Before|During|Since|Until|In|At|For|With|By|From|Under|When|Of|Because of|Due to|As a result of)"
    rf" (?:this|these|those)\b(?! {_CONDITIONS})"
    r"|You (?:\w+ly |can |may |should )?(?:get|need|take|use) it\b"
    r"|If you do(?:n't| not)?(?:,| \w+ them\b)|If (?:it|they|this|that|so) (?:do(?:es)?|is|are|happens?|occurs?)\b"
    r"|(?:That(?:'s|\u2019s)?|The (?:above|former|latter|idea|resulting|result is))\b"
    r"|(?:Rarely|Sometimes|Often|Usually|Later|Then|Still|Over time|Without treatment|In (?:some|most|many|rare) cases"
    r"|In an affected (?:individual|person)|In affected (?:individuals|people))"
    r",? (?:it|they|this|these|those|he|she)\b"
    r"|(?!(?:After|Although|As|Because|Before|If|Once|Until|When|While) )"
    rf"[A-Z][\w-]+(?: [\w-]+){{0,3}}, (?:they|them|these|this|{_EXPLETIVE}it)\b(?! {_CONDITIONS})"
    rf"|(?:If|When) you (?:are|don't|feel|take)\b[^,;:]*, (?:they|{_EXPLETIVE}it)\b"
    r"|(?:[^\s,;:]+ ){1,8}?(?:[^\s,;:]+, therefore,|(?:are|can|is|may|must|should|will) then) "
    rf"|{GOES_ON}"
)

_THING: Final = (
    r"approach|bacteri(?:a|um)|device|drug|enzyme|exam|finding|food|form|gene|growth|hormone|kind|lump|medication|medicine"
    r"|method|mutation|operation|parasite|part|pressure|procedure|process|product|protein|rash|stage|stone|structure"
    r"|substance|supplement|surger(?:y|ie)|swelling|system|technique|test|therap(?:y|ie)|toxin|treatment|type|vaccine"
    r"|virus|worm"
)
# What stands within a sentence for a thing that was named, and is not behind it.
_NAMED: Final = re.compile(
    r"(?<=[\w,] )(?:this|these) "
    r"(?:(?!(?:and|are|be|can|has|have|include|in|is|may|of|or|that|to|was|were|who)\b)[a-z-]+ )"
    rf"{{0,2}}?(?P<thing>{_THING})(?:e?s)?\b(?![^.]*:)"
)
# How a sentence begins that points at what was named before.
_POINTS: Final = re.compile(
    r"(?:[^\s,;]+ ){1,12}?(?:this same|this (?:kind|sort|type) of|(?:these|those)"
    r"(?! (?:conditions?|diseases?|disorders?|syndromes?|infections?|people|who|with|that|of|in|at|for|from|on|whose"
    r"|without|found|seen|\w+(?:ed|ing))\b)) [a-z]"
)
# How a sentence begins that takes up a thing which was named before, unless it is a section's first.
_DEFINITE: Final = re.compile(
    r"(?:(?:After|Before|During) the|The(?: entire| new)?) (?:camera|catheter|chemical|defect|device|drug|dye|exam"
    r"|guideline|herb|implant|incision|injection|instrument|machine|material|medication|medicine|needle|operation"
    r"|procedure|result|sample|scan|solution|stud(?:y|ie)|substance|surger(?:y|ie)|technician|test|test result|tube"
    r"|vaccine|wire)s?\b(?![-\w])"
    r"(?! (?:at|called|for|from|in|known|most|of|on|that|to|used|where|which|who|with|you|your)\b)"
)
# What stands within a sentence for several things of a kind that must have been named (`these risk factors`).
_SEVERAL_POINTED: Final = re.compile(
    r"(?<=[\w,] )these (?P<things>(?!(?:and|are|can|children|could|do|have|in|include|may|men|might|of|often|or|people"
    r"|should|to|usually|were|will|women)\b)(?:[a-z-]+(?<!s) ){1,2}[a-z-]+s)\b"
)
# How a sentence ends that does not say with what, or beside what (`A humidifier can also help.`).
_ELIDED: Final = re.compile(
    r" (?:can|could|may|might) also (?:happen|help|work|be (?:done|effective|given|helpful|necessary|needed|recommended"
    r"|tried|used))\.\Z"
)
# How a sentence begins that stands for all that was said before.
_DANGLES: Final = re.compile(
    r"(?:This|That|It) (?:is|was|may be|can be|happens|occurs)(?: \w+ly)? (?:because|due to|why|how|when)\b"
    rf"|(?:Such|Both(?! [^.;:]{{1,60}} and\b)|The (?:above|former|latter))\b|{GOES_ON}"
)
# How a sentence begins that may stand for what a page is about.
_PAGE: Final = re.compile(
    r"(?:[A-Z][\w-]*,? (?:[\w-]+,? ){0,4})?(?:[Ii]ts?|[Tt]his(?= (?:can|condition|could|disease|disorder|does|happens"
    r"|has|illness|infection|is|may|means|often|syndrome|usually|was|will)\b))\b"
)
# How a sentence begins that says what was meant right before (`Exercise can help. This may be a walk.`).
_DETAILS: Final = re.compile(
    r"(?:These|They|This) (?:(?:can|could|may|might) )?(?:also )?includes?\b|Examples (?:are|include)\b"
    r"|This (?:can|could|may|might) be an?\b"
)
_STEM: Final = 5

_PRONOUN: Final = re.compile(
    r"(?P<before>[A-Z][\w'\u2019-]*(?:,? [a-z][\w'\u2019-]*){0,8}),? (?:them|they|these)\b(?! who)"
)
# What `they` may stand for.
_SEVERAL: Final = re.compile(
    r"\b(?!(?:always|as|cases|does|has|his|is|its|less|perhaps|sometimes|this|times|unless|was)\b)"
    r"(?:\w+(?<!ss)(?<!us)(?<!is)s"
    r"|adult|all|anyone|baby|bacteria|both|caregiver|child|children|doctor|everyone|families|few|individual|infant|man"
    r"|many|men|most|nobody|one|others|parent|patient|people|person|provider|some|somebody|someone|teen|teenager|who"
    r"|whoever|woman|women)\b",
    re.IGNORECASE,
)


class Referring:
    """A sentence, by its text and its number in its section, from 0, which may stand for what was named before it."""

    __slots__ = ()
    order: int
    text: str

    @property
    def leans(self) -> bool:
        """Whether it begins with what stands for something said before (`They go away`)."""
        return bool(_ORPHAN.match(self.text) or _POINTS.match(self.text) or (self.order and _DEFINITE.match(self.text)))

    @property
    def needs(self) -> bool:
        """Whether it cannot be read without the sentence before it, however it begins (`You get them often`)."""
        if self.leans or _ELIDED.search(self.text):
            return True
        if not self.order:  # before the first, nothing was named but by the title
            return False
        for found in _NAMED.finditer(self.text):
            if found["thing"][:_STEM] not in self.text[: found.start()].lower():
                return True
        pronoun = _PRONOUN.match(self.text)
        return pronoun is not None and not _SEVERAL.search(pronoun["before"])

    @property
    def dangles(self) -> bool:
        """Whether it begins with what stands for all that was said before, and not for what a page is about."""
        return bool(_DANGLES.match(self.text))

    @property
    def stands_for_page(self) -> bool:
        """Whether it begins with what may stand for what a page is about (`It is rare`), if it leans."""
        return bool(_PAGE.match(self.text)) and not self.dangles

    @property
    def details(self) -> bool:
        """Whether it begins by saying what was meant by the sentence before it."""
        return bool(_DETAILS.match(self.text))


def unnamed(text: str, before: str) -> bool:
    """Tell whether a sentence points at several things of a kind that neither it names nor what stands before it."""
    found = _SEVERAL_POINTED.search(text)
    named = f"{before} {text[: found.start()]}".lower() if found else ""
    return found is not None and not any(word[:_STEM] in named for word in found["things"].split())
