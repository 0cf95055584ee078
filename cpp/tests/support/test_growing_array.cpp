#include <atomic>
#include <cstddef>
#include <thread>

#include <doctest/doctest.h>

#include "branchwise/support/growing_array.hpp"

namespace branchwise {

namespace {

/// Does an array hold the numbers from 0 on?
bool counts_up(GrowingArray<std::size_t> const& array) {
    for (std::size_t i = 0; i < array.size(); ++i) {
        if (array[i] != i) {
            return false;
        }
    }
    return true;
}

} // namespace

TEST_CASE("a copy stays as it is while the original grows") {
    GrowingArray<std::size_t> array;
    for (std::size_t i = 0; i < 100; ++i) {
        array.push_back(i);
    }
    GrowingArray<std::size_t> const copy = array;

    for (std::size_t i = 100; i < 100'000; ++i) {
        array.push_back(i);
    }

    CHECK(copy.size() == 100);
    CHECK(counts_up(copy));
    CHECK(array.size() == 100'000);
    CHECK(counts_up(array));
    CHECK(copy.data() != array.data());
}

TEST_CASE("what is made its own can be changed without changing a copy") {
    GrowingArray<std::size_t> array;
    array.push_back(0);
    GrowingArray<std::size_t> const copy = array;

    array.make_own();
    array[0] = 7;

    CHECK(copy[0] == 0);
    CHECK(array[0] == 7);
}

TEST_CASE("a copy can be read and dropped while another thread appends") {
    GrowingArray<std::size_t> array;
    for (std::size_t round = 0; round < 20; ++round) {
        GrowingArray<std::size_t> copy = array;
        std::atomic<bool> is_sound = true;
        std::thread reader([&is_sound, own = std::move(copy)] {
            for (int i = 0; i < 50; ++i) {
                is_sound = is_sound && counts_up(own);
            }
        });
        for (std::size_t i = 0; i < 500; ++i) {
            array.push_back(array.size());
        }
        reader.join();
        CHECK(is_sound);
    }
    CHECK(counts_up(array));
}

} // namespace branchwise
