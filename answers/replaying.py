"""The difference between an answer that was kept and the same question answered again."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from .answer_runs import AnswerRun

COMPARED: Final = (
    *("status", "model", "fingerprint", "prompts", "structured", "seed", "fallback", "removed_ids"),
    *("precision", "settings", "version"),
)
"""What is compared of two runs beside sentences and evidence."""


@dataclass(frozen=True, slots=True)
class Change:
    """Something that is not what it was.

    Attributes:
        what: What it is: a sentence, or a field of a run.
        before: What it was.
        after: What it is.
    """

    what: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class Difference:
    """What is different when a question is answered again.

    Attributes:
        same: Whether status, sentences and verdicts are the same.
        came: Sentences that are new.
        went: Sentences that are no more.
        verdicts: Sentences with another verdict.
        changed: Evidence that says something else now.
        gone: Evidence that is not in the graph any more.
        used: Evidence that was not used before.
        unused: Evidence that is in the graph, and is not used any more.
        made: What else is different of how the answer was made.
        before: The run that was kept.
        after: The run of now.
    """

    same: bool
    came: tuple[str, ...]
    went: tuple[str, ...]
    verdicts: tuple[Change, ...]
    changed: tuple[str, ...]
    gone: tuple[str, ...]
    used: tuple[str, ...]
    unused: tuple[str, ...]
    made: tuple[Change, ...]
    before: AnswerRun
    after: AnswerRun

    def as_dict(self) -> dict[str, Any]:
        """Give it as plain data.

        Returns:
            Data that `json.dumps` takes.
        """
        return asdict(self)


def difference(before: AnswerRun, after: AnswerRun, now: Mapping[str, str]) -> Difference:
    """Compare two runs of a question.

    Args:
        now: The hash of each piece of the former's evidence that is in the graph.
    """
    was, became = (dict(zip(run.sentences, run.verdicts, strict=True)) for run in (before, after))
    had = dict(zip(before.evidence, before.hashes, strict=True))
    came, went = tuple(text for text in became if text not in was), tuple(text for text in was if text not in became)
    verdicts = tuple(
        Change(text, verdict, became[text]) for text, verdict in was.items() if became.get(text, verdict) != verdict
    )
    gone = tuple(name for name, known in had.items() if known and name not in now)
    return Difference(
        same=before.status == after.status and not (came or went or verdicts),
        came=came,
        went=went,
        verdicts=verdicts,
        changed=tuple(name for name, known in had.items() if name in now and now[name] != known),
        gone=gone,
        used=tuple(name for name in after.evidence if name not in had),
        unused=tuple(name for name in had if name not in after.evidence and name not in gone),
        made=tuple(_made(before, after)),
        before=before,
        after=after,
    )


def _made(before: AnswerRun, after: AnswerRun) -> Iterator[Change]:
    for name in COMPARED:
        old, new = getattr(before, name), getattr(after, name)
        if old != new:
            yield Change(name, old, new)
