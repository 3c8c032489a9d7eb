"""Makes a document of an article in JATS: ids, licence, title, authors, date, sections, retractions and notices.

Its marked text is written as lines, without the markers of its references and apart from its figures.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from ....errors import RecordError
from ....schema.languages import stored_tag
from ....schema.licences import identifier, in_words
from ....schema.records import Document, Section
from ....schema.vocabulary import OTHER, part_type
from ... import mending
from ...files.lines import Lines
from ...files.xml_stream import child, local, text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_HREF: Final = "{http://www.w3.org/1999/xlink}href"
_LANGUAGE: Final = "{http://www.w3.org/XML/1998/namespace}lang"
_PMCID: Final = re.compile(r"(?:PMC)?([1-9]\d{2,9})")
_PMID: Final = re.compile(r"[1-9]\d{0,9}")
_DOI: Final = re.compile(r"(?:https?://(?:dx\.)?doi\.org/|doi:\s*)?(10\.\d{4,9}/\S+)", re.IGNORECASE)
_TAKEN_BACK: Final = re.compile(r"\W*(?:retracted|withdrawn)(?: article)?\s*[:\u2014\u2013-]", re.IGNORECASE)
RETRACTED: Final = "retracted-article"  # what a notice says of the article that it retracts
# What the type of a related article says of the article that names it
_RETRACTING: Final = frozenset({"retraction-forward", "retraction", "retracted-by"})
_NOTICES: Final = {
    "correction-forward": "erratum",
    "correction": "erratum",
    "concern-forward": "expression of concern",
    "expression-of-concern": "expression of concern",
    "partial-retraction-forward": "partial retraction",
    "partial-retraction": "partial retraction",
}
_PICTURES: Final = frozenset({"graphical", "video", "toc"})  # abstracts without sentences of their own
_NOT_PUBLISHED: Final = frozenset({"pmc-release", "nihms-submitted", "retracted", "corrected", "preprint"})


def ids(article: Any) -> dict[str, str]:
    """Give the ids of an article as CURIEs, by `doi`, `pmc` and `pmid`."""
    found: dict[str, str] = {}
    for one in _meta(article).iterchildren("article-id"):
        for kind, curie in _ids(one.get("pub-id-type") or "", text(one)):
            found.setdefault(kind, curie)
    return found


def _ids(kind: str, said: str) -> Iterator[tuple[str, str]]:
    if kind in {"doi", "uri"} and (form := _DOI.fullmatch(said)):
        yield "doi", f"DOI:{form[1].lower()}"
    elif kind in {"pmc", "pmcid"} and (form := _PMCID.fullmatch(said)):
        yield "pmc", f"PMC:PMC{form[1]}"
    elif kind in {"pmid", "pubmed"} and _PMID.fullmatch(said):
        yield "pmid", f"PMID:{said}"


def related(article: Any, kinds: Iterable[str]) -> list[tuple[str, str]]:
    """Give the articles that an article says it is related to in one of these ways: the way, and a CURIE."""
    found = []
    for one in _meta(article).iter("related-article"):
        kind = one.get("related-article-type") or ""
        if kind in kinds:
            said = [(one.get("ext-link-type") or "doi", one.get(_HREF) or "")]
            said += [(other.get("pub-id-type") or "", text(other)) for other in one.iter("pub-id")]
            curies = dict.fromkeys(curie for pair in said for _, curie in _ids(*pair))
            found += [(kind, curie) for curie in curies] or [(kind, "")]
    return found


def licence(article: Any) -> tuple[str, str]:
    """Give the SPDX identifier of an article's licence and how it is stated; empty where none is known to permit reuse.

    Of several the longest is taken, which permits least: CC-BY-NC-ND before CC-BY.
    """
    stated: list[str] = []
    words = ""
    for one in _meta(article).iter("license"):
        said = " ".join("".join(one.itertext()).split())
        links = [one.get(_HREF) or "", *(text(e) for e in one.iter("{*}license_ref"))]
        links += [e.get(_HREF) or "" for e in one.iter("ext-link", "uri")]
        known = next((one for one in map(identifier, [*links, said]) if one and not one.startswith("LicenseRef")), "")
        stated += filter(None, [known or in_words(said)])
        words = words or next(filter(None, [*links, said, one.get("license-type") or ""]), "")
    return max(stated, key=len, default=""), words


def document(article: Any, retracted_by: Mapping[str, str], notes: list[str]) -> Document:
    """Make the document; `retracted_by` has the notices of what they retract, by CURIE."""
    meta, known, writer = _meta(article), ids(article), Article()
    own = known.get("doi") or known.get("pmc") or known.get("pmid")
    if not own:
        raise RecordError("it has neither a DOI nor a PMCID or PMID; get the file again")
    titles, language = child(meta, "title-group"), stored_tag(article.get(_LANGUAGE) or "en")
    title = writer.line(child(titles, "article-title"))
    subtitle = writer.line(child(titles, "subtitle"))
    title = f"{title}{' ' if title.endswith(('?', '!', ':')) else ': '}{subtitle}" if title and subtitle else title
    notices = [retracted_by[one] for one in known.values() if one in retracted_by]
    notices += [curie for _, curie in related(article, _RETRACTING)]
    is_notice = article.get("article-type") == "retraction"
    retracted = bool(notices) or (_TAKEN_BACK.match(title) is not None and not is_notice)
    sections, others = ([], []) if retracted else _texts(article, meta, own, language)
    if not title and not notices:
        title = writer.line(child(child(titles, "trans-title-group"), "trans-title"))
    told = (f"{_NOTICES[kind]} {curie}".rstrip() for kind, curie in related(article, _NOTICES))
    journal = child(child(article, "front"), "journal-meta")
    properties = {
        "article_type": article.get("article-type") or "",
        "copyright": text(next(meta.iter("copyright-statement"), None)),
        "keywords": tuple(dict.fromkeys(filter(None, map(text, meta.iter("kwd"))))),
        "pmc": known.get("pmc", "").removeprefix("PMC:"),
        "pmid": known.get("pmid", "").removeprefix("PMID:"),
        "retraction_notices": tuple(dict.fromkeys(filter(None, notices))),
    }
    return Document(
        id=own,
        title=mending.title(title, notes),
        url=_url(known),
        published=_published(meta, notes),
        sections=tuple(sections),
        authors=tuple(_authors(meta)),
        journal=text(next(journal.iter("journal-title", "abbrev-journal-title"), None)) if journal is not None else "",
        doi=known.get("doi", "").removeprefix("DOI:"),
        translations=tuple(others),
        notices=tuple(dict.fromkeys(told)),
        retracted=retracted,
        properties=tuple((name, value) for name, value in properties.items() if value),
    )


def _meta(article: Any) -> Any:
    meta = child(child(article, "front"), "article-meta")
    if meta is None:
        raise RecordError("it has no article-meta; get the file again")
    return meta


def _url(known: Mapping[str, str]) -> str:
    if "pmc" in known:
        return f"https://pmc.ncbi.nlm.nih.gov/articles/{known['pmc'].removeprefix('PMC:')}/"
    if "doi" in known:
        return f"https://doi.org/{known['doi'].removeprefix('DOI:')}"
    return f"https://pubmed.ncbi.nlm.nih.gov/{known['pmid'].removeprefix('PMID:')}/"


def _texts(article: Any, meta: Any, own: str, language: str) -> tuple[list[Section], list[str]]:
    """Give the sections in English, and what is in other languages as texts with their tags."""
    found: list[tuple[str, str, str]] = []
    others: dict[str, list[str]] = {}

    def add(tag: str, heading: str, kind: str, said: str) -> None:
        if said and tag.partition("-")[0] == "en":
            found.append((said, kind, heading))
        elif said:
            others.setdefault(tag, []).append(f"{heading}\n{said}" if heading else said)

    for abstract in meta.iterchildren("abstract", "trans-abstract"):
        kind = (abstract.get("abstract-type") or "").replace("-", " ").capitalize()
        if kind.lower() not in _PICTURES:
            tag = stored_tag(abstract.get(_LANGUAGE) or language) if abstract.tag == "trans-abstract" else language
            for heading, about, said in _walk(abstract, "information", kind):
                add(tag, heading, about, said)
    back = child(article, "back")
    appendices = [app for group in back.iterchildren("app-group") for app in group] if back is not None else []
    sections = list(back.iterchildren("sec")) if back is not None else []
    nodes = [(node, "") for node in (child(article, "body"), *sections, *appendices)]
    for node, first in [*nodes, (child(article, "floats-group"), "Tables and figures")]:
        for heading, about, said in _walk(node, OTHER, first) if node is not None else ():
            add(language, heading, about, said)
    numbered = enumerate(found, 1)
    made = [Section(f"{own}#{number}", said, kind, heading) for number, (said, kind, heading) in numbered]
    return made, ["\n\n".join(said) + f"@{tag}" for tag, said in others.items()]


def _walk(node: Any, kind: str, first: str) -> Iterator[tuple[str, str, str]]:
    """Yield heading, kind and text of sections; one whose title does not tell its kind has that of the one above."""
    kinds: dict[tuple[str, ...], str] = {(): kind}
    for headings, said, element, legends in parts(node, (first,) if first else ()):
        own = part_type(headings[-1] if headings else "", element.get("sec-type") or "") if headings else kind
        above = kinds.get(headings[:-1], kind)
        about = kinds[headings] = above if own == OTHER else own
        heading = " > ".join(headings)
        yield heading, about, said
        yield from ((" > ".join((*headings, name)), about, legend) for name, legend in legends)


def _authors(meta: Any) -> Iterator[str]:
    for group in meta.iterchildren("contrib-group"):
        for contrib in group.iterchildren("contrib"):
            if (contrib.get("contrib-type") or "author") == "author" and (name := _author(contrib)):
                yield name


def _author(contrib: Any) -> str:
    name = next(contrib.iter("name", "string-name", "collab"), None)
    if name is None:
        return ""
    said = {part.tag: text(part) for part in name.iterchildren("surname", "given-names", "suffix")}
    last, first = said.get("surname", ""), f"{said.get('given-names', '')} {said.get('suffix', '')}".strip()
    if last or first:
        return f"{last}, {first}" if last and first else last or first
    for members in list(name.iterchildren("contrib-group")):  # of a group, whose name stands before them
        members.clear(keep_tail=True)
    return text(name)


def _published(meta: Any, notes: list[str]) -> str:
    """Give the earliest of the dates that are most complete."""
    found, wrong = [], ""
    for one in meta.iterchildren("pub-date"):
        if (one.get("pub-type") or one.get("date-type") or "") not in _NOT_PUBLISHED:
            said = {part.tag: text(part) for part in one}
            written = "-".join(filter(None, (said.get("year", ""), said.get("month", ""), said.get("day", ""))))
            known = mending.partial_date(one.get("iso-8601-date") or written or said.get("string-date", ""))
            found += [known] * bool(known)
            wrong = wrong or (written if not known else "")
    if wrong and not found:
        notes.append(f"{wrong[:60]!r} is no date; left out")
    return min(found, key=lambda date: (-len(date), date), default="")


_LINK, _LINK_END = "\ue000", "\ue001"  # mark what points to a reference, until these markers are left out
_ONE: Final = rf"{_LINK}[^{_LINK_END}]*{_LINK_END}"
_WORDS: Final = r"\b(?:and|see|also|e\.g\.|i\.e\.|cf\.|reviewed in|for (?:an? )?reviews?,?(?: see)?)"
_OTHER: Final = rf"\s|[,;&\u2013-]|{_WORDS}"
_BRACKETED: Final = re.compile(rf"\s*[\[(](?:{_OTHER})*{_ONE}(?:{_ONE}|{_OTHER})*[\])]")
_NUMBER: Final = rf"{_LINK}[\[(]?\d[\d,\s\u2013-]*[\])]?{_LINK_END}"
_NUMBERS: Final = re.compile(rf"\s*{_NUMBER}(?:[\s,;\u2013-]*{_NUMBER})*")
_NAMED: Final = re.compile(r"\b(?:ref|refs|reference|references|study|studies|trial|trials)\.?$", re.IGNORECASE)
_BEFORE_STOP: Final = re.compile(r" +([.,;:])(?=\s|$)")
_TEX: Final = re.compile(r"\\begin\{document\}(.*?)\\end\{document\}", re.DOTALL)

_MARKERS: Final = frozenset({"bibr", "fn", "table-fn", "aff", "corresp"})  # what xrefs point to that tell nothing
_BLOCKS: Final = frozenset(
    "boxed-text statement verse-group verse-line speech preformat caption attrib disp-formula def-item sec app "
    "supplementary-material array list-item disp-formula-group question answer abstract".split()
)
_LEFT_OUT: Final = frozenset(
    "graphic inline-graphic object-id label permissions ref-list processing-meta alt-text long-desc "
    "related-article sub-article response".split()
)


class Article(Lines):
    """Lines of an article; `legends` are those of its figures, each with the figure's name, as they were met."""

    def __init__(self) -> None:
        super().__init__()
        self.legends: list[tuple[str, str]] = []

    def plain(self, node: Any) -> str:
        """Give a marked text without markers of references."""
        return without_markers(self.text(node))

    def line(self, node: Any) -> str:
        """Give a marked text in one line."""
        return " ".join(self.plain(node).split())

    def special(self, element: Any, name: str) -> bool:
        """Write what only JATS has."""
        if name == "xref":
            self._reference(element)
        elif name == "sup" and (kinds := _pointing(element)):
            self.add(f"{_LINK}0{_LINK_END}" * ("bibr" in kinds))
        elif name in {"fig", "media"}:
            self._figure(element)
        elif name == "table-wrap":
            self.table(element)
        elif name == "fn":
            self.note(element)
        elif name == "table-wrap-foot":
            self.block(self.inner(element))
        elif name == "tex-math":
            self._formula(element)
        elif name in _BLOCKS:
            self.paragraph(element)
        else:
            return name in _LEFT_OUT
        return True

    def _reference(self, element: Any) -> None:
        kind = element.get("ref-type") or ""
        if kind == "bibr":
            self.add(f"{_LINK}{''.join(element.itertext())}{_LINK_END}")
        elif kind not in _MARKERS:
            self.walk(element)

    def _figure(self, element: Any) -> None:
        name, caption = self.line(child(element, "label")), self.plain(child(element, "caption"))
        if caption:
            self.legends.append((name or "Figure", caption))

    def table(self, element: Any) -> None:
        """Write a table with its name and its notes."""
        name, caption = self.line(child(element, "label")), child(element, "caption")
        titled = " ".join(filter(None, (name.rstrip(".") + "." * bool(name), self.line(caption))))
        self.block([titled] * bool(titled))
        for part in element.iterchildren():
            if local(part) not in {"label", "caption"}:
                self.write(part)
        self.end_block()

    def _formula(self, element: Any) -> None:
        above = element.getparent()
        if above is not None and local(above) == "alternatives" and len(above) > 1:
            return
        said = element.text or ""
        self.add((found[1] if (found := _TEX.search(said)) else said).replace("$$", " ").strip())


