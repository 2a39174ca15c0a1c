import asyncio
import threading

import pytest

from openassay.models.faults import RULES
from openassay.models.manual import ManualModel, export_prompts, read_answers
from openassay.schema.attempt import Outcome
from openassay.schema.errors import EndpointError, InputError
from openassay.schema.message import ModelRequest, user

ASK = ModelRequest(messages=(user("Capital of France?"),))
KEYS = ("chat/sum-1/0/0", "chat/sum-2/0/0")


async def test_the_person_sees_the_prompt_and_the_answer_is_kept_as_pasted():
    shown = []
    model = ManualModel(lambda prompt: shown.append(prompt) or " Paris\n")
    assert (await model.generate(ASK)).text == " Paris\n"
    assert shown == ["Capital of France?"]


async def test_prompts_are_shown_one_at_a_time():
    open_now, most = 0, 0

    def ask(prompt):
        nonlocal open_now, most
        open_now += 1
        most = max(most, open_now)
        open_now -= 1
        return "x"

    model = ManualModel(ask)
    await asyncio.gather(*(model.generate(ASK) for _ in range(10)))
    assert most == 1


async def test_a_person_who_never_answers_does_not_hold_the_program():
    waiting = threading.Event()
    call = asyncio.ensure_future(ManualModel(lambda prompt: str(waiting.wait())).generate(ASK))
    await asyncio.sleep(0.01)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    waiting.set()


async def test_what_the_asking_raises_is_raised():
    def ask(prompt):
        raise InputError("broken terminal")

    with pytest.raises(InputError, match="broken terminal"):
        await ManualModel(ask).generate(ASK)


async def test_no_answer_yet_is_a_fault_that_leaves_the_cell_open():
    with pytest.raises(EndpointError, match="no answer") as caught:
        await ManualModel(lambda prompt: None).generate(ASK)
    rule = RULES[caught.value.kind]
    assert (rule.outcome, rule.retried, rule.stops_run) == (Outcome.INFRASTRUCTURE_ERROR, False, False)


def answers(tmp_path, text, known=KEYS):
    path = tmp_path / "answers.csv"
    path.write_text(text, encoding="utf-8")
    return read_answers(path, known)


def test_exported_prompts_come_back_with_answers(tmp_path):
    path = tmp_path / "prompts.csv"
    assert export_prompts([(KEYS[0], "How much?\nGive “€”."), (KEYS[1], "Why?")], path) == 2
    assert read_answers(path, KEYS) == {}
    filled = path.read_text(encoding="utf-8-sig").replace("Why?,", 'Why?,"Because,\nso"')
    assert answers(tmp_path, filled) == {KEYS[1]: "Because,\nso"}


@pytest.mark.parametrize("prompt", ["=1+1", "+1", "-1", "@x", "\t=1"])
def test_no_exported_cell_opens_like_a_formula(tmp_path, prompt):
    path = tmp_path / "prompts.csv"
    export_prompts([(KEYS[0], prompt)], path)
    assert f",'{prompt}" in path.read_text(encoding="utf-8-sig").replace('"', "")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("cell,answer\nchat/sum-9/0/0,x\n", "row 2: unknown cell 'chat/sum-9/0/0'; did you mean 'chat/sum-"),
        ("cell,answer\nchat/sum-1/0/0,x\nchat/sum-1/0/0,y\n", "row 3: the cell 'chat/sum-1/0/0' stands in row 2"),
        ("cell|answer\nchat/sum-1/0/0|x\n", "expected the columns `cell` and `answer`, found: cell|answer"),
        ("", "found: none"),
        ("cell,answer\n" + "nope,x\n" * 9, "and 6 more"),
    ],
)
def test_a_wrong_answers_file_names_the_row(tmp_path, text, words):
    with pytest.raises(InputError) as caught:
        answers(tmp_path, text)
    assert words in caught.value.what


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16"])
def test_a_file_that_is_not_utf_8(tmp_path, encoding):
    path = tmp_path / "answers.csv"
    path.write_bytes("cell,answer\nchat/sum-1/0/0,Grüße\n".encode(encoding))
    with pytest.raises(InputError, match="UTF-8") as caught:
        read_answers(path, KEYS)
    assert "CSV UTF-8" in caught.value.todo


@pytest.mark.parametrize("mark", [",", ";", "\t"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_file_as_any_spreadsheet_writes_it(tmp_path, mark, bom, end):
    rows = [("cell", "prompt", "answer"), (KEYS[0], "Why, oh; why?", "So, and; so")]
    text = end.join(mark.join(f'"{cell}"' for cell in row) for row in rows)
    assert answers(tmp_path, bom + text + end) == {KEYS[0]: "So, and; so"}


def test_an_export_never_touches_a_file_that_is_there(tmp_path):
    path = tmp_path / "prompts.csv"
    path.write_text("an hour of work")
    with pytest.raises(InputError) as caught:
        export_prompts([(KEYS[0], "Why?")], path)
    assert "--answers" in caught.value.todo
    assert path.read_text() == "an hour of work"
