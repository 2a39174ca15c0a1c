"""Fixtures of this room."""

import csv

import numpy as np
import pytest


@pytest.fixture
def score_table():
    """Reads models x items from a file of one row an item; models with missing items are left out."""

    def read(path):
        with path.open(newline="") as file:
            rows = np.array([[float(cell or "nan") for cell in row[1:]] for row in list(csv.reader(file))[1:]]).T
        return rows[~np.isnan(rows).any(axis=1)]

    return read


@pytest.fixture
def swe_table():
    """Reads (passed, dollars) of 24 models x 500 items, the one left out whose stated score is not that of its rows."""

    def read(path):
        with path.open(newline="") as file:
            rows = [row for row in csv.DictReader(file) if "3.7 Sonnet" not in row["model"]]
        items = sorted({row["instance"] for row in rows})
        models = sorted({(row["model"], row["version"]) for row in rows})
        found = np.full((2, len(models), len(items)), np.nan)
        for row in rows:
            at = models.index((row["model"], row["version"])), items.index(row["instance"])
            found[0][at], found[1][at] = float(row["resolved"]), float(row["cost"] or "nan")
        return found

    return read
