#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "branchwise/problem/instance.hpp"
#include "branchwise/search/canonical_engine.hpp"
#include "branchwise/spill/part_expansion.hpp"
#include "branchwise/spill/part_scoring.hpp"
#include "branchwise/spill/spill_folder.hpp"
#include "branchwise/support/run_watch.hpp"
#include "branchwise/support/thread_team.hpp"

namespace branchwise {

/// Solves an instance with its states in files of a folder, a part at a time in memory:
/// all of it, or the states in some buckets, while others have the rest.
///
/// First `expand` until nothing waits any more, anywhere; then `score` all parts from
/// the last to the first. Each of these steps ends with a file, so that it never has to
/// be done again.
class Spill {
  public:
    Spill(Instance instance, std::size_t num_threads, std::filesystem::path folder,
          std::uint32_t owner, BucketRange buckets);
    Spill(Spill const&) = delete;
    Spill& operator=(Spill const&) = delete;

    /// An engine that has explored nothing, for the plan.
    [[nodiscard]] CanonicalEngine& engine() { return engine_; }
    [[nodiscard]] SpillFolder& folder() { return folder_; }
    [[nodiscard]] double tolerance() const { return engine_.worst_case().tolerance(); }
    [[nodiscard]] ResidualLayout const& layout() const {
        return engine_.graph().layout();
    }

    /// The highest rank that waits here to be expanded.
    [[nodiscard]] std::optional<std::uint64_t> next_rank() const;

    struct Step {
        bool is_done = false; // has it come to an end, and written what came of it?
        Ending ending = Ending::done;
    };
    /// Expand the next part; one that turns out to be too large is begun again with
    /// half as many buckets.
    [[nodiscard]] Step expand(PartSizes sizes, RunWatch const& watch);
    [[nodiscard]] PartScored score(std::size_t part, Measurement measurement,
                                   RunWatch& watch) {
        return score_part(folder_, part, layout(), tolerance(), measurement, team_,
                          watch);
    }
    /// How many of its own states of each rank a part has expanded.
    [[nodiscard]] std::vector<PartLayer> layers(std::size_t part) const;

  private:
    CanonicalEngine engine_;
    std::vector<Word> root_;
    ThreadTeam team_;
    SpillFolder folder_;
};

} // namespace branchwise
