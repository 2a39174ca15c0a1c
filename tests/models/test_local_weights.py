import hashlib
import os
from pathlib import Path

import pytest

from openassay.models import local_digest
from openassay.models.aliases import ALIASES
from openassay.models.local_known import KNOWN, Part, Weights
from openassay.models.local_weights import Shelf, find, shelf, user_folder, wanted_sha256, whereabouts
from openassay.schema.errors import InputError
from openassay.schema.models import ModelSpec

BYTES = b"GGUF" + bytes(range(256)) * 8
SHA256 = hashlib.sha256(BYTES).hexdigest()
OTHER = "0" * 64


@pytest.fixture
def toy(tmp_path):
    """A shelf with a tiny known weight file in three installed parts."""
    weights = Weights(
        alias="toy",
        publisher="us",
        sha256=SHA256,
        size=len(BYTES),
        download=len(BYTES),
        developer="us",
        lineage=("toy",),
        licence="CC0-1.0",
        parts=tuple(Part(package=f"toy_part{n}", file="data/part.bin") for n in (1, 2, 3)),
    )
    cut = [0, 700, 1400, len(BYTES)]
    for n in (1, 2, 3):
        part = tmp_path / f"toy_part{n}" / "data" / "part.bin"
        part.parent.mkdir(parents=True)
        part.write_bytes(BYTES[cut[n - 1] : cut[n]])
    return Shelf(
        tmp_path / "data", lambda name: tmp_path / name if (tmp_path / name).is_dir() else None, {"toy": weights}
    )


def local(**fields):
    return ModelSpec(name="mine", endpoint="local", **fields)


def test_installed_parts_become_one_verified_file(toy):
    found = find(local(model="toy"), toy)
    assert found.path.read_bytes() == BYTES
    assert found.sha256 == SHA256
    assert "the installed packages toy_part1 to toy_part3" in found.sentence()


def test_second_time_the_assembled_file_is_used(toy):
    find(local(model="toy"), toy)
    found = find(local(model="toy"), toy._replace(locate=lambda _: None))
    assert "the data folder" in found.source


def test_nothing_half_written_is_left_behind(toy, tmp_path):
    (tmp_path / "toy_part2" / "data" / "part.bin").write_bytes(b"other bytes")
    with pytest.raises(InputError, match=f"expected {SHA256}, found "):
        find(local(model="toy"), toy)
    assert list((tmp_path / "data" / "weights").iterdir()) == []


def test_a_missing_part_counts_as_missing_weights(toy, tmp_path):
    (tmp_path / "toy_part3" / "data" / "part.bin").unlink()
    with pytest.raises(InputError, match="not on this machine"):
        whereabouts(local(model="toy"), toy)


@pytest.mark.parametrize(
    ("content", "model", "says"),
    [
        (BYTES, "toy", None),
        (BYTES, "", None),
        (BYTES, SHA256, None),
        (b"mine", hashlib.sha256(b"mine").hexdigest(), None),
        (b"mine", "", f"found {hashlib.sha256(b'mine').hexdigest()}"),
        (b"mine", "toy", f"expected {SHA256}, found {hashlib.sha256(b'mine').hexdigest()}"),
        (BYTES, OTHER, f"expected {OTHER}, found {SHA256}"),
        (BYTES, "toi", "No known weights are named 'toi'; did you mean 'toy'?"),
    ],
)
def test_a_given_file_must_have_the_bytes_that_are_asked_for(toy, tmp_path, content, model, says):
    file = tmp_path / "weights.gguf"
    file.write_bytes(content)
    spec = local(model=model, file=str(file))
    if says is None:
        assert find(spec, toy).path == file
        return
    with pytest.raises(InputError) as caught:
        find(spec, toy)
    assert says in str(caught.value)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(InputError, match=r"does not exist: .*nowhere\.gguf"):
        whereabouts(local(file=str(tmp_path / "nowhere.gguf")), shelf(tmp_path))


def test_missing_weights_say_how_to_get_them(tmp_path):
    with pytest.raises(InputError) as caught:
        whereabouts(local(model="gemma-3-270m-base"), Shelf(tmp_path, lambda _: None))
    assert "openassay setup local --all" in caught.value.todo


def test_too_little_room_is_said_before_anything_is_written(toy):
    huge = toy.known["toy"].model_copy(update={"size": 1 << 60})
    with pytest.raises(InputError, match="MB are free"):
        find(local(model="toy"), toy._replace(known={"toy": huge}))


def test_a_digest_is_remembered_until_the_file_changes(tmp_path):
    file, memory = tmp_path / "file", tmp_path / "memory"
    file.write_bytes(b"one")
    assert local_digest.sha256_of(file, memory) == hashlib.sha256(b"one").hexdigest()
    before = file.stat()
    file.write_bytes(b"two")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert local_digest.sha256_of(file, memory) == hashlib.sha256(b"two").hexdigest()


@pytest.mark.parametrize("note", ["", "{", "[]", '{"stamp": 1, "sha256": "0"}', "null"])
def test_a_damaged_memory_is_no_proof(tmp_path, note):
    file, memory = tmp_path / "file", tmp_path / "memory"
    file.write_bytes(b"one")
    local_digest.sha256_of(file, memory)
    next(memory.glob("*.json")).write_text(note)
    assert local_digest.sha256_of(file, memory) == hashlib.sha256(b"one").hexdigest()


def test_a_memory_that_cannot_be_written_costs_nothing_but_time(tmp_path):
    file = tmp_path / "file"
    file.write_bytes(b"one")
    assert local_digest.sha256_of(file, file / "below-a-file") == hashlib.sha256(b"one").hexdigest()


@pytest.mark.parametrize(
    ("environ", "folder"),
    [
        ({"XDG_DATA_HOME": "/srv/data"}, Path("/srv/data/openassay")),
        ({"XDG_DATA_HOME": "relative"}, Path.home() / ".local/share/openassay"),
        ({}, Path.home() / ".local/share/openassay"),
    ],
)
def test_the_data_folder_follows_the_convention(environ, folder):
    assert user_folder(environ) == folder


def test_every_known_model_can_be_named_without_a_file():
    facts = {name: (weights.developer, weights.lineage) for name, weights in KNOWN.items()}
    assert {name: (spec.developer, spec.lineage) for name, spec in ALIASES.items()} == facts


def test_the_digest_of_a_known_model_needs_no_file():
    assert wanted_sha256(local(model="smollm2-135m-instruct")) == KNOWN["smollm2-135m-instruct"].sha256
