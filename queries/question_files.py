"""Many questions at once, in the formats of information retrieval tools, or by the vectors of two encoders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..errors import InputError, SourceFileError
from ..progress import progress
from ..schema import migrate
from .question import words_of
from .retriever import Retriever

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from ..embeddings.encoders.encoder import TextEncoder
    from ..graph.database import Database
    from .entities import LinkerOf
    from .hits import Hit

TAG: Final = "medgraph"
TOP: Final = 10  # results of each encoder that are compared


def load_questions(path: Path) -> list[tuple[str, str]]:
    """Read `id<TAB>question` lines, but for blank ones; SourceFileError for a line that is none, or an id again."""
    topics: dict[str, str] = {}
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")  # a question may hold other line ends, such as U+2028
    except (OSError, UnicodeDecodeError) as error:
        raise SourceFileError(f"cannot be read as UTF-8 text: {error}", path) from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        topic, tab, question = line.partition("\t")
        if not tab or not topic.strip() or any(c.isspace() for c in topic.strip()) or not question.strip():
            raise SourceFileError("write the line as id<TAB>question, the id without blanks", path, number)
        if topic.strip() in topics:
            raise SourceFileError(f"the id {topic.strip()!r} stands twice", path, number)
        try:
            words_of(question)
        except InputError as error:
            raise SourceFileError(str(error), path, number) from error
        topics[topic.strip()] = question.strip()
    return list(topics.items())


def write_run(topics: list[tuple[str, str]], path: Path, search: Callable[[str], list[Hit]]) -> int:
    """Search for every question and write TREC run lines, when all are done: `id Q0 section rank score medgraph`.

    Raises:
        InputError: The run file cannot be written, or a section's id has a blank in it, which run lines cannot hold.
        MedgraphError: A search failed; the run file is left as it was.
    """
    path = path.resolve()
    if not path.parent.is_dir() or (path.exists() and not path.is_file()):
        raise InputError(f"the run file {path} cannot be written; give the path of a file in a folder that exists")
    lines = []
    with progress("searching", "question", len(topics)) as bar:
        for topic, question in topics:
            lines.extend(run_lines(topic, search(question)))
            bar.update(1)
    partial = path.with_name(path.name + ".part")
    try:
        partial.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise InputError(f"the run file {path} cannot be written: {error.strerror}") from error
    return len(lines)


def run_lines(topic: str, hits: list[Hit]) -> list[str]:
    """Give the run lines of one question, each section once, ranked from 1; InputError for an id with a blank."""
    best: dict[str, Any] = {}
    for hit in hits:
        if hit.section is not None:
            best.setdefault(hit.section, hit.score)
    if broken := next((section for section in best if len(section.split()) > 1), None):
        raise InputError(f"the section id {broken!r} has a blank, which run lines cannot hold; load it under another")
    return [f"{topic} Q0 {section} {rank} {score:.6f} {TAG}" for rank, (section, score) in enumerate(best.items(), 1)]


def compare_encoders(
    database: Database, encoders: Sequence[TextEncoder], linker: LinkerOf, topics: Sequence[tuple[str, str]]
) -> Iterator[dict[str, Any]]:
    """Search for `topics`, ids and questions, by the vectors of two encoders, both of which the graph has.

    Yields:
        For each question how many of ten results are the same, whether the first one is, and both first ones.
    """
    slots = {model.name: model.slot for model in migrate.recorded_encoders(database)}
    for encoder in encoders:
        if encoder.name not in slots:
            raise InputError(f"the graph has no vectors of {encoder.name}; it has those of {', '.join(slots)}")

    def by_vectors_of(encoder: TextEncoder) -> Retriever:
        return Retriever(database.in_slot(slots[encoder.name]), lambda: encoder, linker)

    sides = [by_vectors_of(encoder) for encoder in encoders]
    for topic, question in topics:
        old, new = ([str(hit.section) for hit in side.search(question, mode="semantic", top_k=TOP)] for side in sides)
        yield {
            "question": topic,
            "shared": len({*old} & {*new}),
            "first": "same" if old[:1] == new[:1] else "other",
            "before": "".join(old[:1]),
            "after": "".join(new[:1]),
        }
