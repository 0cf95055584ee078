"""The public names, and nothing else."""

import ast
from pathlib import Path

import pytest

import branchwise

PUBLIC = """
    Action ActionCriticality ActionInformation Adversary Advice Aim AimError AimMet
    AllOf Alternative Amounts Analysis AnalysisOptions AnyOf AtLeast Attempted
    AvailableAction BranchwiseError Budget BudgetFrontier BusyError CVaR Certificate
    Change Condition Continuation Criticality DEFENSE_METHODS DecisionTree Defense
    DefensePoint DefenseWorth Derivative Derivatives Distribution Draw ENGINES
    Estimate Explanation ExponentialUtility Follower Following FormatError
    FrontierPoint Given Happened HistoryError Individual Information Interdiction
    Issue IssuesError JournalError LiftedCondition LimitError LuckyCase MapCell
    MeasuredPlan Node Not NumberRange OBJECTIVES OBJECTIVE_NAMES ObservedPath OneWay
    Outcome OutcomeTest OutcomeTestResult Outlook PARAMETER_KINDS POLICY_NAMES PROGRAM_GRAPHS
    PROGRAM_METHODS Parameter Perturbation PlanError PlanRule Problem ProblemError
    ProfilePlan Profiles ProgramSolution Progress Prospect ResourceFrontier Reward
    RewardingSet RewardingSets Risk RiskFrontier Robustness SEARCHES
    SECTIONS SampleSize ScoreProgram ScoredAction ScoredState Segment SetsListing
    Simulation Solution Solver Spread Stage State StateSpace Statistics Status Swing
    Table Thresholds Tornado Transition TwoWay UNLIMITED Uncertainty UtilityTable
    ValuedTest Verdict Verification VerificationError WhatIfs all_of analyze any_of
    budget_frontier certify check_file criticality deadline defend defended
    dependency_dot dependency_svg derivatives environment evaluate explain generate
    one_way outlook parameters parse_aim parse_outcome_test problem_after profiles
    read read_text render risk_frontier schema score_program simulate solve
    thresholds tornado tree_text two_way uncertainty validate
    value_of_information verify write write_tables write_text
    """.split()


def test_the_package_offers_exactly_these_names():
    assert sorted(branchwise.__all__) == sorted(PUBLIC)
    assert dir(branchwise) == sorted(PUBLIC)


def test_every_public_name_is_there():
    for name in branchwise.__all__:
        assert getattr(branchwise, name) is not None


def test_every_public_object_says_what_it_is():
    for name in branchwise.__all__:
        assert getattr(branchwise, name).__doc__, name


def test_every_name_comes_from_where_type_checkers_are_told_it_does():
    source = Path(branchwise.__file__).read_text(encoding="utf-8")
    typed = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module.startswith("branchwise."):
            home = node.module.removeprefix("branchwise.")
            typed.update((alias.name, home) for alias in node.names)

    assert typed == branchwise._HOMES
    assert sorted(typed) == sorted(branchwise.__all__)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'sovle'"):
        branchwise.sovle  # noqa: B018
