#include "branchwise/families/families.hpp"

#include <algorithm>
#include <cassert>
#include <string>

#include "branchwise/families/family_price.hpp"

namespace branchwise {

namespace {

/// Forgets the nodes that were made since, unless they are to be kept.
class NewNodes {
  public:
    explicit NewNodes(FamilyTable& table) : table_(table), num_old_(table.size()) {}
    NewNodes(NewNodes const&) = delete;
    NewNodes& operator=(NewNodes const&) = delete;
    ~NewNodes() {
        if (!are_kept_) {
            table_.truncate(num_old_);
        }
    }

    void keep() { are_kept_ = true; }

    /// To forget takes time for every node there is, which few new ones are not worth.
    void keep_if_few() { are_kept_ = table_.size() - num_old_ < num_old_ / 8; }

  private:
    FamilyTable& table_;
    std::size_t num_old_;
    bool are_kept_ = false;
};

ElementSet in_order(std::span<ElementId const> elements) {
    ElementSet set(elements.begin(), elements.end());
    std::ranges::sort(set);
    auto const doubles = std::ranges::unique(set);
    set.erase(doubles.begin(), doubles.end());
    return set;
}

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

Families::Families(std::uint32_t num_elements, std::size_t max_nodes)
    : num_elements_(num_elements), table_(max_nodes) {
    if (num_elements > most_elements) {
        throw TooLarge(std::to_string(num_elements) + " elements are more than " +
                       std::to_string(most_elements));
    }
}

template <typename Operation>
Family Families::kept(Operation operation) {
    watch_.look();
    NewNodes made(table_);
    Family const result = operation();
    made.keep();
    return result;
}

Family Families::single(ElementId element) {
    return kept([&] { return set_of({&element, 1}); });
}

Family Families::from_sets(std::span<ElementSet const> sets) {
    return kept([&] { return united(sets); });
}

Family Families::unite(Family f, Family g) {
    return kept([&] { return algebra_.unite(f, g); });
}

Family Families::intersect(Family f, Family g) {
    return kept([&] { return algebra_.intersect(f, g); });
}

Family Families::subtract(Family f, Family g) {
    return kept([&] { return algebra_.subtract(f, g); });
}

Family Families::join(Family f, Family g) {
    return kept([&] { return algebra_.join(f, g); });
}

Family Families::minimal(Family f) {
    return kept([&] { return algebra_.minimal(f); });
}

Family Families::nonsupersets(Family f, Family g) {
    return kept([&] { return algebra_.nonsupersets(f, g); });
}

Family Families::minimal_union(Family f, Family g) {
    return kept([&] {
        Family const minimal_f = algebra_.minimal(f);
        return algebra_.minimal_union(minimal_f, algebra_.minimal(g));
    });
}

Family Families::minimal_join(Family f, Family g) {
    return kept([&] {
        Family const minimal_f = algebra_.minimal(f);
        return algebra_.minimal_join(minimal_f, algebra_.minimal(g));
    });
}

Family Families::with_element(Family f, ElementId element) {
    return kept([&] { return algebra_.with_element(f, set_of({&element, 1})); });
}

Family Families::without(Family f, ElementId element) {
    return kept([&] { return algebra_.without(f, set_of({&element, 1})); });
}

Family Families::project_out(Family f, std::span<ElementId const> elements) {
    return kept([&] { return algebra_.project_out(f, set_of(elements)); });
}

Family Families::at_most(Family f, std::span<ElementId const> elements,
                         std::int64_t limit) {
    std::vector<std::int64_t> prices(num_elements_);
    for (ElementId const element : elements) {
        prices[static_cast<std::size_t>(element)] = 1;
    }
    return within(f, prices, limit);
}

Family Families::within(Family f, std::span<std::int64_t const> prices,
                        std::int64_t budget) {
    assert(prices.size() == num_elements_);
    return kept([&] { return FamilyPrice(table_, watch_, f, prices).within(budget); });
}

double Families::probability(Family f, std::span<ChanceGroup const> groups) {
    double const certain = 1;
    return expected_best({&f, 1}, {&certain, 1}, groups);
}

double Families::expected_best(std::span<Family const> families,
                               std::span<double const> values,
                               std::span<ChanceGroup const> groups) {
    assert(families.size() == values.size());
    watch_.look();
    NewNodes made(table_);
    FamilyProbability probability(table_, watch_, num_elements_, groups);
    Family so_far = empty_family;
    double reached = 0;
    double total = 0;
    // One family is the best if it, or a better one, comes true, and no better one.
    for (std::size_t i = 0; i < families.size(); ++i) {
        so_far = algebra_.minimal_union(so_far, algebra_.minimal(families[i]));
        double const now_reached = probability.of(so_far);
        total += values[i] * (now_reached - reached);
        reached = now_reached;
    }
    made.keep_if_few();
    return total;
}

Family Families::set_of(std::span<ElementId const> elements) {
    ElementSet const set = in_order(elements);
    assert(set.empty() || static_cast<std::uint32_t>(set.back()) < num_elements_);
    return algebra_.single_set(set);
}

Family Families::united(std::span<ElementSet const> sets) {
    if (sets.size() < 2) {
        return sets.empty() ? empty_family : set_of(sets.front());
    }
    // Halves of equal size keep the diagrams that are united small.
    auto const half = sets.size() / 2;
    Family const first = united(sets.first(half));
    return algebra_.unite(first, united(sets.subspan(half)));
}

// What a family holds: how many sets, which elements, and the sets themselves.

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
