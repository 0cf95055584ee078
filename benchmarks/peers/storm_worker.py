"""Let Storm check one model: a process of its own, which may be ended."""

import json
import sys
import tempfile
import time
from pathlib import Path

import stormpy
from clock import fastest
from stormpy import environments

PRECISION = stormpy.Rational("1/1000000000000000")


def check(text, asked, engine_name, tables_mb=4096):
    """Return the value, the number of states, and how long each part took."""
    engine = stormpy.Engine(engine_name)
    start, worked = time.perf_counter(), time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "problem.prism"
        path.write_text(text, encoding="utf-8")
        # The symbolic engine does not know formulas.
        program = stormpy.parse_prism_program(path).substitute_formulas()
    [formula] = stormpy.parse_properties(asked, program)
    environment = _environment(engine)
    environment.dd().sylvan().maximal_memory = tables_mb
    options = {} if engine is stormpy.Engine.SPARSE else {"environment": environment}
    model = stormpy.build_model(program, [formula], engine=engine, **options)
    built = time.perf_counter()
    found = stormpy.model_checking(
        model, formula, engine=engine, environment=environment, only_initial_states=True
    )
    value = _initial_value(model, found, engine)
    checked = time.perf_counter()
    return {
        "result": value,
        "num_states": model.nr_states,
        "build_seconds": built - start,
        "check_seconds": checked - built,
        "cpu_seconds": time.process_time() - worked,
    }


def _environment(engine):
    """
    Choose methods that are right to the last digits.

    The models have no cycles. The topological solver then works each state out once;
    the symbolic engine has only value iteration, which stops changing after as many
    rounds as a plan is deep, so that a small precision costs nothing.
    """
    environment = environments.Environment()
    solver = environment.solver().min_max()
    methods = environments.MinMaxMethod
    is_sparse = engine is stormpy.Engine.SPARSE
    solver.method = methods.TOPOLOGICAL if is_sparse else methods.VALUE_ITERATION
    solver.precision = PRECISION
    solver.relative_termination_criterion = False
    environment.dd().sylvan().number_of_threads = 1  # Two only wait for each other.
    return environment


def _initial_value(model, found, engine):
    if engine is stormpy.Engine.SPARSE:
        [state] = model.initial_states
        return found.get_value(state)
    found.filter(stormpy.create_filter_initial_states(model))
    return found.get_min()


if __name__ == "__main__":
    task = json.load(sys.stdin)
    print("started", flush=True)
    print(json.dumps(fastest(lambda: check(**task)).answer))
