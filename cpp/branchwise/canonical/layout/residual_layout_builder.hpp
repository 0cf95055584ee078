#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "branchwise/canonical/layout/residual_layout.hpp"

namespace branchwise {

/// A node whose lists still grow.
struct NodeDraft {
    ResidualNode node{};
    std::vector<NodeRef> inside{};
    std::vector<std::uint32_t> part_ends{};
    std::vector<NodeRef> parents{};
    std::vector<NodeOwner> owners{};
};

/// Makes a layout step by step.
class ResidualLayoutBuilder {
  public:
    ResidualLayoutBuilder(ResidualLayout& layout, Look const& look);

    void build();

  private:
    enum class Progress : std::uint8_t { untouched, open, done };
    /// One bit per action.
    using ActionSet = std::vector<Word>;
    /// Some of what is inside a node, and the actions that may have a part in it.
    struct Part {
        ActionSet actions;
        std::vector<NodeRef> refs;
    };
    /// All of what is inside a node, and the actions of all of them.
    struct Parts {
        ActionSet actions;
        std::vector<Part> parts{};
    };

    void number_nodes();
    [[nodiscard]] std::vector<ConditionId> made_of(ConditionId id) const;
    void visit(ConditionId root);
    void add_node(ConditionId id);
    [[nodiscard]] NodeDraft gate(Condition const& condition) const;
    [[nodiscard]] NodeDraft comparison(Condition const& condition) const;
    [[nodiscard]] std::optional<std::size_t>
    action_of(Condition const& condition) const;
    [[nodiscard]] NodeRef ref(ConditionId id) const;

    void note_owners();
    void own(NodeRef ref, NodeOwner::Kind kind, std::uint32_t subject,
             std::uint32_t clause);
    void note_parents();
    void note_features();

    void split_into_parts();
    [[nodiscard]] std::vector<ActionSet> supports() const;
    bool extend_support(std::size_t node, std::vector<ActionSet>& supports) const;
    void join_part(Parts& parts, NodeRef ref, ActionSet support) const;

    void rank_rewards();
    void lay_out_keys();
    KeyField field(Word largest);
    void settle();

    ResidualLayout& layout_;
    Instance const& instance_;
    Look const& look_;
    std::vector<NodeDraft> drafts_;
    std::vector<NodeRef> refs_; // by condition
    std::vector<Progress> progress_;
    std::size_t next_bit_ = 0;
};

} // namespace branchwise
