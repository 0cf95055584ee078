#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "branchwise/paper/states/state_rules.hpp"

namespace branchwise {

/// Which rewarding sets are open, carried along from a state to its children: for sets
/// that are few and simple enough.
///
/// There are no more of them than bits in a word, each of their outcomes can be tried
/// once, and all attempts cost the same. What is carried are those alive, a bit each,
/// and how many attempts each may still waste, as binary digits. A digit of all sets is
/// a word, and so is a bit of all: of half the size, as there are seldom more sets.
///
/// An example: actions a, b, c, d at unit cost, a budget for three attempts, and the
/// sets A = {a, b}, B = {c}, C = {a, b, d}, in the bits 0, 1, 2 from the right. A may
/// waste one attempt, B two, C none. So the root carries
///
///     alive 111, ones 001, twos 010.
///
/// Action a comes out as A and C need it, so B alone wastes an attempt. Taking 1 from
/// the number of B borrows from the twos, and the result is
///
///     alive 111, ones 011, twos 000: A may waste one, B one, C none.
///
/// Then c fails, which ends B and is wasted on A and C. A has 0 left; C had nothing
/// left to borrow from, so the borrow that remains, 100, takes it out:
///
///     alive 001, and of those alive ones 0, twos 0.
///
/// What is useful now are the actions of A that are still allowed: b.
class CarriedSets {
  public:
    using Half = std::uint32_t;

    /// A set as a filter knows it.
    struct Set {
        Word needs;   // outcomes, as bits of a key
        Word actions; // of those outcomes
    };
    /// A goal that, once reached, leaves only some sets worth completing.
    struct Lasting {
        GatedTest when;
        Word worth; // a bit per set
        std::vector<bool> asks_for;
    };

    /// `ended_by` has the sets that each outcome ends, and `alive` those at the root.
    CarriedSets(StateRules const& rules, std::vector<Set> const& sets,
                std::vector<Word> const& ended_by, std::vector<Lasting> const& lasting,
                Word alive);

    /// How many halves of a word are carried for a state.
    [[nodiscard]] std::size_t size() const { return at_root_.size(); }
    [[nodiscard]] std::vector<Half> const& at_root() const { return at_root_; }
    /// Write the same for a child. Returns the sets that are alive.
    [[gnu::always_inline]] Word follow(Half const* carried, OutcomeId outcome,
                                       Key child, Half* result) const {
        Effect const effect = effects_[index_of(outcome)];
        Word kept = ~effect.ended;
        for (std::uint32_t i = effect.first_goal; i < effect.last_goal; ++i) {
            kept &= rules_.tests().holds(goals_[i].when, child) ? goals_[i].worth
                                                                : ~Word{0};
        }
        Word alive = follow_half(carried, static_cast<Half>(kept),
                                 static_cast<Half>(effect.helped), result);
        if (size() > num_digits_ + 1) {
            carried += num_digits_ + 1;
            result += num_digits_ + 1;
            alive |=
                Word{follow_half(carried, static_cast<Half>(kept >> half_bits),
                                 static_cast<Half>(effect.helped >> half_bits), result)}
                << half_bits;
        }
        return alive;
    }
    /// Those that are alive, from what is carried.
    [[nodiscard]] Word alive(Half const* carried) const {
        Word const first = carried[0];
        return size() > num_digits_ + 1
                   ? Word{carried[num_digits_ + 1]} << half_bits | first
                   : first;
    }
    /// Those of some actions that belong to open sets. Every outcome of a set that is
    /// alive has happened or is of an action not yet taken, so the set still needs
    /// those of its actions that are allowed.
    [[nodiscard]] Word find_useful(Word allowed, Word alive) const {
        Word needed = 0;
        for (std::size_t first = 0; first < unions_.size(); first += num_rows) {
            needed |= unions_[first + alive % num_rows];
            alive /= num_rows;
        }
        return allowed & needed;
    }

  private:
    static constexpr unsigned half_bits = 32;
    static constexpr std::size_t num_rows = 256;

    /// What an outcome does to the sets.
    struct Effect {
        Word ended;
        Word helped; // those that need it: on all others the attempt is wasted
        std::uint32_t first_goal, last_goal;
    };
    struct Goal {
        GatedTest when;
        Word worth;
    };

    [[nodiscard, gnu::always_inline]] Half
    follow_half(Half const* carried, Half kept, Half helped, Half* result) const {
        Half alive = carried[0] & kept;
        // Take one from the numbers of all that waste the attempt at once, digit by
        // digit; what is borrowed in the end is of those that had nothing left.
        Half borrowed = num_digits_ == 0 ? 0 : alive & ~helped;
        for (std::size_t digit = 1; digit <= num_digits_; ++digit) {
            result[digit] = carried[digit] ^ borrowed;
            borrowed &= ~carried[digit];
        }
        alive &= ~borrowed;
        result[0] = alive;
        return alive;
    }
    void find_slack(std::vector<Set> const& sets, Word alive);
    void find_effects(std::vector<Set> const& sets, std::vector<Word> const& ended_by,
                      std::vector<Lasting> const& lasting);
    void find_unions(std::vector<Set> const& sets);

    StateRules const& rules_;
    std::size_t num_digits_ = 0;
    std::vector<Half> at_root_;   // for each half: those alive, then the digits
    std::vector<Effect> effects_; // of each outcome
    std::vector<Goal> goals_;     // that ask for one outcome after another
    std::vector<Word> unions_;    // the actions of any of eight sets
};

} // namespace branchwise
