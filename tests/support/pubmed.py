"""Citations of PubMed, written for tests."""

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
