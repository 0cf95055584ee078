#include "branchwise/support/big_index.hpp"

#include <array>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

using branchwise::BigIndex;
using Word = BigIndex::Word;

namespace {

std::vector<Word> words_of(BigIndex const& number) {
    return {number.words().begin(), number.words().end()};
}

} // namespace

TEST_CASE("zero has no words, however it is made") {
    CHECK(BigIndex().words().empty());
    CHECK(BigIndex(0) == BigIndex());
    CHECK(BigIndex(std::array<Word, 3>{0, 0, 0}) == BigIndex());

    BigIndex five_times_zero(5);
    five_times_zero.multiply_add(0, 0);
    CHECK(five_times_zero == BigIndex());
}

TEST_CASE("the sum carries into a new word") {
    // (2^32 - 1) * 1 + 1 = 2^32.
    BigIndex number(UINT32_MAX);
    number.multiply_add(1, 1);
    CHECK(words_of(number) == std::vector<Word>{0, 1});
}

TEST_CASE("the largest words do not wrap") {
    // With w = 2^32: (w^2 - 1)(w - 1) + (w - 1) = w^3 - w^2.
    BigIndex number(std::array<Word, 2>{UINT32_MAX, UINT32_MAX});
    number.multiply_add(UINT32_MAX, UINT32_MAX);
    CHECK(words_of(number) == std::vector<Word>{0, 0, UINT32_MAX});
}

TEST_CASE("division undoes multiplication and returns what was added") {
    BigIndex number(7);
    for (Word digit = 0; digit < 100; ++digit) {
        number.multiply_add(1'000'003, digit);
    }
    CHECK(number.words().size() == 63); // 7 * 1000003^100 has 1996 bits
    for (Word digit = 100; digit-- > 0;) {
        CHECK(number.divide(1'000'003) == digit);
    }
    CHECK(number == BigIndex(7));
}
