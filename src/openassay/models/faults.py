"""What follows from each thing an endpoint can do: outcome, retried or not, whether the run stops, what to do.

The engine in `runs` obeys `RULES`; `docs/reference/endpoint-faults.md` is generated from it. Not here: telling the
faults apart (`http_faults`), how often and how long is retried (`RetryRule` in the plan).
"""

from typing import NamedTuple

from openassay.schema.attempt import Outcome
from openassay.schema.errors import FaultKind
from openassay.schema.message import Finish, ModelReply


class FaultRule(NamedTuple):
    """One row of the table."""

    outcome: Outcome
    """Of the attempt, once no try is left."""
    retried: bool
    """Within the plan's retry rule."""
    stops_run: bool
    """The run stops at once, nothing is recorded as an attempt, and it can be resumed after the repair."""
    happened: str
    """For the documentation: what the endpoint did."""
    todo: str
    """One sentence for the user."""


def _again(happened: str, todo: str) -> FaultRule:
    return FaultRule(Outcome.INFRASTRUCTURE_ERROR, retried=True, stops_run=False, happened=happened, todo=todo)


def _stop(happened: str, todo: str) -> FaultRule:
    return FaultRule(Outcome.INFRASTRUCTURE_ERROR, retried=False, stops_run=True, happened=happened, todo=todo)


def _once(outcome: Outcome, happened: str, todo: str) -> FaultRule:
    return FaultRule(outcome, retried=False, stops_run=False, happened=happened, todo=todo)


RULES: dict[FaultKind, FaultRule] = {
    FaultKind.WRONG_KEY: _stop(
        "HTTP 401, or a sentence that says the key is not valid",
        "set the right API key in the variable that `api_key_env` names, then resume",
    ),
    FaultKind.FORBIDDEN: _stop("HTTP 403", "ask the provider for access to this model, or take another one"),
    FaultKind.UNKNOWN_MODEL: _stop(
        "HTTP 404 or 405, or a sentence that says there is no such model",
        "check `model` (the exact name that the endpoint lists) and `base_url`",
    ),
    FaultKind.REFUSED_PARAMETER: _stop(
        "HTTP 400, 409, 415 or 422 about the request itself",
        "take the parameter that the server names out of `parameters`, or change it",
    ),
    FaultKind.CONTEXT_TOO_LONG: _once(
        Outcome.LIMIT_REACHED,
        "HTTP 413, or a sentence that says the prompt is too long for the model",
        "shorten the material or take a model with a longer context",
    ),
    FaultKind.CONNECTION_REFUSED: _again(
        "nothing listens at host and port, or no route leads there",
        "start the server, or correct host and port in `base_url`",
    ),
    FaultKind.UNKNOWN_HOST: _stop("the host name cannot be resolved", "correct the host name in `base_url`"),
    FaultKind.TLS_FAILURE: _stop(
        "the certificate cannot be verified, or the server speaks no TLS",
        "correct the scheme in `base_url`, or have the server's certificate trusted by this machine",
    ),
    FaultKind.REDIRECTED: _stop(
        "HTTP 3xx: never followed, since the key would go along",
        "if you trust the target, put it into `base_url`",
    ),
    FaultKind.RATE_LIMITED: _again(
        "HTTP 429; `Retry-After` is obeyed in seconds and as a date",
        "lower `--concurrency` (or `concurrency` of this model), or resume later",
    ),
    FaultKind.QUOTA_EXHAUSTED: _stop(
        "HTTP 402, or 429 that says the quota or the credit is used up",
        "add credit at the provider, then resume",
    ),
    FaultKind.SERVER_ERROR: _again("HTTP 500, 502, 504 and other 5xx", "resume later; look into the server's log"),
    FaultKind.OVERLOADED: _again("HTTP 503 or 529", "resume later, or lower `--concurrency`"),
    FaultKind.TIMED_OUT: _again(
        "no complete reply within `timeout`, also when it stops in mid-body; HTTP 408",
        "raise `timeout` of this model, or lower `--concurrency`",
    ),
    FaultKind.CONNECTION_LOST: _again(
        "the connection broke before the reply was complete", "resume; look into the server's log"
    ),
    FaultKind.MALFORMED_REPLY: _again(
        "HTTP 200 with something else than the API's JSON: broken JSON, a web page, no HTTP at all",
        "check that `base_url` is the API and not a web page or a login screen",
    ),
    FaultKind.NO_CHOICES: _again(
        "a well-formed reply without any answer in it", "check that the endpoint serves chat completions"
    ),
    FaultKind.WRONG_MODEL: _once(
        Outcome.ANSWERED,
        "the reply names another model version than asked; the answer counts, with a note and the name reported",
        "ask for the exact version that you want to test",
    ),
    FaultKind.ABSURD_USAGE: _once(
        Outcome.ANSWERED,
        "usage is missing or cannot be true; the answer counts, tokens stay unknown and cost its upper bound",
        "check the price against the provider's bill",
    ),
    FaultKind.REPLY_TOO_LARGE: _once(
        Outcome.INFRASTRUCTURE_ERROR,
        "a body beyond 32 MB, not read to its end",
        "check that `base_url` is the API",
    ),
    FaultKind.UNANSWERED: _once(
        Outcome.INFRASTRUCTURE_ERROR,
        "a `manual` model's answer has not been brought yet; nothing is recorded, the attempt stays open",
        "bring the answer, then resume",
    ),
    FaultKind.UNKNOWN: _again("anything else", "read the sentence above; resume when it is repaired"),
}
"""Every `FaultKind` has its row; a test says so."""


