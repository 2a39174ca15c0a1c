"""Turns what an attempt left behind into evidence, running it in a sandbox where it must. Gives no verdict."""
