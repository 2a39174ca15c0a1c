"""A table of results counted by columns says the same as the same table counted cell by cell, field by field."""

import random

import pytest

from openassay.reports.across import across, used
from openassay.reports.columnar import tally_import
from openassay.reports.summary import combine, facts, summarise, summarise_run
from openassay.reports.tally import tally
from openassay.runs.cells import read_cells
from openassay.runs.import_cells import ImportOptions, import_cells

HEAD = "model,item,attempt,score,category,cluster,cost,tokens_in,tokens_out,date"
SEED = 31


def row(chance, model, item, attempt):
    kind = ("yes-no", "shares", "grouped")[item % 3]
    score = round(chance.random(), 3) if kind == "shares" else int(chance.random() < 0.3 + 0.3 * model)
    cluster = f"source {item % 11}" if kind == "grouped" else ""
    priced = f"0.00{item % 7},{item},{item * model or ''}" if model else ",,"
    return f"model {model},item {item},{attempt},{score},{kind},{cluster},{priced},2026-01-0{attempt}"


def whole():
    chance = random.Random(SEED)
    return [row(chance, model, item, k) for model in range(3) for item in range(45) for k in (1, 2, 3)]


TABLES = {
    "whole": whole(),
    "one model": [line for line in whole() if line.startswith("model 1")],
    "one attempt": [line for line in whole() if line.split(",")[2] == "1"],
    "cells missing": [line for number, line in enumerate(whole()) if number % 17],
    "one item": [line for line in whole() if line.split(",")[1] == "item 1"],
    "a model without a category": [line for line in whole() if not line.startswith("model 2") or "shares" not in line],
    "shuffled": random.Random(SEED).sample(whole(), k=len(whole())),
}


@pytest.fixture(params=TABLES)
def folder(request, tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("\n".join([HEAD, *TABLES[request.param]]) + "\n")
    return import_cells(path, ImportOptions(), tmp_path / "runs").folder


def test_the_counts_are_the_same(folder):
    slow = tally(read_cells(folder), folder.tasks, folder.plan.attempts, lambda *_: 0)
    assert tally_import(folder) == slow


def test_the_report_is_the_same_to_the_byte(folder):
    slow = combine([summarise_run(facts(folder), read_cells(folder))], across([used(folder)]))
    fast = summarise([folder])
    assert fast == slow
    assert fast.model_dump_json() == slow.model_dump_json()
