#include "bindings/run.hpp"

#include <utility>

namespace nb = nanobind;

namespace branchwise {

RunWatch watch_for_python(RunLimits limits, Listener const& listener) {
    // The caller keeps the function alive as long as the run lasts.
    auto const ask = [handle = nb::handle(listener)](RunProgress const& progress) {
        nb::gil_scoped_acquire const acquire;
        if (PyErr_CheckSignals() != 0) {
            if (PyErr_ExceptionMatches(PyExc_KeyboardInterrupt) != 0) {
                PyErr_Clear();
                return false; // The run ends in order, with what it has.
            }
            throw nb::python_error();
        }
        nb::object const answer = handle(progress.stage, progress.num_states,
                                         progress.lower_bound, progress.upper_bound);
        return nb::cast<bool>(answer);
    };
    return RunWatch(limits, ask);
}

} // namespace branchwise
