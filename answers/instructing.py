"""Texts that instruct a program that reads them: no evidence, whatever else they say."""

from __future__ import annotations

import re
from typing import Final

_INSTRUCTS: Final = re.compile(
    # What earlier instructions are to be left alone.
    r"\b(?:ignor|disregard|forget|overrid|bypass|skip(?!ping))\w*\b[^.!?\n]{0,40}"
    r"\b(?:instruct\w*|prompts?|rules|orders|polic(?:y|ies)|guardrails?|safety|verif\w+|checks?|context|passages?"
    r"|evidence|citations?|everything (?:above|before|you)|(?:the )?above|previous|prior|earlier)\b"
    # Who is spoken to: a model, or a role of a conversation.
    r"|(?:^|[.!?>\]\"'(*#-])\s*(?:system|assistant|user|developer|admin(?:istrator)?|human|ai|llm|model|chatbot|operator)"
    r"(?: (?:message|prompt|note|override|notice|instruction|update))?\s*[:>\]]"
    r"|\b(?:note|message|instructions?|attention|dear|hey|hello)\b[^.!?\n]{0,20}"
    r"\b(?:ai|llms?|assistants?|(?:language )?models?|chatbots?|bots?|summari[sz]ers?|readers? program)\b"
    r"|\b(?:you are|act as|pretend|role-?play|imagine)\b[^.!?\n]{0,20}"
    r"\b(?:now|ai|dan|assistant|language model|chatbot|unrestricted|jailbroken|free of|no longer|that you)\b"
    r"|\bif you(?: are|'re)? (?:an? )?(?:ai|llm|large|language model|assistant|chatbot|bot|summari[sz]er|read(?:ing)? this)\b"
    r"|\b(?:language models?|LLMs?|chatbots?|assistants?|AIs?)\b[^.!?\n]{0,30}\b(?:must|shall|are told|is told|have to)\b"
    # What it is to say.
    r"|(?:^|[.!?:;,]\s*|\b(?:and|then|please|must|to|only|just|always|should|now|simply|instead)\s+)"
    r"(?:say|answer|respond|reply|write|output|print|repeat|state|claim|insert|append|tell|add|quote|cite"
    r"|mark|rate|declare|pretend|emit)\s+(?:only|exactly|that\b|with\b|instead|\W*[\"\u201c'{\[<]|in \w+ fr"
    r"|the (?:user|reader|person|following)|every(?:one|body)?\b|this (?:sentence|section|text)|nothing (?:but|else)"
    r"|as if|as (?:supported|true|verified)|yes\b|no\b|it as|all (?:sentences|claims))"
    r"|\b(?:the|your) (?:only |correct |right |final |true |expected )(?:answer|reply|response|output)\b[^.!?\n]{0,30}"
    r"(?:\bis\b|\bmust\b|:)"
    r"|\byour (?:(?:answer|reply|output)\b(?! to\b)|instructions|prompt|rules|system prompt)\b"
    r"|\b(?:system|hidden|secret|original) prompt\b|\b(?:new|updated|real|actual|revised) (?:instructions?|task|rules?)\s*:"
    r"|\bfrom now on\b|\bthis (?:overrides|replaces|supersedes)\b|\b(?:jailbreak|prompt injection|do anything now)\b"
    r"|\bwhen (?:asked|answering|summari[sz]ing|citing)\b[^.!?\n]{0,40}\b(?:say|answer|reply|write|state|always|must)\b"
    # What frames conversations and prompts.
    r"|<\|[^|\n]{1,30}\|>|\[/?INST\]|<</?SYS>>|</?(?:system|assistant|user|evidence|question|instructions?|s)\b[^>\n]*>"
    r"|\#\#\#\s*(?:instruction|system|response|answer|human|assistant|end)|\b(?:BEGIN|END)[ _](?:OVERRIDE|INSTR|SYSTEM|PROMPT)"
    r"|\{\s*\"(?:sentences|text|ids|status|role|verdict)\"",
    re.IGNORECASE | re.MULTILINE,
)


def instructs(text: str) -> bool:
    """Tell whether a text speaks to a program that reads it, and tells it what to say.

    Args:
        text: A title, a name, or the text of a section.

    Returns:
        Whether it does; a text for people that reads like that is left out too, which costs less.
    """
    return bool(_INSTRUCTS.search(text))
