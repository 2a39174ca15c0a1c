"""How a judge did on a gold set, for a terminal: a table by kind of check, and in words what it may be trusted with.

Names come from users and gold sets, so they are shown as plain text, never as markup. Not here: the figures
(`runs.measured_judge`), and what a run makes of them (`runs.standing`).
"""

from collections.abc import Iterator

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from openassay.reports.hanging import Hanging
from openassay.reports.visible import visible
from openassay.reports.words import bounds, counted, listed, percent, usd
from openassay.runs.standing import below
from openassay.schema.judging import Calibration, Counts, JudgeBar
from openassay.schema.record import MILLION

FEW = 10
"""Measured items of a kind, or verdicts of a class, below which nothing is said of it."""
NEARLY = 0.95
"""Share of all criteria passed, surely false ones too, from which a judge is said to pass nearly everything."""
DECENT = 0.7
"""Share of a class judged rightly, below which a judge is called lenient or harsh."""
USUAL = JudgeBar()
COLUMNS = ("n", "fail", "used", "agreement", "sens.", "spec.", "kappa", "AC1")
LEGEND = (
    "fail: items that people fail; used: items with a usable verdict; the rest is of these. "
    "sens.: share passed of what people pass; spec.: share failed of what people fail; kappa, AC1: beyond chance"
)


def show(found: Calibration, bar: JudgeBar | None, console: Console | None = None, *, whole: bool = True) -> None:
    """Print the card; nothing is concluded from half a calibration."""
    (console or Console()).print(page(found, bar, whole=whole))


def page(found: Calibration, bar: JudgeBar | None, *, whole: bool = True) -> RenderableType:
    heading = Text("\n")
    heading.append(visible(found.judge.name), style="bold")
    asked = f"{found.mode} mode, {counted(found.passes, 'pass', 'passes')}"
    items = counted(found.total.items, "item")
    heading.append(f"  on the gold set {visible(found.gold_name)}: {items}, {asked}", style="dim")
    facts = [Hanging(visible(sentence)) for sentence in figures(found)]
    said = (
        words(found, bar) if whole else ["Not finished: these are the answers judged so far, and nothing is concluded."]
    )
    plain = [Text(visible(sentence)) for sentence in said]
    return Group(heading, _table(found), Text(LEGEND, style="dim"), Text(""), *facts, Text(""), *plain)


def figures(found: Calibration) -> Iterator[str]:
    """Canaries, consistency, style and cost, each with what it is out of."""
    yield (
        f"canary items: right in {_of(found.canaries_met, found.canaries_asked)} replies that could be read; "
        f"{_of(found.unusable, found.requests)} replies could not be read"
    )
    if found.canaries_met < found.canaries_asked and found.unguarded and found.unguarded.measured:
        yield f"had nobody looked at canary items: {_counts(found.unguarded)}"
    yield f"another item order: {_same(found.same_over_order, found.compared_over_order)}"
    if found.repeats:
        yield f"asked again word by word: {_same(found.same_over_repeats, found.compared_over_repeats)}"
    for twin in found.twins:
        yield (
            f"{twin.style} outputs: of {counted(twin.compared, 'verdict')}, {twin.to_pass} moved from fail to pass "
            f"and {twin.to_fail} from pass to fail"
        )
    if found.total.strict is not None:
        yield f"strictly, where no usable verdict is wrong: {percent(found.total.strict / MILLION)} right"
    cost = found.total.cost
    yield f"cost: {'price unknown' if cost is None else f'{usd(cost / MILLION)} an item, all passes together'}"


def words(found: Calibration, bar: JudgeBar | None) -> Iterator[str]:
    """What this judge may be trusted with, and whether it meets the bar."""
    yield from _character(found)
    yield from _kinds(found, bar or USUAL)
    short = list(below(bar or USUAL, found))
    if bar is None:
        usual = f"{USUAL.items} measured items, agreement {USUAL.agreement}, specificity {USUAL.specificity}"
        would = f"below it: {'; '.join(short)}" if short else "met"
        yield f"No bar was given (--bench). By the usual one ({usual}): {would}."
    elif short:
        yield f"Below the benchmark's bar: {'; '.join(short)}. Soft checks it decides are shown and not counted."
    else:
        yield "Meets the benchmark's bar: its verdicts count."


