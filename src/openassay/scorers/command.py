"""`command`: a program of yours reads the answer as a file and writes its verdicts, in a sandbox.

The program stands in the task's `hidden/` folder, in any language that the sandbox has. It writes lines such as
``{"pass": true, "reason": "three of three rules hold", "weight": 2}`` to the file descriptor that the environment
variable ``RESULT_FD`` names. Without a readable line, or with an exit code other than 0, it did not work: our fault, a
`scorer_error`. See [a check of your own](../own-checks.md).
"""

from openassay.schema.checks import CommandOptions
from openassay.schema.evidence import Evidence
from openassay.schema.record import Json
from openassay.scorers.finding import Finding
from openassay.scorers.probed import finding


def score(_reference: Json, _options: CommandOptions, evidence: Evidence) -> Finding:
    return finding(evidence)
