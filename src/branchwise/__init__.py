"""
branchwise finds the best contingent plan when every step may fail.

Three verbs carry the package::

    problem = branchwise.read("oil_wildcatter.yaml")
    solution = branchwise.solve(problem)
    branchwise.render(solution, "oil_wildcatter.html")

Start-up is felt on a command line, so a name is loaded when it is first used.
"""

from branchwise._lazy import lazy

__version__ = "0.1.0"

__all__, __getattr__, __dir__ = lazy(__name__)
