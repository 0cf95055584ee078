#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "branchwise/paper/states/condition_tests.hpp"
#include "branchwise/paper/states/outcome_vector.hpp"
#include "branchwise/problem/instance.hpp"

namespace branchwise {

/// The probabilities and the cost of an action while a clause of it counts.
struct Move {
    std::uint32_t action{};
    TestId when{};
    std::uint32_t first_chance{}; // those that are possible, of the chances of all
    std::uint32_t num_chances{};
    double cost{};
    double charge{};
    bool repeats = false; // it may be taken more than once
};

/// What may be done at a state, what may come of it, and what stopping is worth.
class StateRules {
  public:
    explicit StateRules(Instance const& instance);
    StateRules(StateRules const&) = delete;
    StateRules& operator=(StateRules const&) = delete;

    [[nodiscard]] Instance const& instance() const { return instance_; }
    [[nodiscard]] OutcomeVector const& layout() const { return layout_; }
    [[nodiscard]] ConditionTests& tests() { return tests_; }
    [[nodiscard]] ConditionTests const& tests() const { return tests_; }
    [[nodiscard]] std::size_t num_actions() const { return actions_.size(); }
    /// With so few actions, those of a state fit into one word.
    [[nodiscard]] bool has_masks() const { return actions_.size() <= 64; }

    /// The `happened` bits of an action's outcomes, in as many words as have any.
    [[nodiscard]] Key outcomes(std::size_t action) const {
        std::size_t const num_words = layout_.happened_masks().size();
        return Key(outcomes_).subspan(action * num_words, num_words);
    }
    [[nodiscard]] std::uint32_t action_of(OutcomeId outcome) const {
        return owners_[index_of(outcome)];
    }

    /// Is an action allowed, whatever it costs: required, not precluded, not used up?
    [[nodiscard, gnu::always_inline]] bool is_allowed(std::size_t action,
                                                      Key key) const {
        RuledAction const& rule = actions_[action];
        return tests_.holds(rule.allowed, key) &&
               (!rule.repeats || has_attempts(action, key));
    }
    /// All that are allowed, where there are no more actions than bits in a word.
    [[nodiscard]] Word allowed(Key key) const;
    /// The same for a child, from what was allowed before its last attempt: only
    /// actions that ask for the outcome can have changed.
    [[nodiscard, gnu::always_inline]] Word
    allowed_after(Word allowed, OutcomeId outcome, Key child) const {
        Effect const effect = effects_[index_of(outcome)];
        allowed &= ~effect.used_up;
        for (std::uint32_t i = effect.first_asker; i < effect.last_asker; ++i) {
            Word const bit = Word{1} << askers_[i];
            allowed = is_allowed(askers_[i], child) ? allowed | bit : allowed & ~bit;
        }
        return allowed;
    }

    /// How many attempts the budget pays for, where all cost the same.
    [[nodiscard]] Word most_attempts() const { return most_attempts_; }
    /// The move where nothing is done; all others come after it.
    static constexpr std::size_t no_move = 0;
    [[nodiscard]] bool affords(std::size_t move, Key key) const {
        for (std::size_t r = 0; r < budget_.size(); ++r) {
            if (layout_.spent(key, r) + price(move, r) > budget_[r]) {
                return false;
            }
        }
        return true;
    }

    /// The move of an action at a state where it is available.
    [[nodiscard]] std::size_t find_move(std::size_t action, Key key) const {
        RuledAction const& rule = actions_[action];
        return rule.first_move == rule.last_move ? rule.last_move
                                                 : find_clause(rule, key);
    }
    [[nodiscard]] Move const& move(std::size_t number) const { return moves_[number]; }
    /// The probabilities of a move's chances, and their outcomes.
    [[nodiscard]] double const* probabilities(Move const& move) const {
        return &probabilities_[move.first_chance];
    }
    [[nodiscard]] OutcomeId const* chances(Move const& move) const {
        return &chances_[move.first_chance];
    }
    /// How many chances all options of a state have together, at most.
    [[nodiscard]] std::size_t most_children() const { return most_children_; }

    /// The reward for stopping at a state.
    [[nodiscard]] double reward(Key key) const {
        if (rewards_.size() == 1) {
            return tests_.holds(rewards_[0].when, key) ? rewards_[0].value : 0;
        }
        return instance_.is_sum ? sum(key) : highest(key);
    }
    /// The same for a child, from the reward before its last attempt: most outcomes
    /// are part of no reward's condition.
    [[nodiscard]] double reward_after(double reward, OutcomeId outcome,
                                      Key child) const {
        return effects_[index_of(outcome)].is_paid_for ? this->reward(child) : reward;
    }
    /// The outcomes that a condition asks for, and those of actions it asks for.
    [[nodiscard]] std::vector<bool> outcomes_in(ConditionId condition) const;

    /// Write where a chance of a move leads to. `Width` is the number of words of a
    /// key, or 0 where only the layout knows.
    template <std::size_t Width>
    void follow(Move const& move, std::size_t chance, Word const* key,
                Word* child) const {
        std::size_t const width = Width == 0 ? layout_.num_words() : Width;
        std::size_t const i = move.first_chance + chance;
        bool const is_again =
            move.repeats && layout_.happened(chances_[i]).read(Key(key, width)) != 0;
        Word const* const step = &(is_again ? steps_again_ : steps_)[i * width];
        for (std::size_t word = 0; word < width; ++word) {
            child[word] = key[word] + step[word];
        }
    }

  private:
    struct RuledAction {
        GatedTest allowed{};
        bool repeats = false;
        std::size_t first_move{}; // the first whose clause holds counts
        std::size_t last_move{};  // if none does, this one
    };
    struct RuledReward {
        GatedTest when{};
        double value{};
    };
    /// What an outcome changes.
    struct Effect {
        Word used_up = 0; // the action, as a bit
        std::uint32_t first_asker = 0, last_asker = 0;
        bool is_paid_for = false; // some reward asks for it
    };

    [[nodiscard]] RuledAction ruled(ActionId id);
    void add_move(ActionId id, Variant const& variant);
    void add_step(std::size_t move, BitField what, std::vector<Word>& steps) const;
    [[nodiscard]] Word price(std::size_t move, std::size_t resource) const {
        return prices_[move * budget_.size() + resource];
    }
    [[nodiscard]] std::size_t find_clause(RuledAction const& rule, Key key) const;
    [[nodiscard]] bool has_attempts(std::size_t action, Key key) const;
    [[nodiscard]] double sum(Key key) const;
    [[nodiscard]] double highest(Key key) const;
    void find_askers();
    void add_askers(ActionId action, std::vector<std::vector<std::uint32_t>>& askers);
    void find_paid_for();

    Instance const& instance_;
    OutcomeVector layout_;
    ConditionTests tests_;
    std::vector<Word> budget_;
    Word most_attempts_ = ~Word{0};
    std::vector<RuledAction> actions_;
    std::vector<Move> moves_;        // of all actions; the first is to do nothing
    std::vector<Word> prices_;       // one row per move
    std::vector<OutcomeId> chances_; // those of one move after another
    std::vector<double> probabilities_;
    std::vector<Word> steps_; // what each adds to a key, the first time
    std::vector<Word> steps_again_;
    std::size_t most_children_ = 0;
    std::vector<RuledReward> rewards_;
    std::vector<Word> outcomes_;        // one row per action
    std::vector<std::uint32_t> owners_; // the action of each outcome
    std::vector<Effect> effects_;       // of each outcome
    std::vector<std::uint32_t> askers_; // the other actions that ask for each one
};

} // namespace branchwise
