#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "branchwise/canonical/canonical_states.hpp"
#include "branchwise/canonical/layout/residual_layout.hpp"
#include "branchwise/spill/key_segments.hpp"
#include "branchwise/spill/section_file.hpp"
#include "branchwise/support/large_array.hpp"

namespace branchwise {

/// What a part is: all states of these ranks, or of one rank those in these buckets.
struct PartInfo {
    std::uint64_t high = 0; // rank
    std::uint64_t low = 0;  // rank
    BucketRange buckets{};
    std::uint64_t num_own = 0;
    std::uint64_t num_states = 0; // with those that were sent
    std::uint64_t num_sent = 0;
    double growth = 0;      // how many states were new for each of the first rank
    double state_bytes = 0; // what a state took
    double seconds = 0;     // what it took to expand
};

/// How many states of a rank a part has expanded.
struct PartLayer {
    std::uint64_t rank = 0;
    std::uint64_t count = 0;
    double seconds = 0; // that it took, with what was sent there
};

/// The states of a part without their keys, as they are read from its file: its own,
/// which are expanded, and those it has sent to lower parts. Numbers are those that
/// they had while the part was expanded.
class PartStates : public CanonicalStates {
  public:
    /// Write what is known of the states that were expanded, in this order, and of all
    /// up to `num_states`. `next` is what was expanded after these, if anything was.
    static void write(CanonicalStates const& states, std::span<StateId const> own,
                      std::size_t num_states, StateId next, SectionWriter& to);

    PartStates(ResidualLayout const& layout, SectionReader& file);

    [[nodiscard]] PartInfo const& info() const { return info_; }
    /// In the order in which they were expanded.
    [[nodiscard]] std::span<StateId const> own() const { return own_; }
    /// By falling rank, in that order.
    [[nodiscard]] std::span<PartLayer const> layers() const { return layers_; }

  private:
    explicit PartStates(CanonicalStates const& states) : CanonicalStates(states) {}

    void write_links(std::span<StateId const> own, StateId next,
                     SectionWriter& to) const;
    void write_rewards(std::size_t num_states, SectionWriter& to) const;
    template <typename T>
    void read_rewards(SectionReader& file);
    void write_gains(SectionWriter& to) const;
    void read_tables(ResidualLayout const& layout, SectionReader& file);
    void read_places(SectionReader& file);
    void add_gain(std::span<std::uint32_t const> rewards);

    PartInfo info_;
    LargeArray<StateId> own_;
    std::vector<PartLayer> layers_;
    std::deque<std::vector<std::uint32_t>> kept_gains_;
};

} // namespace branchwise
