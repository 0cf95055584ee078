"""The core runs on processors with fewer instructions than the one at hand."""

import json
import shutil
import subprocess
import sys

import pytest

from branchwise import generate, solve

QEMU = shutil.which("qemu-x86_64")
UNITS = (1, 100, 10_000)
"""Budgets of 8 of these take one, two and eight bytes: there is a kernel for each."""

SEARCHES = {
    "best-first": {},
    "exhaustive": {"conditioning": 0.5, "repeats": 0.2},
}
"""How to solve what kind of problem."""


def answers():
    """Return what the core finds where prices are of each length."""
    return [
        answer(generate(12, 8 * unit, seed=4, cost=(unit, 2 * unit), **knobs), search)
        for unit in UNITS
        for search, knobs in SEARCHES.items()
    ]


def answer(problem, search):
    solution = solve(problem, search=search, verify=False, num_threads=1)
    states = solution.statistics.full_graph_states
    plan = [node.action for node in solution.tree.walk()]
    return [solution.expected_reward.hex(), states, plan]


@pytest.mark.parametrize("processor", ["Nehalem", "Haswell"])
def test_a_processor_without_avx_512_finds_the_same(processor, tmp_path):
    """Nehalem has no AVX2 either. An instruction it does not have ends the process."""
    assert QEMU, "qemu-x86_64 is missing; fix: tools/ensure_debian.sh qemu-user"
    command = [QEMU, "-cpu", processor, sys.executable, __file__]
    process = subprocess.run(
        command,
        cwd=tmp_path,  # where qemu leaves a core
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )

    assert process.returncode == 0, process.stderr
    assert json.loads(process.stdout) == answers()


if __name__ == "__main__":
    sys.stdout.write(json.dumps(answers()))
