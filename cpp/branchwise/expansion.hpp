#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "branchwise/rewarding_filter.hpp"
#include "branchwise/state_rules.hpp"
#include "branchwise/state_table.hpp"

namespace branchwise {

/// Some states of a layer with their children, which are one attempt further down.
///
/// Edges are never stored: every stage derives them again. States are taken by the
/// dozen, and the children of all of them are fetched before the first is looked at.
template <std::size_t Width>
class alignas(64) Expansion {
  public:
    using Table = StateTable<Width>;

    struct Option {
        std::uint32_t action;
        std::uint32_t first_child;
        Move const* move;
    };

    /// Without a filter every available action is considered (Algorithm 1).
    Expansion(StateRules const& rules, RewardingFilter const* filter);

    /// The states that follow are those after so many attempts.
    void enter(std::size_t depth) { most_ = rules_.most_attempts() - depth; }
    /// Add a state and find the actions considered there.
    void open(std::size_t slot, Word const* key, Table const& below);
    /// The same, where it is known which are allowed; gives those considered.
    Word open(std::size_t slot, Word const* key, Word allowed, Table const& below);
    /// Add a state where the actions considered are known.
    void reopen(std::size_t slot, Word const* key, Word mask, Table const& below);
    /// Add a state where one action is taken.
    void take(std::size_t slot, Word const* key, std::uint32_t action,
              Table const& below);
    void clear();

    [[nodiscard]] bool is_full() const { return num_children_ >= most_children; }
    [[nodiscard]] std::size_t num_states() const { return slots_.size(); }
    [[nodiscard]] std::size_t slot(std::size_t state) const { return slots_[state]; }
    [[nodiscard]] std::span<Option const> options(std::size_t state) const {
        std::size_t const last = state + 1 < first_options_.size()
                                     ? first_options_[state + 1]
                                     : options_.size();
        return std::span(options_).subspan(first_options_[state],
                                           last - first_options_[state]);
    }

    [[nodiscard]] std::size_t num_children() const { return num_children_; }
    [[nodiscard]] Word const* child_key(std::size_t child) const {
        return &keys_[child * width()];
    }
    [[nodiscard]] Word child_hash(std::size_t child) const { return hashes_[child]; }

    /// Find all children in the layer below.
    void resolve(Table const& below);
    [[nodiscard]] std::size_t child_slot(std::size_t child) const {
        return child_slots_[child];
    }

    /// The expected score of the children, less what the action is charged.
    [[nodiscard]] double score(Option const& option, Table const& below) const;
    /// The same where the children have not been resolved.
    [[nodiscard]] double find_score(Option const& option, Table const& below) const {
        double expected = 0;
        std::size_t child = option.first_child;
        for (PossibleOutcome const& chance : option.move->chances) {
            std::size_t const slot = below.find(child_key(child), hashes_[child]);
            expected += chance.probability * below.real(slot);
            ++child;
        }
        return expected - option.move->charge;
    }

  private:
    static constexpr std::size_t most_children = 128;

    [[nodiscard]] constexpr std::size_t width() const {
        return Width == 0 ? width_ : Width;
    }
    void start(std::size_t slot);
    [[nodiscard]] Word affordable(Word const* key, Word mask) const;
    void add(std::uint32_t action, Move const& move, Word const* key,
             Table const& below);

    StateRules const& rules_;
    RewardingFilter const* filter_;
    std::size_t width_;
    Word most_ = 0; // attempts that are left, where all cost the same
    RewardingFilter::Scratch scratch_;
    std::vector<std::size_t> slots_;
    std::vector<std::size_t> first_options_;
    std::vector<Option> options_;
    std::size_t num_children_ = 0;
    std::vector<Word> keys_; // room for all children, so that none asks for more
    std::vector<Word> hashes_;
    std::vector<std::size_t> child_slots_;
};

} // namespace branchwise
