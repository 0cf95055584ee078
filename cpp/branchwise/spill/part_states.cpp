#include "branchwise/spill/part_states.hpp"

#include <algorithm>

namespace branchwise {

namespace {

constexpr std::size_t at_a_time = std::size_t{1} << 16U;

/// Writes numbers in pieces, so that they are never all there at once.
template <typename T>
class PiecewiseWriter {
  public:
    explicit PiecewiseWriter(SectionWriter& to) : to_(to) { piece_.reserve(at_a_time); }

    void add(T value) {
        piece_.push_back(value);
        if (piece_.size() == at_a_time) {
            flush();
        }
    }
    void flush() {
        to_.write_values(std::span<T const>(piece_));
        piece_.clear();
    }

  private:
    SectionWriter& to_;
    std::vector<T> piece_;
};

} // namespace

void PartStates::write(CanonicalStates const& states, std::span<StateId const> own,
                       std::size_t num_states, StateId next, SectionWriter& to) {
    PartStates const copy(states);
    to.write_section(SectionTag::own, 0, own);
    copy.write_links(own, next, to);
    copy.write_rewards(num_states, to);
    copy.write_gains(to);
    to.begin(SectionTag::stops);
    auto const& stops = copy.stop_values_;
    to.write(std::as_bytes(std::span(stops.data(), stops.size())));
}

// Links stand in the order in which states were expanded, without anything between.
void PartStates::write_links(std::span<StateId const> own, StateId next,
                             SectionWriter& to) const {
    bool const is_last = next == no_state || !is_expanded(next);
    std::uint64_t const end = is_last ? links_.size() : places_[index_of(next)];
    to.begin(SectionTag::lengths);
    PiecewiseWriter<std::uint32_t> lengths(to);
    for (std::size_t i = 0; i < own.size(); ++i) {
        bool const has_next = i + 1 < own.size();
        std::uint64_t const behind = has_next ? places_[index_of(own[i + 1])] : end;
        lengths.add(static_cast<std::uint32_t>(behind - places_[index_of(own[i])]));
    }
    lengths.flush();
    to.begin(SectionTag::links);
    to.write(std::span(links_.data(), end));
}

// In a byte each if that will do; the number of the section says in how many.
void PartStates::write_rewards(std::size_t num_states, SectionWriter& to) const {
    std::uint32_t largest = 0;
    for (std::size_t i = 0; i < num_states; ++i) {
        largest = std::max(largest, reward_numbers_[i]);
    }
    auto const write_as = [&](auto number) {
        to.begin(SectionTag::rewards, sizeof number);
        PiecewiseWriter<decltype(number)> rewards(to);
        for (std::size_t i = 0; i < num_states; ++i) {
            rewards.add(static_cast<decltype(number)>(reward_numbers_[i]));
        }
        rewards.flush();
    };
    if (largest <= UINT8_MAX) {
        write_as(std::uint8_t{});
    } else {
        write_as(std::uint32_t{});
    }
}

// Each with its size before it.
void PartStates::write_gains(SectionWriter& to) const {
    std::vector<std::uint32_t> spelled;
    for (std::size_t i = 0; i < gains_.size(); ++i) {
        spelled.push_back(static_cast<std::uint32_t>(gains_[i]->size()));
        spelled.insert(spelled.end(), gains_[i]->begin(), gains_[i]->end());
    }
    to.write_section(SectionTag::gains, 0, std::span<std::uint32_t const>(spelled));
}

PartStates::PartStates(ResidualLayout const& layout, SectionReader& file)
    : CanonicalStates(layout.instance()),
      info_(file.read_value<PartInfo>(SectionTag::part)),
      own_(file.read_all<StateId>(SectionTag::own)) {
    auto const layers = file.read_all<PartLayer>(SectionTag::layers);
    layers_.assign(layers.begin(), layers.end());
    read_tables(layout, file);
    read_places(file);
    if (file.has(SectionTag::rewards, sizeof(std::uint8_t))) {
        read_rewards<std::uint8_t>(file);
    } else {
        read_rewards<std::uint32_t>(file);
    }
    if (own_.size() != info_.num_own || reward_numbers_.size() != size()) {
        throw file.damaged();
    }
}

template <typename T>
void PartStates::read_rewards(SectionReader& file) {
    auto const rewards = file.read_all<T>(SectionTag::rewards, sizeof(T));
    std::uint32_t const largest =
        rewards.size() == 0 ? 0 : *std::max_element(rewards.begin(), rewards.end());
    reward_numbers_.make_room(rewards.size(), largest);
    for (T const number : rewards) {
        reward_numbers_.push_back(number);
    }
}

void PartStates::read_tables(ResidualLayout const& layout, SectionReader& file) {
    level_values_.append(layout.levels());
    auto const gains = file.read_all<std::uint32_t>(SectionTag::gains);
    for (std::size_t i = 0; i < gains.size();) {
        std::size_t const count = gains[i++];
        add_gain(std::span(gains.data() + i, count));
        i += count;
    }
    auto const stops = file.read_all<double>(SectionTag::stops);
    stop_values_.append(std::span(stops.begin(), stops.end()));
}

// Added up as when it was found, so that the sum is the same to the last bit.
void PartStates::add_gain(std::span<std::uint32_t const> rewards) {
    double total = 0;
    for (std::uint32_t const reward : rewards) {
        total += instance().rewards[reward].value;
    }
    gain_values_.push_back(total);
    gains_.push_back(&kept_gains_.emplace_back(rewards.begin(), rewards.end()));
}

void PartStates::read_places(SectionReader& file) {
    constexpr std::size_t behind = PackedNumbers<StateId>::bytes_behind;
    std::size_t const num_bytes = file.bytes(SectionTag::links);
    file.read(SectionTag::links, 0, std::span(links_.extend(num_bytes), num_bytes));
    std::fill_n(links_.extend(behind), behind, std::byte{0});
    auto const lengths = file.read_all<std::uint32_t>(SectionTag::lengths);
    places_.make_room(info_.num_states);
    for (std::size_t i = 0; i < info_.num_states; ++i) {
        places_.add();
    }
    std::uint64_t place = 0;
    for (std::size_t i = 0; i < own_.size(); ++i) {
        places_.set(index_of(own_[i]), place);
        place += lengths[i];
    }
}

} // namespace branchwise
