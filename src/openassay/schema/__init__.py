"""The records that rooms exchange, the tree of errors, and canonical JSON. Imports no other room.

Start with `task.Task`, `plan.Plan` and `attempt.Attempt`. Behaviour stands elsewhere.
"""
