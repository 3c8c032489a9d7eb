"""Archives are not trusted: whatever one holds, the outcome is texts, rejects or one clear error."""

import io
import random
import struct
import tarfile
import zipfile

import pytest

from medgraph.errors import SourceFileError
from medgraph.loaders.base import Reject
from medgraph.loaders.files import archives
from tests.support.memory import at_most

TEXTS = {"b/2.xml": b"<two/>", "a/1.xml": b"<one/>", "a-b/3.xml": b"<three/>", "readme.txt": b"no", "b/.xml": b""}
METHODS = [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]


def packed(files, method=zipfile.ZIP_DEFLATED):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data, method)
    return buffer.getvalue()


@pytest.fixture
def archive(tmp_path):
    """Writes bytes, or files to pack, as an archive."""

    def write(content, method=zipfile.ZIP_DEFLATED):
        path = tmp_path / "archive.zip"
        path.write_bytes(content if isinstance(content, bytes) else packed(content, method))
        return path

    return write


def read(path):
    return list(archives.members(path, ".xml"))


@pytest.mark.parametrize("method", METHODS)
def test_an_archive_and_its_folder_give_the_same_in_the_same_order(archive, tmp_path, method):
    path, folder = archive(TEXTS, method), tmp_path / "folder"
    for name, data in TEXTS.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    from_archive = [(name.removeprefix(f"{path}!/"), data) for name, data in read(path)]
    from_folder = [(name.removeprefix(f"{folder}/"), data) for name, data in read(folder)]
    assert from_archive == from_folder
    assert dict(from_archive) == {name: data for name, data in TEXTS.items() if name.endswith(".xml")}
    assert archives.count(path, ".xml") == archives.count(folder, ".xml") == 4


def test_a_file_that_cannot_be_read_is_rejected_and_the_others_are_read(tmp_path):
    (tmp_path / "1.xml").symlink_to(tmp_path / "nowhere")
    (tmp_path / "2.xml").write_bytes(b"<two/>")
    found = read(tmp_path)
    assert found == [
        Reject(str(tmp_path / "1.xml"), 1, "cannot be read: No such file or directory"),
        (str(tmp_path / "2.xml"), b"<two/>"),
    ]


# Archives that are none


@pytest.mark.parametrize(
    "content", [b"", b"PK", b"PK\x03\x04", b"<html>404</html>", b"\0" * 100, bytes(range(256)) * 99]
)
@pytest.mark.parametrize("use", [read, lambda path: archives.count(path, ".xml")], ids=["members", "count"])
def test_a_file_that_is_no_archive(archive, content, use):
    with pytest.raises(SourceFileError, match=r"archive\.zip: is not a whole zip archive .* fetch it again"):
        use(archive(content))


def test_an_archive_that_is_cut_off_anywhere(archive):
    content = packed({f"{n}.xml": random.Random(n).randbytes(300) for n in range(20)})
    for size in [*range(0, len(content) - 1, 97), len(content) - 1]:
        with pytest.raises(SourceFileError, match=r"is not a whole zip archive .* cut off: fetch it again"):
            read(archive(content[:size]))


@pytest.mark.parametrize("method", METHODS)
def test_a_broken_member_is_rejected_and_the_others_are_read(archive, method):
    text = random.Random(1).randbytes(2000).hex().encode()
    content = bytearray(packed({"1.xml": b"<one/>", "2.xml": text, "3.xml": b"<three/>"}, method))
    middle = content.index(b"2.xml") + 500
    content[middle : middle + 20] = bytes(20)
    path = archive(bytes(content))
    first, broken, last = read(path)
    assert (first[1], last[1]) == (b"<one/>", b"<three/>")
    assert (broken.file, broken.line) == (f"{path}!/2.xml", 1)
    assert broken.reason.startswith("cannot be unpacked: ")
    assert broken.reason.endswith("; fetch the archive again")


# Bombs


def test_a_bomb_is_refused_before_anything_is_unpacked(archive):
    path = archive({"1.xml": b"<one/>", "bomb.xml": bytes(50_000_000)})
    assert path.stat().st_size < 100_000
    said = r"would unpack to 50,000,006 bytes from [\d,]+: .* nothing was read"
    with at_most(5_000_000), pytest.raises(SourceFileError, match=said):
        read(path)