def _pointing(element: Any) -> set[str]:
    """Give the kinds of the markers that what is raised consists of; none where it says something else."""
    kinds = {one.get("ref-type") or "" for one in element.iter("xref")}
    outside = (element.text or "") + "".join(one.tail or "" for one in element.iter("xref"))
    return kinds if kinds <= _MARKERS and not outside.strip(" ,;\u2013-[]()\n\t") else set()


def without_markers(said: str) -> str:
    """Leave out what only points to references: `[1, 2]`, `(Smith et al., 2020; see also …)`, raised numbers."""
    if _LINK not in said:
        return said
    plain = _NUMBERS.sub(_gap, _BRACKETED.sub(_gap, said)).replace(_LINK, "").replace(_LINK_END, "")
    return _BEFORE_STOP.sub(r"\1", plain)


def _gap(found: re.Match[str]) -> str:
    """Give what stands for a marker: itself where the sentence names it, a blank where words would run together."""
    before, after = found.string[: found.start()][-20:], found.string[found.end() :][:1]
    if _NAMED.search(before):
        return found[0]
    return " " * (before[-1:].isalnum() and after.isalnum())


def parts(node: Any, above: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str, Any, list[tuple[str, str]]]]:
    """Yield each section below an element, itself first, without those below it.

    Of each come the titles from the outermost one, the text, the element, and the legends of figures in it.
    """
    writer = Article()
    headings = (*above, title) if (title := writer.line(child(node, "title"))) else above
    below = list(node.iterchildren("sec"))
    for one in (*below, *node.iterchildren("title", "label", "sec-meta")):
        node.remove(one)
    said = writer.plain(node)
    yield headings, said, node, writer.legends
    for one in below:
        yield from parts(one, headings)
