"""Full texts in JATS: sections, tables, markers of references, licences, retractions, archives, and broken input."""

import gzip
import io
import tarfile
import zipfile

import pytest
from hypothesis import given
from lxml import etree

from medgraph.errors import SourceFileError
from medgraph.loaders import registry
from medgraph.loaders.base import Reject, Remark, Row
from medgraph.loaders.commands import LoadOptions, load_named
from medgraph.loaders.sources.jats import source as jats
from medgraph.loaders.sources.jats.article import Article
from medgraph.schema.records import Document, Section, SourceInfo, Withdrawal
from medgraph.schema.vocabulary import OTHER
from tests.support.graphs import run
from tests.support.markup import nested
from tests.support.paths import FILES

SMALL = FILES / "jats"
FIRST = SMALL / "pone.nxml"
BY = "https://creativecommons.org/licenses/by/4.0/"
OPEN = f'<license xlink:href="{BY}"><license-p>Open.</license-p></license>'


def article(doi="10.1000/a", title="T", body="<p>Said.</p>", licence=OPEN, meta="", language="en", after=""):
    titled = f"<title-group><article-title>{title}</article-title></title-group>"
    return (
        f'<article xmlns:xlink="http://www.w3.org/1999/xlink" xml:lang="{language}"><front><article-meta>'
        f'<article-id pub-id-type="doi">{doi}</article-id>{titled}'
        f"<permissions>{licence}</permissions>{meta}</article-meta></front><body>{body}</body>{after}</article>"
    )


def stated(words):
    return f"<license><license-p>{words}</license-p></license>"


def written(tmp_path, *articles, name="a.xml"):
    path = tmp_path / name
    said = articles[0] if len(articles) == 1 else f"<pmc-articleset>{''.join(articles)}</pmc-articleset>"
    path.write_text(said, encoding="utf-8")
    return path


def of(items, kind):
    return [item.record for item in items if isinstance(item, Row) and isinstance(item.record, kind)]


def documents(path, **options):
    return of(jats.records(path, **options), Document)


def rejects(path, **options):
    return [item for item in jats.records(path, **options) if isinstance(item, Reject)]


def sections(tmp_path, body):
    (document,) = documents(written(tmp_path, article(body=body)))
    return [(one.type, one.heading, one.text) for one in document.sections]


def test_an_article_with_everything():
    items = list(jats.records(FIRST))
    (part,), (document,) = of(items, SourceInfo), of(items, Document)
    assert (part.id, part.licence) == ("jats-cc-by-4-0", "CC-BY-4.0")
    told = [
        ("background", "Background", "Asthma narrows the airways."),
        ("results", "Results", "It helped."),
        ("information", "Plain language summary", "A spray helps."),
        ("other information", "", "An opening."),
        ("background", "Introduction", "Asthma is common. Sprays help. So Roe (2020) showed, as did ref. 4."),
        ("methods", "Methods", "We gave it."),
        ("methods", "Methods > Doses", "Doses were:\n\n1. one\n2. two"),
        ("methods", "Methods > Doses > Of children", "Half of H2O (Fig 1; \u03b1 = 1/2)."),
        ("methods", "Methods > Doses > Of children > Fig 1", "How it went.\n\nBars are means."),
        ("results", "Results", "Table 1. Events\n\nEvent: Cough; Drug: 3%\n\nNote: Dry cough.\n\nFewer coughed."),
    ]
    assert document == Document(
        id="DOI:10.1000/made.up.101",
        title="Salbutamol in asthma: 10⁵ doses: A made-up trial",
        url="https://pmc.ncbi.nlm.nih.gov/articles/PMC900101/",
        published="2024-11-05",
        sections=tuple(
            Section(f"DOI:10.1000/made.up.101#{number}", text, kind, heading)
            for number, (kind, heading, text) in enumerate(told, 1)
        ),
        authors=("Doe, Jane A", "Made-up Asthma Group"),
        journal="Journal of Made-up Medicine",
        doi="10.1000/made.up.101",
        translations=("En français.@fr",),
        notices=("erratum DOI:10.1000/made.up.102",),
        properties=(
            ("article_type", "research-article"),
            ("copyright", "© 2024 Doe"),
            ("keywords", ("asthma",)),
            ("pmc", "PMC900101"),
            ("pmid", "101"),
        ),
    )
    (remark,) = [item for item in items if isinstance(item, Remark)]
    assert (remark.what, remark.count) == ("reviews, replies and translations inside articles, which are not read", 1)


