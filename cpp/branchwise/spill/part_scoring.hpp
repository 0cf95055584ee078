#pragma once

#include <cstddef>

#include "branchwise/canonical/layout/residual_layout.hpp"
#include "branchwise/spill/part_values.hpp"
#include "branchwise/spill/spill_folder.hpp"
#include "branchwise/support/run_watch.hpp"
#include "branchwise/support/thread_team.hpp"

namespace branchwise {

/// What came of scoring a part.
enum class PartScored : std::uint8_t {
    done,
    too_many,   // nodes to be counted in 64 bits: all parts are to be scored widely
    broken_off, // by the watch
};

/// Score the states of a part, all of whose children have values, and write these to
/// a file, with those of each key for its sender.
[[nodiscard]] PartScored score_part(SpillFolder& folder, std::size_t part,
                                    ResidualLayout const& layout, double tolerance,
                                    Measurement measurement, ThreadTeam& team,
                                    RunWatch& watch);

/// How many bytes a measure takes.
[[nodiscard]] std::size_t bytes_of_measure(Measurement measurement);

/// Put the answers to one sender's keys together, those of all parts here, and write
/// them to a file for where these keys came from. False if there are none.
bool write_answers(SpillFolder& folder, SenderId sender, Measurement measurement,
                   std::filesystem::path const& to);

} // namespace branchwise
