"""Benchmark folders: reading them, saying all that is wrong with them, and giving each task its identity.

Start with `load.load`. Not here: running or scoring anything; nothing in this room asks a model.
"""
