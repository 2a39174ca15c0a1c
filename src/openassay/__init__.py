"""OpenAssay: an assay office for language models."""

__version__ = "0.1.0"
