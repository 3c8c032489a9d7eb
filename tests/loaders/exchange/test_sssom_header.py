"""What an SSSOM file says of all its mappings."""

import gzip

from medgraph.loaders.exchange import sssom
from tests.support.exchange import GOOD_MAPPING as GOOD
from tests.support.exchange import MAPPINGS as FILE
from tests.support.exchange import SSSOM_HEAD as HEAD
from tests.support.exchange import mappings as relations


def test_metadata_in_front_and_beside(tmp_path):
    info = sssom.describe(FILE)
    assert (info.id, info.title, info.version) == ("mondo_orphanet", "Mondo to Orphanet", "2026-11-01")
    assert (info.licence, info.rank) == ("CC-BY-4.0", 9)
    lines = FILE.read_text().splitlines(keepends=True)
    apart = tmp_path / "mondo.sssom.tsv"
    apart.write_text("".join(line for line in lines if not line.startswith("#")))
    assert sssom.describe(apart).licence == "LicenseRef-unstated"
    (tmp_path / "mondo.sssom.yml").write_text("".join(line[1:] for line in lines if line.startswith("#")))
    assert sssom.describe(apart) == info
    assert relations(apart) == relations(FILE)
    packed = tmp_path / "packed.sssom.tsv.gz"
    packed.write_bytes(gzip.compress(FILE.read_bytes(), mtime=0))
    assert relations(packed) == relations(FILE)


def test_yaml_runs_no_code(tmp_path):
    path = tmp_path / "x.sssom.tsv"
    path.write_text(f"#license: !!python/object/apply:os.system ['touch {tmp_path}/run']\n{HEAD}{GOOD}")
    assert len(relations(path)) == 1
    assert not (tmp_path / "run").exists()


def test_the_files_own_prefixes_come_first(tmp_path):
    path = tmp_path / "x.sssom.tsv"
    path.write_text(f"#curie_map:\n#  HP: http://purl.obolibrary.org/obo/DOID_\n{HEAD}{GOOD.replace('DOID:1', 'HP:1')}")
    assert [relation.subject for relation in relations(path)] == ["DOID:1"]
