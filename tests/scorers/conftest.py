import hashlib

import pytest

from openassay.schema.canonical import freeze
from openassay.schema.evidence import Evidence
from openassay.schema.task import Check, Material, Task
from openassay.scorers.script import score_check


@pytest.fixture
def verdict_of():
    def score(uses, reference, answer, *, materials=(), siblings=(), **options):
        check = Check(id="c", uses=uses, reference=freeze(reference), options=freeze(options))
        texts = tuple(Material(name="m", text=t, sha256=hashlib.sha256(t.encode()).hexdigest()) for t in materials)
        return score_check(check, Evidence(answer=answer, materials=texts, siblings=siblings))

    return score


@pytest.fixture
def judged_task():
    checks = (
        Check(id="tone", by="judge", hard=False, uses="rubric", reference="The tone is polite"),
        Check(id="parts", by="judge", hard=False, uses="rubric", reference=["Names the date", "Names the place"]),
        Check(id="fact", uses="exact", reference="42"),
    )
    return Task(id="t-1", category="c", instruction="Write.", checks=checks, identity="0" * 64)
