import asyncio

import pytest

from openassay.runs.lanes import Lane
from openassay.schema.errors import EndpointError, FaultKind
from openassay.schema.plan import RetryRule


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def lane_of(clock, width=8, **rule):
    return Lane(width, RetryRule(**rule), clock, lambda: 1.0)


def fault(kind=FaultKind.RATE_LIMITED, retry_after=None):
    return EndpointError(kind, "slow down", retry_after=retry_after)


async def enters(lane):
    task = asyncio.create_task(lane.enter())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    done = task.done()
    if not done:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    return done


async def test_no_more_than_its_width_enter(clock):
    lane = lane_of(clock, width=2)
    assert [await enters(lane) for _ in range(3)] == [True, True, False]
    lane.leave()
    assert await enters(lane)


async def test_a_fault_halves_the_width_and_good_replies_widen_it(clock):
    lane = lane_of(clock, width=8, first_wait_ms=0)
    lane.bad(fault())
    lane.bad(fault())
    assert [await enters(lane) for _ in range(3)] == [True, True, False]
    for _ in range(4):
        lane.good()
    assert await enters(lane)


async def test_retry_after_is_obeyed(clock):
    lane = lane_of(clock)
    lane.bad(fault(retry_after=7))
    assert not await enters(lane)
    assert "next try in 7 s" in lane.waiting()
    clock.now += 7
    assert await enters(lane)


def test_a_lane_without_a_good_reply_dies(clock):
    lane = lane_of(clock, dead_after_s=60)
    lane.bad(fault(FaultKind.CONNECTION_REFUSED))
    clock.now += 59
    assert not lane.dead()
    clock.now += 1
    assert lane.dead()
    lane.good()
    assert not lane.dead()


async def test_no_pause_goes_past_the_moment_of_giving_up(clock):
    lane = lane_of(clock, dead_after_s=60, first_wait_ms=30_000)
    lane.bad(fault(FaultKind.CONNECTION_REFUSED))
    clock.now += 55
    lane.bad(fault(FaultKind.CONNECTION_REFUSED))
    clock.now += 5
    assert await enters(lane)
    assert lane.dead()


def test_a_wait_that_the_server_asked_for_is_not_death(clock):
    lane = lane_of(clock, dead_after_s=60)
    lane.bad(fault(retry_after=90))
    clock.now += 91
    assert not lane.dead()


def test_too_long_a_wait_is_said(clock):
    lane = lane_of(clock, longest_wait_ms=30_000)
    lane.bad(fault(retry_after=3600))
    assert lane.waits_too_long()


async def test_a_cancelled_waiter_takes_no_place(clock):
    lane = lane_of(clock, width=1)
    await lane.enter()
    assert not await enters(lane)
    lane.leave()
    assert await enters(lane)
