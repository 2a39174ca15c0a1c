"""What can be opened of run folders: the texts in them, for those who may read them.

Not here: counts and rates (`summary`).
"""

import json
from collections.abc import Sequence

from openassay.reports.attempts import ShownItem, choose, openable
from openassay.reports.contract import Summary
from openassay.reports.html import Audience
from openassay.runs import cells
from openassay.runs.folder import RunFolder
from openassay.schema.attempt import Attempt
from openassay.schema.message import Message, ModelReply, ModelRequest


def opened(folders: Sequence[RunFolder], summary: Summary, audience: Audience) -> dict[str, dict[str, ShownItem]]:
    """What can be opened of each run; nothing of items that this audience may not read."""
    found = {}
    for folder in folders:
        if audience == "owner" or folder.info.visibility == "public":
            chosen = choose([item for item in summary.items if item.run == folder.id])
            found[folder.id] = openable(cells.read_cells(folder), folder.tasks, FolderTexts(folder), chosen)
    return found


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
