"""Sources by name, ours and those of other packages; facts of a source; and what sources deny."""

import hashlib
import json
import os
import shutil
import subprocess
import sys

import pytest

from medgraph.errors import UnknownSourceError
from medgraph.loaders import registry
from medgraph.loaders.base import Source, fingerprint
from medgraph.loaders.polarity import NEGATED, NEVER, denial
from tests.support.examples import examples

GOOD = """
from medgraph.loaders.base import Source
from medgraph.schema.records import SourceInfo
SOURCE = Source(SourceInfo("{id}", "T", "1", "CC0-1.0", ""), lambda path: iter(()))
"""


@pytest.mark.parametrize(
    ("code", "value", "message"),
    [
        ("import nothing_of_this_name", "reg_bad:SOURCE", "cannot be imported (ModuleNotFoundError: No module named"),
        ("1 / 0", "reg_bad:SOURCE", "cannot be imported (ZeroDivisionError: division by zero)"),
        ("import sys; sys.exit(3)", "reg_bad:SOURCE", "cannot be imported (SystemExit: 3)"),
        ("def", "reg_bad:SOURCE", "cannot be imported (SyntaxError: invalid syntax"),
        ("x = 1", "reg_bad:SOURCE", "cannot be imported (AttributeError: module 'reg_bad' has no attribute 'SOURCE')"),
        ("SOURCE = 'medquad'", "reg_bad:SOURCE", "reg_bad:SOURCE is a str and not a medgraph.loaders.base.Source"),
        (
            GOOD.format(id="other"),
            "reg_bad:SOURCE",
            "it calls itself 'other', and its entry point has to have that name",
        ),
        (GOOD.format(id="reg-bad"), "reg_bad", "reg_bad is a module and not a medgraph.loaders.base.Source"),
    ],
)
def test_a_broken_package_is_named_and_breaks_no_other_source(installed, code, value, message):
    installed("reg-bad", {"reg-bad": value}, code)
    installed("reg-good", {"reg-good": "reg_good:SOURCE"}, GOOD.format(id="reg-good"))
    with pytest.raises(UnknownSourceError) as caught:
        registry.get("reg-bad")
    assert str(caught.value).startswith("the source 'reg-bad' of reg-bad 1.0 cannot be ")
    assert message in str(caught.value)
    assert str(caught.value).endswith("; mend or uninstall reg-bad 1.0")
    assert registry.faults() == [str(caught.value)]
    assert registry.get("reg-good")
    assert registry.get("medquad")
    assert registry.sources().keys() == {*registry.SOURCES, "reg-good"}


def test_a_name_that_two_packages_bring_is_refused_for_both(installed):
    for name in ("reg-one", "reg-two"):
        installed(name, {"twice": f"{name.replace('-', '_')}:SOURCE"}, GOOD.format(id="twice"))
    with pytest.raises(UnknownSourceError, match=r"is brought by reg-(one|two) 1\.0 and reg-(one|two) 1\.0; rename it"):
        registry.get("twice")
    assert "twice" not in registry.sources()


def test_load_all_asks_other_packages_too_and_goes_on_when_one_fails(installed, tmp_path, caplog):
    code = GOOD.replace("lambda path: iter(()))", "lambda path: iter(()), recognise=lambda path: {how})")
    installed("reg-good", {"reg-good": "reg_good:SOURCE"}, code.format(id="reg-good", how="path.suffix == '.mine'"))
    installed("reg-bad", {"reg-bad": "reg_bad:SOURCE"}, code.format(id="reg-bad", how="1 / 0"))
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "a.mine").write_text("x")
    assert [(path.name, name) for path, name, _ in registry.recognised(tmp_path / "files")] == [("a.mine", "reg-good")]
    assert "the source 'reg-bad' of reg-bad 1.0 could not look at" in caplog.text


def test_sources_are_found_without_an_import_and_loaded_by_name(installed, monkeypatch):
    installed("reg-good", {"reg-good": "reg_good:SOURCE"}, GOOD.format(id="reg-good"))
    assert [[point.value for point in points] for points in registry._entry_points().values()] == [["reg_good:SOURCE"]]
    assert "reg_good" not in sys.modules
    assert registry.get("reg-good").info.id == "reg-good"
    monkeypatch.setitem(registry.SOURCES, "reg-good", registry.get("reg-good"))
    (fault,) = registry.faults()
    assert "'reg-good' is brought by medgraph itself and reg-good 1.0; rename" in fault


