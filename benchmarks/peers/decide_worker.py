"""Let scikit-decide solve one problem: a process of its own, which may be ended."""

import json
import sys
import time

from peers.decide_domain import ProblemDomain
from skdecide.hub.solver.aostar import AOstar
from skdecide.hub.solver.ilaostar import ILAOstar
from skdecide.hub.solver.ldfs import LDFS
from skdecide.hub.solver.lrtdp import LRTDP
from skdecide.utils import logger

from branchwise import read_text

EPSILON = 1e-9  # of the value; a thousandth would do by default
SOLVERS = {
    "AO*": (AOstar, {}),
    "ILAO*": (ILAOstar, {"epsilon": EPSILON}),
    "LRTDP": (LRTDP, {"epsilon": EPSILON, "continuous_planning": False}),
    "LDFS": (LDFS, {"epsilon": EPSILON}),
}


def check(text, solver_name, is_blind):
    """Return the value, the number of states, and how long it took."""
    start, worked = time.perf_counter(), time.process_time()
    domain = ProblemDomain(read_text(text, format="json"))
    make, options = SOLVERS[solver_name]
    if not is_blind:
        options = {**options, "heuristic": lambda _, state: domain.heuristic(state)}
    solver = make(domain_factory=lambda: domain, **options)
    solver.solve()
    cost = solver.get_utility(domain.space.root)
    return {
        "value": domain.most - float(getattr(cost, "cost", cost)),
        "num_states": len(domain.known),
        "seconds": time.perf_counter() - start,
        "cpu_seconds": time.process_time() - worked,
    }


if __name__ == "__main__":
    logger.setLevel("ERROR")
    task = json.load(sys.stdin)
    print("started", flush=True)
    print("\n" + json.dumps(check(**task)))
