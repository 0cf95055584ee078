#include "branchwise/families/family_diagram.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace branchwise {

namespace {

/// Some of the first nodes of a table: one bit each, and how many bits come before.
class Marks {
  public:
    explicit Marks(Family last) : words_(static_cast<std::size_t>(last) / 64 + 1) {}

    /// Mark this one; was it not marked before?
    bool mark(Family family) {
        std::uint64_t& word = words_[static_cast<std::size_t>(family) / 64];
        bool const is_new = (word & bit(family)) == 0;
        word |= bit(family);
        return is_new;
    }

    void count() {
        std::uint32_t num_before = 0;
        for (std::uint64_t const word : words_) {
            num_before_.push_back(num_before);
            num_before += static_cast<std::uint32_t>(std::popcount(word));
        }
    }

    /// How many marked ones come before this one?
    [[nodiscard]] std::uint32_t num_before(Family family) const {
        auto const at = static_cast<std::size_t>(family) / 64;
        int const within = std::popcount(words_[at] & (bit(family) - 1));
        return num_before_[at] + static_cast<std::uint32_t>(within);
    }

  private:
    static std::uint64_t bit(Family family) {
        return std::uint64_t{1} << (static_cast<std::uint32_t>(family) % 64);
    }

    std::vector<std::uint64_t> words_;
    std::vector<std::uint32_t> num_before_;
};

} // namespace

FamilyDiagram::FamilyDiagram(FamilyTable const& table, Family family) {
    Marks marks(std::max(family, unit_family));
    std::vector<Family> found{empty_family, unit_family};
    marks.mark(empty_family);
    marks.mark(unit_family);
    auto const find = [&](Family f) {
        if (marks.mark(f)) {
            found.push_back(f);
        }
    };
    find(family);
    for (std::size_t i = 2; i < found.size(); ++i) {
        find(table.node(found[i]).low);
        find(table.node(found[i]).high);
    }
    marks.count();
    nodes_.resize(found.size());
    for (Family const f : found) {
        FamilyNode const node = table.node(f);
        nodes_[marks.num_before(f)] = {node.element, marks.num_before(node.low),
                                       marks.num_before(node.high), f};
    }
    root_ = marks.num_before(family);
}

} // namespace branchwise
