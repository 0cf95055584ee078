"""Tests for reading scenarios of the Network Attack Simulator."""

from fractions import Fraction

import pytest

from branchwise.errors import FormatError
from branchwise.formats.read import check_file, read, read_text
from branchwise.formats.write import write_text
from branchwise.risk import AtLeast
from branchwise.solver import solve

# Three machines in three subnets, as in NASim's own smallest scenario; two of them are
# targets. The first is in the one subnet that can be reached from outside.
TINY = """\
subnets: [1, 1, 1]
topology: [[1, 1, 0, 0], [1, 1, 1, 1], [0, 1, 1, 1], [0, 1, 1, 1]]
sensitive_hosts: {"(2, 0)": 100, "(3, 0)": 100}
os: [linux]
services: [ssh]
processes: [tomcat]
exploits:
  e_ssh: {service: ssh, os: linux, prob: 0.8, cost: 1, access: user}
privilege_escalation:
  pe_tomcat: {process: tomcat, os: linux, prob: 1.0, cost: 1, access: root}
service_scan_cost: 1
os_scan_cost: 1
subnet_scan_cost: 1
process_scan_cost: 1
host_configurations:
  (1, 0):
    os: linux
    services: [ssh]
    processes: [tomcat]
  (2, 0):
    os: linux
    services: [ssh]
    processes: [tomcat]
    firewall: {"(1, 0)": [ssh]}
  (3, 0):
    os: linux
    services: [ssh]
    processes: [tomcat]
firewall:
  (0, 1): [ssh]
  (1, 0): []
  (1, 2): []
  (2, 1): [ssh]
  (1, 3): [ssh]
  (3, 1): [ssh]
  (2, 3): [ssh]
  (3, 2): [ssh]
step_limit: 1000
"""

# One machine that can be reached from outside.
SINGLE = """\
subnets: [1]
topology: [[1, 1], [1, 1]]
sensitive_hosts: {"(1, 0)": 10}
os: [linux]
services: [ssh, ftp]
processes: []
exploits:
  as_user: {service: ssh, os: linux, prob: 0.5, cost: 1, access: user}
  as_root: {service: ftp, os: none, prob: 0.25, cost: 1, access: root}
subnet_scan_cost: 1
host_configurations:
  (1, 0): {os: linux, services: [ssh, ftp], processes: []}
firewall: {}
step_limit: 2
"""


def chance_of_both(text, steps):
    problem = read_text(text).with_budget({"steps": steps})
    # One target is worth at most 100, both at least 200 less a few steps.
    return solve(problem, aim=AtLeast(101), exact=True).aim.worth


@pytest.mark.parametrize(("steps", "value"), [(5, "0"), (6, "64/125"), (7, "512/625")])
def test_both_targets_within_so_many_steps(steps, value):
    """
    Three exploits, a scan and two escalations have to succeed: six steps.

    Only exploits may fail, 1 time in 5: 0.8^3 in six steps; in seven, one of the three
    may fail once, 0.8^3 (1 + 3 * 0.2).
    """
    assert chance_of_both(TINY, steps) == Fraction(value)


def test_what_a_machine_itself_denies_does_not_pass():
    """The second target takes ssh from the first one only: that one comes before."""
    problem = read_text(TINY)
    second = problem.action("e_ssh on (2, 0)")

    assert '"e_ssh on (3, 0)"=user' in str(second.requires)
    assert '"e_ssh on (1, 0)"=user' not in str(second.requires)


def test_who_has_access_exploits_a_machine_without_fail():
    """
    In two steps: full access at once or in the second try, 7/16; or access as a user,
    after which full access is certain, 1/2 + 1/2 * 1/4. Both steps are always taken.
    """
    solution = solve(read_text(SINGLE), exact=True)

    assert solution.first_action == "as_user on (1, 0)"
    best = Fraction(1, 2) * 10 + Fraction(1, 2) * Fraction(1, 4) * 10 - 2
    assert solution.expected_reward == best


def test_costs_are_taken_off_what_targets_are_worth():
    problem = read_text(SINGLE)

    assert problem.budget["steps"] == 2
    assert problem.action("as_user on (1, 0)").cost["cost"] == 1
    assert problem.cost_weight["cost"] == 1


def test_what_is_assumed_is_said_with_its_place(tmp_path):
    path = tmp_path / "one.yaml"
    path.write_text(SINGLE.replace("step_limit: 2\n", ""))
    problem, issues = check_file(path)

    assert problem.budget["steps"] == 50
    assert problem.name == "one"
    assert [issue.severity for issue in issues] == ["warning"] * 2
    assert issues[0].where == f"{path}:1:1"
    assert issues[0].what == "there is no `step_limit`; the budget is 50 steps"
    assert "scans of services, systems and processes are left out" in issues[1].what


def test_a_target_that_no_exploit_opens_is_named(tmp_path):
    path = tmp_path / "one.yaml"
    path.write_text(SINGLE.replace("[ssh, ftp], processes", "[ssh], processes"))
    _, issues = check_file(path)

    assert "no exploit gives root access to the target `(1, 0)`" in issues[-1].what
    assert issues[-1].where == f"{path}:12:11"


def test_a_scenario_that_was_read_is_written_as_a_problem_of_ours():
    problem = read_text(TINY)

    assert read_text(write_text(problem)) == problem


BROKEN = {
    "topology: [[1, 1], [1, 1]]": (
        "topology: [[1, 1]]",
        "text:2:11: the topology has 1 rows for 1 subnets\n"
        "    fix: give it 2: the internet, then each subnet",
    ),
    "prob: 0.5": ("prob: 1.5", "`prob` is `1.5`, and no probability"),
    "cost: 1, access: user": (
        "access: user",
        "text:8:12: `as_user` has no `cost`\n    fix: add `cost`",
    ),
    "access: root": ("access: rot", "there is no access `rot`; did you mean `root`?"),
    "subnets: [1]": (
        "subnets: [2]",
        "text:12:3: the machine `(1, 1)` has no configuration\n"
        "    fix: add `(1, 1)` to `host_configurations`",
    ),
    '"(1, 0)": 10': ('"(4, 0)": 10', "there is no machine `(4, 0)` in the subnets"),
    "(1, 0): {os": ("here: {os", "`here` is no pair of numbers"),
    "services: [ssh, ftp], proc": ("services: {}, proc", "a map stands where services"),
    "exploits:\n": ("exploits: []\nmore:\n", "a list stands where `exploits` belongs"),
}


@pytest.mark.parametrize("old", BROKEN)
def test_what_is_broken_is_refused_with_place_cause_and_fix(old):
    new, message = BROKEN[old]
    assert old in SINGLE
    with pytest.raises(FormatError) as caught:
        read_text(SINGLE.replace(old, new))
    assert message in str(caught.value)
    assert "\n    fix: " in str(caught.value)


def test_a_network_that_is_too_large_is_refused():
    with pytest.raises(FormatError, match="900,000 machines; at most 200"):
        read_text(SINGLE.replace("subnets: [1]", "subnets: [900000]"))


def test_a_file_is_read_by_what_is_in_it(tmp_path):
    path = tmp_path / "tiny.yml"
    path.write_text(TINY)

    assert read(path).name == "tiny"
