"""What names belong to: entities and the concepts that they stand for, packed like the names."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..schema.prefixes import is_list
from ..schema.vocabulary import CONDITIONS
from .packed import Texts, opened, text_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

LABELS: Final = (
    *CONDITIONS, "Drug", "Chemical", "DrugClass", "Treatment", "Test", "Variant",
    "Anatomy", "Cell", "Organism", "Protein", "Gene", "Topic", "CellularComponent", "BiologicalProcess",
    "MolecularFunction", "Pathway", "Stub",
)  # fmt: skip
"""Categories in the order in which a name that several have is understood."""

_MANY: Final = 90
"""Entities of a concept that more of them do not make better known, so that no category gets before another by them."""

_GENE: Final = LABELS.index("Gene")
_TOPIC: Final = LABELS.index("Topic")


@dataclass(frozen=True, slots=True)
class Holding:
    """An entity that may be named.

    Attributes:
        id: Its id.
        label: Its category.
        concept: Id of the concept that it stands for.
        concept_name: What the concept is called.
        ids: All ids of the concept, with | between.
        near: Id of the entity of a vocabulary that is meant where only lists have this one; empty where there is none.
        members: How many entities stand for the concept.
        documents: How many documents are about it.
    """

    id: str
    label: str
    concept: str
    concept_name: str
    ids: str
    near: str = ""
    members: int = 1
    documents: int = 0


class Holdings:
    """Entities by number.

    Args:
        arrays: What `build` made, or `load` read.
    """

    def __init__(self, arrays: dict[str, NDArray[Any]]) -> None:
        self._arrays = arrays
        self._order: NDArray[np.uint32] = arrays["order"]
        self._concepts: NDArray[np.uint32] = arrays["concepts"]
        self._labels: NDArray[np.uint8] = arrays["labels"]

    @classmethod
    def build(cls, holdings: Iterable[Holding]) -> Holdings:
        """Pack entities.

        Args:
            holdings: The entities, in the order of their numbers.

        Returns:
            The same, packed.
        """
        ids = Texts()
        labels: list[int] = []
        order: list[float] = []
        concepts: list[int] = []
        concept_ids, concept_names, all_ids = Texts(), Texts(), Texts()
        known: dict[str, int] = {}
        numbers: dict[str, int] = {}
        near: list[str] = []
        for holding in holdings:
            numbers[holding.id] = len(labels)
            near.append(holding.near)
            ids.add(holding.id)
            label = LABELS.index(holding.label) if holding.label in LABELS else len(LABELS)
            labels.append(label)
            # What is better known goes first: a vocabulary's before a list's, what more sources and documents speak of.
            known_by = min(holding.members, _MANY) + min(holding.documents, 9) / 10
            order.append(_LEVEL[label] * 100 - known_by + is_list(holding.id.partition(":")[0]) * 0.95)
            if holding.concept not in known:
                known[holding.concept] = len(known)
                concept_ids.add(holding.concept)
                concept_names.add(holding.concept_name)
                all_ids.add(holding.ids)
            concepts.append(known[holding.concept])
        arrays: dict[str, NDArray[Any]] = {
            "labels": np.array(labels, np.uint8),
            "order": _ranks(order, list(numbers)),
            "concepts": np.array(concepts, np.uint32),
            "near": np.array([numbers.get(key, -1) for key in near], np.int64),
        }
        for name, texts in (
            ("id", ids),
            ("concept_id", concept_ids),
            ("concept_name", concept_names),
            ("ids", all_ids),
        ):
            arrays[f"{name}_texts"], arrays[f"{name}_ends"] = texts.packed()
        return cls(arrays)

    def save(self, folder: Path) -> None:
        """Write the entities.

        Args:
            folder: A folder that is there.
        """
        for name, values in self._arrays.items():
            np.save(folder / f"held_{name}.npy", values)

    @classmethod
    def load(cls, folder: Path) -> Holdings:
        """Open entities; pages are read when they are needed.

        Args:
            folder: Where they were saved.

        Returns:
            The entities.
        """
        files = sorted(Path(folder).glob("held_*.npy"))
        return cls({file.stem.removeprefix("held_"): opened(file) for file in files})

    def __len__(self) -> int:
        return len(self._labels)

    def id(self, entity: int) -> str:
        """Give an entity's id.

        Args:
            entity: Its number.

        Returns:
            The id.
        """
        return self._text("id", entity)

    def label(self, entity: int) -> str:
        """Give an entity's category.

        Args:
            entity: Its number.

        Returns:
            The label.
        """
        code = int(self._labels[entity])
        return LABELS[code] if code < len(LABELS) else ""

    def order(self, entity: int) -> int:
        """Tell how an entity stands among others of the same name.

        Args:
            entity: Its number.

        Returns:
            The lower, the likelier it is meant.
        """
        return int(self._order[entity])

    def is_condition(self, entity: int) -> bool:
        """Tell whether an entity is something that people suffer from.

        Args:
            entity: Its number.

        Returns:
            True for diseases, symptoms, phenotypes and side effects.
        """
        return int(self._labels[entity]) < len(CONDITIONS)

    def is_gene(self, entity: int) -> bool:
        """Tell whether an entity is a gene.

        Args:
            entity: Its number.

        Returns:
            True for genes.
        """
        return int(self._labels[entity]) == _GENE

    def is_topic(self, entity: int) -> bool:
        """Tell whether an entity is what a page is about that names no disease.

        Args:
            entity: Its number.

        Returns:
            True for topics.
        """
        return int(self._labels[entity]) == _TOPIC

    def near(self, entity: int) -> int | None:
        """Give the entity of a vocabulary that is meant where only lists have one.

        Args:
            entity: Its number.

        Returns:
            The other's number; None where there is none.
        """
        number = int(self._arrays["near"][entity])
        return None if number < 0 else number

    def concept(self, entity: int) -> int:
        """Give the number of the concept that an entity stands for.

        Args:
            entity: Its number.

        Returns:
            The concept's number.
        """
        return int(self._concepts[entity])

    def concept_id(self, entity: int) -> str:
        """Give the id of the concept that an entity stands for.

        Args:
            entity: Its number.

        Returns:
            A CUI, or a CURIE where no source gives one.
        """
        return self._text("concept_id", self.concept(entity))

    def concept_name(self, entity: int) -> str:
        """Give the name of the concept that an entity stands for.

        Args:
            entity: Its number.

        Returns:
            The name.
        """
        return self._text("concept_name", self.concept(entity))

    def ids(self, entity: int) -> str:
        """Give all ids of the concept that an entity stands for.

        Args:
            entity: Its number.

        Returns:
            The ids with | between.
        """
        return self._text("ids", self.concept(entity))

    def _text(self, name: str, number: int) -> str:
        return text_at(self._arrays[f"{name}_texts"], self._arrays[f"{name}_ends"], number)


def _ranks(order: Sequence[float], ids: Sequence[str]) -> NDArray[np.uint32]:
    """Number entities in their order; those that are level go by their ids."""
    ranks = np.zeros(len(order), np.uint32)
    ranks[sorted(range(len(order)), key=lambda number: (order[number], ids[number]))] = np.arange(len(order))
    return ranks


def _levels(groups: Sequence[Sequence[str]]) -> tuple[int, ...]:
    level = {label: number for number, group in enumerate(groups) for label in group}
    return (*(level.get(label, len(groups)) for label in LABELS), len(groups) + 1)


_LEVEL: Final = _levels(
    (
        CONDITIONS,
        ("Drug", "Chemical", "DrugClass", "Treatment", "Test", "Variant"),
        ("Anatomy", "Cell", "Organism", "Protein"),
        ("Gene", "Topic", "CellularComponent", "BiologicalProcess", "MolecularFunction", "Pathway"),
    )
)
"""Label, by its place in `LABELS` → what goes first where a name may be both."""
