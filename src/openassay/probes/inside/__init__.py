"""Files that are copied into a sandbox and run there by its own Python: standard library only, no import of OpenAssay.

`wire` alone is also used outside, to read as data what comes out.
"""