def test_a_source_of_another_package_is_found(installed):
    installed("reg-good", {"reg-good": "reg_good:SOURCE"}, GOOD.format(id="reg-good"))
    assert isinstance(registry.get("reg-good"), Source)
    assert registry.sources().keys() == {*registry.SOURCES, "reg-good"}
    assert "reg-good" not in registry.SOURCES
    assert registry.faults() == []
    with pytest.raises(UnknownSourceError, match=r"no source 'bogus'; known are .*medquad, .*reg-good, .*FILE\.yaml"):
        registry.get("bogus")


def test_the_registry_imports_nothing_heavy():
    heavy = ["yaml", "rapidfuzz", "pyarrow", "curies", "lxml", "rdflib", "numpy", "neo4j", "pandas", "defusedxml"]
    code = f"import sys, json, medgraph.loaders.registry; print(json.dumps([m for m in {heavy} if m in sys.modules]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == []


def test_a_file_is_known_by_its_bytes(tmp_path):
    content = b"asthma\n" * 300_000  # more than is read at once
    (tmp_path / "a").write_bytes(content)
    assert fingerprint(tmp_path / "a") == hashlib.sha256(content).hexdigest()


def test_a_folder_is_known_by_its_files_and_their_names_wherever_it_stands(tmp_path):
    folder = tmp_path / "one"
    (folder / "in").mkdir(parents=True)
    (folder / "b").write_text("x")
    (folder / "in" / "a").write_text("y")
    before = fingerprint(folder)
    other = shutil.copytree(folder, tmp_path / "other")
    assert fingerprint(other) == before
    changes = (
        lambda: (other / "b").write_text("z"),
        (other / "c").touch,
        lambda: (other / "in" / "a").rename(other / "in" / "d"),
        lambda: (other / "in" / "d").rename(other / "d"),
    )
    seen = {before}
    for change in changes:
        change()
        seen.add(fingerprint(other))
    assert len(seen) == 1 + len(changes)
    assert fingerprint(folder) == before


def test_a_folder_may_have_names_that_are_no_utf_8(tmp_path):
    before = fingerprint(tmp_path)
    (tmp_path / os.fsdecode(b"M\xfcller.xml")).touch()
    assert fingerprint(tmp_path) != before


@pytest.mark.parametrize("predicate", examples("predicates_that_deny"))
def test_predicates_that_deny(predicate):
    assert denial(predicate) == f"statements of what is not so ({predicate[:60]}) are left out"
    assert denial("x:1", name=predicate)


@pytest.mark.parametrize(
    ("qualifiers", "why"),
    [
        ({"negated": True}, NEGATED),
        ({"Negated": "TRUE"}, NEGATED),
        ({"negated": float("nan")}, ""),
        ({"negated": "false"}, ""),
        ({"qualifiers": "biolink:negated=true|other=1"}, NEGATED),
        ({"attributes": [{"attribute_type_id": "biolink:negated", "value": True}]}, NEGATED),
        ({"qualifiers": '[{"qualifier_type_id": "biolink:negated", "qualifier_value": true}]'}, NEGATED),
        ({"qualifiers": "[broken"}, ""),
        ({"relation": "RO:0002161"}, NEGATED),
        ({"relation": "http://purl.obolibrary.org/obo/cl#lacks_part"}, NEGATED),
        ({"predicate_label": "not the same as"}, NEGATED),
        ({"relation": "RO:0002200", "qualifier": "not_provided"}, ""),
        ({"frequency_qualifier": "HP:0040285"}, NEVER),
        ({"frequency_qualifier": "Excluded (0%)"}, NEVER),
        ({"frequency_qualifier": "0-10%"}, ""),
        ({"frequency_qualifier": "10/30"}, ""),
        ({"has_count": 0, "has_total": 30}, NEVER),
        ({"has_count": 0, "has_total": 0, "has_percentage": 0.0}, ""),  # nobody was looked at
        ({"has_count": "", "has_total": "30", "has_percentage": None}, ""),
        ({"has_percentage": "0.00"}, NEVER),
        ({"has_percentage": 0.01}, ""),
        ({"knowledge_level": "not_provided", "agent_type": "not_provided"}, ""),
        ({"description": "not|negated=true", "score": 0, "count": 0}, ""),
    ],
)
def test_what_qualifies_a_statement(qualifiers, why):
    assert denial("biolink:has_phenotype", qualifiers) == why
