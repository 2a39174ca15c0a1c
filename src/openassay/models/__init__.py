"""Models as they are reached: endpoints, their faults, prices and lineages; local, manual and scripted ones.

Not here: retries, budgets and how many calls may be in flight (`runs`). Start with `models.model`.
"""
