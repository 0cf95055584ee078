#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "branchwise/canonical/canonical_graph.hpp"
#include "branchwise/search/explorer.hpp"
#include "branchwise/spill/spill_folder.hpp"
#include "branchwise/support/large_array.hpp"
#include "branchwise/support/run_watch.hpp"
#include "branchwise/support/thread_team.hpp"

namespace branchwise {

/// How large parts are to be; small problems come to many of them only if told to.
struct PartSizes {
    std::size_t bytes = SIZE_MAX;          // that the states of a part may take
    std::optional<std::uint64_t> states{}; // that a part may meet
    std::uint64_t own = 5'000'000; // expanded states, from which on no rank begins
};

/// Expands one part: all states of as many ranks as fit, or of one rank as many buckets
/// as fit. What is there of it depends on nothing but which keys were sent to it.
class PartExpansion {
  public:
    PartExpansion(SpillFolder& folder, ResidualLayout const& layout, ThreadTeam& team,
                  PartSizes sizes);

    /// Expand the next part, whose states are waited for, from these buckets at most,
    /// and write its files; with the root, if there is no part yet. False if the watch
    /// ends the run before there is anything to write.
    [[nodiscard]] bool run(Word const* root, std::uint32_t most_buckets,
                           RunWatch& watch);
    /// From how many buckets on there was something, where it ended early.
    [[nodiscard]] std::uint32_t num_buckets_tried() const { return num_buckets_tried_; }

  private:
    /// How much there was before a rank began.
    struct Mark {
        std::size_t num_states = 0;
        std::size_t num_expanded = 0;
        std::map<std::uint64_t, std::size_t> arrived{}; // by sender
    };

    [[nodiscard]] std::uint64_t num_waiting(std::uint64_t rank,
                                            BucketRange buckets) const;
    [[nodiscard]] std::optional<std::uint64_t> next_rank();
    [[nodiscard]] BucketRange fitting(std::uint64_t rank, std::uint32_t most);
    [[nodiscard]] double room_for_states() const;
    [[nodiscard]] bool has_room_for(std::uint64_t rank) const;
    [[nodiscard]] Mark mark() const;
    void take_in(std::uint64_t rank);
    void take_in(std::uint64_t sender, SentKeys& keys, std::uint64_t rank);
    [[nodiscard]] bool expand(std::uint64_t rank, RunWatch& watch);
    void note_growth(std::size_t num_new);
    void write(Mark const& end);
    [[nodiscard]] std::map<std::uint64_t, std::vector<StateId>, std::greater<>>
    states_to_send(Mark const& end) const;
    void write_keys(Mark const& end);
    void write_segments(std::uint64_t rank, std::span<StateId const> states,
                        SectionWriter& to);
    void write_states(Mark const& end, PartInfo const& info);

    SpillFolder& folder_;
    ResidualLayout const& layout_;
    ThreadTeam& team_;
    PartSizes sizes_;
    CanonicalGraph graph_;
    Explorer explorer_;
    Residual residual_;
    BucketRange buckets_{};
    std::uint32_t num_buckets_tried_ = 0;
    std::vector<PartLayer> layers_;
    std::map<std::uint64_t, LargeArray<StateId>> arrivals_; // by sender
    std::vector<KeySegment> directory_;                     // of keys that were sent
    LargeArray<StateId> sent_;                              // in the order of keys
    double growth_ = 0; // how many states were new for each of the last rank
    double first_growth_ = 0;
    double state_bytes_ = 0;
    RunWatch clock_{{}};
};

} // namespace branchwise
