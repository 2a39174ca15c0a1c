"""From evidence to verdicts and one score. Pure: runs nothing, asks nobody, and never learns a model's name.

Not here: running code (`probes`), calling a judge (`runs.panel`). Start with `scorers.script`.
"""