def test_a_bomb_among_honest_members_is_rejected_alone(archive):
    honest = {f"{n}.xml": random.Random(n).randbytes(100_000) for n in range(5)}
    path = archive({"0-bomb.xml": bytes(archives.MAX_MEMBER + 1)} | honest)
    bomb, *others = read(path)
    assert bomb == Reject(
        f"{path}!/0-bomb.xml", 1, "cannot be unpacked: it is larger than 64 MiB; fetch the archive again"
    )
    assert [data for _, data in others] == list(honest.values())


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_what_cannot_be_unpacked_bit_by_bit_is_not_unpacked(archive, method):
    size = 80_000_000
    content = packed({"1.xml": b"<one/>", "bomb.xml": bytes(size)}, method)
    path = archive(content.replace(struct.pack("<L", size), struct.pack("<L", 100)))
    with at_most(5_000_000):
        found = read(path)
    assert ["compression method" in member.reason for member in found] == [True, True]


def test_a_member_that_lies_about_its_size_is_cut_there_and_rejected(archive):
    size = 30_000_000
    content = packed({"1.xml": bytes(size), "2.xml": b"<two/>"})
    assert content.count(struct.pack("<L", size)) == 2
    path = archive(content.replace(struct.pack("<L", size), struct.pack("<L", 100)))
    with at_most(5_000_000):
        liar, honest = read(path)
    assert "Bad CRC-32" in liar.reason
    assert honest[1] == b"<two/>"


# Names and features


@pytest.mark.parametrize(
    "name",
    [
        "../evil.xml",
        "a/../../evil.xml",
        "a/../evil.xml",
        "..\\evil.xml",
        "a\\..\\..\\evil.xml",
        "/etc/evil.xml",
        "\\evil.xml",
        "\\\\server\\share\\evil.xml",
        "C:\\evil.xml",
        "C:/evil.xml",
        "c:evil.xml",
    ],
)
@pytest.mark.parametrize("use", [read, lambda path: archives.count(path, ".xml")], ids=["members", "count"])
def test_an_archive_with_a_path_outside_it_is_refused(archive, name, use):
    path = archive({"good.xml": b"<good/>", name: b"<evil/>"})
    with pytest.raises(SourceFileError, match=r"its member '.*evil\.xml' points outside the archive; nothing was read"):
        use(path)


def patched(content, offset, value):
    """Change a field in the header of every member, and in its entry of the directory."""
    content = bytearray(content)
    for mark, shift in ((b"PK\x03\x04", 0), (b"PK\x01\x02", 2)):
        position = content.find(mark)
        while position >= 0:
            content[position + offset + shift : position + offset + shift + 2] = struct.pack("<H", value)
            position = content.find(mark, position + 1)
    return bytes(content)


@pytest.mark.parametrize(
    ("offset", "value", "reason"),
    [(6, 1, "password"), (8, 99, "compression"), (6, 0x20, "patched data"), (6, 0x40, "encryption")],
    ids=["a password", "an unknown compression", "patches", "strong encryption"],
)
def test_members_that_need_something_we_lack_are_rejected(archive, offset, value, reason):
    path = archive(patched(packed({"1.xml": b"<one/>", "2.xml": b"<two/>"}), offset, value))
    found = read(path)
    assert [member.file for member in found] == [f"{path}!/1.xml", f"{path}!/2.xml"]
    assert all(reason in member.reason for member in found)


def tarred(path, files):
    with tarfile.open(path, "w:gz") as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return path


def test_a_tar_archive_is_read_in_its_order_and_what_is_too_large_is_rejected(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "MAX_MEMBER", 100)
    path = tarred(tmp_path / "a.tar.gz", {"b.xml": b"<b/>", "large.xml": random.Random(0).randbytes(101), **TEXTS})
    first, large, *others = read(path)
    assert first == (f"{path}!/b.xml", b"<b/>")
    assert large == Reject(f"{path}!/large.xml", 1, "cannot be unpacked: it is larger than 0 MiB")
    assert [name.rpartition("!/")[2] for name, _ in others] == ["b/2.xml", "a/1.xml", "a-b/3.xml", "b/.xml"]


def test_a_tar_archive_that_unpacks_to_too_much_or_is_cut_off_is_an_error(tmp_path, monkeypatch):
    path = tarred(tmp_path / "a.tar.gz", {"a.xml": b"<a/>", "b.bin": bytes(1_000_000)})
    cut = tmp_path / "cut.tar.gz"
    cut.write_bytes(path.read_bytes()[:200])
    with pytest.raises(SourceFileError, match="is no whole tar archive"):
        read(cut)
    monkeypatch.setattr(archives, "MAX_MEMBER", 1000)
    with pytest.raises(SourceFileError, match="that is no archive of texts"):
        read(path)
