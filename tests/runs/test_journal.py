import os
import stat
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openassay.runs import journal
from openassay.runs.objects import Objects
from openassay.schema.errors import RunFolderError
from openassay.schema.message import ModelReply, Usage

texts = st.text(max_size=200)


@given(texts)
def test_what_is_sealed_opens_again(text):
    record = ModelReply(text=text, finish="stop")
    line = journal.sealed(record)
    assert line.count(b"\n") == 1
    assert ModelReply.model_validate_json(journal.opened(line)) == record


@given(texts, st.data())
def test_any_changed_byte_is_noticed(text, data):
    line = bytearray(journal.sealed(ModelReply(text=text, finish="stop")))
    place = data.draw(st.integers(0, len(line) - 1))
    line[place] ^= data.draw(st.integers(1, 255))
    found = journal.opened(bytes(line))
    assert found is None or bytes(line).lower() == journal.sealed(ModelReply(text=text, finish="stop")).lower()


def segment_with(tmp_path: Path, lines: int) -> Path:
    path = journal.segment(tmp_path, "attempts", 1)
    writer = journal.Writer(path)
    for number in range(lines):
        writer.append(journal.sealed(Usage(tokens_in=number)))
    writer.close()
    return path


@pytest.mark.parametrize("cut", range(1, 33, 3))
def test_a_line_torn_at_any_byte_is_ignored_then_repaired(tmp_path, cut):
    path = segment_with(tmp_path, 3)
    whole = path.read_bytes()
    path.write_bytes(whole + journal.sealed(Usage(tokens_in=9))[:cut])
    assert len(list(journal.read(tmp_path, "attempts"))) == 3
    assert journal.repair(tmp_path) == [
        f"attempts-0001.jsonl: cut off {cut} bytes of a line that was being written when the run died"
    ]
    assert path.read_bytes() == whole
    assert journal.repair(tmp_path) == []


def test_damage_before_the_last_line_is_an_error_that_names_the_line(tmp_path):
    path = segment_with(tmp_path, 3)
    path.write_bytes(path.read_bytes().replace(b'"tokens_in":1', b'"tokens_in":7'))
    with pytest.raises(RunFolderError) as caught:
        list(journal.read(tmp_path, "attempts"))
    assert caught.value.where == f"{path}:2"


def test_segments_are_read_in_the_order_of_their_numbers(tmp_path):
    for number in (10, 9, 100):
        writer = journal.Writer(journal.segment(tmp_path, "attempts", number))
        writer.append(journal.sealed(Usage(tokens_in=number)))
        writer.close()
    found = [Usage.model_validate_json(line.body).tokens_in for line in journal.read(tmp_path, "attempts")]
    assert found == [9, 10, 100]
    assert journal.next_number(tmp_path) == 101


def test_a_segment_is_never_opened_twice_and_an_empty_one_leaves_no_file(tmp_path):
    path = segment_with(tmp_path, 1)
    with pytest.raises(FileExistsError):
        journal.Writer(path)
    empty = journal.segment(tmp_path, "calls", 2)
    journal.Writer(empty).close()
    assert not empty.exists()


def test_a_full_disk_leaves_only_whole_lines(tmp_path):
    import resource
    import signal

    path = journal.segment(tmp_path, "attempts", 1)
    writer = journal.Writer(path)
    line = journal.sealed(Usage(tokens_in=1))
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(line) * 2 + 5, old[1]))
        writer.append(line)
        writer.append(line)
        with pytest.raises(RunFolderError, match="journal cannot be written"):
            writer.append(line)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
        signal.signal(signal.SIGXFSZ, ignored)
    assert path.read_bytes() == line * 2
    writer.close()


def test_a_line_can_be_read_again_from_its_place(tmp_path):
    segment_with(tmp_path, 3)
    for line in journal.read(tmp_path, "attempts"):
        assert journal.line_at(line.path, line.offset) == line.body


def test_the_checksum_is_crc32_of_what_stands_before_it():
    line = journal.sealed(Usage(tokens_in=3))
    head, _, tail = line.partition(b',"sum":"')
    assert tail == b'%08x"}\n' % zlib.crc32(head)
    assert os.linesep not in head.decode()


def test_objects_are_their_owners_alone_whatever_the_umask_says(tmp_path):
    before = os.umask(0)
    try:
        name = Objects(tmp_path / "objects").put(b"private")
    finally:
        os.umask(before)
    place = tmp_path / "objects" / name[:2] / name
    assert [stat.S_IMODE(path.stat().st_mode) for path in (place, place.parent, place.parent.parent)] == [
        0o600,
        0o700,
        0o700,
    ]
