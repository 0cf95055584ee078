#include "branchwise/spill/key_segments.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace branchwise {

namespace {

constexpr std::size_t bytes_of_word = sizeof(Word);

} // namespace

// Of each word, a byte that says which of its bytes are different, then these.
void pack_keys(std::span<Word const> keys, std::size_t num_words,
               std::vector<std::byte>& to) {
    std::vector<Word> before(num_words);
    std::array<std::byte, 1 + bytes_of_word> packed{};
    for (std::size_t i = 0; i < keys.size(); ++i) {
        std::size_t const w = i % num_words;
        Word const difference = keys[i] ^ std::exchange(before[w], keys[i]);
        std::uint32_t mask = 0;
        std::size_t size = 1;
        for (std::uint32_t b = 0; b < bytes_of_word; ++b) {
            auto const byte = static_cast<std::byte>(difference >> (8 * b));
            if (byte != std::byte{0}) {
                mask |= 1U << b;
                packed[size++] = byte;
            }
        }
        packed[0] = static_cast<std::byte>(mask);
        to.insert(to.end(), packed.begin(),
                  packed.begin() + static_cast<std::ptrdiff_t>(size));
    }
}

bool unpack_keys(std::span<std::byte const> from, std::size_t num_words,
                 std::size_t count, std::vector<Word>& to) {
    std::vector<Word> key(num_words);
    std::byte const* next = from.data();
    std::byte const* const end = next + from.size();
    to.clear();
    to.reserve(count * num_words);
    for (std::size_t i = 0; i < count * num_words; ++i) {
        if (next == end) {
            return false;
        }
        auto mask = static_cast<std::uint32_t>(*next++);
        if (std::popcount(mask) > end - next) {
            return false;
        }
        Word& word = key[i % num_words];
        for (; mask != 0; mask &= mask - 1) {
            word ^= static_cast<Word>(*next++) << (8 * std::countr_zero(mask));
        }
        to.push_back(word);
    }
    return next == end;
}

SentKeys::SentKeys(SectionReader file, std::size_t num_words)
    : file_(std::move(file)), num_words_(num_words) {
    auto const segments = file_.read_all<KeySegment>(SectionTag::directory);
    segments_.assign(segments.begin(), segments.end());
    rest();
}

std::span<KeySegment const> SentKeys::within(std::uint64_t rank,
                                             BucketRange buckets) const {
    auto const is_before = [rank](std::uint32_t bucket) {
        return [rank, bucket](KeySegment const& each) {
            return each.rank > rank || (each.rank == rank && each.bucket < bucket);
        };
    };
    auto const first = std::partition_point(segments_.begin(), segments_.end(),
                                            is_before(buckets.first));
    auto const last =
        std::partition_point(first, segments_.end(), is_before(buckets.last));
    return {first, last};
}

void SentKeys::read_packed(KeySegment const& segment) {
    packed_.resize(segment.bytes);
    file_.read_piece(SectionTag::keys, 0, segment.offset, packed_);
    if (checksum_of(packed_) != segment.checksum) {
        throw file_.damaged();
    }
}

void SentKeys::read(KeySegment const& segment, std::vector<Word>& to) {
    read_packed(segment);
    if (!unpack_keys(packed_, num_words_, segment.count, to)) {
        throw file_.damaged();
    }
}

std::optional<std::uint64_t> SentKeys::copy(BucketRange buckets, SectionWriter& to) {
    std::vector<KeySegment> copied;
    to.begin(SectionTag::keys);
    for (KeySegment const& segment : segments_) {
        if (buckets.has(segment.bucket)) {
            read_packed(segment);
            copied.push_back(segment);
            copied.back().offset = to.section_bytes();
            to.write(packed_);
        }
    }
    to.write_section(SectionTag::directory, 0, std::span<KeySegment const>(copied));
    return copied.empty() ? std::nullopt : std::optional(copied.front().rank);
}

} // namespace branchwise
