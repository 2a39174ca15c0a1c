"""`python`: the answer is Python code that does what hidden cases or hidden tests demand, run in a sandbox.

What is taken: the one fenced block; of several, the last that defines the function asked for, else the longest; without
a fence, the whole text where it is Python. Nothing that can be run is *malformed*.

`cases` is data: the answer's function is called in a process that knows no expected value, and what it gives is copied
to plain values and compared outside. `tests` are functions with `assert`; they run in one process and the answer in
another, which they reach through stand-ins, so that code under test can change neither the tests nor their outcome.
Both count only when every expected case or test has run. Time-outs and other limits are a fail, told apart.
"""

from openassay.schema.checks import PythonOptions
from openassay.schema.evidence import Evidence
from openassay.schema.record import Json
from openassay.scorers.finding import Finding
from openassay.scorers.probed import finding


def score(_reference: Json, _options: PythonOptions, evidence: Evidence) -> Finding:
    return finding(evidence)
