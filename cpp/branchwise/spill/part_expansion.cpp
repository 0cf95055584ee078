#include "branchwise/spill/part_expansion.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace branchwise {

namespace {

// Until the first part is done: how many states are new for each that is expanded, and
// what a state takes.
constexpr double usual_growth = 4;
constexpr double usual_state_bytes = 120;
// The first rank of a part may lead to more than that of the part before.
constexpr double margin = 1.25;
// Much of what a further rank leads to is known by then: least so at first.
constexpr double share_new_to_second = 0.4;

} // namespace

PartExpansion::PartExpansion(SpillFolder& folder, ResidualLayout const& layout,
                             ThreadTeam& team, PartSizes sizes)
    : folder_(folder), layout_(layout), team_(team), sizes_(sizes), graph_(layout),
      explorer_(graph_, team), residual_(layout), growth_(usual_growth),
      state_bytes_(usual_state_bytes) {
    if (!folder.parts().empty()) {
        growth_ = folder.parts().back().growth;
        state_bytes_ = folder.parts().back().state_bytes;
    }
}

// States of a rank lead to lower ones only. So once all above are done, all keys of a
// rank have been sent, and what is in its buckets can be told from what is in others.
// Further ranks belong to the part as long as it has all buckets: then what its states
// lead to there is known besides what was sent.
bool PartExpansion::run(Word const* root, std::uint32_t most_buckets, RunWatch& watch) {
    if (folder_.parts().empty() &&
        folder_.buckets().has(bucket_of(root, folder_.num_words()))) {
        (void)graph_.enter(root, residual_);
    }
    std::optional<std::uint64_t> rank = next_rank();
    assert(rank);
    buckets_ = fitting(*rank, most_buckets);
    bool const is_whole = buckets_.size() == num_buckets;
    Mark end;
    do {
        end = mark();
        double const began = clock_.seconds();
        take_in(*rank);
        if (!expand(*rank, watch)) {
            if (layers_.empty()) {
                return false;
            }
            break; // What was begun is begun again in the next part.
        }
        layers_.back().seconds = clock_.seconds() - began;
        end = mark();
        rank = next_rank();
    } while (is_whole && rank && has_room_for(*rank));
    write(end);
    return true;
}

std::optional<std::uint64_t> PartExpansion::next_rank() {
    std::optional<std::uint64_t> result = explorer_.next_rank();
    auto const& waiting = folder_.waiting();
    for (auto const& [rank, counts] : waiting) {
        // What has come in is still counted there until the part is written.
        if (layers_.empty() || rank < layers_.back().rank) {
            return std::max(result.value_or(0), rank);
        }
    }
    return result;
}

std::uint64_t PartExpansion::num_waiting(std::uint64_t rank,
                                         BucketRange buckets) const {
    auto const found = folder_.waiting().find(rank);
    if (found == folder_.waiting().end()) {
        return 0;
    }
    auto const first = found->second.begin();
    return std::accumulate(first + buckets.first, first + buckets.last,
                           std::uint64_t{0});
}

double PartExpansion::room_for_states() const {
    return sizes_.states ? static_cast<double>(*sizes_.states)
                         : static_cast<double>(sizes_.bytes) / state_bytes_;
}

// At least one bucket in which there is something, as there must be some progress. The
// root is alone in its layer.
BucketRange PartExpansion::fitting(std::uint64_t rank, std::uint32_t most) {
    double const room = room_for_states() / (1 + margin * growth_);
    BucketRange result{folder_.next_bucket(rank), folder_.buckets().last};
    if (graph_.size() > 0) {
        num_buckets_tried_ = 1;
        return result;
    }
    auto const in_bucket = [&](std::uint32_t bucket) {
        return static_cast<double>(num_waiting(rank, {bucket, bucket + 1}));
    };
    std::uint32_t first = result.first;
    while (in_bucket(first) == 0) {
        ++first;
    }
    std::uint32_t last = first;
    double count = 0;
    do {
        count += in_bucket(last++);
    } while (last < result.last && last - first < most &&
             count + in_bucket(last) <= room);
    num_buckets_tried_ = last - first;
    bool const is_all = last == result.last;
    return {is_all ? result.first : first, last};
}

bool PartExpansion::has_room_for(std::uint64_t rank) const {
    if (explorer_.expanded().size() >= sizes_.own) {
        return false;
    }
    auto const sent = static_cast<double>(num_waiting(rank, buckets_));
    auto const found = explorer_.waiting().find(rank);
    bool const has_own = found != explorer_.waiting().end();
    double const own = has_own ? static_cast<double>(found->second.size()) : 0;
    double const share = layers_.size() == 1 ? share_new_to_second : 1;
    double const states =
        static_cast<double>(graph_.size()) + sent + share * growth_ * (own + sent);
    return states <= room_for_states();
}

PartExpansion::Mark PartExpansion::mark() const {
    Mark result{graph_.size(), explorer_.expanded().size(), {}};
    for (auto const& [sender, arrived] : arrivals_) {
        result.arrived[sender] = arrived.size();
    }
    return result;
}

void PartExpansion::take_in(std::uint64_t rank) {
    folder_.for_each_sender([&](SenderId sender, SentKeys& keys) {
        take_in(sender.number(), keys, rank);
        keys.rest();
    });
}

