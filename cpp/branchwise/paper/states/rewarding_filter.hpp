#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "branchwise/paper/states/carried_sets.hpp"
#include "branchwise/paper/states/state_rules.hpp"
#include "branchwise/rewarding/rewarding_sets.hpp"

namespace branchwise {

/// Which actions belong to a rewarding set that can still be completed (Equation 6).
///
/// The paper carries the sets along from state to state (Algorithm 2). Whether a set is
/// still there depends on the state alone: what it still needs only shrinks, by as
/// much as was paid for it, so a set that fails a check fails it ever after, and one
/// that passes has passed it all the way from the root. So nothing need be carried;
/// where it is, that is for speed.
class RewardingFilter {
  public:
    RewardingFilter(StateRules& rules, RewardingSets const& found);
    RewardingFilter(RewardingFilter const&) = delete;
    RewardingFilter& operator=(RewardingFilter const&) = delete;

    [[nodiscard]] std::size_t num_sets() const { return sets_.size(); }

    /// Room to work in, so that no state asks for memory; one per thread.
    struct Scratch {
        std::vector<Word> alive{}; // a bit per set
        std::vector<Word> open{};  // what one of them still needs
        std::vector<Word> needs{}; // what all of them still need: the result
    };

    /// Those of some actions, a bit each, that belong to open sets. There must not be
    /// more actions than bits in a word.
    [[nodiscard]] Word find_useful(Key key, Word allowed, Scratch& scratch) const;

    /// What is known of the sets in a form that is carried along, if they are few and
    /// simple enough.
    [[nodiscard]] CarriedSets const* carried() const {
        return carried_ ? &*carried_ : nullptr;
    }

    /// Does an action have an outcome among these?
    [[nodiscard]] bool is_among(std::size_t action, Key needs) const;

    /// Find what the open sets still need, as bits of the key's words. Only the first
    /// word's `asked` bits have to be right: the search may end once it has them all.
    void find_needs(Key key, Word asked, Scratch& scratch) const;

  private:
    static constexpr std::size_t word_bits = 64;
    static constexpr Word no_price = ~Word{0};
    // `happened` bits are looked up six at a time: 11 groups with 64 values each.
    static constexpr std::size_t group_bits = 6;
    static constexpr std::size_t group_rows = std::size_t{1} << group_bits;
    static constexpr std::size_t rows_per_word = 11 * group_rows;

    struct Repeated {
        std::uint32_t action;
        std::uint32_t first_mask; // into repeat_masks_, one per word
        Word attempts;
    };
    struct OpenSet {
        std::uint32_t first_repeated, last_repeated;
        std::uint32_t size; // how many outcomes it needs at the root
    };

    void add(RewardingSet const& set, RewardingSets const& found);
    void add_goals(StateRules& rules, RewardingSets const& found);
    void add_repeated(ActionId action, Key needs, std::int64_t attempts);
    void find_prices();
    void group_endings();
    void carry(RewardingSets const& found);
    void find_alive(Key key, std::vector<Word>& alive) const;
    /// `Words` is the number of words of `happened` bits; 0 if only known at run time.
    template <std::size_t Words>
    void find_open(Key key, Word asked, Scratch& scratch) const;
    [[nodiscard]] Word left(std::size_t resource, Key key) const;
    [[nodiscard]] Word most_outcomes(Key key) const;
    [[nodiscard]] bool is_open(OpenSet const& set, Key open, Key key) const {
        bool const is_plain = set.first_repeated == set.last_repeated;
        return (is_plain || has_attempts(set, open, key)) &&
               (uneven_.empty() || affords(open, key));
    }
    [[nodiscard]] bool has_attempts(OpenSet const& set, Key open, Key key) const;
    [[nodiscard]] bool affords(Key open, Key key) const;
    [[nodiscard]] Word price_within(Key open, std::size_t resource, Word left) const;

    struct Lasting {
        GatedTest when;
        std::uint32_t goal;
        std::uint32_t first_worth; // into worth_, a bit per set
    };

    StateRules const& rules_;
    std::size_t num_words_;     // of `happened` bits
    std::size_t num_set_words_; // of one bit per set
    std::vector<OpenSet> sets_;
    std::vector<Word> actions_;    // of each set, a bit per action, up to 64
    Word all_needs_ = 0;           // of all sets, in the first word
    std::vector<Word> needs_;      // one row of num_words_ per set
    std::vector<Word> ended_by_;   // one row of num_set_words_ per outcome
    std::vector<Word> left_by_;    // the sets that six `happened` bits leave alive
    std::vector<Word> worth_;      // one row of num_set_words_ per lasting goal
    std::vector<Lasting> lasting_; // goals
    std::vector<Repeated> repeated_;
    std::vector<Word> repeat_masks_;
    std::vector<Word> least_;         // price of an outcome: one row per resource
    std::vector<Word> uniform_;       // per resource, the price of all, or no_price
    std::vector<std::size_t> uneven_; // the resources with several prices
    std::optional<CarriedSets> carried_;
};

} // namespace branchwise
