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
    from branchwise.adversary.interdict import defend as defend
    from branchwise.analysis.analyze import analyze as analyze
    from branchwise.analysis.explanations.explain import explain as explain
    from branchwise.analysis.individuals.profiles import profiles as profiles
    from branchwise.analysis.simulation.environment import environment as environment
    from branchwise.analysis.simulation.simulate import simulate as simulate
    from branchwise.certificate.certify import certify as certify
    from branchwise.certificate.verify import verify as verify
    from branchwise.errors import BranchwiseError as BranchwiseError
    from branchwise.errors import FormatError as FormatError
    from branchwise.errors import LimitError as LimitError
    from branchwise.errors import ProblemError as ProblemError
    from branchwise.follow.follower import Follower as Follower
    from branchwise.formats.read import read as read
    from branchwise.formats.read import read_text as read_text
    from branchwise.formats.write import write as write
    from branchwise.formats.write import write_text as write_text
    from branchwise.generator.generate import generate as generate
    from branchwise.model.action import Action as Action
    from branchwise.model.action import Given as Given
    from branchwise.model.adversary import Adversary as Adversary
    from branchwise.model.budget import UNLIMITED as UNLIMITED
    from branchwise.model.checks.validate import validate as validate
    from branchwise.model.condition import all_of as all_of
    from branchwise.model.condition import any_of as any_of
    from branchwise.model.condition import at_least as at_least
    from branchwise.model.defense import Defense as Defense
    from branchwise.model.expression import parameter as parameter
    from branchwise.model.problem import Problem as Problem
    from branchwise.model.problem import Reward as Reward
    from branchwise.report.answer import render as render
    from branchwise.report.answer import schema as schema
    from branchwise.risk.aims import AtLeast as AtLeast
    from branchwise.risk.aims import CVaR as CVaR
    from branchwise.risk.aims import ExponentialUtility as ExponentialUtility
    from branchwise.risk.aims import UtilityTable as UtilityTable
    from branchwise.solver import Solver as Solver
    from branchwise.solver import solve as solve
    from branchwise.space.state_space import AvailableAction as AvailableAction
    from branchwise.space.state_space import StateSpace as StateSpace
    from branchwise.space.state_space import Transition as Transition
    from branchwise.tree.deadline import deadline as deadline
    from branchwise.tree.decision_tree import DecisionTree as DecisionTree
    from branchwise.tree.evaluate import evaluate as evaluate
    from branchwise.tree.outlook import outlook as outlook
    from branchwise.tree.solution import Solution as Solution
    from branchwise.tree.solution import Status as Status

__version__ = "0.1.0"

__all__, __getattr__, __dir__ = lazy(
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
        "model.condition": "all_of any_of at_least",
        "model.defense": "Defense",
        "model.expression": "parameter",
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
        "adversary analysis certificate engine errors follow formats generator model "
        "program reference report rewarding risk solver space tree"
    ),
)
