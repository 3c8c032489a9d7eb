"""The machine: packages, Java, room on disks, and the encoder."""

import re
from dataclasses import replace

from medgraph.doctor import machine
from tests.support.doctor import KNOWN, only
from tests.support.schemas import ENCODER
from tests.support.tree import PROJECT


def test_packages(tmp_path):
    def look(requirements, tested=None):
        return list(machine.packages(requirements, tested or {}))

    assert only(look(["click>=8", "neo4j>=6", 'colorama; sys_platform == "win32"'])).level == "ok"
    found = only(look(["click>=99", "neo4j"]), "broken")
    assert found.id == "package:click"
    assert "asks for click>=99" in found.what
    assert "-m pip install --constraint" in found.remedy
    assert "no-such-package is not installed" in only(look(["no-such-package>=1"]), "broken").what
    found = only(look(["click", "neo4j"], {"click": "7.1", "neo4j": "6.0.0"}))
    assert found.level == "warning"
    assert "(tested: 7.1)" in found.what
    assert "neo4j" not in found.what


def test_the_tested_versions_come_with_the_package(tmp_path):
    pins = dict(line.lower().replace("_", "-").split("==") for line in machine.CONSTRAINTS.read_text().split())
    assert pins["neo4j"].startswith("6.")
    wanted = [re.match(r"[\w-]+", text)[0].lower() for text in PROJECT["project"]["dependencies"]]
    assert len(wanted) >= 15
    assert set(wanted) - pins.keys() == set()
    old = tmp_path / "old.txt"
    old.write_text("Prometheus_Client==0.1\n")
    assert "prometheus-client 0." in only(machine.packages(["prometheus-client"], pins=old), "warning").what
    assert only(machine.packages(["click"], pins=tmp_path / "none.txt")).level == "ok"


def test_room_on_disks(settings, monkeypatch, tmp_path):
    def look(free, store=0, own=settings):
        usage = type("Usage", (), {"free": free})
        monkeypatch.setattr("shutil.disk_usage", lambda path: usage)
        return {f.id: f.level for f in machine.disks(own, store)}

    assert look(100 << 30) == {"disk:data": "ok", "disk:cache": "ok"}
    assert look(1 << 30) == {"disk:data": "warning", "disk:cache": "ok"}
    assert look(3 << 30, store=2 << 30) == {"disk:data": "warning", "disk:cache": "ok"}
    assert look(100 << 20) == {"disk:data": "broken", "disk:cache": "broken"}
    assert look(200 << 20, own=replace(settings, home=tmp_path))["disk:data"] == "broken"
    for database in ("system", "neo4j"):
        log = tmp_path / "neo4j" / "data" / "transactions" / database / "neostore.transaction.db.0"
        log.parent.mkdir(parents=True)
        log.touch()
    assert look(200 << 20, own=replace(settings, home=tmp_path))["disk:data"] == "warning"  # its logs are there
    folder = replace(settings, home=tmp_path / "not" / "there")
    assert look(100 << 30, own=folder)["disk:data"] == "ok"
    monkeypatch.setattr("os.access", lambda *_: False)
    assert look(100 << 30)["disk:data"] == "broken"


def test_encoders(settings, tmp_path, monkeypatch):
    known, (found,) = machine.encoder(settings)
    assert (known, found.level) == (KNOWN, "ok")
    monkeypatch.setattr("medgraph.embeddings.encoders.named._installed", lambda: None)
    known, (found,) = machine.encoder(replace(settings, cache=tmp_path))
    assert (known.name, known.dimension, found.level) == (ENCODER[0], None, "warning")
    assert list(tmp_path.iterdir()) == []  # nothing was fetched
    known, (found,) = machine.encoder(replace(settings, encoder=str(tmp_path / "none")))
    assert (known, found.level) == (None, "broken")
    assert "there is no such folder" in found.what
    (tmp_path / "config.json").write_text("{")
    known, (found,) = machine.encoder(replace(settings, encoder=str(tmp_path)))
    assert (known, found.level) == (None, "broken")
    known, (found,) = machine.encoder(replace(settings, question_encoder=str(tmp_path / "none")))
    assert (known, found.level) == (None, "broken")
    assert str(tmp_path / "none") in found.what
    assert "MEDGRAPH_QUESTION_ENCODER" in found.remedy
    known, (found,) = machine.encoder(replace(settings, encoder="some/model"))
    assert (known, found.level) == (None, "broken")
    assert "pip install 'medgraph[sentence-transformers]'" in found.remedy
