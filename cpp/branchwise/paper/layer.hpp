#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "branchwise/support/large_array.hpp"

namespace branchwise {

/// A word of an option: its head, or the child that one of its chances leads to.
using Code = std::uint32_t;

/// What an option begins with: the number of its move, and what is known about it.
struct OptionHead {
    static constexpr Code optimal = Code{1} << 31U; // an optimal action
    static constexpr Code stops = Code{1} << 30U;   // the first: stopping is optimal
    static constexpr Code chosen = Code{1} << 29U;  // what the plan does

    [[nodiscard]] static std::size_t move(Code head) { return head & (chosen - 1); }
};

/// Some states of a layer, numbered from 0, and what is kept of each.
///
/// The options of one state after another are a list of words: for every option its
/// head and then its children.
struct LayerPart {
    LargeArray<double> scores{};       // until there are scores: rewards
    LargeArray<Code> options{};        // of all states
    LargeArray<Code> starts{};         // where those of each begin, and where all end
    std::vector<std::uint8_t> marks{}; // those that belong to the reduced graph

    /// Where the options of a state begin, and where they end: most have none.
    [[nodiscard]] Code* begin(std::size_t state) {
        return options.data() + starts[state];
    }
    [[nodiscard]] Code const* begin(std::size_t state) const {
        return options.data() + starts[state];
    }
    [[nodiscard]] Code const* end(std::size_t state) const { return begin(state + 1); }

    /// Let the options of a state begin at some place, as those of the states before it
    /// that have none do.
    void start_up_to(std::size_t state, std::size_t place) {
        while (starts.size() <= state) {
            starts.push_back(static_cast<Code>(place));
        }
    }

    [[nodiscard]] std::size_t size() const { return scores.size(); }
    [[nodiscard]] std::size_t bytes() const {
        return scores.bytes() + options.bytes() + starts.bytes() + marks.capacity();
    }
};

/// The states after some number of attempts, in parts, one for each thread.
class Layer {
  public:
    /// There are two to the power of `part_bits` parts.
    explicit Layer(unsigned part_bits)
        : part_bits_(part_bits), parts_(std::size_t{1} << part_bits) {}

    [[nodiscard]] std::size_t num_parts() const { return parts_.size(); }
    [[nodiscard]] LayerPart& part(std::size_t i) { return parts_[i]; }
    [[nodiscard]] LayerPart const& part(std::size_t i) const { return parts_[i]; }

    /// A state of a part as a child of others.
    [[nodiscard]] static Code child(std::size_t part, std::size_t state,
                                    unsigned part_bits) {
        return static_cast<Code>(state << part_bits | part);
    }
    [[nodiscard]] unsigned part_bits() const { return part_bits_; }
    [[nodiscard]] std::size_t part_of(Code child) const {
        return child & (parts_.size() - 1);
    }
    [[nodiscard]] std::size_t state_of(Code child) const { return child >> part_bits_; }

    [[nodiscard]] std::size_t size() const { return total(&LayerPart::size); }
    [[nodiscard]] std::size_t bytes() const {
        return sizeof(Layer) + parts_.size() * sizeof(LayerPart) +
               total(&LayerPart::bytes);
    }
    /// Release the memory that was in store for more states.
    void shrink() {
        for (LayerPart& part : parts_) {
            part.scores.shrink();
            part.options.shrink();
            part.starts.shrink();
        }
    }

  private:
    template <typename Count>
    [[nodiscard]] std::size_t total(Count count) const {
        std::size_t sum = 0;
        for (LayerPart const& part : parts_) {
            sum += (part.*count)();
        }
        return sum;
    }

    unsigned part_bits_;
    std::vector<LayerPart> parts_;
};

} // namespace branchwise
