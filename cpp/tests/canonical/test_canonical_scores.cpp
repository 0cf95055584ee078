#include <cstddef>
#include <cstdint>

#include <doctest/doctest.h>

#include "branchwise/canonical/canonical_scores.hpp"

namespace branchwise {

TEST_CASE("Choices are kept in one byte, two or four") {
    // The largest number of options that goes into a byte and two, and one more.
    for (std::uint32_t const most : {2U, 254U, 255U, 65'534U, 65'535U}) {
        Choices choices(most);
        choices.resize(4);
        choices.set(1, most - 1);
        choices.set(2, 1);
        choices.set(2, Choices::stop);
        choices.set(3, 0);
        choices.resize(5);

        CHECK(choices.size() == 5);
        CHECK(choices[0] == Choices::stop);
        CHECK(choices[1] == most - 1);
        CHECK(choices[2] == Choices::stop);
        CHECK(choices[3] == 0);
        CHECK(choices[4] == Choices::stop);
    }
}

} // namespace branchwise
