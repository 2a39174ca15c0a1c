"""The command line: one file per verb, each thin; the rooms below do the work.

Not here: anything a program could want without a terminal. `openassay.cli.main` imports a verb only when it is called.
"""
