"""What can be opened of run folders: the texts in them, for those who may read them.

Not here: counts and rates (`summary`).
"""

import json
from collections.abc import Sequence

from openassay.reports.attempts import ShownItem, choose, openable
from openassay.reports.contract import Summary
from openassay.reports.html import Audience
from openassay.runs import cells
from openassay.runs.cells import CellResult
from openassay.runs.folder import RunFolder
from openassay.schema.attempt import Attempt
from openassay.schema.message import Message, ModelReply, ModelRequest


def opened(folders: Sequence[RunFolder], summary: Summary, audience: Audience) -> dict[str, dict[str, ShownItem]]:
    """What can be opened of each run; nothing of items that this audience may not read."""
    found = {}
    for folder in folders:
        if folder.plan.imported is not None:
            continue  # it holds no texts
        if audience == "owner" or folder.info.visibility == "public":
            chosen = choose([item for item in summary.items if item.run == folder.id])
            read = cells.read_cells(folder)
            shown = read if audience == "owner" else map(nameless, read)
            found[folder.id] = openable(shown, folder.tasks, FolderTexts(folder), chosen)
    return found


def nameless(cell: CellResult) -> CellResult:
    """Without the names and notes of the people who decided, who agreed to no publication."""
    if cell.scoring is None or all(one.by != "human" for one in cell.scoring.verdicts):
        return cell
    verdicts = tuple(
        one.model_copy(update={"who": "", "reason": one.reason.partition("; ")[0]}) if one.by == "human" else one
        for one in cell.scoring.verdicts
    )
    return cell._replace(scoring=cell.scoring.model_copy(update={"verdicts": verdicts}))


class FolderTexts:
    """See `attempts.Texts`."""

    def __init__(self, folder: RunFolder) -> None:
        self._folder = folder

    def prompt(self, task_id: str) -> tuple[Message, ...]:
        return self._folder.prompt(task_id)

    def answer(self, attempt: Attempt) -> str:
        return cells.answer_text(self._folder, attempt)

    def exchange(self, sha256: str) -> str:
        kept = json.loads(self._folder.objects.get(sha256))
        asked, said = ModelRequest.model_validate(kept["prompt"]), ModelReply.model_validate(kept["reply"])
        prompt = "\n\n".join(f"[{message.role}]\n{message.text()}" for message in asked.messages)
        return f"{prompt}\n\n[reply]\n{said.text}"
