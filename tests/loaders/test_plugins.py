"""Sources of other packages: broken ones, names that clash, and what is imported when."""

import sys

import pytest

from medgraph.errors import UnknownSourceError
from medgraph.loaders import registry
from tests.support.plugins import GOOD


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
