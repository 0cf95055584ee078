#include <cstddef>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "branchwise/canonical/key_store.hpp"

namespace branchwise {

namespace {

constexpr std::size_t num_words = 3;
constexpr std::size_t num_keys = 140'000;

constexpr std::size_t num_packed = 4000;

/// Words repeat among the first keys. In the end the numbers of different ones take one
/// byte, two and three.
std::vector<Word> key_at(std::size_t i) {
    Word const number = i;
    Word const third = i < num_packed ? number / 20 : number / 2;
    return {number % 100, (number * 7919) % 1000 << 40U, third * 0x9E3779B97F4A7C15};
}

void add(KeyStore& keys, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
        keys.make_room(1);
        keys.add(key_at(i).data());
    }
}

bool has_all(KeyStore const& keys, std::size_t count) {
    KeyBuffer buffer;
    bool result = keys.size() == count;
    for (std::size_t i = 0; i < count; ++i) {
        std::vector<Word> const key = key_at(i);
        std::vector<Word> other = key;
        other[i % num_words] ^= Word{1} << 63U;
        Word const* const found = keys.read(i, buffer);
        result &= std::vector<Word>(found, found + num_words) == key &&
                  keys.is_same(key.data(), i) && !keys.is_same(other.data(), i);
    }
    return result;
}

} // namespace

TEST_CASE("Keys stay what they are when they are packed and when more are added") {
    KeyStore keys(num_words, 1);
    add(keys, 0, num_packed);
    CHECK(!keys.is_packed());
    CHECK(has_all(keys, num_packed));

    keys.pack_many();

    CHECK(keys.is_packed());
    CHECK(has_all(keys, num_packed));
    add(keys, num_packed, num_keys);
    CHECK(has_all(keys, num_keys));
    CHECK(keys.bytes() < num_keys * num_words * sizeof(Word));
    CHECK(keys.bytes_to_pack() == 0);
}

TEST_CASE("Keys are packed again after what only adding needs was released") {
    KeyStore keys(num_words, 1);
    add(keys, 0, num_packed);
    keys.pack_many();
    std::size_t const bytes = keys.bytes();

    keys.release_index();

    CHECK(keys.bytes() < bytes);
    CHECK(has_all(keys, num_packed));
    // Numbers of the third word need more bytes by then.
    keys.make_room(num_keys - num_packed);
    for (std::size_t i = num_packed; i < num_keys; ++i) {
        keys.add(key_at(i).data());
    }
    CHECK(has_all(keys, num_keys));
}

TEST_CASE("Keys are not packed where they are few or hardly repeat") {
    KeyStore few(num_words, 24 * 1000 + 1);
    add(few, 0, 1000);
    few.pack_many();
    CHECK(!few.is_packed());

    KeyStore different(2, 1);
    KeyStore single(1, 1);
    for (std::size_t i = 0; i < 1000; ++i) {
        std::vector<Word> const key{i, i << 20U};
        different.make_room(1);
        different.add(key.data());
        single.make_room(1);
        single.add(key.data());
    }
    CHECK(different.bytes_to_pack() == 16 * 1000);
    different.pack_many();
    CHECK(!different.is_packed());
    CHECK(different.bytes_to_pack() ==
          16 * 1000); // 2 bytes by now, so it is tried again
    single.pack_many();
    CHECK(!single.is_packed());
    KeyBuffer buffer;
    CHECK(different.read(999, buffer)[1] == Word{999} << 20U);
}

TEST_CASE("Keys of any number of words are packed at once where they always are") {
    for (std::size_t const words : {1U, 2U}) {
        KeyStore keys(words, 0, Packing::always);
        CHECK(keys.bytes_to_pack() == 0);
        for (std::size_t i = 0; i < 1000; ++i) {
            keys.pack_many();
            CHECK(keys.is_packed() == (i > 0));
            std::vector<Word> const key{i, i << 20U};
            keys.make_room(1);
            keys.add(key.data());
        }
        KeyBuffer buffer;
        for (std::size_t i = 0; i < 1000; ++i) {
            CHECK(keys.read(i, buffer)[words - 1] == i << (words == 1 ? 0U : 20U));
        }
    }
}

} // namespace branchwise
