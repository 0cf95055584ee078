// What the bindings of long runs share: limits from Python, and a listener there.
#pragma once

#include <cstdint>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include "branchwise/support/run_watch.hpp"

namespace branchwise {

/// Called with the stage, the number of states and the bounds; False ends the run.
using Listener = nanobind::typed<nanobind::callable,
                                 bool(nanobind::str, std::uint64_t, double, double)>;

/// A watch that reports to a Python function how far the run has come, and ends the run
/// when that returns False or the user presses Ctrl-C. Made and destroyed with
/// the GIL, used without.
RunWatch watch_for_python(RunLimits limits, Listener const& listener);

} // namespace branchwise
