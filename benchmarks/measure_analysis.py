"""How long each section of an analysis takes, beside fresh solves of its what-ifs."""

import time
from collections import Counter
from pathlib import Path

from instances import INSTANCES
from page import ROOT, count, machine, seconds, table, times

from branchwise import SECTIONS, Stage, WhatIfs, analyze, solve

PAGE = ROOT / "docs" / "explanation" / "analysis-measured.md"

NAMES = {
    "quick": ["table1-01"],
    "usual": ["table1-00", "table1-01", "large-60", "large-100", "large-200"],
}
NAMES["full"] = NAMES["usual"]
SAMPLE = 5
