"""How a sentence begins or goes on that cannot be read without the one before it."""

from __future__ import annotations

import re
from typing import Final

_CONDITIONS: Final = r"(?:conditions?|diseases?|disorders?|syndromes?|infections?)\b"
"""What a page is about, so that `this disease` needs no sentence before it."""

_EXPLETIVE: Final = (
    r"(?!it (?:is|was|may be|can be) (?:\w+ly )?(?:best|common|difficult|easy|estimated|hard|helpful|important|known|"
    r"likely|not|possible|recommended|thought|unclear|unlikely)\b)"
)
"""What does not follow an `it` that stands for something."""

GOES_ON: Final = (
    r"(?:However|But|Yet|Or|And|So|Then|Perhaps|Also|Therefore|Thus|Instead|Otherwise|Nor|Likewise|Similarly|If so"
    r"|Consequently|Hence|Furthermore|Moreover|Lastly"
    r"|In addition|For example|As a result|In these cases|In the remaining|In the same way|On the other hand|After that"
    r"|Still(?=,)|Another|Additional(?:ly)?)\b"
)
"""How a sentence begins that goes on from the one before."""

_ORPHAN: Final = re.compile(
    r"(?:It|Its|They|Their|Them|These|Those|Such|He|She|His|Her|Both(?! [^.;:]{1,60} and\b)|This)\b"
    r"(?! (?:condition|disease|disorder|syndrome))"
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
_NAMED: Final = re.compile(
    r"(?<=[\w,] )(?:this|these) "
    r"(?:(?!(?:and|are|be|can|has|have|include|in|is|may|of|or|that|to|was|were|who)\b)[a-z-]+ )"
    rf"{{0,2}}?(?P<thing>{_THING})(?:e?s)?\b(?![^.]*:)"
)
"""What stands within a sentence for a thing that was named, and is not behind it."""

_STEM: Final = 5

_PRONOUN: Final = re.compile(
    r"(?P<before>[A-Z][\w'\u2019-]*(?:,? [a-z][\w'\u2019-]*){0,4}),? (?:them|they|these)\b(?! who)"
)
_SEVERAL: Final = re.compile(
    r"\b(?!(?:always|as|cases|does|has|his|is|its|less|perhaps|sometimes|this|times|unless|was)\b)"
    r"(?:\w+(?<!ss)(?<!us)(?<!is)s"
    r"|adult|all|anyone|baby|bacteria|both|caregiver|child|children|doctor|everyone|families|few|individual|infant|man"
    r"|many|men|most|nobody|one|others|parent|patient|people|person|provider|some|somebody|someone|teen|teenager|who"
    r"|whoever|woman|women)\b",
    re.IGNORECASE,
)
"""What `they` may stand for."""


def leans(text: str) -> bool:
    """Tell whether a sentence begins with what stands for something said before (`They go away`)."""
    return bool(_ORPHAN.match(text))


def refers(text: str) -> bool:
    """Tell whether a sentence has within it what stands for something that it does not name (`You get them often`)."""
    for found in _NAMED.finditer(text):
        if found["thing"][:_STEM] not in text[: found.start()].lower():
            return True
    pronoun = _PRONOUN.match(text)
    return pronoun is not None and not _SEVERAL.search(pronoun["before"])
