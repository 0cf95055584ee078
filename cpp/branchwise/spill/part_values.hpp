#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "branchwise/canonical/canonical_scores.hpp"
#include "branchwise/canonical/worst_case.hpp"
#include "branchwise/spill/part_states.hpp"
#include "branchwise/spill/spill_folder.hpp"

namespace branchwise {

/// What the trees of a run are compared by: a secondary objective, and for the number
/// of nodes whether it is counted in more than 64 bits.
struct Measurement {
    Objective objective = Objective::fewest_nodes;
    bool is_wide = false;

    /// In one word, as it is in names of files.
    [[nodiscard]] std::string name() const;
};

/// A part, and what was worked out elsewhere of the states it has sent: their scores,
/// and what the best trees from there on measure.
class PartValues {
  public:
    /// Read it all. Throws `SpillError` unless every state that was sent has exactly
    /// one value.
    PartValues(SpillFolder& folder, std::size_t part, ResidualLayout const& layout,
               double tolerance, Measurement measurement, bool has_measures,
               std::size_t value_bytes);
    PartValues(PartValues const&) = delete;
    PartValues& operator=(PartValues const&) = delete;

    [[nodiscard]] PartStates const& states() const { return states_; }
    [[nodiscard]] SectionReader& file() { return file_; }
    [[nodiscard]] WorstCase const& worst_case() const { return worst_case_; }
    /// By state, but for the own ones.
    [[nodiscard]] LargeArray<double>& scores() { return scores_; }
    /// The measures of states that were sent, in their order, each in so many bytes.
    [[nodiscard]] LargeArray<std::byte> const& measures() const { return measures_; }
    [[nodiscard]] LargeArray<StateId> const& sent() const { return sent_; }
    /// Where the keys were sent, in that order.
    [[nodiscard]] std::vector<KeySegment> const& directory() const {
        return directory_;
    }

  private:
    void take_local(SpillFolder& folder, std::size_t part);
    void take_foreign(SpillFolder& folder, std::size_t part);
    template <typename Covers>
    void take(SectionReader& values, std::uint64_t sender, Covers covers);
    void check_complete() const;

    SectionReader file_;
    PartStates states_;
    WorstCase worst_case_;
    Measurement measurement_;
    bool has_measures_;
    std::size_t value_bytes_;
    LargeArray<StateId> sent_;
    std::vector<KeySegment> directory_;
    std::vector<bool> is_known_; // by segment
    LargeArray<double> scores_;
    LargeArray<std::byte> measures_;
};

} // namespace branchwise
