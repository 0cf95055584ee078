#include "branchwise/problem/state_index.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <utility>

namespace branchwise {

StateIndex::StateIndex(std::vector<Rank> sizes) : sizes_(std::move(sizes)) {
    assert(std::ranges::none_of(sizes_, [](Rank size) { return size == 0; }));
}

BigIndex StateIndex::num_states() const {
    BigIndex product(1);
    for (Rank const size : sizes_) {
        product.multiply_add(size, 0);
    }
    return product;
}

BigIndex StateIndex::index(std::span<Rank const> state) const {
    assert(state.size() == sizes_.size());
    // The paper's sum of products, by Horner's rule from the last element down.
    BigIndex result;
    for (std::size_t i = sizes_.size(); i-- > 0;) {
        assert(state[i] < sizes_[i]);
        result.multiply_add(sizes_[i], state[i]);
    }
    return result;
}

std::vector<StateIndex::Rank> StateIndex::state(BigIndex index) const {
    std::vector<Rank> ranks;
    ranks.reserve(sizes_.size());
    for (Rank const size : sizes_) {
        ranks.push_back(index.divide(size));
    }
    assert(index == BigIndex()); // what is left over belongs to no state
    return ranks;
}

} // namespace branchwise
