"""From a plan to journalled, scored attempts: prepare, draw, run, resume, re-score, grade.

The run folder is the truth. `engine.run` is the loop; `journal` is what survives a kill; `cells` is how others read it.
Not here: what an answer is worth (`scorers`), what may be concluded (`stats`, `reports`), talking to people (`cli`).
"""
