"""A mirror of what recipes name: real files where they are at hand, else a few lines of the same form."""

import gzip
import io
import json
import re
import zipfile
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from medgraph.loaders.addresses import expanded
from medgraph.loaders.recipes import chosen
from medgraph.server import fetch
from tests.support.fetching import serving
from tests.support.paths import DATA, FILES

OBO = """format-version: 1.2
data-version: releases/2026-11-01
ontology: {name}

[Term]
id: {prefix}:1
name: root of {name}

[Term]
id: {prefix}:2
name: part of {name}
is_a: {prefix}:1
"""
PREFIXES = {"doid": "DOID", "symp": "SYMP", "mondo": "MONDO", "hp": "HP"}
LABEL = {
    "id": "a",
    "set_id": "b",
    "effective_time": "20260101",
    "indications_and_usage": ["For asthma."],
    "spl_product_data_elements": ["Albuterol"],
    "openfda": {
        "generic_name": ["ALBUTEROL"],
        "brand_name": ["Ventolin"],
        "unii": ["QF8SVZ843E"],
        "product_type": ["HUMAN PRESCRIPTION DRUG"],
    },
}
REAL = {"master.zip": "medquad.zip", "symp.obo": "symp/symp.obo", "doid.obo": "doid/DO_rare_slim.obo"}
REAL |= {name: f"hetionet/{name}" for name in ("hetionet-v1.0-nodes.tsv",)}
REAL |= {"layperson-synonyms.tsv": "hpo/layperson-synonyms.tsv"}


@pytest.fixture
def site(monkeypatch):
    monkeypatch.setattr(fetch, "PAUSE", 0.001)
    with serving() as site:
        yield site


def mirrored(settings, site, folder):
    return replace(settings, cache=folder / "cache", home=folder / "home", mirror=site.url)


def zipped(files):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return made.getvalue()


def files_below(folder, top=""):
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {f"{top}{path.relative_to(folder).as_posix()}": path.read_bytes() for path in found}


def sample(name):
    """Give a few lines in the form of a file of a recipe."""
    stem = name.partition(".")[0]
    if stem in PREFIXES:
        return OBO.format(name=stem, prefix=PREFIXES[stem]).encode()
    if name.startswith("drug-label"):
        label = LABEL | {"set_id": name[11:15], "id": name[11:15]}
        return zipped({name.removesuffix(".zip"): json.dumps({"meta": {}, "results": [label]})})
    if name.startswith("pubmed"):
        return gzip.compress((FILES / "pubmed" / "pubmed26n0001.xml").read_bytes())
    article = (FILES / "jats" / "pone.nxml").read_bytes()
    if name.startswith("PMC"):
        plain = re.sub(
            rb"&(?!amp;|lt;|gt;|#)\w+;", b"", article[article.index(b"<article") :]
        )  # without the DTD's entities
        return gzip.compress(b"<articles>" + plain + b"</articles>")
    if name.startswith("mplus"):
        return zipped(files_below(FILES / "medlineplus"))
    if name.startswith("RxNorm"):
        return zipped(files_below(FILES / "rxnorm") | {"Readme_Full_Prescribe_11022026.txt": b""})
    if name == "master.zip":
        return zipped(files_below(FILES / "medquad", "MedQuAD-master/"))
    if name == "desc2026.gz":
        return gzip.compress((FILES / "mesh" / "desc2026.xml").read_bytes())
    (path,) = FILES.rglob(name)
    return path.read_bytes()


def fill(site, *recipes, real=False):
    """Put the files of recipes on a server, below the names of the hosts that have them."""
    for offer in chosen(recipes):
        for address in expanded(offer.addresses):
            dated = address.replace("[date]", str(datetime.now(UTC).date()))
            name = dated.rpartition("/")[2]
            at_hand = DATA / REAL[name] if real and name in REAL else None
            data = (tenth(at_hand) if name == "master.zip" else at_hand.read_bytes()) if at_hand else sample(name)
            site.files["/" + dated.partition("://")[2]] = data


def tenth(path):
    """Give every tenth member of an archive, stored as it is, so that it comes for a while."""
    made = io.BytesIO()
    with zipfile.ZipFile(path) as whole, zipfile.ZipFile(made, "w") as archive:
        for info in whole.infolist()[::10]:
            archive.writestr(info.filename, whole.read(info))
    return made.getvalue()
