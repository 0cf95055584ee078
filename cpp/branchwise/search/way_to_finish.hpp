#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "branchwise/canonical/lanes/residual.hpp"
#include "branchwise/canonical/layout/residual_layout.hpp"

namespace branchwise {

/// Guesses how `finish` comes true for least, where one must finish: what an outcome
/// costs is the charge of its action divided by how likely it is, what all of several
/// cost is added up, and of several that will do the cheapest one counts.
///
/// A guess is all it is: it says where to look first.
class WayToFinish {
  public:
    explicit WayToFinish(ResidualLayout const& layout);

    /// Which of these actions is on the way from the state that is loaded; the first
    /// one where that cannot be told.
    [[nodiscard]] std::uint32_t choice(Residual const& residual,
                                       std::span<AvailableAction const> actions);

  private:
    void guess_efforts(Residual const& residual);
    [[nodiscard]] double guess(Residual const& residual, NodeId node) const;
    [[nodiscard]] double effort(Residual const& residual, NodeRef ref) const;
    [[nodiscard]] double charge(std::size_t action) const;

    ResidualLayout const& layout_;
    std::vector<double> efforts_; // by node, to make it true
};

} // namespace branchwise
