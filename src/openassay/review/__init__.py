"""The page on which people decide single checks of a run: one at a time, blind, by keyboard, also without JavaScript.

It listens on loopback alone. What people decide is written by `runs.reviews`; what they see is in `templates/`.
"""