def outcome_of(reply: ModelReply) -> Outcome:
    """Of an attempt that got a reply, before any scorer has seen it.

    Cut off with no text at all means that reasoning used up the limit: a limit, not an empty answer.
    """
    if reply.finish is Finish.LENGTH:
        return Outcome.LIMIT_REACHED
    if reply.finish in {Finish.CONTENT_FILTER, Finish.REFUSAL} or not reply.text.strip():
        return Outcome.NO_ANSWER
    return Outcome.ANSWERED


REPLIES: tuple[tuple[str, Outcome], ...] = (
    ("an answer", Outcome.ANSWERED),
    ("a refusal in words", Outcome.ANSWERED),
    ("empty content", Outcome.NO_ANSWER),
    ("stopped by a content filter", Outcome.NO_ANSWER),
    ("a refusal in the API's own field", Outcome.NO_ANSWER),
    ("cut off at the token limit, with or without text", Outcome.LIMIT_REACHED),
)
"""For the documentation: the good replies and what they come to."""


def document() -> str:
    """The text of ``docs/reference/endpoint-faults.md``."""
    faults = [
        f"| `{kind}` | {rule.happened} | `{rule.outcome}` | {_yes(flag=rule.retried)} | {_yes(flag=rule.stops_run)}"
        f" | {rule.todo} |"
        for kind, rule in RULES.items()
    ]
    replies = [f"| {happened} | `{outcome}` |" for happened, outcome in REPLIES]
    return "\n".join([_HEAD, *faults, _MIDDLE, *replies, ""])


def _yes(*, flag: bool) -> str:
    return "yes" if flag else "no"


_HEAD = """# What an endpoint can do, and what follows

Generated from `openassay.models.faults`; a test compares them.

*Retried* means: tried again within the plan's retry rule, every try journalled and paid from the same budget; the
outcome stands once no try is left. *Stops the run* means: nothing is recorded as an attempt, the run ends with the
message, and `openassay resume` goes on after the repair. An `infrastructure_error` says nothing about a model, and a
run that holds one is incomplete.

| fault | what happened | outcome | retried | stops the run | what to do |
|---|---|---|---|---|---|"""
_MIDDLE = """
Replies that arrive whole:

| reply | outcome |
|---|---|"""
