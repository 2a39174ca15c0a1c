"""Pure functions on arrays: what may be concluded from item results. No files, no clock, no chance.

`intervals` holds the uncertainty of one rate or mean score, `repeats` what several attempts at the same item say.
Not here: comparison of two models, rank sets, audits of judges.
"""

from openassay.stats.design import Strata
from openassay.stats.differences import mcnemar_midp
from openassay.stats.intervals import Estimate, score_ci, wilson
from openassay.stats.many import PairTable, all_pairs, benjamini_hochberg, holm
from openassay.stats.pairs import PairResult, Verdict, paired_diff
from openassay.stats.power import items_needed, mdd
from openassay.stats.repeats import Repeats, pass_all, repeats

__all__ = [
    "Estimate",
    "PairResult",
    "PairTable",
    "Repeats",
    "Strata",
    "Verdict",
    "all_pairs",
    "benjamini_hochberg",
    "holm",
    "items_needed",
    "mcnemar_midp",
    "mdd",
    "paired_diff",
    "pass_all",
    "repeats",
    "score_ci",
    "wilson",
]
