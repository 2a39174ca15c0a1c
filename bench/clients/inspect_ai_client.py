"""The same work in inspect-ai: `eval()` over its openai-api provider, `exact()` scorer, its defaults for logs.

python inspect_ai_client.py ITEMS URL CONNECTIONS OUT
"""

import os
import sys

import inspect_ai
from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import EvalLog
from inspect_ai.scorer import CORRECT, exact
from inspect_ai.solver import generate
from meter import Meter, read_items, report


def evaluate(items: list[dict[str, str]], connections: int, out: str) -> EvalLog:
    samples = [Sample(id=item["id"], input=item["instruction"], target=item["reference"]) for item in items]
    (log,) = inspect_ai.eval(
        Task(dataset=MemoryDataset(samples), solver=generate(), scorer=exact()),
        model="openai-api/stand-in/m",
        max_connections=connections,
        max_samples=connections,
        adaptive_connections=False,
        max_tokens=16,
        log_dir=out,
        display="none",
    )
    return log


def main() -> None:
    items_path, base_url, connections, out = sys.argv[1:]
    os.environ |= {"STAND_IN_API_KEY": "none", "STAND_IN_BASE_URL": base_url}
    items = read_items(items_path)
    evaluate(items[:1], 1, out)
    meter = Meter()
    log = evaluate(items, int(connections), out)
    result = meter.result(attempts=log.results.completed_samples, version=inspect_ai.__version__)
    right = sum(sample.scores["exact"].value == CORRECT for sample in log.samples)
    report(result | {"right": right})


if __name__ == "__main__":
    main()