BIBR = '<xref ref-type="bibr" rid="r">{}</xref>'


@pytest.mark.parametrize(
    ("marked", "plain"),
    [
        ("It helps [{1}].", "It helps."),
        ("It helps [{1}\u2013{3}, {5}] and harms.", "It helps and harms."),
        ("It helps ({Roe, 2020}; see also {Poe, 2021}) now.", "It helps now."),
        ("It helps (n = 3; {Roe, 2020}).", "It helps (n = 3; Roe, 2020)."),
        ("It helps <sup>{1},{2}</sup> now.", "It helps now."),
        ("It helps.<sup>{1}</sup> Now.", "It helps. Now."),
        ("It helps {1}, {2}.", "It helps."),
        ("As {Roe (2020)} said.", "As Roe (2020) said."),
        ("It harms {[4]}\u2013{[7]}, {[9]}.", "It harms."),
        ("In ref. {12} it helps.", "In ref. 12 it helps."),
        ("It<sup>{1}</sup>helps", "It helps"),
        ("10<sup>5</sup> helps.", "10⁵ helps."),
        ("It rose (95% CI 1\u20132) [{7}], twice.", "It rose (95% CI 1\u20132), twice."),
    ],
)
def test_markers_of_references_are_left_out_of_sentences(tmp_path, marked, plain):
    before, after = BIBR.split("{}")
    assert sections(tmp_path, f"<p>{marked.replace('{', before).replace('}', after)}</p>")[0][2] == plain


@pytest.mark.parametrize(
    ("body", "kind", "heading", "text"),
    [
        ("<sec><title>Aims</title><sec><title>Site</title><p>a</p></sec></sec>", "objective", "Aims > Site", "a"),
        ("<sec><title>Results</title><sec><title>Odd</title><p>a</p></sec></sec>", "results", "Results > Odd", "a"),
        ("<p>a</p><boxed-text><sec><title>Key</title><p>b</p></sec></boxed-text>", OTHER, "", "a\n\nKey\n\nb"),
        ("<p>a<list><list-item><p>b</p></list-item></list>c</p>", OTHER, "", "a\n- b\n\nc"),
        ("<p>a<fn><p>b</p></fn> c</p>", OTHER, "", "a c\n\nNote: b"),
        ("<p>a <disp-formula><label>(1)</label><tex-math>x</tex-math></disp-formula></p>", OTHER, "", "a\n\nx"),
        ("<sec><title>Empty</title></sec><p>a</p>", OTHER, "", "a"),
    ],
)
def test_sections_have_the_titles_of_those_above(tmp_path, body, kind, heading, text):
    assert sections(tmp_path, body) == [(kind, heading, text)]


@pytest.mark.parametrize(
    ("licence", "expected"),
    [
        (OPEN, "CC-BY-4.0"),
        (stated("See http://creativecommons.org/licenses/by-nc/3.0/."), "CC-BY-NC-3.0"),
        (stated("Under the Creative Commons Attribution License."), "LicenseRef-CC-BY"),
        (stated("Creative Commons Attribution-NonCommercial-ShareAlike 3.0"), "CC-BY-NC-SA-3.0"),
        (stated("Creative Commons Attribution 4.0 International (CC BY)"), "CC-BY-4.0"),
        (stated("Open access under CC BY-NC 4.0."), "CC-BY-NC-4.0"),
        (OPEN + OPEN.replace("/by/", "/by-nc-nd/"), "CC-BY-NC-ND-4.0"),
        ('<license xlink:href="http://creativecommons.org/publicdomain/zero/1.0/"/>', "CC0-1.0"),
    ],
)
def test_licences_become_parts(tmp_path, licence, expected):
    items = list(jats.records(written(tmp_path, article(licence=licence)), name="own"))
    (part,) = of(items, SourceInfo)
    row = next(item for item in items if isinstance(item, Row) and isinstance(item.record, Document))
    assert (part.licence, row.source) == (expected, part.id)
    assert part.id.startswith("own-")


