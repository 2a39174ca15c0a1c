"""What a run records: calls (money), attempts (answers) and scorings (verdicts).

Each is one line of a journal segment. An attempt line makes a cell *finished*.
"""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import AfterValidator

from openassay.schema.errors import FaultKind
from openassay.schema.judging import Cause
from openassay.schema.message import Finish, Usage, whole
from openassay.schema.record import Json, MicroUsd, Millionths, Record, Sha256


class Outcome(StrEnum):
    ANSWERED = "answered"
    NO_ANSWER = "no_answer"
    """Empty, filtered or refused by the API's own field."""
    LIMIT_REACHED = "limit_reached"
    """Cut off at a token, time or context limit."""
    FORMAT_ERROR = "format_error"
    """Answered, but not in the form that the task demands."""
    INFRASTRUCTURE_ERROR = "infrastructure_error"
    """The endpoint failed: says nothing about the model."""
    SCORER_ERROR = "scorer_error"
    """Our scorer or a judge's endpoint failed: says nothing about the model."""


ABOUT_THE_MODEL = frozenset({Outcome.ANSWERED, Outcome.NO_ANSWER, Outcome.LIMIT_REACHED, Outcome.FORMAT_ERROR})
"""Outcomes that count; a run with any other left is incomplete."""


class Reservation(Record):
    """Written before a call is sent: what it may cost at most."""

    kind: Literal["reserve"]
    call: str
    """Unique in the run folder: ``<process>-<number>``."""
    model: str
    purpose: Literal["attempt", "judge", "preflight"]
    cell: str
    """`Cell.key()`, empty for a preflight."""
    upper: MicroUsd
    """Upper bound of its cost; counts as spent until the call is settled."""
    plain: MicroUsd = 0
    """The bound by tokens alone, before it grew because this model had charged more than its bound."""
    at_ms: int
    """Unix time in milliseconds."""


class Settlement(Record):
    """Written when a call ended, well or badly."""

    kind: Literal["settle"]
    call: str
    cost: MicroUsd
    """What it cost by the reported usage; the upper bound where usage is unknown."""
    usage: Usage = Usage()
    fault: FaultKind | None = None
    detail: str = ""
    """The server's own sentence, capped, keys removed."""
    took_ms: int


class Attempt(Record):
    """One finished cell."""

    model: str
    task: str
    draw: int
    attempt: int
    outcome: Outcome
    answer: str = ""
    """The final text; empty where `answer_object` holds it."""
    answer_object: Sha256 | None = None
    """Object with the answer, where it is over 8 KB."""
    prompt: Sha256
    """Digest of the rendered messages; the object holds them. The same for every model on a task."""
    finish: Finish | None = None
    usage: Usage = Usage()
    """Summed over all tries."""
    cost: MicroUsd = 0
    """Summed over all tries."""
    tries: int = 1
    faults: tuple[FaultKind, ...] = ()
    """Of the tries that failed, in order."""
    detail: str = ""
    """One sentence for a person, where the outcome is not `answered`."""
    model_reported: str = ""
    started_ms: int
    took_ms: int
    """Of the last try, waiting for retries left out."""
    imported: bool = False
    """The answer came from outside (pasted, a CSV, another framework)."""


class Verdict(Record):
    """One check's result on one answer."""

    check: str
    result: Literal["pass", "fail", "unmeasurable"]
    value: Millionths | None = None
    """A share (F1, agreement) where the scorer measures one."""
    reason: Annotated[str, AfterValidator(whole)]
    """What was taken from the answer and what it was compared with."""
    took: Annotated[str, AfterValidator(whole)] = ""
    """The final answer as the scorer extracted it."""
    malformed: bool = False
    """The answer was not in the form demanded."""
    by: Literal["script", "judge", "human"] = "script"
    who: str
    """Script and version (``exact/1``), judge name and prompt digest, or person."""
    evidence: Sha256
    """Digest of what was judged."""
    object: Sha256 | None = None
    """Object with the judge's prompt and reply."""
    more_objects: tuple[Sha256, ...] = ()
    """The other prompts and replies behind it, where one request did not hold all its criteria."""
    ended: str = ""
    """How code under test was stopped: ``timed_out``, ``memory``, ``cpu``, ``output``; empty where it was not."""
    flags: tuple[str, ...] = ()
    """Suspicious constructs in code, for people; they decide nothing."""
    sandbox: str = ""
    """Driver and guarantees of the sandbox in which code ran."""
    decides: bool = True
    """False for a verdict kept beside the deciding one."""
    disputes: tuple[Cause, ...] = ()
    """Of a deciding verdict: why the check was disputed; empty where it was not."""
    order: int = 0
    """Of a judge: which of its passes this is, from 1; 0 where nothing was asked."""
    control: Literal["", "met", "missed", "unread"] = ""
    """Of a judge: whether it got the canary items and the nonce right; `unread` where its reply could not be read."""
    counts: bool = True
    """False for a verdict that is shown and not counted: its judge does not meet the benchmark's bar."""


class JudgeReply(Record):
    """Where the reply to one question to one judge is kept; the same question is not asked again."""

    request: Sha256
    """Over the judge, its parameters, and the whole call."""
    object: Sha256
    """Object with the judge's prompt and reply."""


class Score(Record):
    """What the checks of one attempt come to."""

    outcome: Outcome
    passed: bool | None
    """All hard checks pass; null where the task has none or a hard one is unmeasurable."""
    score: Millionths | None
    """Weighted share of the measured checks; null where none was measured."""
    counted: Millionths | None
    """The score as aggregates count it: 0 where a hard check failed."""
    points: Json = None
    """Seed form: ``[points, total]`` with weights, as decimals."""
    dimensions: dict[str, Millionths] = {}
    unmeasured: tuple[str, ...] = ()
    uncounted: tuple[str, ...] = ()
    """Checks that have a verdict which is shown and not counted; they are not in `unmeasured`."""


class Scoring(Record):
    """All verdicts on one attempt from one pass of scoring; a later one supersedes, the earlier is kept."""

    model: str
    task: str
    draw: int
    attempt: int
    pass_number: int
    """0 for the scoring during the run, then one more for each `score`."""
    verdicts: tuple[Verdict, ...]
    score: Score
    detail: str = ""
    """For `scorer_error`: what broke."""
    at_ms: int
