#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "branchwise/paper/states/outcome_vector.hpp"
#include "branchwise/problem/instance.hpp"

namespace branchwise {

enum class TestId : std::uint32_t {};

/// What must hold of a key of one word; that is all of most tests.
struct Gate {
    /// The bit that `any` has where there is nothing to choose from. No key has it.
    static constexpr Word open = Word{1} << 63U;

    Word mask = 0;
    Word wanted = 0;     // what the masked key must be
    Word any = open;     // one of these must be there
    bool is_all = false; // the gate is the whole test

    [[nodiscard]] bool admits(Word key) const {
        return ((key & mask) == wanted) & (((key | open) & any) != 0);
    }
};

/// A test and its gate, which is all of it or not there.
struct GatedTest {
    TestId test{};
    Gate gate{};
};

/// Conditions compiled to comparisons of masks with keys.
class ConditionTests {
  public:
    ConditionTests(Instance const& instance, OutcomeVector const& layout)
        : instance_(instance), layout_(layout) {}

    /// Compile a condition.
    TestId add(ConditionId condition);
    /// Compile "the condition holds and the action has never been taken".
    TestId add_untried(ConditionId condition, ActionId action);

    [[nodiscard]] bool holds(TestId test, Key key) const {
        return holds(nodes_[index_of(test)], key);
    }

    /// The same for one of the outermost tests, which may have a gate.
    [[nodiscard]] bool holds(GatedTest const& test, Key key) const {
        return test.gate.is_all ? test.gate.admits(key[0]) : holds(test.test, key);
    }
    [[nodiscard]] GatedTest gated(TestId test) const;

  private:
    struct Part {
        std::uint32_t word;
        Word mask;
        Word wanted; // of `all`: what the masked word must be
    };
    /// All of its parts and inner tests hold; or any of them.
    struct Node {
        bool is_all;
        bool is_negated;
        std::uint32_t first_part, last_part;
        std::uint32_t first_inner, last_inner;
    };
    /// A node in the making.
    struct Draft {
        std::vector<Word> wanted;
        std::vector<Word> unwanted;
        std::vector<TestId> inner;
    };

    [[nodiscard]] bool holds(Node const& node, Key key) const {
        bool const found = node.is_all ? all_hold(node, key) : any_holds(node, key);
        return found != node.is_negated;
    }
    [[nodiscard]] Gate gate(Node const& node) const;
    [[nodiscard]] bool all_hold(Node const& node, Key key) const;
    [[nodiscard]] bool any_holds(Node const& node, Key key) const;

    [[nodiscard]] Draft draft() const;
    void want_all(Draft& draft, ConditionId id);
    void want_none(Draft& draft, ConditionId id);
    void want_any(Draft& draft, ConditionId id);
    void add_bits(std::vector<Word>& words, Condition const& fact) const;
    TestId finish(Draft const& draft, bool is_all, bool is_negated = false);

    Instance const& instance_;
    OutcomeVector const& layout_;
    std::vector<Node> nodes_;
    std::vector<Part> parts_;
    std::vector<TestId> inner_;
};

inline bool ConditionTests::all_hold(Node const& node, Key key) const {
    for (std::uint32_t i = node.first_part; i < node.last_part; ++i) {
        if ((key[parts_[i].word] & parts_[i].mask) != parts_[i].wanted) {
            return false;
        }
    }
    for (std::uint32_t i = node.first_inner; i < node.last_inner; ++i) {
        if (!holds(inner_[i], key)) {
            return false;
        }
    }
    return true;
}

inline bool ConditionTests::any_holds(Node const& node, Key key) const {
    for (std::uint32_t i = node.first_part; i < node.last_part; ++i) {
        if ((key[parts_[i].word] & parts_[i].mask) != 0) {
            return true;
        }
    }
    for (std::uint32_t i = node.first_inner; i < node.last_inner; ++i) {
        if (holds(inner_[i], key)) {
            return true;
        }
    }
    return false;
}

} // namespace branchwise
