import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from openassay.runs import journal
from openassay.runs.books import read_money
from openassay.runs.budget import Budget, Reserved, Settled, replay
from openassay.schema.attempt import Reservation, Settlement


def reserve(call, upper, model="m"):
    return Reserved(call, model, upper, 0)


def settle(call, cost):
    return Settled(call, cost)


def test_what_was_never_settled_counts_at_its_upper_bound():
    budget = replay([reserve("1-1", 50), settle("1-1", 20), reserve("1-2", 50)], cap=100)
    assert budget.spent == 70
    assert budget.fits(30)
    assert not budget.fits(31)


def test_a_settlement_counts_once():
    budget = Budget(None)
    budget.reserve(reserve("1-1", 50))
    budget.settle(settle("1-1", 20))
    budget.settle(settle("1-1", 20))
    assert budget.spent == 20


def test_a_model_that_charges_more_than_its_bound_gets_larger_bounds():
    budget = Budget(1000)
    budget.reserve(reserve("1-1", 10))
    budget.settle(settle("1-1", 100))
    assert budget.bound("m", 10) == 100
    assert budget.bound("other", 10) == 10


def test_calls_in_flight_together_do_not_multiply_the_factor():
    budget = Budget(None)
    for number in range(5):
        budget.reserve(reserve(f"1-{number}", 10))
    for number in range(5):
        budget.settle(settle(f"1-{number}", 100))
    assert budget.bound("m", 10) == 100


@given(st.lists(st.tuples(st.integers(0, 100), st.none() | st.integers(0, 100)), max_size=30))
def test_replay_never_forgets_money(calls):
    lines = []
    for number, (upper, cost) in enumerate(calls):
        lines.append(reserve(f"1-{number}", upper))
        if cost is not None:
            lines.append(settle(f"1-{number}", cost))
    expected = sum(upper if cost is None else cost for upper, cost in calls)
    assert replay(lines, None).spent == expected


NAMES = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,20}", fullmatch=True)
RESERVATIONS = st.builds(
    Reservation,
    kind=st.just("reserve"),
    call=st.from_regex(r"[0-9]+-[0-9]+", fullmatch=True),
    model=NAMES,
    purpose=st.sampled_from(["attempt", "judge", "preflight"]),
    cell=st.just("") | st.builds("{}/{}/0/1".format, NAMES, NAMES),
    upper=st.integers(0, 10**12),
    plain=st.integers(0, 10**12),
    at_ms=st.integers(0, 10**13),
)
SETTLEMENTS = st.builds(
    Settlement,
    kind=st.just("settle"),
    call=st.from_regex(r"[0-9]+-[0-9]+", fullmatch=True),
    cost=st.integers(0, 10**12),
    detail=st.text(max_size=30),
    took_ms=st.integers(0, 10**6),
)


@given(st.lists(RESERVATIONS | SETTLEMENTS, max_size=20))
def test_money_is_read_from_the_beginning_of_a_line_as_from_the_whole(lines):
    with tempfile.TemporaryDirectory() as folder:
        writer = journal.Writer(journal.segment(Path(folder), "calls", 1))
        for line in lines:
            writer.append(journal.sealed(line))
        writer.close()
        expected = [Reserved.of(line) if isinstance(line, Reservation) else Settled.of(line) for line in lines]
        assert list(read_money(Path(folder))) == expected
