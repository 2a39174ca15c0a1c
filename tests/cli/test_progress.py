"""What the display says, and that it is never silent for long."""

import asyncio

import pytest

from openassay.cli.progress import SILENCE_S, Display, lines
from openassay.runs.observer import ModelProgress, Progress


def snapshot(**changed):
    fields = {
        "planned": 100,
        "finished": 40,
        "scored": 38,
        "finished_now": 20,
        "seconds": 10.0,
        "in_flight": 8,
        "spent": 1_234_567,
        "cap": 2_000_000,
        "outcomes": {"answered": 19, "limit_reached": 1},
        "faults": {"rate_limited": 3},
        "models": {"small": ModelProgress(100, 40, 8, "")},
    }
    return Progress(**{**fields, **changed})


def test_rate_time_left_money_and_errors_by_kind():
    first, second = lines(snapshot())
    assert first == "40/100 attempts · 2.0/s · about 30 s left · $1.23 of $2.00 · 8 in flight"
    assert second.split() == ["answered", "19,", "limit_reached", "1", "·", "failed", "calls:", "rate_limited", "3"]


def test_what_is_waited_for_and_how_often_it_was_tried():
    waiting = {"small": ModelProgress(100, 40, 0, "rate_limited, 4 in a row, next try in 12 s")}
    assert lines(snapshot(models=waiting))[-1].strip() == (
        "waiting for small: rate_limited, 4 in a row, next try in 12 s"
    )


@pytest.mark.parametrize(("priced", "spent", "says"), [(False, 0, "price unknown"), (True, 0, "$0 of $2.00")])
def test_an_unknown_price_is_not_nothing(priced, spent, says):
    assert says in lines(snapshot(spent=spent), priced=priced)[0]


def test_escapes_from_a_server_do_not_reach_the_terminal():
    waiting = {"small": ModelProgress(1, 0, 0, "\x1b[2J[red]gone")}
    assert "\x1b" not in "".join(lines(snapshot(models=waiting)))


@pytest.mark.parametrize(("passed", "said"), [(1.0, 0), (SILENCE_S + 0.1, 1)])
async def test_a_line_at_least_every_ten_seconds_though_nothing_happens(capsys, passed, said):
    now = [0.0]
    with Display(lambda: now[0], lively=False) as display:
        talking = asyncio.create_task(display.keep_talking())
        now[0] = passed
        await asyncio.sleep(0.6)
        talking.cancel()
        await asyncio.gather(talking, return_exceptions=True)
    assert SILENCE_S < 10
    assert len(capsys.readouterr().err.splitlines()) == said
