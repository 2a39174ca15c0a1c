"""What a report costs: a million results summarised, all pairs of a hundred models, ten million results counted.

Every figure is of its own process, so that memory is that of the step alone; each is taken `--repetitions` times and
the median printed, beside CPU seconds, which a busy machine inflates less. Data are drawn from a fixed seed.

    bench/stats.py               # everything, about two minutes
    bench/stats.py --only pairs  # one of: report, pairs, count, page

Needs statsmodels for the loop that the pairs are compared with (requirements/dev.txt). Exit code 1 where a target is
missed.
"""

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

SEED = 5
LOOPED = 40
"""Pairs that the loop really computes; its time for all of them is extrapolated."""

Figures = dict[str, float]


class Target(NamedTuple):
    text: str
    step: str
    figure: str
    bound: float
    at_most: bool = True

    def met(self, measured: float) -> bool:
        return measured <= self.bound if self.at_most else measured >= self.bound


TARGETS = (
    Target("1e6 results (20 x 5,000 x 10): Parquet to a whole report, s", "report", "wall", 3),
    Target("4,950 pairs of 100 models on 10,000 items, s", "pairs", "wall", 2),
    Target("the same, times faster than a pandas + statsmodels loop", "pairs", "faster", 50, at_most=False),
    Target("1e7 results (100 x 10,000 x 10) counted from Parquet, s", "count", "wall", 3),
    Target("the same, peak MB", "count", "peak", 2000),
    Target("page of 25 x 500 results, MB", "page", "mb", 10),
)


def chances(models: int, items: int) -> Any:
    """Models x items: how likely a model is to pass."""
    import numpy as np

    chance = np.random.default_rng(SEED)
    ability, difficulty = np.linspace(-0.5, 1.5, models)[:, None], chance.normal(0, 1.5, items)
    return 1 / (1 + np.exp(difficulty - ability + chance.normal(0, 0.5, (models, items))))


def write_table(path: Path, models: int, items: int, attempts: int) -> None:
    """A table as others publish them: one row a result, names in full."""
    import numpy as np
    import polars as pl

    attempt, item, model = np.indices((attempts, items, models), dtype=np.int32)
    passed = np.random.default_rng(SEED).random(attempt.shape) < chances(models, items).T
    pl.DataFrame(
        {
            "model": pl.Series([f"model-{number:03}" for number in range(models)])[model.ravel()],
            "item": pl.Series([f"item-{number:05}" for number in range(items)])[item.ravel()],
            "attempt": attempt.ravel() + 1,
            "score": passed.ravel().astype(np.int64),
        }
    ).write_parquet(path)


def imported(folder: Path, models: int, items: int, attempts: int) -> tuple[Path, float]:
    """A run folder of such a table, and the seconds that `openassay import` took."""
    from openassay.runs.import_cells import ImportOptions, import_cells

    write_table(folder / "table.parquet", models, items, attempts)
    began = time.perf_counter()
    made = import_cells(folder / "table.parquet", ImportOptions(), folder)
    return made.folder.path, time.perf_counter() - began


class Clock(NamedTuple):
    wall: float
    cpu: float

    @classmethod
    def now(cls) -> "Clock":
        return cls(time.perf_counter(), time.process_time())

    def since(self, name: str = "") -> Figures:
        return {f"{name}wall": time.perf_counter() - self.wall, f"{name}cpu": time.process_time() - self.cpu}


def prepare_report(folder: Path) -> Figures:
    run, seconds = imported(folder, 20, 5_000, 10)
    (folder / "run").write_text(str(run))
    return {"import": seconds}


def report(folder: Path) -> Figures:
    """From the run folder to `report --json`'s records: rates, pass^k, pairs, rank sets, variance shares, items."""
    from openassay.reports.summary import summarise
    from openassay.runs.folder import open_run

    import_what_is_late()
    began = Clock.now()
    summary = summarise([open_run(Path((folder / "run").read_text()))])
    taken = began.since()
    assert len(summary.results) == 20  # noqa: S101
    assert len(summary.pairs) == 190  # noqa: S101
    assert len(summary.items) == 5_000  # noqa: S101
    assert summary.ranks  # noqa: S101
    assert summary.results[0].variance  # noqa: S101
    assert len(summary.results[0].pass_hat_k_intervals) == 10  # noqa: S101
    began = Clock.now()
    size = len(summary.model_dump_json())
    return {**taken, **began.since("json "), "json mb": size / 1e6}


def import_what_is_late() -> None:
    """What is imported inside functions, for the time of a step is not that of loading libraries."""
    import polars as pl
    import scipy.special  # noqa: F401

    pl.DataFrame({"a": [1]}).lazy().collect()


def prepare_pairs(folder: Path) -> Figures:
    import numpy as np

    passed = np.random.default_rng(SEED).random((100, 10_000)) < chances(100, 10_000)
    np.save(folder / "passed.npy", passed.astype(np.float64))
    return {}


def pairs(folder: Path) -> Figures:
    """The difference, interval, p and its correction, verdict, and gap that could be shown, of every pair."""
    import numpy as np

    from openassay.stats import all_pairs

    import_what_is_late()
    passed = np.load(folder / "passed.npy")
    began = Clock.now()
    found = all_pairs(passed)
    taken = began.since()
    _looped(passed[0], passed[1], found.pair(0, 1).wins)  # imports
    began = Clock.now()
    for first in range(LOOPED):
        _looped(passed[first], passed[first + 1], found.pair(first, first + 1).wins)
    scale = len(found.pairs) / LOOPED
    loop = {name: value * scale for name, value in began.since("loop ").items()}
    return {**taken, **loop, "faster": loop["loop wall"] / taken["wall"]}


