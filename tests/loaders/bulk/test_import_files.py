"""CSV files as `neo4j-admin database import` reads them."""

import pytest

from medgraph.loaders.bulk import import_files


def test_what_the_importer_would_store_otherwise_is_not_written(tmp_path, monkeypatch):
    monkeypatch.setattr(import_files, "MOST_SHEETS", 2)
    book = import_files.Book(tmp_path, "entity", (("id:ID", ""),), "Entity")
    book.add("a")
    book.add("b", (("n", 1),))
    book.add("c", (("n", -2),))
    odd = [
        (("n", 1.0),),
        (("n", ()),),
        (("n", ("",)),),
        (("n", (1,)),),
        (("m", "x"),),
        (("n", "x" * import_files.LONGEST),),
    ]
    for properties in odd:
        with pytest.raises(import_files.OddError):
            book.add("d", properties)
    book.flush()
    arguments = import_files.arguments([book])
    assert [path.read_text(encoding="utf-8") for path in sorted(tmp_path.glob("*.csv"))] == ["a\n", "b\x1f1\nc\x1f-2\n"]
    assert (tmp_path / "entity-1.nodes").read_text(encoding="utf-8") == "id:ID\x1fn:long\n"
    assert arguments[-1] == f"--nodes=Entity={tmp_path}/entity-1.nodes,{tmp_path}/entity-1.csv"
