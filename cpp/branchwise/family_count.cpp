// What a family holds: how many sets, which elements, and the sets themselves.

#include <algorithm>

#include "branchwise/family.hpp"

namespace branchwise {

namespace {

/// Numbers of any length, one after the other in one array of words.
class Counts {
  public:
    using Word = BigIndex::Word;

    [[nodiscard]] std::span<Word const> operator[](std::size_t i) const {
        std::size_t const begin = i == 0 ? 0 : ends_[i - 1];
        return std::span(words_).subspan(begin, ends_[i] - begin);
    }

    void append(Word number) {
        words_.push_back(number);
        ends_.push_back(words_.size());
    }

    /// Append the sum of two that are here already.
    void append_sum(std::size_t i, std::size_t j) {
        std::size_t const num_words = std::max((*this)[i].size(), (*this)[j].size());
        std::uint64_t carry = 0;
        for (std::size_t at = 0; at < num_words; ++at) {
            carry += std::uint64_t{word(i, at)} + word(j, at);
            words_.push_back(static_cast<Word>(carry));
            carry >>= 32U;
        }
        if (carry != 0) {
            words_.push_back(static_cast<Word>(carry));
        }
        ends_.push_back(words_.size());
    }

  private:
    [[nodiscard]] Word word(std::size_t i, std::size_t at) const {
        auto const number = (*this)[i];
        return at < number.size() ? number[at] : 0;
    }

    std::vector<Word> words_;
    std::vector<std::size_t> ends_;
};

/// Lists the sets of a family from the top of its diagram.
class Listing {
  public:
    Listing(FamilyTable const& table, FamilyWatch& watch, std::size_t limit)
        : table_(table), watch_(watch), limit_(limit) {}

    void list(Family f) {
        while (f > unit_family && sets_.size() < limit_) {
            watch_.step();
            FamilyNode const node = table_.node(f);
            chosen_.push_back(node.element);
            list(node.high);
            chosen_.pop_back();
            f = node.low;
        }
        if (f == unit_family && sets_.size() < limit_) {
            sets_.push_back(chosen_);
        }
    }

    [[nodiscard]] std::vector<ElementSet>&& take() { return std::move(sets_); }

  private:
    FamilyTable const& table_;
    FamilyWatch& watch_;
    std::size_t limit_;
    ElementSet chosen_;
    std::vector<ElementSet> sets_;
};

} // namespace

BigIndex Families::count(Family f) {
    FamilyDiagram const nodes = diagram(f);
    Counts counts;
    counts.append(0);
    counts.append(1);
    for (auto const& node : nodes.inner_nodes()) {
        watch_.step();
        counts.append_sum(node.low, node.high);
    }
    return BigIndex(counts[nodes.root()]);
}

std::size_t Families::num_nodes(Family f) const {
    return diagram(f).inner_nodes().size();
}

ElementSet Families::elements_of(Family f) const {
    std::vector<bool> is_in(num_elements_);
    FamilyDiagram const nodes = diagram(f);
    for (auto const& node : nodes.inner_nodes()) {
        is_in[static_cast<std::size_t>(node.element)] = true;
    }
    ElementSet elements;
    for (std::uint32_t i = 0; i < num_elements_; ++i) {
        if (is_in[i]) {
            elements.push_back(ElementId{i});
        }
    }
    return elements;
}

bool Families::contains(Family f, ElementSet set) const {
    std::ranges::sort(set);
    for (ElementId const element : set) {
        while (table_.node(f).element < element) {
            f = table_.node(f).low;
        }
        if (table_.node(f).element == element) {
            f = table_.node(f).high;
        } else {
            return false;
        }
    }
    while (f > unit_family) {
        f = table_.node(f).low;
    }
    return f == unit_family;
}

std::vector<ElementSet> Families::sets(Family f, std::size_t limit) {
    watch_.look();
    Listing listing(table_, watch_, limit);
    listing.list(f);
    return listing.take();
}

} // namespace branchwise