def _looped(a: Any, b: Any, wins: int) -> None:
    """One pair as one would write it down: the fourfold table, McNemar's test, and an interval of the difference."""
    import pandas as pd
    from statsmodels.stats.contingency_tables import mcnemar
    from statsmodels.stats.weightstats import DescrStatsW

    frame = pd.DataFrame({"a": a.astype(int), "b": b.astype(int)})
    table = pd.crosstab(frame["a"], frame["b"])
    mcnemar(table, exact=True)
    DescrStatsW(frame["a"] - frame["b"]).tconfint_mean()
    assert int(table.loc[1, 0]) == wins  # noqa: S101


def prepare_count(folder: Path) -> Figures:
    """The cells of an imported run, written as `runs.imported` holds them."""
    import numpy as np
    import polars as pl

    shape = (10, 10_000, 100)
    attempt, item, model = (axis.ravel() for axis in np.indices(shape, dtype=np.uint32))
    passed = np.random.default_rng(SEED).random(shape, dtype=np.float32) < chances(100, 10_000).T
    score = passed.ravel().astype(np.int64) * 1_000_000
    frame = pl.DataFrame({"model": model, "item": item, "attempt": attempt, "score": score})
    unknown = [pl.lit(None, dtype=pl.Int64).alias(name) for name in ("cost", "tokens_in", "tokens_out")]
    day = pl.lit(None, dtype=pl.Int32).alias("day")
    frame.with_columns(*unknown, day).write_parquet(folder / "cells.parquet", compression="zstd", statistics=False)
    return {}


def count(folder: Path) -> Figures:
    """Read and counted for each model and item."""
    import polars as pl

    from openassay.reports.columnar import aggregated

    import_what_is_late()
    began = Clock.now()
    found = aggregated(pl.read_parquet(folder / "cells.parquet"), 100, 10_000)
    taken = began.since()
    assert found.cells.sum() == 10_000_000  # noqa: S101
    assert found.score.sum() == found.passed.sum() * 1_000_000  # noqa: S101
    return taken


def prepare_page(folder: Path) -> Figures:
    run, seconds = imported(folder, 25, 500, 1)
    (folder / "run").write_text(str(run))
    return {"import": seconds}


def page(folder: Path) -> Figures:
    """The HTML report of a whole board."""
    from openassay.reports import folders
    from openassay.reports.html import render
    from openassay.reports.summary import summarise
    from openassay.runs.folder import open_run

    run = open_run(Path((folder / "run").read_text()))
    summary = summarise([run])
    began = Clock.now()
    html = "".join(render(summary, folders.opened([run], summary, "owner"), "owner"))
    return {**began.since(), "mb": len(html.encode()) / 1e6}


STEPS: dict[str, tuple[Callable[[Path], Figures], Callable[[Path], Figures]]] = {
    "report": (prepare_report, report),
    "pairs": (prepare_pairs, pairs),
    "count": (prepare_count, count),
    "page": (prepare_page, page),
}


def peak_mb() -> float:
    """Most memory that this process ever held."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) / 1024


def in_process(step: str, part: str, folder: Path) -> Figures:
    """One part of a step in a Python of its own."""
    command = [sys.executable, __file__, "--step", step, "--part", part, "--folder", str(folder)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: Figures = json.loads(done.stdout.splitlines()[-1])
    return found


def measured(step: str, repetitions: int) -> Figures:
    """Medians over repetitions."""
    with tempfile.TemporaryDirectory(prefix="openassay-bench-") as made:
        before = in_process(step, "prepare", Path(made))
        taken = [in_process(step, "measure", Path(made)) for _ in range(repetitions)]
    before.pop("peak")
    medians = {name: statistics.median(one[name] for one in taken) for name in taken[0]}
    return {**before, **medians, "fastest": min(one["wall"] for one in taken)}


def machine() -> str:
    began = Clock.now()
    sum(number * number for number in range(1_000_000))
    taken = began.since()
    return (
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, Python {platform.python_version()}, "
        f"a fixed loop takes {taken['cpu']:.2f} s CPU, {taken['wall']:.2f} s wall"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=STEPS, action="append", help="repeat it for several")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--step", choices=STEPS, help=argparse.SUPPRESS)
    parser.add_argument("--part", choices=["prepare", "measure"], help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.step:
        print(json.dumps({**STEPS[given.step][given.part == "measure"](given.folder), "peak": peak_mb()}))
        return 0
    print(machine())
    found = {}
    for step in given.only or STEPS:
        found[step] = measured(step, given.repetitions)
        print(f"{step:7}", ", ".join(f"{name} {value:,.3g}" for name, value in found[step].items()), flush=True)
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return verdicts(found)


def verdicts(found: dict[str, Figures]) -> int:
    missed = 0
    for target in TARGETS:
        if target.step in found:
            value = found[target.step][target.figure]
            missed += not target.met(value)
            sign = "<=" if target.at_most else ">="
            said = "met   " if target.met(value) else "MISSED"
            print(f"{said} {target.text}: {value:,.3g} ({sign} {target.bound:,g})")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
