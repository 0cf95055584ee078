#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>

#include "branchwise/canonical/canonical_scores.hpp"
#include "branchwise/search/canonical_engine.hpp"
#include "branchwise/spill/plan_marks.hpp"

namespace branchwise {

/// Puts plans together in an engine that has explored nothing else: the states that
/// they come to, each after one that leads to it.
///
/// Whatever an option leads to comes out of expanding it again, in the order in which
/// its file has it; so no keys need be kept.
class PlanBuilder {
  public:
    /// `root` is what the root is called in the records.
    PlanBuilder(CanonicalEngine& engine, std::uint64_t root);

    /// Take in the states of a part. False if these are not what expanding them comes
    /// to: then they are of another problem, or not what was written.
    [[nodiscard]] bool add(std::span<std::byte const> records);
    /// Have the engine take over what was put together.
    void finish();

    [[nodiscard]] std::size_t num_states() const { return engine_.graph().size(); }

  private:
    class Reader;

    [[nodiscard]] bool add(PlanRecord const& record, Reader& from);
    void expand(StateId state);

    CanonicalEngine& engine_;
    Residual residual_;
    Successors successors_;
    std::unordered_map<std::uint64_t, StateId> states_; // by tag
    std::shared_ptr<CanonicalScores> scores_;
};

} // namespace branchwise