void PartExpansion::take_in(std::uint64_t sender, SentKeys& keys, std::uint64_t rank) {
    std::vector<Word> read;
    for (KeySegment const& segment : keys.within(rank, buckets_)) {
        keys.read(segment, read);
        graph_.make_room_for_keys(segment.count);
        StateId* const arrived = arrivals_[sender].extend(segment.count);
        graph_.enter_all(read, residual_, {arrived, segment.count});
    }
}

bool PartExpansion::expand(std::uint64_t rank, RunWatch& watch) {
    std::size_t const num_before = explorer_.expanded().size();
    std::size_t const num_states = graph_.size();
    if (explorer_.next_rank() != rank) {
        throw std::logic_error("keys of a rank have come too late");
    }
    if (!explorer_.expand_rank(watch)) {
        return false;
    }
    layers_.push_back({rank, explorer_.expanded().size() - num_before, 0});
    note_growth(graph_.size() - num_states);
    return true;
}

void PartExpansion::note_growth(std::size_t num_new) {
    growth_ = static_cast<double>(num_new) / static_cast<double>(layers_.back().count);
    if (layers_.size() == 1) {
        first_growth_ = growth_;
    }
    constexpr double few = 10'000;
    if (auto const count = static_cast<double>(graph_.size()); count >= few) {
        state_bytes_ = static_cast<double>(graph_.bytes()) / count;
    }
}

// The file of states comes last: once it is there, the part is done.
void PartExpansion::write(Mark const& end) {
    explorer_.rest();
    write_keys(end);
    PartInfo const info{
        layers_.front().rank, layers_.back().rank, buckets_, end.num_expanded,
        end.num_states,       sent_.size(),        growth_,  state_bytes_,
        clock_.seconds()};
    assert(info.num_own + info.num_sent == info.num_states);
    write_states(end, info);
    folder_.add_part(info);
}

// By rank, those that are not expanded; with a rank that was begun and not ended.
std::map<std::uint64_t, std::vector<StateId>, std::greater<>>
PartExpansion::states_to_send(Mark const& end) const {
    auto result = explorer_.waiting();
    auto const begun = explorer_.expanded().subspan(end.num_expanded);
    if (!begun.empty()) {
        auto& same = result[graph_.rank(begun.front())];
        same.insert(same.begin(), begun.begin(), begun.end());
    }
    for (auto& [rank, states] : result) {
        std::erase_if(states,
                      [&](StateId state) { return index_of(state) >= end.num_states; });
    }
    return result;
}

void PartExpansion::write_keys(Mark const& end) {
    SectionWriter to(folder_.keys_file(folder_.parts().size()), folder_.digest());
    to.begin(SectionTag::keys);
    for (auto const& [rank, states] : states_to_send(end)) {
        write_segments(rank, states, to);
    }
    to.write_section(SectionTag::directory, 0, std::span<KeySegment const>(directory_));
    to.finish();
}

void PartExpansion::write_segments(std::uint64_t rank, std::span<StateId const> states,
                                   SectionWriter& to) {
    std::size_t const num_words = layout_.key_words();
    std::array<std::vector<StateId>, num_buckets> by_bucket;
    KeyBuffer buffer;
    for (StateId const state : states) {
        by_bucket[bucket_of(graph_.key(state, buffer), num_words)].push_back(state);
    }
    std::array<std::vector<std::byte>, num_buckets> packed;
    team_.share(num_buckets, [&](std::size_t bucket, std::size_t) {
        std::vector<Word> keys;
        KeyBuffer own_buffer;
        for (StateId const state : by_bucket[bucket]) {
            Word const* const key = graph_.key(state, own_buffer);
            keys.insert(keys.end(), key, key + num_words);
        }
        pack_keys(keys, num_words, packed[bucket]);
    });
    for (std::uint32_t bucket = 0; bucket < num_buckets; ++bucket) {
        if (!by_bucket[bucket].empty()) {
            directory_.push_back({rank, bucket,
                                  static_cast<std::uint32_t>(by_bucket[bucket].size()),
                                  to.section_bytes(), packed[bucket].size(),
                                  checksum_of(packed[bucket])});
            to.write(packed[bucket]);
            sent_.append(by_bucket[bucket]);
        }
    }
}

void PartExpansion::write_states(Mark const& end, PartInfo const& info) {
    SectionWriter to(folder_.states_file(folder_.parts().size()), folder_.digest());
    to.write_section(SectionTag::part, 0, std::span(&info, 1));
    to.write_section(SectionTag::layers, 0, std::span<PartLayer const>(layers_));
    auto const expanded = explorer_.expanded();
    StateId next = no_state;
    if (expanded.size() > end.num_expanded) {
        next = expanded[end.num_expanded];
    } else if (!explorer_.waiting().empty()) {
        next = explorer_.waiting().begin()->second.front();
    }
    PartStates::write(graph_.snapshot(), expanded.first(end.num_expanded),
                      end.num_states, next, to);
    to.write_section(SectionTag::directory, 0, std::span<KeySegment const>(directory_));
    to.write_section(SectionTag::sent, 0,
                     std::span<StateId const>(sent_.begin(), sent_.end()));
    for (auto const& [sender, arrived] : arrivals_) {
        auto const known = end.arrived.find(sender);
        if (known != end.arrived.end()) {
            to.write_section(SectionTag::arrivals, sender,
                             std::span<StateId const>(arrived.data(), known->second));
        }
    }
    to.finish();
}

} // namespace branchwise
