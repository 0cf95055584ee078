#include "branchwise/canonical/layout/residual_sets.hpp"

#include "branchwise/canonical/layout/residual_sets_builder.hpp"

namespace branchwise {

ResidualSets::ResidualSets(ResidualLayout const& layout, Look const& look) {
    ResidualSetsBuilder(layout, *this, look).build();
}

} // namespace branchwise
