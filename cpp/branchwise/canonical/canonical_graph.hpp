#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

#include "branchwise/canonical/canonical_states.hpp"
#include "branchwise/canonical/key_store.hpp"
#include "branchwise/canonical/lanes/lane_view.hpp"
#include "branchwise/canonical/lanes/residual.hpp"
#include "branchwise/canonical/layout/residual_layout.hpp"
#include "branchwise/support/large_array.hpp"

namespace branchwise {

/// What some states lead to before their children have numbers.
struct Successors {
    /// What one of the states leads to.
    struct Part {
        std::size_t num_actions = 0;
        std::size_t num_children = 0;
        std::size_t first_action = 0;
        std::size_t first_child = 0;
    };

    std::vector<Part> parts{}; // by state
    std::vector<AvailableAction> actions{};
    std::vector<LaneStep> steps{};             // by child
    std::vector<Word> keys{};                  // of all children in a row
    std::vector<Word> own_keys{};              // of the states
    std::vector<StateId> known{};              // by child: its number if it has one
    std::size_t num_unknown = 0;               // children without, equal ones included
    std::vector<std::uint32_t> levels{};       // for `max`, by child: see `Residual`
    std::vector<std::uint32_t> gained{};       // for `sum`: rewards, child by child
    std::vector<std::uint32_t> first_gained{}; // by child
    // Where there are hidden facts: how many children each action has, and how likely
    // each child is.
    std::vector<std::uint32_t> num_children{};
    std::vector<double> chances{};
    // By resource, if wanted: after the children of each state comes the state itself
    // with so much less left.
    std::int64_t const* aside = nullptr;
};

/// The canonical states met so far, and where their actions lead: each state once,
/// found by its key.
class CanonicalGraph : public CanonicalStates {
  public:
    /// From how many bytes on memory is spared, at some cost: of keys, and of what
    /// states are found by. Small graphs come to that only where they are told to.
    struct LargeSizes {
        std::size_t keys = KeyStore::many_bytes;
        std::size_t index = std::size_t{1} << 25U;
        Packing packing = Packing::if_it_pays;

        /// Memory is spared from the first state on, however small the graph.
        [[nodiscard]] static LargeSizes none();
    };

    explicit CanonicalGraph(ResidualLayout const& layout)
        : CanonicalGraph(layout, LargeSizes{}) {}
    CanonicalGraph(ResidualLayout const& layout, LargeSizes large);

    [[nodiscard]] ResidualLayout const& layout() const { return layout_; }

    /// The number of the state with this key, which is new if it was not met before.
    StateId enter(Word const* key, Residual& residual);
    /// The same of many keys in a row, all of them different.
    void enter_all(std::span<Word const> keys, Residual& residual,
                   std::span<StateId> states);
    /// Where it is, or the buffer, into which it is written if keys are packed.
    [[nodiscard]] Word const* key(StateId state, KeyBuffer& buffer) const {
        return keys_.read(index_of(state), buffer);
    }
    /// Where it is, in a graph in which keys are never packed: see
    /// `make_room_for_keys`.
    [[nodiscard]] Word const* key(StateId state) const {
        return keys_.plain(index_of(state));
    }
    /// Falls with every action, so that states can be worked through in order.
    [[nodiscard]] std::uint64_t rank(StateId state) const {
        KeyBuffer buffer;
        return layout_.rank(key(state, buffer));
    }

    /// Work out what some states lead to, and which of that is known. Any thread may,
    /// with a residual of its own, while none keeps anything.
    void expand(std::span<StateId const> states, Residual& residual,
                Successors& successors) const {
        derive(states, residual, successors);
        look_up(successors, residual);
    }
    /// The first half of it, which reads nothing but keys: see `make_room_for_keys`.
    void derive(std::span<StateId const> states, Residual& residual,
                Successors& successors) const;
    /// The second half, while none keeps anything.
    void look_up(Successors& successors, Residual& residual) const;
    /// Have keys stay where they are while so many states are entered, so that threads
    /// may derive meanwhile. Where there are many, they are packed first.
    void make_room_for_keys(std::size_t num_states) {
        keys_.pack_many();
        keys_.make_room(num_states);
    }
    /// How much memory that takes besides at once.
    [[nodiscard]] std::size_t bytes_to_pack_keys() const {
        return keys_.bytes_to_pack();
    }
    /// Keep what a state leads to. One thread at a time. If there is no memory for it,
    /// throws `std::bad_alloc`, and all is as it was.
    void keep(StateId state, Successors const& successors, Successors::Part const& part,
              Residual& residual);
    [[nodiscard]] std::uint64_t num_expanded() const { return num_expanded_; }

    /// Release what states are found by, until the next run needs it; a small one
    /// stays, as having it again takes time. Returns whether it was released.
    bool release_index() {
        if (bytes_of_index() < large_.index) {
            return false;
        }
        slots_.release();
        keys_.release_index();
        return true;
    }
    /// Have it again, which takes so much memory. Throws `std::bad_alloc`.
    void restore_index();
    [[nodiscard]] std::size_t bytes_to_restore_index() const {
        return slots_.size() == 0 ? bytes_of_index() : 0;
    }

