"""What moves the answer to a reader's needs: who qualifies without one author's items, one source, one check.

Only rates and scores are taken anew; costs, times and pass^k stay as they are. Not here: the changes (`changes`), who
qualifies (`needs`), verdicts on pairs (`turns`).
"""

from collections.abc import Iterator, Mapping

from openassay.reports.comparing_contract import ChangedRate, ChangedRates, Steadiness
from openassay.reports.contract import Result, Summary
from openassay.reports.needs import answer
from openassay.reports.needs_contract import NeedsAnswer, NeedsMove
from openassay.reports.needs_file import Needs
from openassay.reports.needs_words import ANSWERS
from openassay.reports.words import listed

NAMED = 3
"""Models named in one sentence."""


def answered(summary: Summary, needs: Needs) -> NeedsAnswer:
    """What the runs say to these needs, and which change would turn it."""
    found = answer(summary, needs)
    return found.model_copy(update={"moves": tuple(_moves(summary, needs, found))})


def _moves(summary: Summary, needs: Needs, found: NeedsAnswer) -> Iterator[NeedsMove]:
    demanded = {need.category for need in needs.need}
    asked = [one for one in summary.steadiness if one.category in demanded]
    before = _verdicts(found)
    for one in asked:
        for change in one.rates:
            after = _verdicts(answer(_under(summary, one, change), needs))
            turned = [where for where, verdict in before.items() if after[where] != verdict]
            if turned:
                yield NeedsMove(run=one.run, sentence=_sentence(change, turned, before, after))


def _verdicts(found: NeedsAnswer) -> dict[tuple[str, str], str]:
    return {(one.run, one.model): one.qualifies for one in found.qualified}


def _under(summary: Summary, where: Steadiness, change: ChangedRates) -> Summary:
    """The summary with the rates that the change leaves in its category."""
    by_model = {one.model: one for one in change.models}
    scores_apart = any(
        (one.run, one.category, one.measure) == (where.run, where.category, "score") for one in summary.steadiness
    )
    results = []
    for result in summary.results:
        rate = by_model.get(result.model)
        here = (result.run, result.category) == (where.run, where.category)
        results.append(_rated(result, where, change, rate, both=not scores_apart) if rate and here else result)
    return summary.model_copy(update={"results": tuple(results)})


def _rated(result: Result, where: Steadiness, change: ChangedRates, rate: ChangedRate, *, both: bool) -> Result:
    """The result with its rate, and its score where that says the same, as the change leaves them."""
    found: dict[str, object] = {"n_items": change.n_items}
    if where.measure == "pass rate":
        found |= {"pass_rate": rate.value, "interval": rate.interval}
    if where.measure == "score" or both:
        found |= {"score": rate.value, "score_interval": rate.interval}
    return result.model_copy(update=found)


def _sentence(
    change: ChangedRates,
    turned: list[tuple[str, str]],
    before: Mapping[tuple[str, str], str],
    after: Mapping[tuple[str, str], str],
) -> str:
    each = [f"{where[1]} from “{ANSWERS[before[where]]}” to “{ANSWERS[after[where]]}”" for where in turned[:NAMED]]
    more = f", and {len(turned) - NAMED:,} more" if len(turned) > NAMED else ""
    return f"{change.change[0].upper()}{change.change[1:]} moves {listed(each)}{more}."
