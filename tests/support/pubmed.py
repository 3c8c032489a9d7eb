"""Citations of PubMed, written for tests, and a server that answers as NCBI's E-utilities do."""

import json
from urllib.parse import parse_qs

import pytest

from medgraph.loaders import searches
from medgraph.server import fetch
from tests.support.fetching import serving

SERVICE = "/eutils.ncbi.nlm.nih.gov/entrez/eutils"
TEMPLATE = (
    '<PubmedArticle><MedlineCitation><PMID Version="1">{pmid}</PMID>{citation}<Article><Journal><JournalIssue>'
    "<PubDate>{date}</PubDate></JournalIssue><Title>J</Title></Journal><ArticleTitle>{title}</ArticleTitle>{core}</Article>"
    "{headings}</MedlineCitation></PubmedArticle>"
)


def article(pmid="1", title="T", date="<Year>2020</Year>", core="", citation="", headings=""):
    return TEMPLATE.format(pmid=pmid, title=title, date=date, core=core, citation=citation, headings=headings)


def written(tmp_path, *articles, name="pubmed26n0009.xml"):
    path = tmp_path / name
    path.write_text("<PubmedArticleSet>\n" + "\n".join(articles) + "\n</PubmedArticleSet>\n", encoding="utf-8")
    return path


def heading(number):
    name = f'<DescriptorName UI="D{number:06d}">H</DescriptorName>'
    return f"<MeshHeadingList><MeshHeading>{name}</MeshHeading></MeshHeadingList>"


class PubMed:
    """Citations by PMID, what a search finds of them, and answers that go wrong before the right one."""

    def __init__(self, site):
        self.site, self.articles, self.found, self.asked, self.wrong = site, {}, [], [], []
        for what in ("esearch", "efetch"):
            site.answers[f"{SERVICE}/{what}.fcgi"] = lambda form, what=what: self.answer(what, parse_qs(form))

    def answer(self, what, form):
        self.asked.append((what, {key: value[0] for key, value in form.items()}))
        if self.wrong:
            return self.wrong.pop(0)
        if what == "esearch":
            ids = self.found[: int(form["retmax"][0])]
            return 200, json.dumps({"esearchresult": {"count": str(len(self.found)), "idlist": ids}}).encode()
        given = "".join(self.articles[number] for number in form["id"][0].split(",") if number in self.articles)
        return 200, f"<PubmedArticleSet>{given}</PubmedArticleSet>".encode()

    def has(self, *numbers, title="Gout"):
        self.articles |= {number: article(number, title=f"{title} {number}") for number in numbers}
        self.found = [*dict.fromkeys([*self.found, *numbers])]


@pytest.fixture
def pubmed(monkeypatch):
    """A server as PubMed's, to which many requests a second may go, and little is waited for."""
    monkeypatch.setattr(fetch, "PAUSE", 0.001)
    monkeypatch.setattr(searches, "_RATES", {False: 1000, True: 2000})
    with serving() as site:
        yield PubMed(site)
