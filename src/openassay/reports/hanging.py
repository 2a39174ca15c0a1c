"""A sentence on a terminal that goes on below its own first word where it wraps. Not here: what is said."""

from collections.abc import Iterable
from typing import NamedTuple

from rich.console import Console, ConsoleOptions
from rich.text import Text


class Hanging(NamedTuple):
    """A sentence behind a lead, such as a dash; plain text, never markup."""

    sentence: str
    lead: str = "- "
    style: str = ""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterable[Text]:
        room = max(options.max_width - len(self.lead), 1)
        lead = self.lead
        for line in Text(self.sentence).wrap(console, room):
            line.rstrip()
            yield Text(f"{lead}{line.plain}", style=self.style)
            lead = " " * len(self.lead)
