"""Sources by name: ours, those of other packages, and what is wrong with them."""

import json
import subprocess
import sys

import pytest

from medgraph.errors import UnknownSourceError
from medgraph.loaders import registry
from medgraph.loaders.base import Source

GOOD = """
from medgraph.loaders.base import Source
from medgraph.schema.records import SourceInfo
SOURCE = Source(SourceInfo("{id}", "T", "1", "CC0-1.0", ""), lambda path: iter(()))
"""


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Lays out packages as pip does, and gives the registry a look at them."""
    monkeypatch.syspath_prepend(tmp_path)

    def lay(package, points, code="", folder=tmp_path):
        info = folder / f"{package.replace('-', '_')}-1.0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        lines = "".join(f"{name} = {value}\n" for name, value in points.items())
        (info / "entry_points.txt").write_text(f"[medgraph.sources]\n{lines}")
        if code:
            (folder / f"{package.replace('-', '_')}.py").write_text(code)

    yield lay
    for name in [name for name, module in sys.modules.items() if str(tmp_path) in str(getattr(module, "__file__", ""))]:
        del sys.modules[name]


def test_a_source_of_another_package_is_found(installed):
    installed("reg-good", {"reg-good": "reg_good:SOURCE"}, GOOD.format(id="reg-good"))
    assert isinstance(registry.get("reg-good"), Source)
    assert registry.sources().keys() == {*registry.SOURCES, "reg-good"}
    assert "reg-good" not in registry.SOURCES
    assert registry.faults() == []
    with pytest.raises(UnknownSourceError, match=r"no source 'bogus'; known are .*medquad, .*reg-good, .*FILE\.yaml"):
        registry.get("bogus")


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


def test_a_name_of_ours_cannot_be_taken(installed):
    installed("reg-thief", {"medquad": "reg_thief:SOURCE"}, GOOD.format(id="medquad"))
    assert registry.get("medquad") is registry.SOURCES["medquad"]
    assert registry.sources()["medquad"] is registry.SOURCES["medquad"]
    assert registry.faults() == [
        "the source 'medquad' is brought by medgraph itself and reg-thief 1.0; rename it in one, or uninstall one"
    ]
    assert "reg_thief" not in sys.modules


def test_a_name_that_two_packages_bring_is_refused_for_both(installed):
    for name in ("reg-one", "reg-two"):
        installed(name, {"twice": f"{name.replace('-', '_')}:SOURCE"}, GOOD.format(id="twice"))
    with pytest.raises(UnknownSourceError, match=r"is brought by reg-(one|two) 1\.0 and reg-(one|two) 1\.0; rename it"):
        registry.get("twice")
    assert "twice" not in registry.sources()


def test_a_package_that_is_installed_in_two_folders_is_one(installed, tmp_path, monkeypatch):
    installed("reg-good", {"reg-good": "reg_good:SOURCE"}, GOOD.format(id="reg-good"))
    installed("reg-good", {"reg-good": "reg_good:SOURCE"}, folder=tmp_path / "again")
    monkeypatch.syspath_prepend(tmp_path / "again")
    assert registry.get("reg-good")


def test_a_package_is_imported_only_when_its_source_is_asked_for(installed):
    installed("reg-lazy", {"reg-lazy": "reg_lazy:SOURCE"}, GOOD.format(id="reg-lazy"))
    registry.get("medquad")
    assert "reg_lazy" not in sys.modules
    registry.get("reg-lazy")
    assert "reg_lazy" in sys.modules


def test_load_all_asks_other_packages_too_and_goes_on_when_one_fails(installed, tmp_path, caplog):
    code = GOOD.replace("lambda path: iter(()))", "lambda path: iter(()), recognise=lambda path: {how})")
    installed("reg-good", {"reg-good": "reg_good:SOURCE"}, code.format(id="reg-good", how="path.suffix == '.mine'"))
    installed("reg-bad", {"reg-bad": "reg_bad:SOURCE"}, code.format(id="reg-bad", how="1 / 0"))
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "a.mine").write_text("x")
    assert [(path.name, name) for path, name, _ in registry.recognised(tmp_path / "files")] == [("a.mine", "reg-good")]
    assert "the source 'reg-bad' of reg-bad 1.0 could not look at" in caplog.text


def test_the_registry_imports_nothing_heavy():
    heavy = ["yaml", "rapidfuzz", "pyarrow", "curies", "lxml", "rdflib", "numpy", "neo4j", "pandas", "defusedxml"]
    code = f"import sys, json, medgraph.loaders.registry; print(json.dumps([m for m in {heavy} if m in sys.modules]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == []
