#include "branchwise/residual_layout_builder.hpp"

#include <algorithm>
#include <bit>
#include <span>

namespace branchwise {

namespace {

template <typename T>
void append(std::vector<T>& all, std::vector<T> const& some) {
    all.insert(all.end(), some.begin(), some.end());
}

template <typename T>
std::span<T const> next(std::vector<T> const& all, std::size_t& at, std::size_t count) {
    std::span<T const> const result(all.data() + at, count);
    at += count;
    return result;
}

} // namespace

ResidualLayoutBuilder::ResidualLayoutBuilder(ResidualLayout& layout)
    : layout_(layout), instance_(layout.instance_), refs_(instance_.conditions.size()) {
    layout_.literals_.resize(instance_.actions.size());
}

void ResidualLayoutBuilder::build() {
    number_nodes();
    note_owners();
    note_parents();
    note_features();
    split_into_parts();
    rank_rewards();
    lay_out_keys();
    settle();
}

void ResidualLayoutBuilder::note_owners() {
    for (std::size_t i = 0; i < instance_.actions.size(); ++i) {
        auto const& action = instance_.actions[i];
        auto const subject = static_cast<std::uint32_t>(i);
        layout_.allowed_.push_back(ref(action.allowed));
        own(ref(action.allowed), NodeOwner::Kind::allowed, subject, 0);
        auto& clauses = layout_.clauses_.emplace_back();
        for (std::size_t k = 0; k + 1 < action.variants.size(); ++k) {
            clauses.push_back(ref(action.variants[k].when));
            own(clauses.back(), NodeOwner::Kind::clause, subject,
                static_cast<std::uint32_t>(k));
        }
    }
    for (std::size_t i = 0; i < instance_.rewards.size(); ++i) {
        layout_.rewards_.push_back(ref(instance_.rewards[i].when));
        own(layout_.rewards_.back(), NodeOwner::Kind::reward,
            static_cast<std::uint32_t>(i), 0);
    }
}

void ResidualLayoutBuilder::own(NodeRef ref, NodeOwner::Kind kind,
                                std::uint32_t subject, std::uint32_t clause) {
    drafts_[index_of(ref.node)].owners.push_back(
        {kind, ref.is_negated, subject, clause});
}

void ResidualLayoutBuilder::note_parents() {
    for (std::size_t i = 0; i < drafts_.size(); ++i) {
        for (NodeRef const ref : drafts_[i].inside) {
            drafts_[index_of(ref.node)].parents.push_back(
                {static_cast<NodeId>(i), ref.is_negated});
        }
    }
}

void ResidualLayoutBuilder::note_features() {
    for (std::uint32_t i = 0; i < instance_.actions.size(); ++i) {
        InstanceAction const& action = instance_.actions[i];
        if (action.attempts > 1) {
            layout_.repeatable_.push_back(i);
        }
        if (action.variants.size() > 1) {
            layout_.conditioned_.push_back(i);
        }
    }
}

void ResidualLayoutBuilder::rank_rewards() {
    auto& levels = layout_.levels_;
    levels.push_back(0);
    if (!instance_.is_sum) {
        for (InstanceReward const& reward : instance_.rewards) {
            levels.push_back(std::max(reward.value, 0.0));
        }
    }
    std::sort(levels.begin(), levels.end());
    levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
    for (InstanceReward const& reward : instance_.rewards) {
        auto const place =
            std::lower_bound(levels.begin(), levels.end(), std::max(reward.value, 0.0));
        layout_.level_of_.push_back(static_cast<std::uint32_t>(place - levels.begin()));
    }
}

void ResidualLayoutBuilder::lay_out_keys() {
    next_bit_ = drafts_.size();
    for (InstanceAction const& action : instance_.actions) {
        bool const is_repeatable = action.attempts > 1;
        layout_.attempts_fields_.push_back(
            field(is_repeatable ? static_cast<Word>(action.attempts) : 0));
        layout_.tail_fields_.push_back(field(action.variants.size() - 1));
    }
    for (std::int64_t const limit : instance_.budget) {
        layout_.left_fields_.push_back(field(static_cast<Word>(limit)));
    }
    layout_.held_field_ = field(layout_.levels_.size() - 1);
    layout_.key_words_ = std::max<std::size_t>(1, (next_bit_ + 63) / 64);
}

// A field never crosses the border of a word.
KeyField ResidualLayoutBuilder::field(Word largest) {
    auto const width = static_cast<std::size_t>(std::bit_width(largest));
    if (width == 0) {
        return {};
    }
    if (next_bit_ % 64 + width > 64) {
        next_bit_ += 64 - next_bit_ % 64;
    }
    KeyField const result{static_cast<std::uint32_t>(next_bit_ / 64),
                          static_cast<std::uint32_t>(next_bit_ % 64),
                          width == 64 ? ~Word{0} : (Word{1} << width) - 1};
    next_bit_ += width;
    return result;
}

// Put the lists of all nodes in a row each, where they are found fast.
void ResidualLayoutBuilder::settle() {
    for (NodeDraft const& draft : drafts_) {
        append(layout_.insides_, draft.inside);
        append(layout_.part_ends_, draft.part_ends);
        append(layout_.parents_, draft.parents);
        append(layout_.owners_, draft.owners);
    }
    std::size_t inside = 0;
    std::size_t part = 0;
    std::size_t parent = 0;
    std::size_t owner = 0;
    for (NodeDraft const& draft : drafts_) {
        ResidualNode node = draft.node;
        if (node.kind == ResidualNode::Kind::literal) {
            node.allowed = layout_.allowed_[node.action];
        }
        node.inside = next(layout_.insides_, inside, draft.inside.size());
        node.part_ends = next(layout_.part_ends_, part, draft.part_ends.size());
        node.parents = next(layout_.parents_, parent, draft.parents.size());
        node.owners = next(layout_.owners_, owner, draft.owners.size());
        layout_.nodes_.push_back(node);
    }
}

} // namespace branchwise
