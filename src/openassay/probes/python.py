"""Runs a Python answer against hidden cases or hidden tests in a sandbox and says what came of it.

Not here: what the answer's code is (`code`), which calls are made (`by_cases`), how tests are run (`by_tests`).
"""

from openassay.probes import by_cases, by_tests, scan, work
from openassay.probes.code import defined_names, python_code
from openassay.probes.work import Files, Place
from openassay.sandbox.sandbox import Sandbox
from openassay.schema.canonical import thaw
from openassay.schema.checks import PythonOptions
from openassay.schema.errors import InputError
from openassay.schema.sandbox import ProbeResult
from openassay.schema.task import Check, Task


def probe(task: Task, check: Check, answer: str, files: Files, sandbox: Sandbox) -> ProbeResult:
    """What the check's cases or tests say of an answer.

    Args:
        task: with its files.
        check: one that uses `python`.
        answer: the whole text that the model left.
        files: the task's own files.
        sandbox: where everything runs.

    Raises:
        SandboxError: the sandbox failed.
    """
    options = PythonOptions.model_validate(thaw(dict(check.options)))
    try:
        code = python_code(answer, options.function, _likely(options, task, files))
        if not code.text:
            return work.malformed(code.why, sandbox.guarantees())
        place = Place.of(options)
        tree = {**work.environment(task, files), place.path: code.text.encode("utf-8", "replace")}
        held = by_tests.probe if options.tests else by_cases.probe
        found = held(task, options, files, tree, sandbox)
    except InputError as fault:
        return work.not_ran(f"{fault.what} ({fault.where})")
    return found.model_copy(update={"flags": scan.flags(code.text)})


def _likely(options: PythonOptions, task: Task, files: Files) -> frozenset[str]:
    """What the file that the answer replaces defines."""
    if not options.file:
        return frozenset()
    path = options.file if options.file.startswith(work.ENVIRONMENT) else f"{work.ENVIRONMENT}{options.file}"
    return defined_names(work.hidden(task, files, path).decode("utf-8", "replace"))
