#include "bindings/engines/run.hpp"

#include <utility>

#include "bindings/gil.hpp"

namespace nb = nanobind;

namespace branchwise {

namespace {

bool ask(nb::handle listener, RunProgress const& progress) {
    if (PyErr_CheckSignals() != 0) {
        throw nb::python_error();
    }
    nb::object const answer = staying_here([&] {
        return listener(progress.stage, progress.num_states, progress.lower_bound,
                        progress.upper_bound);
    });
    return nb::cast<bool>(answer);
}

} // namespace

RunWatch watch_for_python(RunLimits limits, Listener const& listener) {
    // The caller keeps the function alive as long as the run lasts.
    auto const goes_on = [handle = nb::handle(listener)](RunProgress const& progress) {
        WithLock const with_lock;
        try {
            return ask(handle, progress);
        } catch (nb::python_error const& error) {
            // Ctrl-C may also come while Python listens. The run ends in order, with
            // what it has.
            if (error.matches(PyExc_KeyboardInterrupt)) {
                return false;
            }
            throw;
        }
    };
    if (limits.bytes) {
        *limits.bytes = *limits.bytes / 20 * 19; // The rest is for Python.
    }
    return RunWatch(limits, goes_on);
}

} // namespace branchwise