def _character(found: Calibration) -> Iterator[str]:
    passed = found.said_pass / found.said if found.said else None
    if passed is not None and found.said >= FEW and not NEARLY > passed > 1 - NEARLY:
        yield _extreme(found, passes=passed >= NEARLY, whole=passed in {0, 1})
    total = found.total
    if not total.measured:
        yield "Trust it with nothing: not one of its verdicts can be used."
        return
    low, high = (total.agreement_low or 0) / MILLION, (total.agreement_high or 0) / MILLION
    share = percent((total.agreement or 0) / MILLION)
    yield (
        f"It agrees with people on {share} ({bounds((low, high))}) of the {total.measured} items "
        f"with a usable verdict, of {total.items}."
    )
    if total.specificity is not None and total.specificity < DECENT * MILLION:
        yield f"Lenient: it passes {percent(1 - total.specificity / MILLION)} of what people fail."
    if total.sensitivity is not None and total.sensitivity < DECENT * MILLION:
        yield f"Harsh: it fails {percent(1 - total.sensitivity / MILLION)} of what people pass."


def _extreme(found: Calibration, *, passes: bool, whole: bool) -> str:
    how = "" if whole else "nearly "
    verb = "passes" if passes else "fails"
    number = found.said_pass if passes else found.said - found.said_pass
    surely = "false" if passes else "true"
    shown = f"{number} of {found.said} criteria it was shown, those that are surely {surely} too"
    return f"It {verb} {how}everything: {shown}."


def _kinds(found: Calibration, bar: JudgeBar) -> Iterator[str]:
    """By kind of check; a kind with few items is not judged."""
    known = [kind for kind in found.kinds if kind.measured >= FEW]
    good = [kind.kind for kind in known if _fair(kind, bar)]
    bad = [kind.kind for kind in known if not _fair(kind, bar)]
    few = [kind.kind for kind in found.kinds if kind.measured < FEW]
    if good:
        yield f"May be trusted with: {listed(good)}."
    if bad:
        yield f"Not with: {listed(bad)}."
    if few and found.total.measured:
        yield f"Fewer than {FEW} usable verdicts, so nothing is said of: {listed(few)}."


def _fair(kind: Counts, bar: JudgeBar) -> bool:
    wanted = [(kind.agreement, bar.agreement), (kind.specificity, bar.specificity), (kind.sensitivity, bar.sensitivity)]
    return all(value is None or least is None or value >= least * MILLION for value, least in wanted)


def _table(found: Calibration) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("kind", overflow="fold")
    for name in COLUMNS:
        table.add_column(name, justify="right", no_wrap=True)
    for kind in found.kinds:
        table.add_row(Text(visible(kind.kind)), *_cells(kind))
    table.add_section()
    table.add_row(Text("all", style="bold"), *_cells(found.total))
    return table


def _cells(kind: Counts) -> list[str]:
    interval = ""
    if kind.agreement_low is not None and kind.agreement_high is not None:
        interval = f" {_share(kind.agreement_low)}-{_share(kind.agreement_high)}"
    shares = [_share(value) for value in (kind.sensitivity, kind.specificity, kind.kappa, kind.ac1)]
    return [str(kind.items), str(kind.failing), str(kind.measured), _share(kind.agreement) + interval, *shares]


def _counts(raw: Counts) -> str:
    return (
        f"agreement {_share(raw.agreement)}, sensitivity {_share(raw.sensitivity)}, "
        f"specificity {_share(raw.specificity)}, on {raw.measured} of {raw.items} items"
    )


def _share(value: int | None) -> str:
    """A figure in millionths as two decimals.

    >>> _share(711_000), _share(-40_000), _share(None)
    ('.71', '-.04', '-')
    """
    if value is None:
        return "-"
    return f"{value / MILLION:.2f}".replace("0.", ".", 1)


def _of(number: int, out_of: int) -> str:
    return f"{number} of {out_of}" + (f" ({percent(number / out_of)})" if out_of else "")


def _same(share: int | None, compared: int) -> str:
    if share is None:
        return "nothing to compare"
    return f"the same verdict in {_of(round(share * compared / MILLION), compared)} comparisons"
