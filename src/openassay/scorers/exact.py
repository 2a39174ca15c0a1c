"""`exact`: the final answer is the reference, or one of several accepted ones."""

from openassay.schema.checks import ExactOptions
from openassay.schema.evidence import Evidence
from openassay.schema.record import Json
from openassay.scorers.answers import final_answer, settle
from openassay.scorers.finding import Finding, decided, listed, shown
from openassay.scorers.fold import fold, visible, without_ends


def score(reference: Json, options: ExactOptions, evidence: Evidence) -> Finding:
    accepted = reference if isinstance(reference, list) else [reference]
    answer = final_answer(evidence.answer, options.answer_prefix)
    took = settle(answer, lambda text: _comparable(text, options), options.answer_prefix)
    if isinstance(took, Finding):
        return took
    wanted = {_comparable(_text(text), options) for text in accepted}
    # Marks of markdown may be content (``__init__``), so the unstripped whole counts too.
    passed = _comparable(took, options) in wanted or (
        not answer.declared and _comparable(visible(evidence.answer), options) in wanted
    )
    return decided(passed, f"took {shown(took)}, expected {listed(accepted)}", took)


def _text(value: Json) -> str:
    return value if isinstance(value, str) else str(value)


def _comparable(text: str, options: ExactOptions) -> str:
    text = fold(text)
    if options.ignore_case:
        text = text.casefold()
    if options.ignore_punctuation:
        bare = " ".join(without_ends(text).split())
        return bare or text.strip()
    return text.strip()
