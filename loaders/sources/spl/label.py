"""Models a drug label, whatever form it comes in, and makes a document of it.

A label has products and parts. A part with a LOINC code, or a field of openFDA, has its kind from `sections.tsv`;
others have it from words of their heading (`headings.tsv`), or from the part above them. Leaflets for patients are
divided at their own questions. Appearance and ingredients are written from the products.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from ....errors import RecordError
from ....files import table_cells
from ....schema.records import Document, Section, Value
from ... import mending
from ...base import Item, Row
from . import substances

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ...mending import LeftOut
    from .substances import Drug, Substance

OTHER: Final = "other information"  # the kind of a section that neither its code nor its heading tells
LEFT_OUT: Final = "-"
# What stand for the kind of a section that is not kept as text, and of one that has the kind of the one above it.
ABOVE: Final = "above"
PATIENTS: Final = frozenset({"42231-1", "42230-3", "68498-5", "38056-8"})  # codes of leaflets for patients
_FOLDER: Final = Path(__file__).parent
_NUMBER: Final = re.compile(r"^\s*(?:\(?\d+(?:\.\d+)*[.)]?|[A-Z]\.)\s+(?=\S)")
_QUESTION: Final = re.compile(
    r"(?:(?<=[.?!:)\]] )|(?<=[.?!:)\]]  )|^)(?:\d+\.\s+)?"
    r"((?:What|Who|How|When|Where|Why|Can|Should|Is|Are|Does|Do)\b[^.?!:;\n]{4,160}\?"
    r"|General (?:information|advice) about [^.?!:;\n]{3,120}?(?=[.:\n]|$| Medicines? (?:is|are)))",
    re.MULTILINE,
)
_ENGLISH: Final = frozenset("the of and to in is with for or not be are by should if".split())
_FOREIGN: Final = frozenset(
    "de la el los las que para con por una del en le les des et du pour est der und das".split()
)
_DAILYMED: Final = "https://dailymed.nlm.nih.gov/dailymed/drugInfo.cfm?setid={}"
_SET: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")  # any other has no page there
_TELLING, _LOOK = 5, 400  # foreign words that are too few to tell, and the characters of a section that are looked at
_ONE_SIDED: Final = {"", "0", "1"}
_PLURAL: Final = re.compile(r"(?:tablet|capsule|lozenge|suppository|patch|film|granule|pellet)$", re.IGNORECASE)


class KnownSection(NamedTuple):
    """A row of `sections.tsv`: LOINC code, field of openFDA, kind and heading of a section."""

    code: str
    name: str
    kind: str
    heading: str


@cache
def rows() -> Mapping[str, KnownSection]:
    """Give the rows of the table of sections, by code and by field."""
    found = [KnownSection(*cells) for _, cells in table_cells(_FOLDER / "sections.tsv", 4, "sections")]
    return {row.code: row for row in found} | {row.name: row for row in found}


@cache
def _headings(where: str) -> Sequence[tuple[str, re.Pattern[str]]]:
    cells = [cells for _, cells in table_cells(_FOLDER / "headings.tsv", 3, "headings")]
    return [(kind, re.compile(said)) for place, kind, said in cells if place == where]


@lru_cache(maxsize=1 << 14)
def kind_of(heading: str, *, leaflet: bool) -> str:
    """Tell the kind of a section from its heading; empty where nothing tells."""
    plain = heading.lower()
    return next((kind for kind, said in _headings("leaflet" if leaflet else "label") if said.search(plain)), "")


@dataclass(frozen=True, slots=True)
class Part:
    """A section of a label, without those below it; `headings` from the outermost, `leaflet` if it is for patients."""

    kind: str
    headings: tuple[str, ...]
    text: str
    leaflet: bool = False
    question: str = ""


@dataclass(frozen=True, slots=True)
class Product:
    """A product of a label; `looks` is colour, shape, size, imprint and score, by `SPLCOLOR` and the like."""

    drug: Drug
    ndc: str = ""
    form: str = ""
    routes: tuple[str, ...] = ()
    inactive: tuple[Substance, ...] = ()
    looks: tuple[tuple[str, str], ...] = ()
    schedule: str = ""
    application: str = ""


@dataclass(frozen=True, slots=True)
class Label:
    """A label; `set_id` is what all its versions have in common, `effective` the day from which it holds."""

    set_id: str
    version: int
    effective: str
    kind: str
    title: str
    labeler: str
    products: tuple[Product, ...] = ()
    parts: tuple[Part, ...] = ()
    rxcuis: tuple[str, ...] = ()
    language: str = ""  # as the file states it

    @property
    def revision(self) -> str:
        """A text that sorts as versions follow each other."""
        return f"{self.version:06d} {self.effective}"

    @property
    def drugs(self) -> tuple[Drug, ...]:
        """What its products are, each once."""
        return tuple(dict.fromkeys(product.drug for product in self.products))

    @property
    def is_english(self) -> bool:
        """Whether no other language is stated, nor stand more small words of others than of English in its sections."""
        if self.language and not self.language.lower().startswith("en"):
            return False
        words = [word for part in self.parts for word in part.text[:_LOOK].lower().split()]
        foreign = sum(word in _FOREIGN for word in words)
        return foreign < _TELLING or foreign <= sum(word in _ENGLISH for word in words)

    def items(
        self, document_id: str, place: tuple[str, int], unknown: Mapping[str, int], left: LeftOut, empty: str
    ) -> Iterator[Item]:
        """Make a document of it, and remarks on what is not kept as it is.

        `unknown` counts sections of unknown kinds; `empty` is the reason where there is nothing to make one of.
        """
        if not self.is_english:
            left.add("labels left out: they are not in English", self.title[:80], *place)
            return
        for said, count in sorted(unknown.items()):
            left.add(f"sections {said}, kept as {OTHER}", self.title[:80], *place, count)
        if empty:
            raise RecordError(empty)
        notes: list[str] = []
        document = self._document(document_id, notes)
        yield Row(document, *place)
        yield from mending.remarks(notes, document_id, *place)

    def _document(self, document_id: str, notes: list[str]) -> Document:
        names = [name for drug in self.drugs if (name := drug.entity()[1])]
        said = (name for drug in self.drugs for name in (drug.brand, drug.generic.lower()))
        aliases = {name.lower(): name for name in said if name and name.lower() not in {n.lower() for n in names}}
        products = self.products
        several: dict[str, Sequence[str]] = {
            "application_numbers": [one.application for one in products],
            "dea_schedules": [one.schedule for one in products],
            "dosage_forms": [one.form for one in products],
            "imprints": [dict(one.looks).get("SPLIMPRINT", "") for one in products],
            "ndc": [one.ndc for one in products],
            "routes": [route for one in products for route in one.routes],
            "rxcui": self.rxcuis,
            "strengths": [active.strength for one in products for active in one.drug.active],
        }
        kept: dict[str, Value] = {name: tuple(dict.fromkeys(filter(None, said))) for name, said in several.items()}
        kept |= {"effective": self.effective, "label_version": self.version, "labeler": self.labeler}
        kept["set_id"] = self.set_id
        return Document(
            id=document_id,
            title=mending.title(", ".join(dict.fromkeys(names)) or self.title, notes)[:300],
            url=_DAILYMED.format(self.set_id) if _SET.fullmatch(self.set_id) else "",
            collection=self.kind.lower(),
            published=mending.dated(self.effective, notes),
            sections=tuple(self._sections(document_id)),
            about=tuple(dict.fromkeys(key for drug in self.drugs if (key := drug.entity()[0]))),
            aliases=tuple(aliases.values()),
            authors=(self.labeler,) if self.labeler else (),
            revision=self.revision,
            properties=tuple(sorted((name, value) for name, value in kept.items() if value)),
        )

    def _sections(self, document_id: str) -> Iterator[Section]:
        found = [one for part in self.parts for one in (divided(part) if part.leaflet else (part,))]
        for number, part in enumerate([*found, *self._written()], 1):
            heading = " > ".join(dict.fromkeys(filter(None, part.headings)))
            yield Section(f"{document_id}#{number}", part.text, part.kind, heading[:400], part.question)

    def _written(self) -> Iterator[Part]:
        for kind, heading, write in (
            ("appearance", "Appearance: color, shape, size, imprint", self._appearance),
            ("ingredients", "Ingredients", self._ingredients),
            ("availability", "Products", self._availability),
        ):
            if lines := dict.fromkeys(line for product in self.products if (line := write(product))):
                yield Part(kind, (heading,), "\n".join(lines))

    def _appearance(self, product: Product) -> str:
        looks = dict(product.looks)
        score, size, shape = (looks.get(name, "").lower() for name in ("SPLSCORE", "SPLSIZE", "SPLSHAPE"))
        imprint = " ".join(looks.get("SPLIMPRINT", "").split(";")).strip()
        shape = f"{shape}-shaped" if shape in {"capsule", "diamond", "tear", "heart", "bullet", "freeform"} else shape
        form, *more = (product.form.lower() or "product").split(", ")
        color = looks.get("SPLCOLOR", "").lower()
        if not any((color, shape, size, imprint)):
            return ""
        noun = " ".join(filter(None, (color, shape, form, f"({', '.join(more)})" if more else "")))
        scored = "" if score in _ONE_SIDED else f"scored into {score} pieces"
        marks = [size, f"imprint {imprint}" if imprint else "", scored]
        article = "an" if noun[0] in "aeiou" else "a"
        return f"{self._called(product, with_form=False)} is {article} {', '.join(filter(None, (noun, *marks)))}."

    def _called(self, product: Product, *, with_form: bool = True) -> str:
        drug = product.drug
        strengths = " and ".join(filter(None, (one.strength for one in drug.active)))
        name = drug.brand or drug.generic
        name = name.capitalize() if name.isupper() else name
        other = drug.entity()[1]
        named = f"{name} ({other.lower()})" if other and other.lower() not in name.lower() else name
        name, *more = product.form.lower().split(", ") if with_form else [""]
        several = f"{name}s" if _PLURAL.search(name) else name
        said = " ".join(filter(None, (named, (f"{several} ({', '.join(more)})" if more else several), strengths)))
        return f"{said} by {self.labeler}" if self.labeler else said

    def _ingredients(self, product: Product) -> str:
        active = [f"{one.name.lower()} {one.strength}".strip() for one in product.drug.active]
        inactive = [one.name.lower() for one in product.inactive]
        said = [f"Active ingredients: {'; '.join(active)}." if active else ""]
        said.append(f"Inactive ingredients: {'; '.join(inactive)}." if inactive else "")
        return f"{self._called(product)}. {' '.join(filter(None, said))}" if any(said) else ""

    def _availability(self, product: Product) -> str:
        said = [
            f"route {', '.join(product.routes).lower()}" if product.routes else "",
            f"NDC {product.ndc}" if product.ndc else "",
            f"DEA schedule {product.schedule}" if product.schedule else "",
            f"application {product.application}" if product.application else "",
        ]
        return f"{self._called(product)}: {', '.join(filter(None, said))}." if any(said) else ""


class Kept(NamedTuple):
    """A label without its sections, the file that it is of, and what tells it from every other that is read."""

    label: Label
    file: str
    place: str


@dataclass(slots=True)
class Versions:
    """Chooses the newest version of each label, by set id."""

    kept: dict[str, Kept] = field(default_factory=dict)

    def offer(self, label: Label, file: str, place: str, key: str = "") -> None:
        """Keep a label, unless there is one as new of the same set id, or of the same key."""
        found = self.kept.get(key or label.set_id)
        if found is None or label.revision > found.label.revision:
            products = tuple(Product(drug) for drug in label.drugs)
            self.kept[key or label.set_id] = Kept(replace(label, products=products), file, place)

    def drugs(self) -> Iterator[Item]:
        """Make the drugs of the labels that are kept, their classes and relations."""
        found = substances.Substances()
        for one in self.kept.values():
            for drug in one.label.drugs:
                found.add(drug, one.file)
        yield from found.items()


def divided(part: Part) -> Iterator[Part]:
    """Divide a part of a leaflet at its own questions, each with its own kind."""
    start, headings, kind, question = 0, part.headings, part.kind, part.question
    for found in _QUESTION.finditer(part.text):
        if not (own := kind_of(found[1], leaflet=True)):
            continue
        if text := part.text[start : found.start()].strip():
            yield Part(kind, headings, text, leaflet=True, question=question)
        asked = " ".join(found[1].split())
        start, headings, kind = found.end(), (*part.headings, asked), own
        question = asked if asked.endswith("?") else ""
    if text := part.text[start:].strip(" .:\n"):
        yield Part(kind, headings, part.text[start:].strip(), leaflet=True, question=question)


def clean_heading(said: str) -> str:
    """Write a heading without its number, and in small letters where it is all in large ones."""
    plain = _NUMBER.sub("", " ".join(said.split())).strip(" :.")
    return plain.capitalize() if plain.isupper() and len(plain) > 5 else plain
