#include "branchwise/families/family_table.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <string>

#include "branchwise/families/family_watch.hpp"

namespace branchwise {

namespace {

constexpr std::size_t fewest_slots = 1U << 10U;
constexpr std::size_t most_memories = 1U << 23U;
constexpr std::size_t most_in_table = UINT32_MAX;

// Three odd constants with well spread bits; the high half of a product depends on
// all bits of its factors, so that half picks the slot.
std::size_t hash(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    std::uint64_t mixed = ((std::uint64_t{a} << 32U) | b) * 0x9E3779B97F4A7C15U;
    mixed = ((mixed ^ (mixed >> 32U)) + c) * 0xD6E8FEB86659FD93U;
    return static_cast<std::size_t>(mixed ^ (mixed >> 32U));
}

} // namespace

FamilyTable::FamilyTable(std::size_t max_nodes)
    : max_nodes_(std::clamp(max_nodes, std::size_t{2}, most_in_table)),
      nodes_(2, {no_element, empty_family, empty_family}), known_minimal_(2, true),
      memories_(fewest_slots) {
    fill_buckets(fewest_slots);
}

// Every node exists once, so that equal families are the same number and comparing them
// takes no time. A node whose high side is empty would say nothing: that is the zero
// suppression of the diagrams.
Family FamilyTable::make(ElementId element, Family low, Family high) {
    assert(element < node(low).element && element < node(high).element);
    if (high == empty_family) {
        return low;
    }
    FamilyNode const wanted{element, low, high};
    std::size_t at = bucket(wanted);
    for (; buckets_[at] != empty_family; at = (at + 1) & (buckets_.size() - 1)) {
        FamilyNode const known = node(buckets_[at]);
        if (known.low == low && known.high == high && known.element == element) {
            return buckets_[at];
        }
    }
    if (nodes_.size() >= max_nodes_) {
        throw TooLarge("the families need more than " + std::to_string(max_nodes_) +
                       " nodes");
    }
    Family const made{static_cast<std::uint32_t>(nodes_.size())};
    nodes_.push_back(wanted);
    known_minimal_.push_back(false);
    buckets_[at] = made;
    if (nodes_.size() * 4 > buckets_.size() * 3) {
        fill_buckets(buckets_.size() * 2);
    }
    return made;
}

std::optional<Family> FamilyTable::recall(FamilyOperation operation, Family f,
                                          Family g) const {
    Memory const& memory = memories_[memory_slot(operation, f, g)];
    if (memory.operation == operation && memory.f == f && memory.g == g) {
        return memory.result;
    }
    return std::nullopt;
}

// A result may overwrite another one. What is forgotten is worked out again, at most;
// that so much was forgotten is the sign that the table is too small.
void FamilyTable::remember(FamilyOperation operation, Family f, Family g,
                           Family result) {
    Memory& memory = memories_[memory_slot(operation, f, g)];
    num_forgotten_ += memory.operation == FamilyOperation::none ? 0 : 1;
    memory = {operation, f, g, result};
    if (num_forgotten_ > memories_.size() && memories_.size() < most_memories) {
        grow_memories();
    }
}

// Nodes refer to older nodes only, so the newest can go without leaving anything
// dangling but remembered results.
void FamilyTable::truncate(std::size_t size) {
    if (size == nodes_.size()) {
        return;
    }
    nodes_.resize(size);
    known_minimal_.resize(size);
    fill_buckets(std::max(fewest_slots, std::bit_ceil(size + size / 2)));
    auto const is_gone = [size](Family f) {
        return static_cast<std::size_t>(f) >= size;
    };
    for (Memory& memory : memories_) {
        if (is_gone(memory.f) || is_gone(memory.g) || is_gone(memory.result)) {
            memory = {};
        }
    }
}

std::size_t FamilyTable::bytes() const {
    return nodes_.capacity() * sizeof(FamilyNode) + known_minimal_.capacity() / 8 +
           buckets_.capacity() * sizeof(Family) + memories_.capacity() * sizeof(Memory);
}

std::size_t FamilyTable::memory_slot(FamilyOperation operation, Family f,
                                     Family g) const {
    return hash(static_cast<std::uint32_t>(f), static_cast<std::uint32_t>(g),
                static_cast<std::uint32_t>(operation)) &
           (memories_.size() - 1);
}

std::size_t FamilyTable::bucket(FamilyNode node) const {
    return hash(static_cast<std::uint32_t>(node.low),
                static_cast<std::uint32_t>(node.high),
                static_cast<std::uint32_t>(node.element)) &
           (buckets_.size() - 1);
}

void FamilyTable::fill_buckets(std::size_t num_buckets) {
    // The old buckets go first, so that both never take up memory together.
    std::vector<Family>().swap(buckets_);
    buckets_.resize(num_buckets, empty_family);
    for (std::size_t i = 2; i < nodes_.size(); ++i) {
        std::size_t at = bucket(nodes_[i]);
        while (buckets_[at] != empty_family) {
            at = (at + 1) & (num_buckets - 1);
        }
        buckets_[at] = Family{static_cast<std::uint32_t>(i)};
    }
}

void FamilyTable::grow_memories() {
    std::vector<Memory> old(memories_.size() * 2);
    old.swap(memories_);
    num_forgotten_ = 0;
    for (Memory const& memory : old) {
        if (memory.operation != FamilyOperation::none) {
            memories_[memory_slot(memory.operation, memory.f, memory.g)] = memory;
        }
    }
}

} // namespace branchwise
