"""The same work in lm-eval: `simple_evaluate()` over local-chat-completions, exact match, samples logged.

`tokenizer_backend=none` and `tokenized_requests=False`: otherwise it would fetch a tokenizer. Its evaluation ends with
the samples in memory; they are written out as its command line does with `--log_samples`.

    python lm_eval_client.py ITEMS URL CONNECTIONS OUT
"""

import json
import os
import sys
from importlib.metadata import version
from pathlib import Path

import lm_eval
from lm_eval.tasks import TaskManager
from meter import Meter, report


def task(items_path: str, name: str) -> dict[str, object]:
    return {
        "task": name,
        "dataset_path": "json",
        "dataset_kwargs": {"data_files": {"test": items_path}},
        "test_split": "test",
        "output_type": "generate_until",
        "doc_to_text": "{{instruction}}",
        "doc_to_target": "{{reference}}",
        "generation_kwargs": {"until": ["\n\n"], "max_gen_toks": 16, "temperature": 0},
        "metric_list": [{"metric": "exact_match", "aggregation": "mean", "higher_is_better": True}],
    }


def evaluate(
    items_path: str, url: str, connections: int, out: Path, limit: int | None, manager: TaskManager
) -> dict[str, object]:
    result = lm_eval.simple_evaluate(
        model="local-chat-completions",
        model_args={
            "model": "m",
            "base_url": url,
            "num_concurrent": connections,
            "tokenizer_backend": "none",
            "tokenized_requests": False,
        },
        tasks=[task(items_path, "repeat")],
        limit=limit,
        apply_chat_template=True,
        bootstrap_iters=0,
        task_manager=manager,
    )
    with (out / "samples.jsonl").open("w", encoding="utf-8") as lines:
        lines.writelines(json.dumps(sample, default=str) + "\n" for sample in result["samples"]["repeat"])
    return result


def main() -> None:
    items_path, base_url, connections, out_path = sys.argv[1:]
    os.environ |= {"OPENAI_API_KEY": "none", "HF_HUB_OFFLINE": "1", "TQDM_DISABLE": "1"}
    url, out = base_url + "/chat/completions", Path(out_path)
    os.environ["HF_HOME"] = str(out / "hf")
    manager = TaskManager()  # reads its thousands of task files: start-up
    evaluate(items_path, url, 1, out, 1, manager)
    meter = Meter()
    result = evaluate(items_path, url, int(connections), out, None, manager)
    samples = result["samples"]["repeat"]
    measured = meter.result(attempts=len(samples), version=version("lm-eval"))
    right = sum(int(sample["exact_match"]) for sample in samples)
    report(measured | {"right": right})


if __name__ == "__main__":
    main()
