#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "branchwise/considered_actions.hpp"
#include "branchwise/crew.hpp"
#include "branchwise/layer.hpp"
#include "branchwise/rewarding_filter.hpp"
#include "branchwise/state_rules.hpp"
#include "branchwise/state_table.hpp"

namespace branchwise {

/// The lowest layer of a full graph, and the one below it as it is found.
///
/// Only here do states have keys. Each part of the layer below belongs to one thread,
/// and the hash of a key tells which part it goes to. So threads share nothing: a block
/// of states is opened, which puts their children into outboxes; then each part takes
/// in what is for it, and answers with numbers; then the children are given these
/// numbers, and new ones what is known about them from their parents.
template <std::size_t Width>
class Frontier {
  public:
    Frontier(StateRules const& rules, RewardingFilter const* filter, Crew& crew);

    /// Make the root the only state of a layer.
    void start(Layer& top);
    /// Find the options of all states of a layer, and the states below. `num_before` is
    /// how many are known, for whoever waits.
    void expand(Layer& here, Layer& below, std::size_t num_before);
    /// Go on with the layer that was below.
    void descend();

    [[nodiscard]] std::size_t bytes() const;

  private:
    /// States of a part, while they are at the frontier.
    struct States {
        LargeArray<Word> keys{};
        LargeArray<Word> allowed{}; // actions, where there are no more than bits
        LargeArray<Word> alive{};   // rewarding sets, where they are carried along

        [[nodiscard]] std::size_t bytes() const {
            return keys.bytes() + allowed.bytes() + alive.bytes();
        }
    };
    /// What one part has for another, in the order of its own states.
    struct Outbox {
        LargeArray<Word> keys{};
        LargeArray<Code> answers{}; // numbers in the other part, maybe `new_state`
    };
    struct alignas(64) Part {
        Part(std::size_t width, std::size_t num_parts)
            : index(width), outboxes(num_parts) {}

        States here{};
        States below{};
        StateTable<Width> index; // of the states below, with their numbers
        std::vector<Outbox> outboxes;
        std::vector<Word> children{}; // of one option
        std::size_t first = 0;        // the states of the block
        std::size_t last = 0;
        std::size_t first_code = 0; // their options
        std::size_t last_head = 0;  // of the state that is opened
        RewardingFilter::Scratch scratch{};
    };
    /// Where the answers of a part are read, and what is written about its new states.
    struct Lane {
        Word const* keys;
        Code const* answers;
        Word* allowed;
        Word* alive;
        double* rewards;
    };
    using Known = ConsideredActions::Known;

    static constexpr Code new_state = Code{1} << 31U;
    static constexpr std::size_t block = 2048;
    static constexpr std::size_t shared_block = 8192;
    static constexpr std::size_t ahead = 16; // keys whose places are fetched already

    [[nodiscard]] constexpr std::size_t width() const {
        return Width == 0 ? rules_.layout().num_words() : Width;
    }
    [[nodiscard]] std::size_t part_of(Word const* key) const {
        return parts_[0].index.hash(key) & (num_below_ - 1);
    }
    void prepare(Layer const& here, Layer const& below);
    void open(Part& part, LayerPart& kept, std::size_t first, std::size_t last);
    void open_state(Part& part, std::size_t state, LayerPart& kept);
    void add(Part& part, std::size_t move, Word const* key, LayerPart& kept);
    [[nodiscard]] std::size_t most_states(std::size_t part) const;
    void check_room();
    void take_in(std::size_t part, LayerPart& below);
    void insert(Part& part, Outbox& box);
    void settle(Part& part, LayerPart& kept, Layer& below);
    template <typename Lanes>
    void settle_states(Part const& part, LayerPart& kept, Layer const& below,
                       Lanes& lanes) const;

    StateRules const& rules_;
    ConsideredActions considered_;
    Crew& crew_;
    std::vector<Part> parts_;
    std::size_t num_below_ = 1; // parts of the layer below
    std::size_t num_above_ = 0; // states of the layer before
};

} // namespace branchwise