@pytest.mark.parametrize(
    ("licence", "reason"),
    [
        ('<license xlink:href="https://example.org/licence/1.0/"/>', "'https://example.org/licence/1.0/' is none that"),
        (stated("All rights reserved."), "'All rights reserved.' is none that"),
        ("", "it states no licence that permits reuse; leave it out, or name with --licence"),
    ],
)
def test_what_may_not_be_used_is_refused_unless_a_curator_says_under_what(tmp_path, licence, reason):
    path = written(tmp_path, article(licence=licence))
    (reject,) = rejects(path)
    assert reason in reject.reason
    assert not reject.reason[0].isdecimal()  # the line stands beside it
    assert reject.reason.startswith("article DOI:10.1000/a: ")
    (row,) = list(jats.records(path, licence="LicenseRef-agreement"))
    assert (row.record.id, row.source) == ("DOI:10.1000/a", "jats")


def test_a_retracted_article_keeps_its_title_only(tmp_path):
    by_notice, notice = (one for one in documents(SMALL) if one.id != "DOI:10.1000/made.up.101")
    assert (by_notice.title, by_notice.retracted, by_notice.sections) == ("A made-up effect", True, ())
    assert dict(by_notice.properties)["retraction_notices"] == ("DOI:10.1000/made.up.201",)
    assert [section.text for section in notice.sections] == ["The data were made up."]
    forward = '<related-article related-article-type="retraction-forward" ext-link-type="doi" xlink:href="10.1000/r"/>'
    for said in (article(meta=forward), article(title="RETRACTED: T")):
        (document,) = documents(written(tmp_path, said))
        assert (document.retracted, document.sections) == (True, ())


def test_a_notice_takes_back_what_came_with_an_earlier_load(tmp_path):
    meta = '<related-article related-article-type="retracted-article" ext-link-type="doi" xlink:href="10.1000/Old"/>'
    items = list(jats.records(written(tmp_path, article(meta=meta))))
    assert of(items, Withdrawal) == [Withdrawal("DOI:10.1000/old")]


def test_another_language_is_a_translation(tmp_path):
    abstract = '<trans-abstract xml:lang="en"><p>In English.</p></trans-abstract>'
    (document,) = documents(written(tmp_path, article(language="pt", body="<p>Dito.</p>", meta=abstract)))
    assert [section.text for section in document.sections] == ["In English."]
    assert document.translations == ("Dito.@pt",)


def test_files_archives_and_folders_give_the_same(tmp_path):
    one, two = article("10.1000/a"), article("10.1000/b")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a.nxml").write_text(one)
    (folder / "b.xml.gz").write_bytes(gzip.compress(two.encode()))
    several = written(tmp_path, one, two, name="set.xml")
    with zipfile.ZipFile(tmp_path / "both.zip", "w") as archive:
        archive.writestr("x/a.xml", one)
        archive.writestr("x/b.nxml", two)
    with tarfile.open(tmp_path / "both.tar.gz", "w:gz") as archive:
        for name, said in (("a.xml", one), ("a.pdf", "%PDF"), ("b.nxml", two)):
            member = tarfile.TarInfo(f"x/{name}")
            member.size = len(said)
            archive.addfile(member, io.BytesIO(said.encode()))
    expected = documents(folder)
    assert [document.id for document in expected] == ["DOI:10.1000/a", "DOI:10.1000/b"]
    for path in (several, tmp_path / "both.zip", tmp_path / "both.tar.gz"):
        assert documents(path) == expected
        assert jats.SOURCE.recognise(path)
    assert {name for _, name, _ in registry.recognised(tmp_path)} == {"jats"}
    assert not jats.SOURCE.recognise(FILES / "pubmed" / "pubmed26n0001.xml")


