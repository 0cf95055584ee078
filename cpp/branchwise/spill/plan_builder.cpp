#include "branchwise/spill/plan_builder.hpp"

#include <array>
#include <cstring>
#include <utility>

namespace branchwise {

/// Reads records one value after another.
class PlanBuilder::Reader {
  public:
    explicit Reader(std::span<std::byte const> bytes) : bytes_(bytes) {}

    [[nodiscard]] bool is_at_end() const { return bytes_.empty(); }
    template <typename T>
    [[nodiscard]] bool read(T& value) {
        if (bytes_.size() < sizeof value) {
            return false;
        }
        std::memcpy(&value, bytes_.data(), sizeof value);
        bytes_ = bytes_.subspan(sizeof value);
        return true;
    }

  private:
    std::span<std::byte const> bytes_;
};

PlanBuilder::PlanBuilder(CanonicalEngine& engine, std::uint64_t root)
    : engine_(engine), residual_(engine.graph().layout()),
      states_{{root, engine.root()}},
      scores_(std::make_shared<CanonicalScores>(engine.worst_case())) {}

bool PlanBuilder::add(std::span<std::byte const> records) {
    Reader from(records);
    while (!from.is_at_end()) {
        PlanRecord record;
        if (!from.read(record) || !add(record, from)) {
            return false;
        }
    }
    return true;
}

void PlanBuilder::expand(StateId state) {
    CanonicalGraph& graph = engine_.graph_to_expand();
    if (!graph.is_expanded(state)) {
        graph.expand(std::array{state}, residual_, successors_);
        graph.keep(state, successors_, successors_.parts.front(), residual_);
    }
    scores_->scores.resize(graph.size());
    scores_->choices.resize(graph.size());
    scores_->is_scored.resize(graph.size());
    scores_->is_known.resize(graph.size());
}

bool PlanBuilder::add(PlanRecord const& record, Reader& from) {
    auto const found = states_.find(record.tag);
    if (found == states_.end()) {
        return false;
    }
    StateId const state = found->second;
    expand(state);
    CanonicalGraph const& graph = engine_.graph();
    bool is_same = graph.num_options(state) == record.num_options;
    bool const is_stop = record.choice == CanonicalScores::stop;
    is_same = is_same && (is_stop || record.choice < record.num_options);
    scores_->scores[index_of(state)] = record.score;
    scores_->choices.set(index_of(state), record.choice);
    scores_->is_scored[index_of(state)] = true;
    graph.for_each_option(state, [&](Option const& option) {
        std::uint64_t count = 0;
        is_same = is_same && from.read(count) && count == option.children.size();
        for (std::size_t i = 0; is_same && i < count; ++i) {
            PlanChild child;
            is_same = from.read(child);
            states_[child.tag] = option.children[i];
            scores_->scores[index_of(option.children[i])] = child.score;
            scores_->is_known[index_of(option.children[i])] = true;
        }
    });
    return is_same;
}

void PlanBuilder::finish() {
    engine_.adopt(std::move(scores_));
}

} // namespace branchwise
