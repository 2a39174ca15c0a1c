"""Runs a program of the benchmark's own over an answer and reads the verdicts that it writes.

The program is the benchmark's, in a sandbox because a benchmark may come from anybody. It finds the whole task folder
but `solution/`, and the answer as a file. That it writes no verdict is its own fault, never the answer's.
"""

from typing import Any

from openassay.probes import work
from openassay.probes.code import last_block
from openassay.probes.work import Files
from openassay.sandbox.sandbox import Sandbox
from openassay.schema.canonical import thaw
from openassay.schema.checks import CommandOptions
from openassay.schema.record import MILLION
from openassay.schema.sandbox import Job, ProbeResult, Ran
from openassay.schema.task import Check, Task

LARGEST = 2_000_000
"""Bytes of an answer."""
_TOLD = 5
_SHOWN = ("environment/", "hidden/")


def probe(task: Task, check: Check, answer: str, files: Files, sandbox: Sandbox) -> ProbeResult:
    """What the program says of an answer; see `python.probe` for the arguments."""
    options = CommandOptions.model_validate(thaw(dict(check.options)))
    text = (last_block(answer) if options.fence else answer).encode("utf-8", "replace")
    if len(text) > LARGEST:
        return work.malformed(f"the answer has {len(text)} bytes, more than {LARGEST}", sandbox.guarantees())
    tree = {entry.path: files(entry.path) for entry in task.files if entry.path.startswith(_SHOWN)}
    job = Job(
        argv=options.run,
        files={**work.environment(task, files), **tree, options.answer: text},
        environment={"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"},
        limits=work.limits(options.seconds, options.memory_mb),
    )
    return _read(sandbox.run(job), options)


def _read(ran: Ran, options: CommandOptions) -> ProbeResult:
    if ran.ended != "exit" or ran.exit_code != 0:
        ended = work.STOPS[ran.ended] if ran.ended != "exit" else f"exit code {ran.exit_code}"
        return work.not_ran(f"the check's own program failed ({ended}): {ran.output.strip()[-200:]}", ran)
    rows = work.lines(ran)
    if not rows or not all(map(_is_verdict, rows)) or not sum(row.get("weight", 1) for row in rows):
        return work.not_ran('the check\'s own program wrote no verdict such as {"pass": true, "reason": "..."}', ran)
    total = sum(row.get("weight", 1) for row in rows)
    share = sum(row.get("weight", 1) for row in rows if row["pass"]) / total
    failed = [str(row.get("reason", "")) for row in rows if not row["pass"]]
    told = failed or [str(row.get("reason", "")) for row in rows]
    return ProbeResult(
        ran=True,
        passed=share >= options.min_share,
        malformed=any(row.get("malformed") is True and not row["pass"] for row in rows),
        reason=f"{len(rows) - len(failed)} of {len(rows)} hold" if len(rows) > 1 else "the check's program says",
        value=int(share * MILLION),
        sandbox=ran.guarantees.words(),
        details=tuple(one[:200] for one in told[:_TOLD] if one),
    )


def _is_verdict(row: dict[str, Any]) -> bool:
    weight = row.get("weight", 1)
    fits = isinstance(weight, int) and not isinstance(weight, bool) and 0 <= weight <= 1000  # noqa: PLR2004  # as in a checklist
    return isinstance(row.get("pass"), bool) and fits
