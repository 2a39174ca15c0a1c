"""From what a probe found to a finding: shared by the scorers whose work is done in a sandbox.

Not here: running anything. A probe that did not run is our own fault, never a verdict on the answer.
"""

from openassay.schema.errors import ScorerError
from openassay.schema.evidence import Evidence
from openassay.schema.sandbox import ProbeResult
from openassay.scorers.finding import Finding, shown

STOPPED = {
    "exit": "",
    "wall": "timed_out",
    "cpu": "timed_out",
    "memory": "memory",
    "output": "output",
    "result": "output",
}
"""Why a sandbox ended a command -> `Verdict.ended`."""
_DETAILS = 3
_REASON_CHARS = 400


def finding(evidence: Evidence) -> Finding:
    """The finding of the check whose probe this evidence holds.

    Raises:
        ScorerError: there is no probe, or it did not run.
    """
    probe = evidence.probe
    if probe is None:
        raise ScorerError("the answer was not run, so there is nothing to score", todo="score it with a sandbox")
    if not probe.ran or (probe.passed is None and not probe.malformed):
        raise ScorerError(f"the answer could not be run: {probe.reason}", todo="mend the task's files or the sandbox")
    return Finding(
        result="pass" if probe.passed else "fail",
        reason=_reason(probe),
        value=probe.value,
        malformed=probe.malformed,
        ended=STOPPED[probe.ended],
        flags=probe.flags,
        sandbox=probe.sandbox,
    )


def _reason(probe: ProbeResult) -> str:
    """One line; what the code itself said is quoted."""
    details = "; ".join(shown(line, 120) for line in probe.details[:_DETAILS])
    return f"{probe.reason}{': ' if details else ''}{details}"[:_REASON_CHARS]