BOMB = '<!DOCTYPE article [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>' + article(body="<p>&b;</p>")
NAMED = '<!DOCTYPE article SYSTEM "x.dtd">' + article(body="<p>&nosuch;</p>")
DEEP = "<boxed-text>" * 245 + "</boxed-text>" * 245


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        pytest.param(article()[:-20], "is no XML from here on", id="truncated"),
        pytest.param("<html/>", "has the outermost element <html> where <article> belongs: no JATS", id="root"),
        pytest.param(BOMB, "declares the entity 'b', which", id="bomb"),
        pytest.param("no XML", "is not well-formed XML", id="text"),
        pytest.param(NAMED, "uses the entity &nosuch;", id="entity"),
        pytest.param(article(body="<p>" * 300 + "</p>" * 300), "is no XML from here on", id="deeper"),
        pytest.param(article(body=DEEP), "nested too deep", id="deep"),
        pytest.param("<article><body/></article>", "it has no article-meta", id="empty"),
        pytest.param(article(doi="none"), "it has neither a DOI nor a PMCID or PMID", id="unnamed"),
    ],
)
def test_broken_files_are_named_and_the_others_are_read(tmp_path, said, reason):
    (tmp_path / "1.xml").write_text(said, encoding="utf-8")
    (tmp_path / "2.xml").write_text(article(), encoding="utf-8")
    assert [document.id for document in documents(tmp_path)] == ["DOI:10.1000/a"]
    (reject,) = rejects(tmp_path)
    assert reason in reject.reason
    assert not reject.reason[0].isdecimal()  # the line stands beside it
    assert reject.file == str(tmp_path / "1.xml")


def test_a_single_broken_file_or_archive_is_an_error(tmp_path):
    with pytest.raises(SourceFileError, match=r"a\.xml:1: is no XML from here on"):
        documents(written(tmp_path, article()[:-20]))
    (tmp_path / "a.tar.gz").write_bytes(gzip.compress(b"no tar" * 200))
    with pytest.raises(SourceFileError, match="is no whole tar archive"):
        documents(tmp_path / "a.tar.gz")
    with pytest.raises(SourceFileError, match=r"is a folder without files called \.xml or \.nxml"):
        documents(FILES / "hetionet")


BODIES = nested(
    "<sec><title>q</title>{}</sec>",
    "<list><list-item>{}</list-item></list>",
    "<boxed-text>{}</boxed-text>",
    "<p>a<italic>b</italic>{}c</p>",
    "<table-wrap><table><tbody><tr><td>{}</td><td>c</td></tr></tbody></table></table-wrap>",
)


@given(BODIES)
def test_no_word_is_lost_or_joined_to_another(body):
    said = Article().plain(etree.fromstring(f"<body>{body}</body>")).replace("- ", " ").replace(";", " ").split()
    plain = body.replace("<italic>", "").replace("</italic>", "").replace("<", " <").replace(">", "> ")
    assert said == [word for word in plain.split() if "<" not in word]


def test_loading_twice_changes_nothing_and_a_licence_may_be_named(database, settings, tmp_path):
    first = load_named(database, settings, "jats", SMALL)
    again = load_named(database, settings, "jats", SMALL)
    assert (first.added, first.rejected, again.added, again.changed) == (6, 0, 0, 0)
    assert run(database, "MATCH (s:Source) WHERE s.part_of = 'jats' RETURN s.licence AS l ORDER BY l") == [
        {"l": "CC-BY-4.0"}, {"l": "CC-BY-NC-4.0"}, {"l": "CC-BY-NC-ND-4.0"},
    ]  # fmt: skip
    closed = written(tmp_path, article(licence=""))
    wish = LoadOptions(name="closed", licence="LicenseRef-agreement")
    assert load_named(database, settings, "jats", closed, wish).added == 1
