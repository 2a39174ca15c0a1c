"""What a run may be taken to say, for people (`terminal`, `html`) and for programs (`summary`).

Not here: the statistics (`stats`), and the claim that one model is better than another.
"""
