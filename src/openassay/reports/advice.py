"""One sentence on each way in which attempts go wrong, and what to do about it."""

from collections.abc import Sequence

from openassay.reports.words import counted, token_limits
from openassay.schema.attempt import Outcome

WORTH_SAYING = 0.05
"""Share of attempts above which a kind of outcome gets its sentence; our own faults always do."""

_ABOUT_ANSWERS = {
    Outcome.LIMIT_REACHED: "{n} of {answers} cut off at the limit ({tokens}): raise --max-tokens",
    Outcome.NO_ANSWER: "{n} of {answers} empty, filtered or refused: read them before you trust the rate",
    Outcome.FORMAT_ERROR: "{n} of {answers} not in the form demanded: say the form in the instruction",
}
_OUR_FAULT = {
    Outcome.INFRASTRUCTURE_ERROR: "{n} of {answers} lost to the endpoint, not the model: `openassay resume {run}`",
    Outcome.SCORER_ERROR: "{n} of {answers} not scored because a scorer or judge failed: `openassay score {run}`",
}


def advice(
    outcomes: dict[str, int],
    undecided: int,
    *,
    cut_at: Sequence[int],
    run: str,
    unanswered: int = 0,
    judge_todo: str = "",
) -> tuple[str, ...]:
    """Sentences for one result, the most urgent first.

    Args:
        outcomes: attempts by outcome.
        undecided: attempts that wait for a judge or a person.
        cut_at: token limits at which answers were cut off.
        run: the run's id.
        unanswered: prompts that wait for a person who answers them.
        judge_todo: what lets a judge decide, where none of the run's may.
    """
    total = sum(outcomes.values())
    said = [
        sentence.format(n=outcomes[kind], answers=counted(total, "attempt"), run=run)
        for kind, sentence in _OUR_FAULT.items()
        if outcomes.get(kind)
    ]
    if unanswered:
        said.insert(0, f"{counted(unanswered, 'prompt')} waiting for your answer: `openassay resume {run}`")
    if undecided:
        todo = judge_todo or f"`openassay score {run} --judge NAME`, or people with `openassay review {run}`"
        said.append(f"{undecided} of {counted(total, 'attempt')} waiting for a judge or a person: {todo}")
    said += [
        sentence.format(n=outcomes[kind], answers=counted(total, "answer"), tokens=token_limits(cut_at))
        for kind, sentence in _ABOUT_ANSWERS.items()
        if outcomes.get(kind, 0) > WORTH_SAYING * total
    ]
    return tuple(said)
