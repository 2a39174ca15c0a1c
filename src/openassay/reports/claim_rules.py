"""What a published figure has to say before it can be judged, each with the question to send where it does not.

Not here: what can be said all the same (`claim`).
"""

from typing import NamedTuple

from openassay.reports.published import Figure
from openassay.schema.record import Record


class Rule(NamedTuple):
    """One thing that a figure has to say before it can be judged."""

    id: str
    label: str
    fields: tuple[str, ...]
    """Any of them says it."""
    question: str
    essential: bool = False
    """Without it the figure cannot be read at all."""


RULES = (
    Rule(
        "what",
        "what was measured",
        ("benchmark", "what"),
        "Which benchmark was it, and what does it measure?",
        essential=True,
    ),
    Rule("version", "version of the model", ("version",), "Which exact version of the model answered?", essential=True),
    Rule(
        "n",
        "number of tasks",
        ("n",),
        "How many tasks are behind the figure (attempts not counted as tasks)?",
        essential=True,
    ),
    Rule(
        "metric",
        "how it was calculated",
        ("metric",),
        "How was the figure calculated from the answers?",
        essential=True,
    ),
    Rule(
        "prompt",
        "prompt",
        ("prompt", "configuration"),
        "Which prompt was used, and was it the same for every model?",
        essential=True,
    ),
    Rule("measured_by", "who measured", ("measured_by",), "Who ran the measurement?", essential=True),
    Rule("temperature", "temperature", ("temperature", "configuration"), "At which temperature?"),
    Rule(
        "tools",
        "tools and budget",
        ("tools", "configuration"),
        "With which tools or scaffold, and how many calls or tokens a task?",
    ),
    Rule(
        "attempts",
        "attempts at a task",
        ("attempts",),
        "How often was each task tried, and how far did it vary?",
    ),
    Rule(
        "selection",
        "how attempts or runs were chosen",
        ("selection",),
        "Is it the mean of all runs, or the best of several? How many runs were not published?",
    ),
    Rule("interval", "uncertainty", ("interval",), "What is the interval, and what does it cover?"),
    Rule("benchmark_version", "version of the benchmark", ("benchmark_version",), "Which version of the tasks?"),
    Rule("tasks", "which tasks", ("tasks",), "Was it all tasks or some, and who chose them how?"),
    Rule("date", "date", ("date",), "When was it measured?"),
    Rule(
        "relationship",
        "relationship to the developer",
        ("relationship",),
        "How is who measured related to who makes the model?",
    ),
    Rule("paid_by", "who paid", ("paid_by",), "Who paid, and could an unfavourable result be published?"),
    Rule(
        "contamination",
        "whether the model may have met the tasks",
        ("contamination",),
        "Are the tasks public, and what was done against the model having met them?",
    ),
    Rule("cost", "cost", ("cost",), "What did a task cost, and how long did it take?"),
)


class Gap(Record):
    """Something that a figure leaves out."""

    id: str
    label: str
    essential: bool
    question: str


def left_out(figure: Figure) -> tuple[Gap, ...]:
    """What a figure does not state, the essential first."""
    gone = [rule for rule in RULES if not any(_stated(getattr(figure, field)) for field in rule.fields)]
    return tuple(gap(rule) for rule in gone)


def gap(rule: Rule) -> Gap:
    return Gap(id=rule.id, label=rule.label, essential=rule.essential, question=rule.question)


def _stated(value: object) -> bool:
    return value is not None and (not isinstance(value, str) or bool(value.strip()))
