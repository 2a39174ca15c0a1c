"""Pure functions on arrays: what may be concluded from item results. No files, no clock; chance only from a given seed.

One score: `intervals` (on what `design` says of groups, strata and pools), `repeats` for several attempts at an item,
`components` for where the noise comes from. Several models: `pairs` and `many` (on `differences`), `ranks`,
`sequential` for stopping early, `power` for how many items a gap takes. Items and benchmarks: `screen`, `ageing`,
`sampling`. Money: `cost`. Labels: `agreement` and `raters` say how far they agree, `correction` what people would have
said where a judge did.
"""

from openassay.stats.ageing import ExposureGap, Saturation, exposure_gap, saturation
from openassay.stats.agreement import Agreement, Coefficient, JudgeReport, agreement, judge_report, pair_consistency
from openassay.stats.components import (
    Components,
    Noise,
    Prices,
    Split,
    noise_of_judgements,
    noise_of_passes,
    plan,
    variance_components,
)
from openassay.stats.correction import Corrected, ppi_mean
from openassay.stats.cost import CostEstimate, CostPerSolved, Frontier, cost_per_solved, frontier, mean_cost
from openassay.stats.design import Strata
from openassay.stats.differences import mcnemar_midp
from openassay.stats.intervals import Estimate, score_ci, wilson
from openassay.stats.many import PairTable, all_pairs, benjamini_hochberg, holm
from openassay.stats.pairs import PairResult, Verdict, paired_diff
from openassay.stats.power import Design, assumed_noise, chance_to_show, designs, items_needed, mdd, noise_of_difference
from openassay.stats.ranks import RankSets, rank_sets
from openassay.stats.raters import RaterComponents, krippendorff_alpha, rater_components
from openassay.stats.repeats import Repeats, pass_all, pass_any, pass_k, reliability_curve, repeats
from openassay.stats.sampling import StratifiedSample, sample_stratified
from openassay.stats.screen import ItemScreen, item_screen, review_queue
from openassay.stats.sequential import evalue_paired, evalues, settled_at, threshold

__all__ = [
    "Agreement",
    "Coefficient",
    "Components",
    "Corrected",
    "CostEstimate",
    "CostPerSolved",
    "Design",
    "Estimate",
    "ExposureGap",
    "Frontier",
    "ItemScreen",
    "JudgeReport",
    "Noise",
    "PairResult",
    "PairTable",
    "Prices",
    "RankSets",
    "RaterComponents",
    "Repeats",
    "Saturation",
    "Split",
    "Strata",
    "StratifiedSample",
    "Verdict",
    "agreement",
    "all_pairs",
    "assumed_noise",
    "benjamini_hochberg",
    "chance_to_show",
    "cost_per_solved",
    "designs",
    "evalue_paired",
    "evalues",
    "exposure_gap",
    "frontier",
    "holm",
    "item_screen",
    "items_needed",
    "judge_report",
    "krippendorff_alpha",
    "mcnemar_midp",
    "mdd",
    "mean_cost",
    "noise_of_difference",
    "noise_of_judgements",
    "noise_of_passes",
    "pair_consistency",
    "paired_diff",
    "pass_all",
    "pass_any",
    "pass_k",
    "plan",
    "ppi_mean",
    "rank_sets",
    "rater_components",
    "reliability_curve",
    "repeats",
    "review_queue",
    "sample_stratified",
    "saturation",
    "score_ci",
    "settled_at",
    "threshold",
    "variance_components",
    "wilson",
]
