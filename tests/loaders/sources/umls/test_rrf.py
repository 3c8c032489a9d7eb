"""Files of the Metathesaurus: packed, missing, unsorted, cut off, and rows that cannot be used."""

import gzip
import re

import pytest

from medgraph.errors import SourceFileError
from medgraph.loaders.sources.umls import source
from medgraph.loaders.sources.umls.rrf import COLUMNS
from tests.support.umls import ALBUTEROL, add, entities, rejects


@pytest.mark.parametrize("name", ["MRCONSO", "MRSTY", "MRDEF", "MRREL"])
def test_files_must_be_sorted(meta, name):
    add(meta, name, **{COLUMNS[name].split()[0]: "C0000005"})
    line = len((meta / f"{name}.RRF").read_text().splitlines())
    fault = rf"{name}\.RRF:{line}: is not sorted: C0000005 comes after C\d+; sort it with LC_ALL=C"
    with pytest.raises(SourceFileError, match=fault):
        list(source.records(meta))


def test_empty_cut_off_and_undecodable_files(meta):
    file = meta / "MRCONSO.RRF"
    whole = file.read_bytes()
    file.write_bytes(whole[:-20])
    (reject, *_) = rejects(meta)
    assert (reject.file, reject.line) == (str(file), 16)
    assert (
        "does not end with |; 18 belong there, CUI to CVF, each with | behind it: is the row cut off?" in reject.reason
    )
    file.write_bytes(whole.replace(b"Salbutamol", b"Salbutam\xf6l"))
    (reject,) = rejects(meta)
    assert reject.line == 2
    assert "is not UTF-8" in reject.reason
    assert ("umls-msh", ALBUTEROL) in entities(meta)
    file.write_bytes(b"")
    with pytest.raises(SourceFileError, match=r"MRCONSO\.RRF: is empty; fetch it again"):
        rejects(meta)
    file.unlink()
    (meta / "MRCONSO.RRF.gz").write_bytes(gzip.compress(whole * 50, mtime=0)[:-30])
    with pytest.raises(SourceFileError, match=r"is cut off"):
        rejects(meta)
    (meta / "MRCONSO.RRF.gz").write_bytes(whole)
    with pytest.raises(SourceFileError, match=r"is called \.gz and is not packed with gzip"):
        rejects(meta)


@pytest.mark.parametrize(
    ("name", "cells", "reason"),
    [
        ("MRCONSO", {"CUI": "C12"}, r"'C12' is no concept \(C and seven digits\)"),
        ("MRSTY", {"CUI": "X"}, r"'X' is no concept"),
        ("MRSTY", {"CUI": "C9999999", "TUI": "T047"}, r"C9999999 is not in MRCONSO; take all files from one release"),
        ("MRDEF", {"CUI": "C9999999", "SAB": "MSH", "DEF": "x"}, r"C9999999 is not in MRCONSO"),
        (
            "MRREL",
            {"CUI1": "C9999999", "CUI2": "C0004096", "REL": "RO", "SAB": "MSH", "SUPPRESS": "N"},
            r"C9999999 is not in MRCONSO",
        ),
        (
            "MRREL",
            {"CUI1": "C0043144", "CUI2": "disease", "REL": "RO", "SAB": "MSH", "SUPPRESS": "N"},
            r"disease is not",
        ),
        ("MRSAB", {"RSAB": "ODD", "SRL": "x", "CURVER": "Y"}, r"ODD has the licence level 'x', which is none"),
        ("MRRANK", {"RANK": "high"}, r"the rank 'high' is not a number"),
    ],
)
def test_rows_that_cannot_be_used(meta, name, cells, reason):
    before = entities(meta)
    add(meta, name, **cells)
    (reject,) = rejects(meta)
    assert reject.file == str(meta / f"{name}.RRF")
    assert reject.line == len((meta / f"{name}.RRF").read_text().splitlines())
    assert re.search(reason, reject.reason)
    assert entities(meta) == before
