#include <cstddef>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "branchwise/support/growing_numbers.hpp"
#include "branchwise/support/packed_numbers.hpp"

namespace branchwise {

namespace {

using Numbers = std::vector<std::uint32_t>;

/// Pack numbers, with other bytes behind them, and read them again.
Numbers packed_and_read(Numbers const& numbers, std::uint32_t width) {
    std::size_t const behind = PackedNumbers<std::uint32_t>::bytes_behind;
    std::vector<std::byte> bytes(numbers.size() * width + behind, std::byte{0xA5});
    std::byte* to = bytes.data();
    for (std::uint32_t const number : numbers) {
        to = write_packed(to, number, width);
    }
    PackedNumbers<std::uint32_t> const packed(bytes.data(), numbers.size(), width);
    CHECK(packed.behind() == to);
    return {packed.begin(), packed.end()};
}

} // namespace

TEST_CASE("a number takes as many bytes as it has to") {
    CHECK(bytes_for(0) == 0);
    CHECK(bytes_for(1) == 1);
    CHECK(bytes_for(0xFF) == 1);
    CHECK(bytes_for(0x100) == 2);
    CHECK(bytes_for(0xFFFF) == 2);
    CHECK(bytes_for(0x10000) == 3);
    CHECK(bytes_for(0xFFFFFF) == 3);
    CHECK(bytes_for(0x1000000) == 4);
    CHECK(bytes_for(0xFFFFFFFF) == 4);
}

TEST_CASE("numbers are read as they were packed, whatever stands behind them") {
    CHECK(packed_and_read({0, 0, 0}, 0) == Numbers{0, 0, 0});
    for (std::uint32_t width = 1; width <= 4; ++width) {
        auto const most =
            static_cast<std::uint32_t>((std::uint64_t{1} << (8 * width)) - 1);
        Numbers const numbers{most, 0, 1, most - 1, most / 3};
        CHECK(packed_and_read(numbers, width) == numbers);
        CHECK(packed_and_read({}, width).empty());
    }
}

TEST_CASE("a number that is repeated stands there once") {
    std::vector<std::byte> bytes(2 + PackedNumbers<std::uint32_t>::bytes_behind);
    write_packed(bytes.data(), 0x1234, 2);

    auto const numbers = PackedNumbers<std::uint32_t>::repeated(bytes.data(), 3, 2);

    CHECK(Numbers(numbers.begin(), numbers.end()) == Numbers(3, 0x1234));
    CHECK(numbers.behind() == bytes.data() + 2);
}

TEST_CASE("a number is read from as many bytes of seven bits as it takes") {
    std::vector<std::byte> bytes(64);
    Numbers const numbers{0, 127, 128, 16'383, 16'384, 2'097'151, UINT32_MAX};
    std::byte* to = bytes.data();
    for (std::uint32_t const number : numbers) {
        std::byte* const before = to;
        to = write_short(to, number);
        CHECK(static_cast<std::size_t>(to - before) == bytes_of_short(number));
    }
    CHECK(to - bytes.data() == 1 + 1 + 2 + 2 + 3 + 3 + 5);
    std::byte const* from = bytes.data();
    for (std::uint32_t const number : numbers) {
        CHECK(read_short(from) == number);
    }
    CHECK(from == to);
}

TEST_CASE("numbers that need more bytes change none before, and no copy") {
    GrowingNumbers numbers;
    Numbers const steps{3, 255, 256, 65'535, 65'536, 7, UINT32_MAX};
    Numbers expected;
    for (std::uint32_t const step : steps) {
        GrowingNumbers const copy = numbers;
        for (std::size_t i = 0; i < 1000; ++i) {
            numbers.make_room(1, step);
            numbers.push_back(step);
        }
        CHECK(copy.size() == expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            REQUIRE(copy[i] == expected[i]);
        }
        expected.insert(expected.end(), 1000, step);
        REQUIRE(numbers.size() == expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            REQUIRE(numbers[i] == expected[i]);
        }
    }
    CHECK(numbers.bytes() == expected.size() * 4);
}

} // namespace branchwise
