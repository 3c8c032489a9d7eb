"""Which ontology a file holds, and which release and licence."""

from medgraph.loaders.ontologies import obo


def test_a_file_that_says_little_is_filled_in_from_what_is_known(tmp_path, data):
    rare = obo.describe(data / "doid" / "DO_rare_slim.obo")
    assert (rare.id, rare.version, rare.licence) == ("do_rare_slim", "2026-07-31", "CC0-1.0")
    path = tmp_path / "Mine of 2.obo"
    path.write_text("format-version: 1.2\n\n[Term]\nid: DOID:1\nname: a\n")
    mine = obo.describe(path)
    assert (mine.id, mine.version, mine.licence, mine.url) == ("mine-of-2", "unversioned", "LicenseRef-unstated", "")
    path.write_text("ontology: hp\ndata-version: v1.3\n[Term]\nid: HP:1\nname: a\n")
    assert (obo.describe(path).licence, obo.describe(path).version) == ("LicenseRef-HPO", "v1.3")
    path.write_text("ontology: x\ndate: 30:07:2026 20:10\n")
    assert obo.describe(path).version == "2026-07-30"
