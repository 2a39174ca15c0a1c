"""`written_tests`: the answer is a file of tests that right code passes and wrong code fails.

The tests are run three times against the right code, once against each wrong version, and six times more against the
right code among those, in an order drawn anew: every run against it must give the same. The share of wrong versions
that they fail is the value. They reach the code through stand-ins and cannot read it, so that only what it does can
tell right from wrong. Tests that never fail, or are not there, pass nothing.
"""

from openassay.schema.checks import WrittenTestsOptions
from openassay.schema.evidence import Evidence
from openassay.schema.record import Json
from openassay.scorers.finding import Finding
from openassay.scorers.probed import finding


def score(_reference: Json, _options: WrittenTestsOptions, evidence: Evidence) -> Finding:
    return finding(evidence)
