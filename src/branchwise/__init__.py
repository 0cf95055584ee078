"""
branchwise finds the best contingent plan when every step may fail.

Three verbs carry the package::

    problem = branchwise.read("oil_wildcatter.yaml")
    solution = branchwise.solve(problem)
    branchwise.render(solution, "oil_wildcatter.html")

Start-up is felt on a command line, so a name is loaded when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from branchwise.adversary.interdict import DEFENSE_METHODS, defend
    from branchwise.adversary.interdiction import (
        DefensePoint,
        DefenseWorth,
        Interdiction,
    )
    from branchwise.analysis.analyze import SECTIONS, Analysis, analyze
    from branchwise.analysis.critical_actions.criticality import (
        ActionCriticality,
        Criticality,
        LiftedCondition,
        criticality,
    )
    from branchwise.analysis.explanations.explain import explain
    from branchwise.analysis.explanations.explanation import (
        Continuation,
        Explanation,
        Following,
    )
    from branchwise.analysis.explanations.same_luck import LuckyCase
    from branchwise.analysis.individuals.individuals import (
        Individual,
        ProfilePlan,
        Profiles,
    )
    from branchwise.analysis.individuals.profile_rules import NumberRange, PlanRule
    from branchwise.analysis.individuals.profiles import profiles
    from branchwise.analysis.information.clairvoyance import Estimate
    from branchwise.analysis.information.outcome_tests import (
        OutcomeTest,
        parse_outcome_test,
    )
    from branchwise.analysis.information.value_of_information import (
        ActionInformation,
        Information,
        OutcomeTestResult,
        ValuedTest,
        value_of_information,
    )
    from branchwise.analysis.options import AnalysisOptions
    from branchwise.analysis.risk import (
        Risk,
        RiskFrontier,
        risk_frontier,
    )
    from branchwise.analysis.sensitivity.derivatives import (
        Derivative,
        Derivatives,
        derivatives,
    )
    from branchwise.analysis.sensitivity.frontier import (
        BudgetFrontier,
        FrontierPoint,
        ResourceFrontier,
        budget_frontier,
    )
    from branchwise.analysis.sensitivity.parameters import (
        PARAMETER_KINDS,
        Parameter,
        parameters,
    )
    from branchwise.analysis.sensitivity.ranges import SampleSize
    from branchwise.analysis.sensitivity.thresholds import (
        OneWay,
        Segment,
        Thresholds,
        one_way,
        thresholds,
    )
    from branchwise.analysis.sensitivity.tornado import Swing, Tornado, tornado
    from branchwise.analysis.sensitivity.two_way import MapCell, TwoWay, two_way
    from branchwise.analysis.sensitivity.uncertainty import (
        Draw,
        Uncertainty,
        uncertainty,
    )
    from branchwise.analysis.simulation.environment import environment
    from branchwise.analysis.simulation.policies import POLICY_NAMES
    from branchwise.analysis.simulation.simulate import (
        ObservedPath,
        Simulation,
        simulate,
    )
    from branchwise.analysis.table import Table
    from branchwise.analysis.what_if import WhatIfs
    from branchwise.certificate.certificate import Certificate
    from branchwise.certificate.certify import certify
    from branchwise.certificate.verify import Verdict, verify
    from branchwise.engine.limits import SEARCHES
    from branchwise.errors import (
        AimError,
        BranchwiseError,
        BusyError,
        FormatError,
        HistoryError,
        Issue,
        IssuesError,
        JournalError,
        LimitError,
        PlanError,
        ProblemError,
        VerificationError,
    )
    from branchwise.follow.advice import Advice, Change
    from branchwise.follow.follower import Follower
    from branchwise.formats.read import check_file, read, read_text
    from branchwise.formats.write import write, write_text
    from branchwise.generator.generate import generate
    from branchwise.model.action import Action, Given, Outcome
    from branchwise.model.adversary import Adversary
    from branchwise.model.budget import UNLIMITED, Amounts, Budget
    from branchwise.model.checks.validate import validate
    from branchwise.model.condition import (
        AllOf,
        AnyOf,
        Attempted,
        Condition,
        Happened,
        Not,
        all_of,
        any_of,
    )
    from branchwise.model.defended import defended
    from branchwise.model.defense import Defense
    from branchwise.model.problem import Problem, Reward
    from branchwise.model.remaining import problem_after
    from branchwise.model.spread import Spread
    from branchwise.model.state import State
    from branchwise.program.program_solution import (
        ProgramSolution,
        ScoredAction,
        ScoredState,
    )
    from branchwise.program.score_program import (
        PROGRAM_GRAPHS,
        PROGRAM_METHODS,
        ScoreProgram,
        score_program,
    )
    from branchwise.reference.objective import OBJECTIVES
    from branchwise.report.answer import render, schema, write_tables
    from branchwise.report.dependency_graph.picture import dependency_svg
    from branchwise.report.dependency_graph.text import dependency_dot
    from branchwise.report.text.tree_text import tree_text
    from branchwise.rewarding.listing import SetsListing
    from branchwise.rewarding.sets import RewardingSet, RewardingSets
    from branchwise.risk.aims import (
        Aim,
        AtLeast,
        CVaR,
        ExponentialUtility,
        UtilityTable,
        parse_aim,
    )
    from branchwise.solver import ENGINES, Solver, solve
    from branchwise.space.state_space import AvailableAction, StateSpace, Transition
    from branchwise.tree.alternatives import Alternative, Prospect
    from branchwise.tree.deadline import deadline
    from branchwise.tree.decision_tree import DecisionTree, Node
    from branchwise.tree.distribution import Distribution
    from branchwise.tree.evaluate import evaluate
    from branchwise.tree.objectives import OBJECTIVE_NAMES
    from branchwise.tree.outlook import Outlook, outlook
    from branchwise.tree.progress import Progress, Stage
    from branchwise.tree.robustness import Perturbation, Robustness
    from branchwise.tree.solution import (
        AimMet,
        MeasuredPlan,
        Solution,
        Statistics,
        Status,
        Verification,
    )

__version__ = "0.1.0"

__all__ = [
    "DEFENSE_METHODS",
    "ENGINES",
    "OBJECTIVES",
    "OBJECTIVE_NAMES",
    "PARAMETER_KINDS",
    "POLICY_NAMES",
    "PROGRAM_GRAPHS",
    "PROGRAM_METHODS",
    "SEARCHES",
    "SECTIONS",
    "UNLIMITED",
    "Action",
    "ActionCriticality",
    "ActionInformation",
    "Adversary",
    "Advice",
    "Aim",
    "AimError",
    "AimMet",
    "AllOf",
    "Alternative",
    "Amounts",
    "Analysis",
    "AnalysisOptions",
    "AnyOf",
    "AtLeast",
    "Attempted",
    "AvailableAction",
    "BranchwiseError",
    "Budget",
    "BudgetFrontier",
    "BusyError",
    "CVaR",
    "Certificate",
    "Change",
    "Condition",
    "Continuation",
    "Criticality",
    "DecisionTree",
    "Defense",
    "DefensePoint",
    "DefenseWorth",
    "Derivative",
    "Derivatives",
    "Distribution",
    "Draw",
    "Estimate",
    "Explanation",
    "ExponentialUtility",
    "Follower",
    "Following",
    "FormatError",
    "FrontierPoint",
    "Given",
    "Happened",
    "HistoryError",
    "Individual",
    "Information",
    "Interdiction",
    "Issue",
    "IssuesError",
    "JournalError",
    "LiftedCondition",
    "LimitError",
    "LuckyCase",
    "MapCell",
    "MeasuredPlan",
    "Node",
    "Not",
    "NumberRange",
    "ObservedPath",
    "OneWay",
    "Outcome",
    "OutcomeTest",
    "OutcomeTestResult",
    "Outlook",
    "Parameter",
    "Perturbation",
    "PlanError",
    "PlanRule",
    "Problem",
    "ProblemError",
    "ProfilePlan",
    "Profiles",
    "ProgramSolution",
    "Progress",
    "Prospect",
    "ResourceFrontier",
    "Reward",
    "RewardingSet",
    "RewardingSets",
    "Risk",
    "RiskFrontier",
    "Robustness",
    "SampleSize",
    "ScoreProgram",
    "ScoredAction",
    "ScoredState",
    "Segment",
    "SetsListing",
    "Simulation",
    "Solution",
    "Solver",
    "Spread",
    "Stage",
    "State",
    "StateSpace",
    "Statistics",
    "Status",
    "Swing",
    "Table",
    "Thresholds",
    "Tornado",
    "Transition",
    "TwoWay",
    "Uncertainty",
    "UtilityTable",
    "ValuedTest",
    "Verdict",
    "Verification",
    "VerificationError",
    "WhatIfs",
    "all_of",
    "analyze",
    "any_of",
    "budget_frontier",
    "certify",
    "check_file",
    "criticality",
    "deadline",
    "defend",
    "defended",
    "dependency_dot",
    "dependency_svg",
    "derivatives",
    "environment",
    "evaluate",
    "explain",
    "generate",
    "one_way",
    "outlook",
    "parameters",
    "parse_aim",
    "parse_outcome_test",
    "problem_after",
    "profiles",
    "read",
    "read_text",
    "render",
    "risk_frontier",
    "schema",
    "score_program",
    "simulate",
    "solve",
    "thresholds",
    "tornado",
    "tree_text",
    "two_way",
    "uncertainty",
    "validate",
    "value_of_information",
    "verify",
    "write",
    "write_tables",
    "write_text",
]

_HOMES = {
    "DEFENSE_METHODS": "adversary.interdict",
    "defend": "adversary.interdict",
    "DefensePoint": "adversary.interdiction",
    "DefenseWorth": "adversary.interdiction",
    "Interdiction": "adversary.interdiction",
    "PROGRAM_GRAPHS": "program.score_program",
    "PROGRAM_METHODS": "program.score_program",
    "ScoreProgram": "program.score_program",
    "score_program": "program.score_program",
    "ProgramSolution": "program.program_solution",
    "ScoredAction": "program.program_solution",
    "ScoredState": "program.program_solution",
    "parse_aim": "risk.aims",
    "Aim": "risk.aims",
    "AtLeast": "risk.aims",
    "CVaR": "risk.aims",
    "ExponentialUtility": "risk.aims",
    "UtilityTable": "risk.aims",
    "Analysis": "analysis.analyze",
    "SECTIONS": "analysis.analyze",
    "analyze": "analysis.analyze",
    "Estimate": "analysis.information.clairvoyance",
    "ActionCriticality": "analysis.critical_actions.criticality",
    "Criticality": "analysis.critical_actions.criticality",
    "LiftedCondition": "analysis.critical_actions.criticality",
    "criticality": "analysis.critical_actions.criticality",
    "Derivative": "analysis.sensitivity.derivatives",
    "Derivatives": "analysis.sensitivity.derivatives",
    "derivatives": "analysis.sensitivity.derivatives",
    "environment": "analysis.simulation.environment",
    "explain": "analysis.explanations.explain",
    "Continuation": "analysis.explanations.explanation",
    "Explanation": "analysis.explanations.explanation",
    "Following": "analysis.explanations.explanation",
    "budget_frontier": "analysis.sensitivity.frontier",
    "BudgetFrontier": "analysis.sensitivity.frontier",
    "FrontierPoint": "analysis.sensitivity.frontier",
    "ResourceFrontier": "analysis.sensitivity.frontier",
    "Individual": "analysis.individuals.individuals",
    "ProfilePlan": "analysis.individuals.individuals",
    "Profiles": "analysis.individuals.individuals",
    "ActionInformation": "analysis.information.value_of_information",
    "OutcomeTestResult": "analysis.information.value_of_information",
    "Information": "analysis.information.value_of_information",
    "ValuedTest": "analysis.information.value_of_information",
    "value_of_information": "analysis.information.value_of_information",
    "MeasuredPlan": "tree.solution",
    "AnalysisOptions": "analysis.options",
    "OutcomeTest": "analysis.information.outcome_tests",
    "parse_outcome_test": "analysis.information.outcome_tests",
    "PARAMETER_KINDS": "analysis.sensitivity.parameters",
    "Parameter": "analysis.sensitivity.parameters",
    "parameters": "analysis.sensitivity.parameters",
    "POLICY_NAMES": "analysis.simulation.policies",
    "NumberRange": "analysis.individuals.profile_rules",
    "PlanRule": "analysis.individuals.profile_rules",
    "profiles": "analysis.individuals.profiles",
    "RiskFrontier": "analysis.risk",
    "risk_frontier": "analysis.risk",
    "Risk": "analysis.risk",
    "LuckyCase": "analysis.explanations.same_luck",
    "SampleSize": "analysis.sensitivity.ranges",
    "OneWay": "analysis.sensitivity.thresholds",
    "Segment": "analysis.sensitivity.thresholds",
    "Thresholds": "analysis.sensitivity.thresholds",
    "ObservedPath": "analysis.simulation.simulate",
    "Simulation": "analysis.simulation.simulate",
    "simulate": "analysis.simulation.simulate",
    "Table": "analysis.table",
    "one_way": "analysis.sensitivity.thresholds",
    "thresholds": "analysis.sensitivity.thresholds",
    "Swing": "analysis.sensitivity.tornado",
    "Tornado": "analysis.sensitivity.tornado",
    "tornado": "analysis.sensitivity.tornado",
    "MapCell": "analysis.sensitivity.two_way",
    "TwoWay": "analysis.sensitivity.two_way",
    "two_way": "analysis.sensitivity.two_way",
    "Draw": "analysis.sensitivity.uncertainty",
    "Uncertainty": "analysis.sensitivity.uncertainty",
    "uncertainty": "analysis.sensitivity.uncertainty",
    "WhatIfs": "analysis.what_if",
    "Certificate": "certificate.certificate",
    "certify": "certificate.certify",
    "Verdict": "certificate.verify",
    "verify": "certificate.verify",
    "SEARCHES": "engine.limits",
    "AimError": "errors",
    "BranchwiseError": "errors",
    "BusyError": "errors",
    "FormatError": "errors",
    "HistoryError": "errors",
    "Issue": "errors",
    "IssuesError": "errors",
    "JournalError": "errors",
    "LimitError": "errors",
    "PlanError": "errors",
    "ProblemError": "errors",
    "VerificationError": "errors",
    "Advice": "follow.advice",
    "Change": "follow.advice",
    "Follower": "follow.follower",
    "check_file": "formats.read",
    "read": "formats.read",
    "read_text": "formats.read",
    "write": "formats.write",
    "write_text": "formats.write",
    "Action": "model.action",
    "Given": "model.action",
    "Outcome": "model.action",
    "Adversary": "model.adversary",
    "Amounts": "model.budget",
    "Budget": "model.budget",
    "UNLIMITED": "model.budget",
    "AllOf": "model.condition",
    "AnyOf": "model.condition",
    "Attempted": "model.condition",
    "Condition": "model.condition",
    "Happened": "model.condition",
    "Not": "model.condition",
    "all_of": "model.condition",
    "any_of": "model.condition",
    "defended": "model.defended",
    "Defense": "model.defense",
    "generate": "generator.generate",
    "Problem": "model.problem",
    "Reward": "model.problem",
    "problem_after": "model.remaining",
    "Spread": "model.spread",
    "State": "model.state",
    "AvailableAction": "space.state_space",
    "StateSpace": "space.state_space",
    "Transition": "space.state_space",
    "validate": "model.checks.validate",
    "OBJECTIVES": "reference.objective",
    "write_tables": "report.answer",
    "dependency_svg": "report.dependency_graph.picture",
    "dependency_dot": "report.dependency_graph.text",
    "render": "report.answer",
    "schema": "report.answer",
    "tree_text": "report.text.tree_text",
    "RewardingSet": "rewarding.sets",
    "RewardingSets": "rewarding.sets",
    "SetsListing": "rewarding.listing",
    "ENGINES": "solver",
    "Solver": "solver",
    "solve": "solver",
    "Alternative": "tree.alternatives",
    "Prospect": "tree.alternatives",
    "deadline": "tree.deadline",
    "DecisionTree": "tree.decision_tree",
    "Node": "tree.decision_tree",
    "Distribution": "tree.distribution",
    "evaluate": "tree.evaluate",
    "OBJECTIVE_NAMES": "tree.objectives",
    "Outlook": "tree.outlook",
    "outlook": "tree.outlook",
    "Progress": "tree.progress",
    "Stage": "tree.progress",
    "Perturbation": "tree.robustness",
    "Robustness": "tree.robustness",
    "AimMet": "tree.solution",
    "Solution": "tree.solution",
    "Statistics": "tree.solution",
    "Status": "tree.solution",
    "Verification": "tree.solution",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