    std::uint32_t gain_of(std::span<std::uint32_t const> rewards);
    /// Work out again what states and gains are worth, as rewards have changed.
    void value_again();

    [[nodiscard]] std::size_t bytes() const;
    /// What is known now. One thread at a time.
    [[nodiscard]] CanonicalStates snapshot();
    /// How much more memory it will hold at once when it keeps them; 0 unless its table
    /// must grow for that, as all else grows little by little.
    [[nodiscard]] std::size_t bytes_to_keep(Successors::Part const& part) const;

  private:
    void take_steps(ResidualLanes& lanes, Successors& successors) const;
    void add_payments(LaneStep const& step, std::vector<std::uint32_t>& gained) const;
    /// The numbers of at most as many states as there are lanes, by their keys.
    void find_known(Word const* keys, std::span<StateId> known) const;

    [[nodiscard]] std::uint64_t hash_of(Word const* key) const;
    /// What a slot has besides the number of a state: some bits of the hash.
    [[nodiscard]] std::uint32_t tag_of(std::uint64_t hash) const {
        return static_cast<std::uint32_t>(hash >> 32U) & ~state_mask_;
    }
    /// The slot of a key, or the free one where it belongs; from `slot` on, of which
    /// those before have other keys.
    [[nodiscard]] std::size_t slot_of(Word const* key, std::uint64_t hash,
                                      std::size_t slot) const;
    /// The first slot that is free or has the tag.
    [[nodiscard]] std::size_t tagged_slot(std::uint32_t tag, std::size_t slot) const;
    /// Whose slot it is, plus one; 0 if it is free.
    [[nodiscard]] std::uint32_t number_in(std::size_t slot) const {
        return slots_[slot] & state_mask_;
    }

    [[nodiscard]] StateId enter(Word const* key, std::uint32_t reward_number);
    [[nodiscard]] std::uint32_t reward_number(Word const* key, Residual& residual);
    void note_rewards(Successors const& successors, Successors::Part const& part,
                      Residual& residual);
    void enter_children(Successors const& successors, Successors::Part const& part);
    [[nodiscard]] std::uint32_t stop_number(double value);
    void write_links(Successors const& successors, Successors::Part const& part);
    [[nodiscard]] std::size_t num_children(Successors const& successors,
                                           Successors::Part const& part,
                                           std::size_t action) const;
    [[nodiscard]] std::size_t find_repeated(Successors const& successors,
                                            Successors::Part const& part);
    void write_children(std::byte* to, Successors const& successors,
                        Successors::Part const& part, std::uint32_t child_width,
                        std::uint32_t gain_width) const;
    [[nodiscard]] std::byte* write_chances(std::byte* to, Successors const& successors,
                                           std::size_t first, std::size_t last) const;
    [[nodiscard]] std::size_t bytes_of_chances(Successors const& successors,
                                               Successors::Part const& part) const;
    [[nodiscard]] bool goes_by_knowledge(AvailableAction const& action) const {
        return variants_->num_children[variant_of(action)] == Variants::by_knowledge;
    }
    [[nodiscard]] std::uint32_t variant_of(AvailableAction const& action) const {
        return variants_->first[action.action] + action.variant;
    }
    [[nodiscard]] std::size_t most_bytes(Successors::Part const& part) const;
    [[nodiscard]] double worth(std::span<std::uint32_t const> rewards) const;
    [[nodiscard]] std::uint32_t largest_reward_number() const;
    /// Is the reward number of a state but the level of what is paid there?
    [[nodiscard]] bool goes_by_levels() const {
        return !instance().is_sum && !variants_->has_hidden &&
               variants_->finish_bits == 0;
    }
    [[nodiscard]] bool must_grow(std::size_t num_more) const {
        return (size() + num_more) * 4 > slots_.size() * 3;
    }
    void make_room(std::size_t num_states);
    void grow();
    void index_states(std::size_t num_slots);
    [[nodiscard]] std::size_t bytes_of_index() const {
        return (std::size_t{state_mask_} + 1) * sizeof(std::uint32_t);
    }

    ResidualLayout const& layout_;
    LargeSizes large_;
    std::uint64_t num_expanded_ = 0;
    KeyStore keys_;
    // Open addressing. The lower bits of a slot are the number of a state plus one, as
    // many as it takes; the others are those of the hash. 0: free.
    LargeArray<std::uint32_t> slots_;
    std::uint32_t state_mask_ = 0;
    // By child of the state that is kept.
    std::vector<std::uint32_t> children_;
    std::vector<std::uint8_t> is_repeated_;    // by option: see `links_`
    std::vector<std::uint32_t> child_rewards_; // the numbers of those that are new
    std::vector<std::uint32_t> child_gains_;   // for `sum`
    std::map<std::vector<std::uint32_t>, std::uint32_t> gain_numbers_;
    std::unordered_map<double, std::uint32_t> stop_numbers_;
};

} // namespace branchwise
