"""
branchwise finds the best contingent plan when every step may fail.

Three verbs carry the package::

    problem = branchwise.read("oil_wildcatter.yaml")
    solution = branchwise.solve(problem)
    branchwise.render(solution, "oil_wildcatter.html")

Start-up is felt on a command line, so a name is loaded when it is first used.
"""

from typing import TYPE_CHECKING

from branchwise._lazy import lazy

if TYPE_CHECKING:
    from branchwise import adversary as adversary
    from branchwise import analysis as analysis
    from branchwise import certificate as certificate
    from branchwise import engine as engine
    from branchwise import errors as errors
    from branchwise import follow as follow
    from branchwise import formats as formats
    from branchwise import generator as generator
    from branchwise import model as model
    from branchwise import program as program
    from branchwise import reference as reference
    from branchwise import report as report
    from branchwise import rewarding as rewarding
    from branchwise import risk as risk
    from branchwise import solver as solver
    from branchwise import space as space
    from branchwise import tree as tree
    from branchwise.adversary.interdict import defend
    from branchwise.analysis.analyze import analyze
    from branchwise.analysis.explanations.explain import explain
    from branchwise.analysis.individuals.profiles import profiles
    from branchwise.analysis.simulation.environment import environment
    from branchwise.analysis.simulation.simulate import simulate
    from branchwise.certificate.certify import certify
    from branchwise.certificate.verify import verify
    from branchwise.errors import BranchwiseError, FormatError, LimitError, ProblemError
    from branchwise.follow.follower import Follower
    from branchwise.formats.read import read, read_text
    from branchwise.formats.write import write, write_text
    from branchwise.generator.generate import generate
    from branchwise.model.action import Action, Given
    from branchwise.model.adversary import Adversary
    from branchwise.model.budget import UNLIMITED
    from branchwise.model.checks.validate import validate
    from branchwise.model.condition import all_of, any_of
    from branchwise.model.defense import Defense
    from branchwise.model.problem import Problem, Reward
    from branchwise.report.answer import render, schema
    from branchwise.risk.aims import AtLeast, CVaR, ExponentialUtility, UtilityTable
    from branchwise.solver import Solver, solve
    from branchwise.space.state_space import AvailableAction, StateSpace, Transition
    from branchwise.tree.deadline import deadline
    from branchwise.tree.decision_tree import DecisionTree
    from branchwise.tree.evaluate import evaluate
    from branchwise.tree.outlook import outlook
    from branchwise.tree.solution import Solution, Status

__all__ = [
    "UNLIMITED",
    "Action",
    "Adversary",
    "AtLeast",
    "AvailableAction",
    "BranchwiseError",
    "CVaR",
    "DecisionTree",
    "Defense",
    "ExponentialUtility",
    "Follower",
    "FormatError",
    "Given",
    "LimitError",
    "Problem",
    "ProblemError",
    "Reward",
    "Solution",
    "Solver",
    "StateSpace",
    "Status",
    "Transition",
    "UtilityTable",
    "all_of",
    "analyze",
    "any_of",
    "certify",
    "deadline",
    "defend",
    "environment",
    "evaluate",
    "explain",
    "generate",
    "outlook",
    "profiles",
    "read",
    "read_text",
    "render",
    "schema",
    "simulate",
    "solve",
    "validate",
    "verify",
    "write",
    "write_text",
]

__version__ = "0.1.0"

__getattr__, __dir__ = lazy(
    __name__,
    {
        "adversary.interdict": "defend",
        "analysis.analyze": "analyze",
        "analysis.explanations.explain": "explain",
        "analysis.individuals.profiles": "profiles",
        "analysis.simulation.environment": "environment",
        "analysis.simulation.simulate": "simulate",
        "certificate.certify": "certify",
        "certificate.verify": "verify",
        "errors": "BranchwiseError FormatError LimitError ProblemError",
        "follow.follower": "Follower",
        "formats.read": "read read_text",
        "formats.write": "write write_text",
        "generator.generate": "generate",
        "model.action": "Action Given",
        "model.adversary": "Adversary",
        "model.budget": "UNLIMITED",
        "model.checks.validate": "validate",
        "model.condition": "all_of any_of",
        "model.defense": "Defense",
        "model.problem": "Problem Reward",
        "report.answer": "render schema",
        "risk.aims": "AtLeast CVaR ExponentialUtility UtilityTable",
        "solver": "Solver solve",
        "space.state_space": "AvailableAction StateSpace Transition",
        "tree.deadline": "deadline",
        "tree.decision_tree": "DecisionTree",
        "tree.evaluate": "evaluate",
        "tree.outlook": "outlook",
        "tree.solution": "Solution Status",
    },
    rooms=(
        "adversary",
        "analysis",
        "certificate",
        "engine",
        "errors",
        "follow",
        "formats",
        "generator",
        "model",
        "program",
        "reference",
        "report",
        "rewarding",
        "risk",
        "solver",
        "space",
        "tree",
    ),
)
