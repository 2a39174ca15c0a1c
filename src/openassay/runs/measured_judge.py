"""What the verdicts in a calibration's run folder come to: how far the judge agrees with people, and with itself.

The verdict counted on a gold item is the one that a run would count: all passes measured, and the same. What has none
is neither right nor wrong: it is coverage, and the strict share counts it as wrong. Not here: whether that is good
enough (`standing`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from openassay.runs.books import cell_of
from openassay.runs.calibrate import read_gold_file
from openassay.runs.folder import RunFolder
from openassay.runs.gold_tasks import AS_WRITTEN, STYLES, twin_of
from openassay.runs.heard import JudgedAnswer, Said, heard_in, said_in
from openassay.runs.judge_calls import each_call
from openassay.schema.attempt import Verdict
from openassay.schema.canonical import sha256_hex
from openassay.schema.gold import GoldItem
from openassay.schema.judging import Calibration, Counts, Twins
from openassay.schema.record import MILLION
from openassay.scorers.judge_prompt import PROMPT_DIGEST

if TYPE_CHECKING:
    from openassay.stats.agreement import JudgeReport

SINGLE = 2
"""Passes that are compared for their order: the first and its reverse."""


class Row(NamedTuple):
    """One gold item beside what a judge said."""

    item: GoldItem
    output: str
    judged: str | None


def calibration_of(folder: RunFolder) -> Calibration:
    """All figures of a calibration, from what is scored so far.

    Raises:
        RunFolderError: the folder holds no calibration, or its gold set is gone.
    """
    gold = read_gold_file(folder)
    truth = {item.id: item for item in gold.items}
    heard = list(heard_in(folder))
    first = [one for one in heard if one.attempt.draw == 0 and _style(folder, one) == AS_WRITTEN]
    rows = [Row(truth[item], one.attempt.task, one.verdict(item)) for one in first for item in one.passes]
    requests = _requests(heard)
    order = list(_over_order(first))
    repeats = list(_over_repeats(heard))
    said = list(said_in(folder, heard))
    (planned,) = folder.plan.judges
    return Calibration(
        judge=planned,
        prompt=_prompt(heard),
        mode=folder.judge_policy.mode,
        passes=folder.judge_policy.passes,
        repeats=folder.plan.draws - 1,
        gold=gold.digest,
        gold_name=gold.name,
        total=counts(rows, cost=_cost(folder, first, len(rows))),
        kinds=tuple(counts(group, kind) for kind, group in sorted(_by_kind(rows).items())),
        same_over_order=_share(order),
        compared_over_order=len(order),
        same_over_repeats=_share(repeats),
        compared_over_repeats=len(repeats),
        canaries_met=requests.count("met"),
        canaries_asked=requests.count("met") + requests.count("missed"),
        unusable=requests.count("unread"),
        requests=len(requests),
        twins=tuple(_twins(folder, heard, first, truth)),
        said=sum(len(one.passes) for one in said),
        said_pass=sum(sum(one.passes.values()) for one in said),
        unguarded=counts(_unguarded(said, first, truth)),
        run=folder.id,
        created=folder.plan_file.created,
    )


def _prompt(heard: Iterable[JudgedAnswer]) -> str:
    """Digest of the wording in which all was asked; of several, one that no judge is asked in."""
    said = {verdict.who.partition(" ")[2] for one in heard for passes in one.passes.values() for verdict in passes}
    return sha256_hex("\n".join(sorted(said)).encode()) if len(said) > 1 else next(iter(said), PROMPT_DIGEST)


def counts(rows: Sequence[Row], kind: str = "", cost: int | None = None) -> Counts:
    """A judge against people on these items; items on one output count as a group for the interval."""
    if not rows:
        return Counts(kind=kind, items=0, failing=0, measured=0, cost=cost)
    # numpy is loaded where figures are made, not with every run.
    from openassay.stats.agreement import judge_report

    truth, judged = [row.item.verdict for row in rows], [row.judged for row in rows]
    report = judge_report(truth, judged, clusters=[row.output for row in rows])
    plain = Counts(
        kind=kind,
        items=len(rows),
        failing=truth.count("fail"),
        measured=sum(one is not None for one in judged),
        sensitivity=report.sensitivity and _millionths(report.sensitivity.value),
        specificity=report.specificity and _millionths(report.specificity.value),
        strict=_millionths(report.strict.value),
        cost=cost,
    )
    return plain.model_copy(update=_agreement(report))


def _agreement(report: "JudgeReport") -> dict[str, int]:
    if report.agreement is None:
        return {}
    raw, kappa, ac1 = report.agreement.raw, report.agreement.kappa, report.agreement.ac1
    found = {"agreement": raw.value, "agreement_low": raw.lo, "agreement_high": raw.hi}
    found |= {"kappa": kappa.value} if kappa else {}
    found |= {"ac1": ac1.value} if ac1 else {}
    return {name: _millionths(value) for name, value in found.items()}


def _millionths(value: float) -> int:
    return round(value * MILLION)


def _share(same: Sequence[bool]) -> int | None:
    return round(sum(same) / len(same) * MILLION) if same else None


def _style(folder: RunFolder, one: JudgedAnswer) -> str:
    return folder.tasks[one.attempt.task].category


def _by_kind(rows: Iterable[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row.item.kind, []).append(row)
    return found


def _requests(heard: Iterable[JudgedAnswer]) -> list[str]:
    """What came of the canaries of each request: several items may rest on one reply."""
    found: dict[tuple[object, ...], str] = {}
    for one in heard:
        for verdict in (verdict for passes in one.passes.values() for verdict in passes):
            found[cell_of(one.attempt), verdict.order, verdict.object] = verdict.control
    return list(found.values())


def _over_order(first: Iterable[JudgedAnswer]) -> Iterator[bool]:
    """Item by item, whether the first pass and its reverse say the same, where both are measured."""
    for one in first:
        for passes in one.passes.values():
            if len(passes) >= SINGLE:
                yield from _same(passes[0], passes[1])


def _over_repeats(heard: Iterable[JudgedAnswer]) -> Iterator[bool]:
    """Pass by pass, whether the same question got the same verdict again."""
    asked = {(one.attempt.task, one.attempt.draw): one.passes for one in heard}
    for (task, draw), again in asked.items():
        before = asked.get((task, 0), {}) if draw else {}
        for item, passes in before.items():
            for a, b in zip(passes, again.get(item, ()), strict=False):
                yield from _same(a, b)


def _same(a: Verdict, b: Verdict) -> Iterator[bool]:
    if "unmeasurable" not in {a.result, b.result}:
        yield a.result == b.result


def _twins(
    folder: RunFolder, heard: Iterable[JudgedAnswer], first: Iterable[JudgedAnswer], truth: Mapping[str, GoldItem]
) -> Iterator[Twins]:
    """How verdicts move with style alone, on items whose criterion is about neither length nor form."""
    written = {one.attempt.task: one for one in first}
    twins = [one for one in heard if _style(folder, one) != AS_WRITTEN]
    for style in STYLES:
        moves = [
            (written[twin_of(one.attempt.task)].verdict(item), one.verdict(item))
            for one in twins
            if _style(folder, one) == style and twin_of(one.attempt.task) in written
            for item in one.passes
            if truth[item].style_free
        ]
        both = [move for move in moves if None not in move]
        if any(_style(folder, one) == style for one in twins):
            to_pass, to_fail = both.count(("fail", "pass")), both.count(("pass", "fail"))
            yield Twins(style=style, compared=len(both), to_pass=to_pass, to_fail=to_fail)


def _cost(folder: RunFolder, first: Sequence[JudgedAnswer], items: int) -> int | None:
    """Micro-dollars a gold item, all passes together, rounded up; twins and repetitions left out."""
    (planned,) = folder.plan.judges
    if planned.price is None or not items:
        return None
    cells = {cell_of(one.attempt).key() for one in first}
    return -(-sum(call.cost for call in each_call(folder) if call.cell in cells) // items)


def _unguarded(said: Iterable[Said], first: Iterable[JudgedAnswer], truth: Mapping[str, GoldItem]) -> list[Row]:
    """What would be counted had nobody looked at canaries: passes that can be read and all say the same."""
    spoken: dict[tuple[str, str], list[bool]] = {}
    for reply in said:
        for item, passed in reply.passes.items():
            if reply.draw == 0 and item in truth:
                spoken.setdefault((reply.task, item), []).append(passed)
    rows = []
    for one in first:
        for item, passes in one.passes.items():
            found = spoken.get((one.attempt.task, item), [])
            agreed = len(found) == len(passes) and len(set(found)) == 1
            rows.append(Row(truth[item], one.attempt.task, ("pass" if found[0] else "fail") if agreed else None))
    return rows
