#include "branchwise/spill/part_values.hpp"

#include <algorithm>
#include <cstring>

namespace branchwise {

std::string Measurement::name() const {
    switch (objective) {
    case Objective::least_depth:
        return "depth";
    case Objective::least_expected_cost:
        return "cost";
    case Objective::fewest_expected_actions:
        return "actions";
    case Objective::order:
        return "order";
    case Objective::fewest_nodes:
        break;
    }
    return is_wide ? "wide-nodes" : "nodes";
}

PartValues::PartValues(SpillFolder& folder, std::size_t part,
                       ResidualLayout const& layout, double tolerance,
                       Measurement measurement, bool has_measures,
                       std::size_t value_bytes)
    : file_(folder.open(folder.states_file(part))), states_(layout, file_),
      worst_case_(states_, 0, tolerance), measurement_(measurement),
      has_measures_(has_measures), value_bytes_(value_bytes),
      sent_(file_.read_all<StateId>(SectionTag::sent)) {
    auto const directory = file_.read_all<KeySegment>(SectionTag::directory);
    directory_.assign(directory.begin(), directory.end());
    is_known_.resize(directory_.size());
    scores_.fill_up(states_.size(), 0);
    if (has_measures_) {
        (void)measures_.extend(sent_.size() * value_bytes_);
    }
    take_local(folder, part);
    take_foreign(folder, part);
    check_complete();
}

void PartValues::take_local(SpillFolder& folder, std::size_t part) {
    SenderId const self{folder.owner(), static_cast<std::uint32_t>(part)};
    for (std::size_t other = part + 1; other < folder.parts().size(); ++other) {
        PartInfo const& there = folder.parts()[other];
        auto const covers = [&there](KeySegment const& each) {
            return there.low <= each.rank && each.rank <= there.high &&
                   there.buckets.has(each.bucket);
        };
        if (std::any_of(directory_.begin(), directory_.end(), covers)) {
            SectionReader values =
                folder.open(folder.values_file(other, measurement_.name()));
            take(values, self.number(), covers);
        }
    }
}

// Others have all buckets that are not here, each of them some in a row.
void PartValues::take_foreign(SpillFolder& folder, std::size_t part) {
    SenderId const self{folder.owner(), static_cast<std::uint32_t>(part)};
    for (auto const& path : folder.foreign_values_files(part, measurement_.name())) {
        SectionReader values = folder.open(path);
        auto const buckets = values.read_value<BucketRange>(SectionTag::origin);
        take(values, self.number(),
             [buckets](KeySegment const& each) { return buckets.has(each.bucket); });
    }
}

template <typename Covers>
void PartValues::take(SectionReader& values, std::uint64_t sender, Covers covers) {
    auto const scores = values.read_all<double>(SectionTag::answers, sender);
    LargeArray<std::byte> measures;
    if (has_measures_) {
        measures = values.read_all<std::byte>(SectionTag::measures, sender);
    }
    std::size_t next = 0;
    std::size_t first = 0; // of the segment, among what was sent
    for (std::size_t s = 0; s < directory_.size(); ++s) {
        KeySegment const& segment = directory_[s];
        if (covers(segment)) {
            if (is_known_[s] || segment.count > scores.size() - next) {
                throw values.damaged();
            }
            is_known_[s] = true;
            for (std::size_t i = 0; i < segment.count; ++i) {
                scores_[index_of(sent_[first + i])] = scores[next + i];
            }
            if (has_measures_) {
                std::memcpy(measures_.data() + first * value_bytes_,
                            measures.data() + next * value_bytes_,
                            segment.count * value_bytes_);
            }
            next += segment.count;
        }
        first += segment.count;
    }
    if (next != scores.size()) {
        throw values.damaged();
    }
}

void PartValues::check_complete() const {
    if (std::find(is_known_.begin(), is_known_.end(), false) != is_known_.end()) {
        throw SpillError(SpillError::Kind::damaged, file_.path(),
                         "what its states lead to has no value");
    }
}

} // namespace branchwise
