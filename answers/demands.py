"""What some questions demand of whatever answers them, beside its subject and kind."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

_OPERATION: Final = (
    r"(?:surger(?:y|ies)|surgical|operations?|transplant\w*|implants?|(?<!enzyme )(?<!hormone )replacements?|removal"
    r"|\w{3,}ectom(?:y|ies))\b"
)
_OF_OPERATION: Final = re.compile(
    r"\b(?:after|following|recover(?:y|ing)? from|(?:complications?|risks?|dangers?|(?:side )?effects) of"
    r"|how (?:dangerous|safe|risky|painful) (?:is|are))(?:\s+(?!(?:without|before|than|or|and|if)\b)\S+){0,4}?"
    rf"\s+{_OPERATION}",
    re.IGNORECASE,
)
_TELLS_OF_OPERATION: Final = re.compile(rf"\b{_OPERATION}", re.IGNORECASE)

_NOT: Final = r"(?:n['\u2019]t| (?:\S+ ){0,2}?not)"
_TO_AVOID: Final = re.compile(
    rf"\b(?:avoid(?:ed)?|should{_NOT} (?:\S+ ){{0,3}}?(?:tak(?:e|en)|eat(?:en)?|drink|use[ds]?|have|do)"
    r"|contraindicated|unsafe)\b",
    re.IGNORECASE,
)
_SAYS_TO_AVOID: Final = re.compile(
    r"\bavoid|\bcontraindicat|\bnot (?:be )?(?:tak(?:e|en|ing)|us(?:e[ds]?|ing)|give[ns]?|eat(?:en|ing)?|drink"
    r"|recommended|safe)\b|\bdo(?:es)?n['\u2019]t (?:take|use|eat|drink)|\bshould(?: not|n['\u2019]t)\b|\bharmful"
    r"|\btoxic|\b(?:can|may|could|might|will) (?:\S+ ){0,2}?(?:worsen|trigger)|\baggravat|\bcaution|\blimit\b"
    r"|\bstay away|\bmake \S+ worse",
    re.IGNORECASE,
)

_SIDE: Final = r"(?:side[- ]effects?|adverse (?:effects?|reactions?|events?))"
_OF_SIDE_EFFECTS: Final = re.compile(rf"\b{_SIDE}", re.IGNORECASE)
_TAKEN: Final = (
    r"(?:drugs?|medic(?:ine|ation)s?|treatments?|therap(?:y|ies)|surger(?:y|ies)|chemotherapy|radiation|steroids?"
    r"|corticosteroids?|NSAIDs?|antibiotics?|vaccines?|pills?)"
)
_SAYS_SIDE_EFFECTS: Final = re.compile(
    rf"\b{_SIDE}|\blate effects|\b(?:allergic|bad) reactions? to {_TAKEN}"
    rf"|\b{_TAKEN} (?:\S+ ){{0,3}}?(?:can|may|might|could|will) (?:\S+ )?(?:cause|lead to|result in)\b",
    re.IGNORECASE,
)
_ONLY_NAMES_THEM: Final = re.compile(
    rf"\b(?:not|no|if|when|unless|without|fewer|less|because of|due to|(?:to|help) (?:reduce|avoid|prevent|manage|treat"
    rf"|relieve|limit|lessen|minimi[sz]e)|reduc(?:e|ing)|avoid(?:ing)?|about|any)\b[^.;:]*?\b{_SIDE}"
    r"(?!\s+(?:of|includ|such))",
    re.IGNORECASE,
)
"""How a sentence names side effects that tells of none: `without side effects`."""

_YOUNG: Final = (
    r"(?:child(?:ren)?|kids?|infants?|bab(?:y|ies)|newborns?|toddlers?|teens?|teenagers?|adolescents?"
    r"|(?:\d|1[0-7])[- ]years?[- ]olds?|\d{1,2}[- ](?:month|week|day)s?[- ]olds?)"
)
_OLD: Final = (
    r"(?:elderly|seniors?|(?:older|old) (?:people|persons?|adults?|patients?|men|women)|old age"
    r"|[6-9]\d[- ]years?[- ]olds?)"
)
_IN: Final = (
    r"\b(?:in|for|among|with|during)\b(?: (?:a|an|the|my|our|your|young|small|premature|newborn|healthy)){0,3} "
)
_EXPECTING: Final = r"\b(?:if|when|while|in|during|for|are|is|am|i'm|be)\b(?: [\w']+){0,2}? "
_AUDIENCES: Final = tuple(
    (re.compile(asked, re.IGNORECASE), re.compile(spoken, re.IGNORECASE))
    for asked, spoken in (
        (
            rf"{_IN}{_YOUNG}\b",
            rf"\b(?:{_YOUNG}|child(?:hood|birth)|infan(?:cy|tile)|neonat\w+|teenage|adolescence|p(?:a)?ediatric\w*"
            r"|juvenile|boys?|girls?|young(?:er)? people|youth)\b",
        ),
        (
            rf"{_EXPECTING}(?:pregnan(?:t|cy)|expecting)\b",
            r"\b(?:pregnan\w+|prenatal|trimesters?|gestation\w*|f(?:o)?etus(?:es)?|unborn|childbearing|expectant)\b",
        ),
        (
            rf"{_EXPECTING}(?:breast-?feed(?:ing)?|nursing|lactation)\b",
            r"\b(?:breast-?\s?fe(?:e)?d\w*|nursing (?:mothers?|women|a baby|infants?)|lactat\w+|breast milk)\b",
        ),
        (
            rf"{_IN}{_OLD}\b|\b(?:people|adults?|patients|someone|women|men) (?:over|above|older than|aged?) [6-9]\d\b",
            rf"\b(?:{_OLD}|geriatric|late in life|older age|aging|(?:over|above|age|aged|older than)"
            r" (?:the age of )?[6-9]\d|[6-9]\d (?:years )?(?:and|or) older)\b",
        ),
    )
)
"""Whom a question may ask about: how it does, and how texts speak of them."""

_PEOPLE: Final = (
    r"(?:people|persons?|individuals|americans|adults|children|kids|infants|bab(?:y|ies)|newborns|births|boys|girls"
    r"|(?:wo)?men|(?:fe)?males|patients|families|cases|population|pregnancies|worldwide|diagnos\w+)"
)
_AGED: Final = (
    r"\bage[sd]?\b|\b\w*teens?\b|\b(?:\d+|one|two|three|four|five|six|ten|few|several|first|second|third|fourth)"
    r"(?: to \w+)?[ -](?:years?|months?|weeks?|decades?)|\bbirth\b|\b(?:child|adult)hood|\binfan(?:cy|ts?)\b"
    r"|\badolescen\w+|\bpuberty|\b\d0s\b|\bnewborn|\bprenatal|\blater in life|\bearly in life"
)
_BEGINS: Final = (
    r"\b(?:beg[iau]n\w*|appear(?:s|ed|ing)?(?! to)|onset|start\w*|develop\w*|occur\w*|present\w*|notice\w*|diagnos\w+"
    r"|manifest\w*|born|recommend\w*|should|affects?|seen|become)\b"
)
_OTHER_THAN: Final = re.compile(
    r"\b(?:other than|apart from|aside from|besides|instead of|rather than|without (?:using|taking))\s+"
    r"(?:(?:with|by|from|for|to|a|an|the|my) )*(?P<what>[^?.,;]+)",
    re.IGNORECASE,
)
"""How a question says what it wants nothing of."""

_COMPARES: Final = re.compile(
    r"\b(?:diff?erences? between|differ(?:s|ent)? from|distinguish\w*|compared (?:to|with)|versus|vs"
    r"|same (?:thing )?as)\b",
    re.IGNORECASE,
)
_FIGURES: Final = tuple(
    (re.compile(asked, re.IGNORECASE), re.compile(spoken, re.IGNORECASE))
    for asked, spoken in (
        (
            rf"\bhow many (?:\w+ )?{_PEOPLE}\b|\bhow (?:common|frequent|rare)\b|\bnumber of {_PEOPLE}\b"
            rf"|\bwhat (?:percentage|percent|share|proportion) of {_PEOPLE}",
            rf"(?:\d|\b(?:one|two|half|third|quarter|million|thousand|hundred|percent)\b)[^.;]{{0,40}}"
            rf"\b{_PEOPLE}\b|\b{_PEOPLE}[^.;]{{0,40}}\b\d+\b|\b(?:1|one)(?: out of| in)(?: every)? [\d,]+"
            r"|\d ?(?:%|percent)"
            r"|\bprevalence|\bincidence|\brare(?:ly)?\b|\b(?:un|most )?common(?:ly)?\b|\bunknown\b|\bestimated",
        ),
        (
            r"\b(?:what|which) age\b|\bhow old\b|\bage (?:limit|of onset)\b"
            r"|\bwhen do(?:es)?\b[^?.]*\b(?:start|begin|appear|occur|develop|show)",
            rf"(?=.*?{_BEGINS})(?:{_AGED})|(?=.*?(?:{_AGED})){_BEGINS}|\bages? (?:of )?\d"
            r"|\d+ (?:years? )?(?:old )?(?:and|or) (?:older|younger)",
        ),
        (
            r"\bhow (?:long|soon|quickly|fast)\b(?! ago)|\brecovery time\b",
            r"\b(?:minutes?|hours?|days?|weeks?|months?|years?|decades?|lifelong|for life|permanent(?:ly)?|temporary"
            r"|overnight|(?:normal|shortened|reduced) life|life ?(?:expectancy|span)|quickly|slowly|gradually"
            r"|long[- ]term|short[- ]term|chronic)\b",
        ),
        (
            r"\b(?:diets?|what (?:kinds? of )?foods?|foods? to"
            r"|(?:what|can|should) (?:\w+ )?(?:i|you|we|he|she|they) (?:eat|drink))\b",
            r"\b(?:diet\w*|eat\w*|foods?|drink\w*|meals?|nutri\w+|gluten|sodium|salt\w*|sugar\w*|fat(?:ty)?|calori\w+|fruits?"
            r"|vegetables?|alcohol|fluids?|fib(?:er|re)|purines?|fish|meat|milk|vitamins?|supplements?|proteins?)\b",
        ),
        (
            r"\b(?:what|which) (?:(?:kind|sort|type)s? of )?(?:doctors?|physicians?|specialists?|surgeons?)\b"
            r"|\bwho (?:treats?|diagnoses|specializes|(?:else )?(?:should|can|could|do|would|must)"
            r" (?:i|we|he|she|they|you|one) (?:see|go to|turn to|ask|consult|talk to))\b",
            r"\b(?:\w+olog(?:y|ists?)|specialists?|surgeons?|\w+iatric(?:s|ians?)|\w+iatrists?|geneticists?|dentists?"
            r"|therapists?|internists?|counselors?|optometrists?|(?:health ?care|medical) (?:teams?|providers? who)"
            r"|doctors? who)\b",
        ),
        (
            r"\b(?:contagious|catching|infectious|transmitted|catch (?:it|this|that|\w+ from)"
            r"|can (?:i|you|we|he|she) catch)\b"
            r"|\b(?:how|do|does|can) [^.?!]*\bspread (?:from|to|between|among|by|through)\b",
            r"\b(?:contagious|infectious|infect(?:s|ed|ing)?|spread\w*|transmi\w+|catch\w*|caught"
            r"|contact with|pass(?:es|ed|ing)? (?:\S+ ){0,4}?(?:on|to|from|through|by|down)|from person to person"
            r"|carriers?|inherit\w*|hereditary|genetic)\b",
        ),
        (
            r"\A(?!.*\bwhy\b).*?\b(?:is|are|do(?:es)?|can|will|must|has|have)\b[^.?!]*\balways\b"
            r"|\balways\b[^.?!]*\?\s*\Z",
            r"\b(?:always|all|every\w*|not (?:all|every\w*|always)|sometimes|some|most (?:people|cases|of|often)"
            r"|usually|rarely|other|may|can also|common in)\b",
        ),
        (
            _COMPARES.pattern,
            r"\b(?:unlike|whereas|differ(?:s|ed|ences?)?|different from|distinguish\w*|(?:in|by) contrast|similar to"
            r"|compared (?:to|with)|same as|(?:types?|kinds?|forms?) of)\b",
        ),
    )
)
"""What a question may ask for to the word, how many have something, at what age, how long, who treats it, whether it
spreads, whether it is always so, and what tells two things apart: how it does, and how texts tell it."""

_PREVENTS: Final = re.compile(
    r"\b(?:prevent(?:s|ing|ion(?: of)?)?|protect(?:s|ing|ion)? (?:\w+ )?(?:against|from)"
    r"|(?:reduc|lower|decreas|cut)\w*(?: \S+){0,3}? (?:risks?|chances?|odds|likelihood)(?: (?:of|for))?)\b"
    r"(?P<what>[^.;:,]*)",
    re.IGNORECASE,
)
"""How a sentence says what keeps something off, and what."""

_PREVENTED: Final = re.compile(
    r"(?P<what>[^.;:]*?)\b(?:be|are|is|been) (?:\w+ )?(?:prevent(?:ed|able)|avoided)\b", re.IGNORECASE
)
_SOME_DAY: Final = re.compile(r"\b(?:some ?day|one day)\b", re.IGNORECASE)
_KEEPS_OFF: Final = re.compile(
    r"\b(?:vaccin|immuni[sz])|\bkeep(?:s|ing)? (?:\S+ ){1,4}?from (?!progress|getting worse)"
    r"|(?:\b(?:should|must|to|can|you|by|and|or|please) |\A|[-:.] )avoid(?:ing)?\b",
    re.IGNORECASE,
)
_IT: Final = re.compile(
    r"\A\W*(?:(?:it|this|that|them|these)\b|(?:\w+ ){0,3}?(?:disease|condition|disorder|syndrome|illness|infection)s?\b"
    r"|another one\b)(?! from\b)|\A\W*\Z",
    re.IGNORECASE,
)
"""How something is meant that was named before."""


def says_to_prevent(sentence: str, is_asked: Callable[[str], bool]) -> bool:
    """Tell whether a sentence says how something is prevented, and not what else a treatment prevents.

    Args:
        sentence: The sentence.
        is_asked: Tells whether some words are of what is asked about.

    Returns:
        Whether it does: to prevent further attacks, or damage, is not to prevent the disease.
    """
    if _SOME_DAY.search(sentence):
        return False
    if _KEEPS_OFF.search(sentence):
        return True
    found = (*_PREVENTS.finditer(sentence), *_PREVENTED.finditer(sentence))
    return any(_IT.search(one["what"]) or is_asked(one["what"]) for one in found)


def asks_of_side_effects(text: str) -> bool:
    """Tell whether a question asks for side effects.

    Args:
        text: The question.

    Returns:
        Whether it does, be they of a drug, of a treatment, or of `treatments for gout`.
    """
    return bool(_OF_SIDE_EFFECTS.search(text))


def says_side_effects(sentence: str) -> bool:
    """Tell whether a sentence tells of side effects.

    Args:
        sentence: The sentence.

    Returns:
        Whether it does, and does not only name them on the way (`when medicines cause side effects`).
    """
    found = _SAYS_SIDE_EFFECTS.search(sentence)
    return bool(found) and bool(_SAYS_SIDE_EFFECTS.search(_ONLY_NAMES_THEM.sub(" ", sentence)))


def audience_of(text: str) -> re.Pattern[str] | None:
    """Tell whom a question asks about: children, older people, those who are pregnant or breastfeed.

    Args:
        text: The question.

    Returns:
        How texts speak of them; None where it asks about nobody in particular, or about several.
    """
    found = [spoken for asked, spoken in _AUDIENCES if asked.search(text)]
    return found[0] if len(found) == 1 else None


def audiences_in(text: str) -> list[str]:
    """Give the words by which a text tells whom it asks about: `I'm 14 weeks pregnant`.

    Args:
        text: A question, with what is told before it.

    Returns:
        The words, for each kind of people those that come first.
    """
    return [found[0] for asked, _ in _AUDIENCES if (found := asked.search(text))]


def asked_to_the_word(text: str) -> re.Pattern[str] | None:
    """Tell what a question asks for to the word: how many people, at what age, how long, who, how two things differ.

    Args:
        text: The question.

    Returns:
        How texts tell it; None where it asks for none, or for several.
    """
    found = [spoken for asked, spoken in _FIGURES if asked.search(text)]
    return found[0] if len(found) == 1 else None


def excluded_by(text: str) -> str:
    """Give what a question wants nothing of: `treated other than with a CPAP machine`.

    Args:
        text: The question.

    Returns:
        The words of it; empty for most questions.
    """
    found = _OTHER_THAN.search(text)
    return found["what"] if found else ""


def asks_to_compare(text: str) -> bool:
    """Tell whether a question asks how two things differ.

    Args:
        text: The question.

    Returns:
        Whether it does, as `gout vs pseudogout`.
    """
    return bool(_COMPARES.search(text))


def asks_of_operation(text: str) -> bool:
    """Tell whether a question asks what comes of an operation, or after it.

    Args:
        text: The question.

    Returns:
        Whether it does, as `complications of varicose vein surgery`; not where an operation may be what helps.
    """
    return bool(_OF_OPERATION.search(text))


def tells_of_operation(head: str) -> bool:
    """Tell whether a page or section is about an operation.

    Args:
        head: Its title, heading and question.

    Returns:
        Whether these name one.
    """
    return bool(_TELLS_OF_OPERATION.search(head))


def asks_to_avoid(text: str) -> bool:
    """Tell whether a question asks what to avoid.

    Args:
        text: The question.

    Returns:
        Whether it does.
    """
    return bool(_TO_AVOID.search(text))


def says_to_avoid(sentence: str) -> bool:
    """Tell whether a sentence says that something is to be avoided.

    Args:
        sentence: The sentence.

    Returns:
        Whether it does.
    """
    return bool(_SAYS_TO_AVOID.search(sentence))
