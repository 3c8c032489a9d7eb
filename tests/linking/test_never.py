"""What curators settled to be no name: the shipped table, the user's own, and what is wrong with a line."""

from dataclasses import replace

from medgraph.linking.curated import SHIPPED, read_never
from medgraph.linking.names import names_in_use
from medgraph.linking.words import words
from tests.support.graphs import run


def test_the_users_table_adds_to_the_shipped_one(tmp_path):
    shipped = read_never(tmp_path)
    (tmp_path / "never.tsv").write_text("# mine\nzebra crossings\tDOID:1\ta road\n", encoding="utf-8")
    both = read_never(tmp_path)
    assert both.settled(words("Zebra crossing")) == {"DOID:1"}
    assert both.settled(words("death")) == shipped.settled(words("deaths")) == {"*"}
    assert both.fingerprint != shipped.fingerprint == read_never().fingerprint


def test_the_shipped_table_is_sorted_and_says_everything_once():
    said = [line.split("\t")[:2] for line in SHIPPED.read_text(encoding="utf-8").splitlines() if line[0] != "#"]
    assert said == sorted(said)
    assert len({tuple(row) for row in said}) == len(said)


def test_a_change_of_the_table_counts_as_one_of_the_names(database, settings, tmp_path):
    settings = replace(settings, home=tmp_path)
    run(database, "CREATE (:Entity:Disease {id: 'x:gout', name: 'Gout'})")
    linker, names = names_in_use(settings, database)
    assert linker.text("gout")
    (tmp_path / "never.tsv").write_text("gout\tx:gout\ta test\n", encoding="utf-8")
    linker, changed = names_in_use(settings, database)
    assert changed != names
    assert not linker.text("gout")
    assert not linker.name("gout")
