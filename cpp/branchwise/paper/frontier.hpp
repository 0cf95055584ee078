#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "branchwise/paper/crew.hpp"
#include "branchwise/paper/layer.hpp"
#include "branchwise/paper/states/considered_actions.hpp"
#include "branchwise/paper/states/rewarding_filter.hpp"
#include "branchwise/paper/states/state_rules.hpp"
#include "branchwise/paper/states/state_table.hpp"

namespace branchwise {

/// The lowest layer of a full graph, and the one below it as it is found.
///
/// Only here do states have keys. Each part of the layer below belongs to one thread,
/// and the hash of a key decides which part it goes to. So threads share nothing: a
/// block of states is opened, which puts their children into outboxes; then each part
/// takes in what is for it, writes the numbers where they were asked for, and finds out
/// about its new states what follows from their parents.
template <std::size_t Width>
class Frontier {
  public:
    Frontier(StateRules const& rules, RewardingFilter const* filter, Crew& crew);

    /// Make the root the only state of a layer.
    void start(Layer& top);
    /// Find the options of all states of a layer, and the states below. `num_before` is
    /// how many are known already, for reports of progress.
    void expand(Layer& here, Layer& below, std::size_t num_before);
    /// Go on with the layer that was below.
    void descend();

    [[nodiscard]] std::size_t bytes() const;

  private:
    /// Those states of a part that may have options, while they are at the frontier.
    struct States {
        LargeArray<Code> numbers{};
        LargeArray<Word> keys{};
        LargeArray<Word> allowed{}; // actions, where there are no more than bits
        LargeArray<CarriedSets::Half> carried{}; // what the filter knows

        [[nodiscard]] std::size_t size() const { return numbers.size(); }
        void shorten(std::size_t size, std::size_t width, std::size_t num_carried) {
            numbers.shorten(size);
            keys.shorten(size * width);
            allowed.shorten(size);
            carried.shorten(size * num_carried);
        }
        void clear() {
            numbers.clear();
            keys.clear();
            allowed.clear();
            carried.clear();
        }
        [[nodiscard]] std::size_t bytes() const {
            return numbers.bytes() + keys.bytes() + allowed.bytes() + carried.bytes();
        }
    };
    /// Where a child comes from, and where its number goes.
    struct Origin {
        Code place;  // in the options of the block of states
        Code parent; // among those that may have options
        OutcomeId outcome;
    };
    /// What one part has for another, in the order of its own states.
    struct Outbox {
        LargeArray<Word> keys{};
        LargeArray<Origin> origins{};
        LargeArray<Code> fresh{};   // those that turn out to be new
        LargeArray<Code> numbers{}; // of all, until they are put in place

        [[nodiscard]] std::size_t bytes() const {
            return keys.bytes() + origins.bytes() + fresh.bytes() + numbers.bytes();
        }
    };
    /// Where the next child is written.
    struct Lane {
        Word* key;
        Origin* origin;
    };
    struct alignas(64) Part {
        Part(std::size_t width, std::size_t num_parts)
            : index(width), outboxes(num_parts), lanes(num_parts) {}

        States here{};
        States below{};
        StateTable<Width> index; // of the states below, with their numbers
        std::size_t block = 0;   // where the options of the block begin
        std::vector<Outbox> outboxes;
        std::vector<Lane> lanes; // one per outbox
        RewardingFilter::Scratch scratch{};
    };
    /// Writes the options of a block, and puts their children into outboxes.
    template <bool IsShared>
    struct Pen {
        Code* options; // of the block
        Code* code;
        Lane lane;   // the only one, if there is no other
        Lane* lanes; // else all of them
    };
    using Known = ConsideredActions::Known;

    static constexpr std::size_t most_codes = ~Code{0};
    static constexpr std::size_t block = 512;
    static constexpr std::size_t shared_block = 8192;

    [[nodiscard]] constexpr std::size_t width() const {
        return Width == 0 ? rules_.layout().num_words() : Width;
    }
    [[nodiscard]] std::size_t part_of(Word const* key) const {
        return parts_[0].index.hash(key) & (num_below_ - 1);
    }
    void prepare(Layer& here, Layer const& below);
    void open(Part& part, LayerPart& kept, std::size_t first, std::size_t last);
    template <bool IsShared>
    void open_states(Part& part, LayerPart& kept, std::size_t first, std::size_t last);
    void make_room(Part& part, LayerPart& kept, std::size_t num_states) const;
    template <bool IsShared>
    void open_state(Part& part, std::size_t state, Pen<IsShared>& pen);
    template <bool IsShared>
    void add(std::size_t move, std::size_t state, Word const* key,
             Pen<IsShared>& pen) const;
    [[nodiscard]] std::size_t most_states(std::size_t part) const;
    void check_room();
    void take_in(std::size_t part, Layer& here, Layer& below);
    template <typename Put>
    void number(std::size_t part, Outbox& box, Layer const& below, Put put);
    void put_in_place(Part& part, LayerPart& kept);
    void learn(Part& part, Outbox const& box, Part const& other, LayerPart const& above,
               LayerPart& below) const;

    StateRules const& rules_;
    ConsideredActions considered_;
    Crew& crew_;
    std::vector<Part> parts_;
    std::size_t num_below_ = 1; // parts of the layer below
    std::size_t num_above_ = 0; // states of the layer before
};

} // namespace branchwise
