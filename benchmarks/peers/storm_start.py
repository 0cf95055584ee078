"""Let Storm check one small model, and nothing besides: what starting it takes."""

import sys

import stormpy

if __name__ == "__main__":
    file, asked = sys.argv[1:]
    program = stormpy.parse_prism_program(file)
    [formula] = stormpy.parse_properties(asked, program)
    model = stormpy.build_model(program, [formula])
    found = stormpy.model_checking(model, formula, only_initial_states=True)
    [state] = model.initial_states
    print(found.get_value(state))
