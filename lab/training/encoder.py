"""Train the encoder by sentence-transformers: of questions alone, or of questions and passages.

Of questions alone, passages keep their vectors, and only the side that encodes questions learns to meet them:
query-side fine-tuning of dense retrieval (Lee et al., "Learning Dense Representations of Phrases at Scale", ACL 2021).
That suits a small machine and a stored graph: a step encodes short questions only, every passage of the graph is a
negative, and nothing must be embedded anew.

Both sides learn by multiple-negatives ranking over large batches (Henderson et al., 2017; Gao et al., "GradCache",
2021), with mined hard negatives, and where several dimensions are given each ranks by itself (Kusupati et al.,
"Matryoshka Representation Learning", 2022). Questions that the graph made of its relations are learned from, too, or
in their place those that a language model wrote (`pseudo_queries`); or these alone, as ILlama's encoder is trained.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from random import Random
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from medgraph.embeddings.encoders import layers
from medgraph.embeddings.encoders.bert_graph import read_config, unsupported
from medgraph.embeddings.encoders.model_files import WEIGHTS
from medgraph.embeddings.index import passage
from medgraph.errors import InputError
from medgraph.progress import progress

from ..evaluation.statistics import number
from . import pseudo_queries
from .library import LEFT_OUT, MEDQUAD, MEQSUM, RQE, arguments, freeze, library, place_of, run, tidy
from .questions import examples, made_pairs, passages, read_subjects, reworded, vectors

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from medgraph.graph.database import Database
    from medgraph.queries.retriever import Retriever

    from ..evaluation.sets.meqsum import Message
    from .pseudo_queries import PseudoQuery
    from .questions import Example, Passages, QuestionPair, Vectors

    Rows = list[list[int]]

TOKENS: Final = 128
SHORT_SEARCH: Final = 10  # results of a message's short question that the message should find
QUESTIONS_SHARE: Final = 0.5  # how much the stored questions count beside the passages
# The shares of steps on pairs, on messages, and with both sides on questions that the graph made; set by hand.
PAIRS, MESSAGES, MADE = 0.25, 0.1, 0.15
# Passages of relations among which negatives are mined, at most; to encode all would take longer than to train.
MINED: Final = 2000
HELD_BACK: Final = 20  # one of so many subjects is held back from both sides, to measure by
# How much less near than what answers a mined negative must be, as a share; what is nearer may answer as well.
MARGIN: Final = 0.05


@dataclass(frozen=True, slots=True)
class Options:
    """How to train."""

    steps: int = 1000
    batch: int = 64
    rate: float = 5e-5
    temperature: float = 0.05  # what cosines are divided by
    dropout: float = 0.05  # the share of numbers that are left out of a layer
    seed: int = 7
    both_sides: bool = False
    negatives: int = 1  # with both sides, mined negatives of each question
    piece: int = 32  # with both sides, texts that are encoded at once
    # With both sides, how much of the vectors, from their beginning, has to rank by itself.
    dimensions: tuple[int, ...] = ()
    subgraphs_only: bool = False  # with both sides, whether nothing but questions of relations is learned from


@dataclass(frozen=True, slots=True)
class Material:
    """What is learned from."""

    examples: Sequence[Example]  # sections and how they are asked for
    passages: Passages
    questions: Vectors  # vectors of stored questions
    pairs: Sequence[QuestionPair] = ()  # questions with a short one that they entail
    # Messages and their short questions, with the sections that the short one finds.
    messages: Sequence[tuple[Message, Sequence[str]]] = ()
    # Questions of relations, made by rule or written by a language model, with the passages that answer.
    made: Sequence[tuple[str, str]] = ()
    told: Sequence[str] = ()  # passages of relations
    sources: Sequence[str] = (MEDQUAD,)  # where all of it is from, with licences


def gather(
    database: Database,
    retriever: Retriever,
    pairs: Sequence[QuestionPair] = (),
    messages: Sequence[Message] = (),
    queries: Sequence[PseudoQuery] = (),
) -> Material:
    """Read from the graph, which is indexed, what is learned from; `queries` replace questions made by rule."""
    known, taught = read_subjects(database), []
    every = examples(database, known)
    with progress("searching for short questions", "question", len(messages)) as bar:
        for message in messages:
            hits = retriever.search(message.short, mode="hybrid", top_k=SHORT_SEARCH)
            taught.append((message, [hit.section for hit in hits if hit.section]))
            bar.update(1)
    return Material(
        every,
        passages(database),
        vectors(database, "question_vectors"),
        [pair for pair in pairs if pair.entails],
        [pair for pair in taught if pair[1]],
        pseudo_queries.pairs_of(queries, database, known) if queries else made_pairs(database, known),
        [passage(row) for row in pseudo_queries.documents(database, known)],
        [MEDQUAD, *([RQE] if pairs else []), *([MEQSUM] if messages else []), *pseudo_queries.origins(queries)],
    )


def train(base: Path, material: Material, folder: Path, options: Options) -> dict[str, Any]:
    """Train, and write weights and card, which says what both sides reach; what was interrupted goes on."""
    whole = read_config(base).hidden
    if wrong := [one for one in options.dimensions if not 0 < one <= whole]:
        raise InputError(
            f"--dimensions {wrong[0]}: vectors of {base.name} have {whole}; give numbers from 1 to {whole}"
        )
    if options.both_sides and (reason := unsupported(base)):
        raise InputError(f"{base}: {reason}: both sides are trained of an encoder that runs without torch alone")
    began = monotonic()
    with library():
        from sentence_transformers import SentenceTransformer
    model = SentenceTransformer(str(base), local_files_only=True)
    model.max_seq_length = min(TOKENS, model.max_seq_length or TOKENS)
    freeze(model[0].auto_model, 0)
    for module in model.modules():
        if type(module).__name__ == "Dropout":
            module.p = options.dropout
    card = {
        "encodes": "questions and passages" if options.both_sides else "questions",
        "base": base.name,
        "options": asdict(options) | {"dimensions": list(options.dimensions)},
        **{name: len(getattr(material, name)) for name in ("examples", "pairs", "messages", "made")},
        "trained on": list(material.sources),
        "left out": LEFT_OUT,
    }
    fit = _both_sides if options.both_sides else _questions
    card |= fit(model, material, folder, options)
    learned = {name: value.float().cpu().numpy() for name, value in model[0].auto_model.state_dict().items()}
    if not options.both_sides:
        learned = {name: value for name, value in learned.items() if name.startswith(layers.PREFIX)}
    write = layers.write_encoder if options.both_sides else layers.write
    written = write(learned, base / WEIGHTS, folder, {**card, "seconds": round(monotonic() - began)})
    tidy(folder)
    return written


def _train(
    model: Any, datasets: dict[str, dict[str, list[Any]]], losses: dict[str, Any], folder: Path, options: Options
) -> None:
    """Train on datasets by turns, each by its loss; the same text stands in a batch once."""
    from datasets import Dataset
    from sentence_transformers import SentenceTransformerTrainer, SentenceTransformerTrainingArguments

    place = place_of(folder, asdict(options), datasets)
    given = arguments(
        place,
        options.rate,
        options.seed,
        max_steps=options.steps,
        per_device_train_batch_size=options.batch,
        batch_sampler="no_duplicates" if options.both_sides else "batch_sampler",
    )
    trainer = SentenceTransformerTrainer(
        model=model,
        args=SentenceTransformerTrainingArguments(**given),
        train_dataset={name: Dataset.from_dict(columns) for name, columns in datasets.items()},
        loss={name: losses[name] for name in datasets},
    )
    run(trainer, place)


def _questions(model: Any, material: Material, folder: Path, options: Options) -> dict[str, Any]:
    from .losses import NearestAnswer

    chance, many = Random(options.seed), options.steps * options.batch  # noqa: S311 # not for secrets
    passages, questions = material.passages.rows(), material.questions.rows()
    texts, answers = [], []
    for example in chance.choices(material.examples, k=many):
        texts.append(reworded(example, chance))
        answers.append(sorted(example.answers))
    losses = {
        "sections": NearestAnswer(
            model,
            [
                (material.passages.units(), _rows(answers, passages), 1.0),
                (material.questions.units(), _rows(answers, questions), QUESTIONS_SHARE),
            ],
            options.temperature,
        )
    }
    datasets: dict[str, dict[str, list[Any]]] = {"sections": {"text": texts, "label": list(range(many))}}
    if material.pairs:
        shorts = list(dict.fromkeys(pair.short for pair in material.pairs))
        drawn = chance.choices(material.pairs, k=round(PAIRS * many))
        datasets["pairs"] = {"text": [one.asked for one in drawn], "label": list(range(len(drawn)))}
        places = {text: place for place, text in enumerate(shorts)}
        vectors = model.encode(shorts, normalize_embeddings=True, show_progress_bar=False)
        wanted = [[[places[one.short]]] for one in drawn]
        losses["pairs"] = NearestAnswer(model, [(vectors, wanted, 1.0)], options.temperature)
    if material.messages:
        found = chance.choices(material.messages, k=round(MESSAGES * many))
        spoken = [chance.choice((one.text, one.text, one.short)) for one, _ in found]
        datasets["messages"] = {"text": spoken, "label": list(range(len(found)))}
        rows = _rows([sections[: chance.choice((3, 5, 8))] for _, sections in found], passages)
        losses["messages"] = NearestAnswer(model, [(material.passages.units(), rows, 1.0)], options.temperature)
    _train(model, datasets, losses, folder, options)
    return {}


def _rows(answers: Sequence[Sequence[str]], of: dict[str, list[int]]) -> list[Rows]:
    return [[of[section] for section in sections if section in of] for sections in answers]


def _both_sides(model: Any, material: Material, folder: Path, options: Options) -> dict[str, Any]:
    """Train both sides, and measure them before and after on subjects that were held back, if these were learned."""
    from sentence_transformers.sentence_transformer.losses import CachedMultipleNegativesRankingLoss, MatryoshkaLoss

    held = [one for one in material.examples if _is_held(one)]
    learned = [one for one in material.examples if not _is_held(one)]
    if not learned:
        raise InputError("no section of MedQuAD is left to train on; load all of it")
    whole = model[0].auto_model.config.hidden_size
    tried = sorted({whole, *options.dimensions}, reverse=True)
    before = {} if options.subgraphs_only else _measured(model, held, material.passages, tried)
    loss = CachedMultipleNegativesRankingLoss(model, scale=1 / options.temperature, mini_batch_size=options.piece)
    if options.dimensions:
        loss = MatryoshkaLoss(model, loss, sorted(options.dimensions, reverse=True))
    datasets = _pairs(model, learned, material, options)
    _train(model, datasets, dict.fromkeys(datasets, loss), folder, options)
    if options.subgraphs_only:
        return {}
    return {"base reaches": before, "trained reaches": _measured(model, held, material.passages, tried)}


def _pairs(
    model: Any, learned: Sequence[Example], material: Material, options: Options
) -> dict[str, dict[str, list[Any]]]:
    """Give questions with what answers: of sections, with mined negatives, and of others."""
    chance, many = Random(options.seed), options.steps * options.batch  # noqa: S311 # not for secrets
    if options.subgraphs_only:
        if not material.made:
            raise InputError("the graph has no questions of relations to train on; run: medgraph index subgraphs")
        drawn = chance.choices(material.made, k=many)
        among = chance.sample(material.told, min(MINED, len(material.told)))
    else:
        texts = material.passages.first_passages()
        known = [one for one in learned if one.answers & texts.keys()]
        drawn = [
            (reworded(one, chance), texts[chance.choice(sorted(one.answers & texts.keys()))])
            for one in chance.choices(known, k=many)
        ]
        among = [texts[one.section] for one in learned if one.section in texts]
        if material.made:
            drawn += chance.choices(material.made, k=round(MADE * many))
    others = [(one.asked, one.short) for one in material.pairs]
    others += [(one.text, one.short) for one, _ in material.messages]
    columns = {"anchor": [one for one, _ in drawn], "positive": [one for _, one in drawn]}
    datasets: dict[str, dict[str, list[Any]]] = {"sections": _mined(model, columns, among, options)}
    if others:
        more = chance.choices(others, k=round(PAIRS * many))
        datasets["questions"] = {"anchor": [one for one, _ in more], "positive": [one for _, one in more]}
    return datasets


def _mined(model: Any, columns: dict[str, list[Any]], passages: list[str], options: Options) -> dict[str, list[Any]]:
    """Add passages that seem to answer; a question of which none is found is left out, unless all would be."""
    from datasets import Dataset
    from sentence_transformers.util import mine_hard_negatives

    if not options.negatives:
        return columns
    found = mine_hard_negatives(
        Dataset.from_dict(columns),
        model,
        corpus=passages,
        relative_margin=MARGIN,
        num_negatives=options.negatives,
        output_format="n-tuple",
        batch_size=options.batch,
        verbose=False,
    )
    return found.to_dict() if len(found) else columns


def _is_held(example: Example) -> bool:
    return any(number(subject) % HELD_BACK == 0 for subject in example.subjects)


def _measured(
    model: Any, held: Sequence[Example], passages: Passages, dimensions: Sequence[int]
) -> dict[str, dict[str, float]]:
    """Search among the passages about what was held back: dimension → measure; nothing where nothing was."""
    from sentence_transformers.sentence_transformer.evaluation import InformationRetrievalEvaluator

    near = frozenset[str]().union(*(one.near for one in held))
    texts = {section: text for section, text in passages.first_passages().items() if section in near}
    asking = {one.section: one for one in held if one.answers & texts.keys()}
    if not asking:
        return {}
    chance = Random(0)  # noqa: S311 # not for secrets
    queries = {section: reworded(one, chance) for section, one in asking.items()}
    relevant = {section: {*(one.answers & texts.keys())} for section, one in asking.items()}
    found = {}
    for dimension in dimensions:
        evaluator = InformationRetrievalEvaluator(
            queries, texts, relevant, mrr_at_k=[10], ndcg_at_k=[10], accuracy_at_k=[10], precision_recall_at_k=[10],
            map_at_k=[10], write_csv=False, truncate_dim=dimension, main_score_function="cosine",
        )  # fmt: skip
        told = evaluator(model)
        found[str(dimension)] = {name: round(float(told[f"cosine_{name}@10"]), 4) for name in ("ndcg", "recall", "mrr")}
    return found
