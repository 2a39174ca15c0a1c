from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openassay.runs.draw import draw, units
from openassay.schema.task import Check, Task

CHECK = Check(id="answer", uses="exact", reference="1")


def pool(sizes, group_of=lambda number: ""):
    return [
        Task(
            id=f"{category}-{number}",
            category=category,
            instruction=f"{category} {number}",
            group=group_of(number),
            checks=(CHECK,),
            identity="0" * 64,
        )
        for category, size in sizes.items()
        for number in range(size)
    ]


@given(
    sizes=st.dictionaries(st.sampled_from("abc"), st.integers(1, 12), min_size=1),
    per_category=st.none() | st.integers(1, 14),
    draws=st.integers(1, 5),
    seed=st.integers(0, 2**64),
)
def test_every_draw_is_stratified_and_uses_the_pool_evenly(sizes, per_category, draws, seed):
    tasks = pool(sizes)
    chosen, _ = draw(tasks, list(sizes), per_category=per_category, draws=draws, seed=seed, salt="s")
    assert len(chosen) == draws
    for category, size in sizes.items():
        wanted = size if per_category is None else min(per_category, size)
        used = Counter()
        for one in chosen:
            mine = [task for task in one if task.startswith(f"{category}-")]
            assert len(mine) == len(set(mine)) == wanted
            used.update(mine)
        counts = [used[f"{category}-{number}"] for number in range(size)]
        assert max(counts) - min(counts) <= 1


@given(seed=st.integers(0, 2**32), salt=st.sampled_from(["x", "y"]))
def test_same_seed_same_draw(seed, salt):
    tasks = pool({"a": 20})
    first = draw(tasks, ["a"], per_category=5, draws=2, seed=seed, salt=salt)
    assert first == draw(tasks, ["a"], per_category=5, draws=2, seed=seed, salt=salt)


def test_seed_and_benchmark_both_change_the_draw():
    tasks = pool({"a": 200})
    seen = {draw(tasks, ["a"], per_category=5, draws=1, seed=seed, salt=salt)[0] for seed in (1, 2) for salt in "xy"}
    assert len(seen) == 4


def test_every_unit_is_equally_likely():
    tasks = pool({"a": 6})
    seen = Counter()
    for seed in range(1200):
        chosen, _ = draw(tasks, ["a"], per_category=2, draws=1, seed=seed, salt="s")
        seen.update(chosen[0])
    assert all(330 <= count <= 470 for count in seen.values())


def test_a_group_is_drawn_whole():
    tasks = pool({"a": 9}, group_of=lambda number: f"g{number // 3}")
    assert units(tasks, "a") == [tuple(f"a-{n}" for n in range(g, g + 3)) for g in (0, 3, 6)]
    chosen, _ = draw(tasks, ["a"], per_category=2, draws=1, seed=3, salt="s")
    assert len(chosen[0]) == 6


@pytest.mark.parametrize(
    ("per_category", "draws", "said"),
    [(None, 3, 0), (2, 2, 0), (3, 2, 1), (9, 1, 1)],
)
def test_a_pool_that_is_used_up_is_said(per_category, draws, said):
    _, notes = draw(pool({"a": 5}), ["a"], per_category=per_category, draws=draws, seed=0, salt="s")
    assert len(notes) == said
