"""Two checklist items that are surely true and surely false of one output: by single words."""

from collections.abc import Sequence

from openassay.schema.evidence import JudgeItem


def canaries(output: str, *, around: str, criteria: Sequence[str], seed: str) -> tuple[JudgeItem, JudgeItem]:
    del around, criteria, seed
    word = next((one for one in output.split() if one.isalnum()), output[:10])
    return (
        JudgeItem(id="canary-1", check="", text=f"The output contains “{word}”", truth=True),
        JudgeItem(id="canary-2", check="", text="The output contains “harvester”", truth=False),
    )


def holds(text: str, output: str) -> bool | None:
    if not text.startswith("The output contains “"):
        return None
    return text.split("“")[1].rstrip("”") in output
