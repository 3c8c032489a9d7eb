"""Packages that bring sources."""

import sys

import pytest

from tests.support.mirror import site

__all__ = ["site"]


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
