"""Compact table of the entities that names denote, and of their concepts."""

from __future__ import annotations

from array import array
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..schema.prefixes import is_list
from ..schema.vocabulary import CONDITIONS
from .lexicon import Texts, open_arrays, save_arrays, text_at

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from ..graph.database import Row

# Categories in the order in which a name that several have is understood.
LABELS: Final = (
    *CONDITIONS, "Drug", "Chemical", "DrugClass", "Treatment", "Test", "Variant",
    "Anatomy", "Cell", "Organism", "Protein", "Gene", "Topic", "CellularComponent", "BiologicalProcess",
    "MolecularFunction", "Pathway", "Stub",
)  # fmt: skip
# Entities of a concept that more of them do not make better known, so that no category gets before another by them.
_MANY: Final = 90
_TEXTS: Final = ("id", "concept_id", "concept_name", "ids")
_ARRAYS: Final = (
    *("labels", "order", "concepts", "near"), *(f"{name}_{part}" for name in _TEXTS for part in ("texts", "ends"))
)  # fmt: skip
_FILES: Final = "held_"
_GENE: Final = LABELS.index("Gene")
_TOPIC: Final = LABELS.index("Topic")


class Holdings:
    """Entities by number, by the arrays that `Collected` made, or `load` read."""

    def __init__(self, arrays: dict[str, NDArray[Any]]) -> None:
        self._arrays = arrays
        self._order: NDArray[np.uint32] = arrays["order"]
        self._concepts: NDArray[np.uint32] = arrays["concepts"]
        self._labels: NDArray[np.uint8] = arrays["labels"]
        self._text = lru_cache(100_000)(self._read_text)

    def save(self, folder: Path) -> None:
        """Write the entities."""
        save_arrays(folder, _FILES, self._arrays)

    @classmethod
    def load(cls, folder: Path) -> Holdings:
        """Open entities; pages are read when they are needed."""
        return cls(open_arrays(folder, _FILES, _ARRAYS))

    def __len__(self) -> int:
        return len(self._labels)

    def id(self, entity: int) -> str:
        """Give an entity's id."""
        return self._text("id", entity)

    def label(self, entity: int) -> str:
        """Give an entity's category."""
        code = int(self._labels[entity])
        return LABELS[code] if code < len(LABELS) else ""

    def order(self, entity: int) -> int:
        """Tell how an entity stands among others of the same name: the lower, the likelier it is meant."""
        return int(self._order[entity])

    def orders(self, entities: NDArray[np.uint32]) -> NDArray[np.uint32]:
        """Give the `order` of several entities."""
        return self._order[entities]

    def is_condition(self, entity: int) -> bool:
        """Tell whether an entity is something that people suffer from."""
        return int(self._labels[entity]) < len(CONDITIONS)

    def is_gene(self, entity: int) -> bool:
        """Tell whether an entity is a gene."""
        return int(self._labels[entity]) == _GENE

    def is_topic(self, entity: int) -> bool:
        """Tell whether an entity is what a page is about that names no disease."""
        return int(self._labels[entity]) == _TOPIC

    def near(self, entity: int) -> int | None:
        """Give the number of the entity of a vocabulary that is meant where only lists have one; None for none."""
        number = int(self._arrays["near"][entity])
        return None if number < 0 else number

    def concept(self, entity: int) -> int:
        """Give the number of the concept that an entity stands for."""
        return int(self._concepts[entity])

    def concept_id(self, entity: int) -> str:
        """Give the id of the concept that an entity stands for: a CUI, or a CURIE where no source gives one."""
        return self._text("concept_id", self.concept(entity))

    def concept_name(self, entity: int) -> str:
        """Give the name of the concept that an entity stands for."""
        return self._text("concept_name", self.concept(entity))

    def ids(self, entity: int) -> str:
        """Give all ids of the concept that an entity stands for."""
        return self._text("ids", self.concept(entity))

    def _read_text(self, name: str, number: int) -> str:
        return text_at(self._arrays[f"{name}_texts"], self._arrays[f"{name}_ends"], number)


class Collected:
    """Entities to be packed, in the order of their numbers; each is let go as soon as it has been taken."""

    def __init__(self) -> None:
        self._labels = array("B")
        self._order = array("d")
        self._concepts = array("I")
        self._ids, self._concept_ids, self._concept_names, self._all_ids = Texts(), Texts(), Texts(), Texts()
        self._numbers: dict[str, int] = {}
        self._known: dict[str, int] = {}
        self._near: dict[int, str] = {}

    def __len__(self) -> int:
        return len(self._labels)

    def add(self, row: Row) -> None:
        """Take an entity, a row as `named_entities_of_concepts` gives it; its number is how many came before it."""
        number, key, concept, label = len(self._labels), row["id"], row["concept"], row["label"]
        self._numbers[key] = number
        if row["near"]:
            self._near[number] = row["near"]
        self._ids.add(key)
        code = LABELS.index(label) if label in LABELS else len(LABELS)
        self._labels.append(code)
        # What is better known goes first: a vocabulary's before a list's, what more sources and documents speak of.
        known_by = min(row["members"], _MANY) + min(row["documents"], 9) / 10
        self._order.append(_LEVEL[code] * 100 - known_by + is_list(key.partition(":")[0]) * 0.95)
        if concept not in self._known:
            self._known[concept] = len(self._known)
            self._concept_ids.add(concept)
            self._concept_names.add(row["concept_name"])
            self._all_ids.add("|".join(row["ids"]))
        self._concepts.append(self._known[concept])

    def packed(self) -> Holdings:
        """Pack what was taken."""
        near = np.full(len(self), -1, np.int64)
        for number, key in self._near.items():
            near[number] = self._numbers.get(key, -1)
        arrays: dict[str, NDArray[Any]] = {
            "labels": np.array(self._labels, np.uint8),
            "order": _ranks(np.array(self._order, np.float64), list(self._numbers)),
            "concepts": np.array(self._concepts, np.uint32),
            "near": near,
        }
        kept = (self._ids, self._concept_ids, self._concept_names, self._all_ids)
        for name, texts in zip(_TEXTS, kept, strict=True):
            arrays[f"{name}_texts"], arrays[f"{name}_ends"] = texts.packed()
        return Holdings(arrays)


def _ranks(order: NDArray[np.float64], ids: Sequence[str]) -> NDArray[np.uint32]:
    """Number entities in their order; those that are level go by their ids."""
    ranks = np.zeros(len(order), np.uint32)
    by_id = np.array(sorted(range(len(order)), key=ids.__getitem__), np.int64)
    ranks[by_id[np.argsort(order[by_id], kind="stable")]] = np.arange(len(order))
    return ranks


def _levels(groups: Sequence[Sequence[str]]) -> tuple[int, ...]:
    level = {label: number for number, group in enumerate(groups) for label in group}
    return (*(level.get(label, len(groups)) for label in LABELS), len(groups) + 1)


# Label, by its place in `LABELS` → what goes first where a name may be both.
_LEVEL: Final = _levels(
    (
        CONDITIONS,
        ("Drug", "Chemical", "DrugClass", "Treatment", "Test", "Variant"),
        ("Anatomy", "Cell", "Organism", "Protein"),
        ("Gene", "Topic", "CellularComponent", "BiologicalProcess", "MolecularFunction", "Pathway"),
    )
)
