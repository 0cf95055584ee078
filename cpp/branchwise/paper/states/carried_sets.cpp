#include "branchwise/paper/states/carried_sets.hpp"

#include <algorithm>
#include <bit>

namespace branchwise {

CarriedSets::CarriedSets(StateRules const& rules, std::vector<Set> const& sets,
                         std::vector<Word> const& ended_by,
                         std::vector<Lasting> const& lasting, Word alive)
    : rules_(rules) {
    find_slack(sets, alive);
    find_effects(sets, ended_by, lasting);
    find_unions(sets);
}

/// Only sets that can waste too many attempts have to count them.
void CarriedSets::find_slack(std::vector<Set> const& sets, Word alive) {
    Word const most = rules_.most_attempts();
    std::vector<Word> slack;
    bool counts = false;
    for (std::size_t i = 0; i < sets.size(); ++i) {
        auto const size = static_cast<Word>(std::popcount(sets[i].needs));
        // Of its own actions it can waste none.
        Word const others = rules_.num_actions() - size;
        slack.push_back(std::min(others, most - std::min(most, size)));
        counts = counts || slack.back() < others;
        alive &= size > most ? ~(Word{1} << i) : ~Word{0};
    }
    if (counts) {
        Word const largest = std::ranges::max(slack);
        num_digits_ = std::max<std::size_t>(1, std::bit_width(largest));
    }
    for (std::size_t first = 0; first < sets.size(); first += half_bits) {
        at_root_.push_back(static_cast<Half>(alive >> first));
        for (std::size_t digit = 0; digit < num_digits_; ++digit) {
            Half row = 0;
            for (std::size_t i = first; i < std::min(sets.size(), first + half_bits);
                 ++i) {
                row |= static_cast<Half>(slack[i] >> digit & 1U) << (i - first);
            }
            at_root_.push_back(row);
        }
    }
}

void CarriedSets::find_effects(std::vector<Set> const& sets,
                               std::vector<Word> const& ended_by,
                               std::vector<Lasting> const& lasting) {
    for (std::uint32_t i = 0; i < ended_by.size(); ++i) {
        BitField const field = rules_.layout().happened(OutcomeId{i});
        Effect effect{
            .ended = ended_by[i], .helped = 0, .first_goal = 0, .last_goal = 0};
        for (std::size_t set = 0; set < sets.size(); ++set) {
            bool const is_needed = (sets[set].needs & field.mask()) != 0;
            effect.helped |= is_needed ? Word{1} << set : 0;
        }
        effect.first_goal = static_cast<std::uint32_t>(goals_.size());
        for (Lasting const& goal : lasting) {
            if (goal.asks_for[i]) {
                goals_.push_back({goal.when, goal.worth});
            }
        }
        effect.last_goal = static_cast<std::uint32_t>(goals_.size());
        effects_.push_back(effect);
    }
}

void CarriedSets::find_unions(std::vector<Set> const& sets) {
    for (std::size_t first = 0; first < sets.size(); first += 8) {
        std::size_t const start = unions_.size();
        unions_.resize(start + num_rows);
        for (std::size_t row = 1; row < num_rows; ++row) {
            std::size_t const set =
                first + static_cast<std::size_t>(std::bit_width(row)) - 1;
            std::size_t const rest = row & ~std::bit_floor(row);
            unions_[start + row] =
                unions_[start + rest] | (set < sets.size() ? sets[set].actions : 0);
        }
    }
}

} // namespace branchwise
