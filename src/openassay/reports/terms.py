"""What the words beside the numbers of a report mean, for readers who are no statisticians.

Not here: the glossary of the project (docs/glossary.md).
"""

TERMS: dict[str, str] = {
    "Pass rate": "Mean over items of the share of attempts that met every hard check.",
    "Score": "Mean over items of the weighted share of checks met; 0 where a hard check failed.",
    "95 % interval": (
        "Rates that fit what was seen. Of a hundred such intervals about 95 hold the rate that all items of this kind "
        "would give. It says nothing of faulty items or of other kinds of task."
    ),
    "Items x attempts": "Attempts at one item say how steady a model is; only more items make a rate surer.",
    "Sources": "Items that share a text, a case or a repository count together: they rarely fail alone.",
    "Steady items": "Share of items whose attempts all passed, or all failed.",
    "All k pass": (
        "Chance that k fresh attempts at an item would all pass (pass^k): what someone who relies on the model meets."
    ),
    "A minus B": "Difference of the two means over the items that both finished, in points of 100.",
    "Won, lost, tied": "Items on which A did better than B, worse, or the same.",
    "p": "How often equal models would differ this much or more by chance.",
    "p over all pairs": "The same, corrected for the number of pairs that were looked at (Holm).",
    "Gap it could show": "A true gap of this size is shown in 80 of 100 such comparisons, a smaller one less often.",
    "Items needed": "Items that would show a gap of the size seen in 80 of 100 comparisons.",
    "No difference shown": "Not the same as no difference: these items cannot tell.",
    "Ranks": "All ranks that the items allow, 95 times in 100; near rivals trade places from draw to draw.",
    "P(nothing beats it)": (
        "Share of draws of the items, with repetition, in which no other model is as good for less or better for as "
        "little."
    ),
    "Look at it": "The models' answers give a reason for people to look at the item; it still counts.",
    "Judge unsure": "A judge gave no usable verdict, two judges differed, or a check was disputed.",
}
"""Word -> what it means."""
