#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "branchwise/canonical/layout/residual_layout.hpp"
#include "branchwise/spill/part_values.hpp"
#include "branchwise/spill/spill_folder.hpp"

namespace branchwise {

/// That optimal plans come to a state: one of the keys that a sender has sent here.
struct PlanMark {
    std::uint64_t index = 0; // among these keys, in their order
    std::uint64_t tag = 0;   // by which the state is known where plans are put together
    std::uint64_t is_kept = 0; // is it part of what is put together, or only counted?
};

/// A state that optimal plans come to, as it is written for `PlanBuilder`: this, then
/// for each option how many children it has, and these.
struct PlanRecord {
    std::uint64_t tag = 0;
    double score = 0;
    std::uint32_t choice = 0;
    std::uint32_t num_options = 0;
};
struct PlanChild {
    std::uint64_t tag = 0;
    double score = 0;
};

/// Follows optimal plans from the root down, part by part. All states that they come to
/// are counted, once each.
class PlanMarks {
  public:
    PlanMarks(SpillFolder& folder, ResidualLayout const& layout, double tolerance,
              Measurement measurement, bool keeps_ties)
        : folder_(folder), layout_(layout), tolerance_(tolerance),
          measurement_(measurement), keeps_ties_(keeps_ties) {}

    /// The tag of a state that has this number in a part.
    [[nodiscard]] static std::uint64_t tag_of(SenderId part, StateId state);

    /// Plans begin at the first state of the first part here.
    void mark_root() { marks_root_ = true; }
    /// Plans come to states whose keys were sent here.
    void add(SenderId sender, std::span<PlanMark const> marks);
    /// Follow all plans through a part, and note what comes to the states that were
    /// sent. Returns what there is to keep of it. Parts are asked for by rising number.
    [[nodiscard]] std::vector<std::byte> follow(std::size_t part);
    /// Of the part that was followed last: what plans come to in these buckets.
    [[nodiscard]] std::vector<PlanMark> marks_in(BucketRange buckets) const;
    [[nodiscard]] std::uint64_t num_counted() const { return num_counted_; }

  private:
    struct Tagged {
        std::uint64_t tag = 0;
        bool is_kept = false;
    };
    /// What comes to the keys of a sender, and how many of these were in parts before.
    struct Pending {
        std::vector<PlanMark> marks{}; // by index
        std::size_t next = 0;
        std::uint64_t num_before = 0;
    };
    class Sweep;

    [[nodiscard]] std::vector<std::pair<StateId, Tagged>> arriving(SectionReader& file);

    SpillFolder& folder_;
    ResidualLayout const& layout_;
    double tolerance_;
    Measurement measurement_;
    bool keeps_ties_;
    bool marks_root_ = false;
    std::map<std::uint64_t, Pending> pending_; // by sender
    std::uint64_t num_counted_ = 0;
    std::vector<KeySegment> directory_; // of the last part
    std::vector<PlanMark> sent_;        // by place among all that it has sent
};

} // namespace branchwise
