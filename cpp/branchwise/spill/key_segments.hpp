#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "branchwise/spill/section_file.hpp"
#include "branchwise/support/bits.hpp"
#include "branchwise/support/key_hash.hpp"

namespace branchwise {

/// Every state is in one of these, by the hash of its key.
inline constexpr std::uint32_t num_buckets = 64;

[[nodiscard]] inline std::uint32_t bucket_of(Word const* key, std::size_t num_words) {
    constexpr std::uint32_t bits = 6;
    static_assert(num_buckets == 1U << bits);
    return static_cast<std::uint32_t>(key_hash(key, num_words) >> (64 - bits));
}

/// Some buckets in a row.
struct BucketRange {
    std::uint32_t first = 0;
    std::uint32_t last = num_buckets; // the first one behind

    [[nodiscard]] bool has(std::uint32_t bucket) const {
        return first <= bucket && bucket < last;
    }
    [[nodiscard]] std::uint32_t size() const { return last - first; }
};

/// The keys that a part has sent to one rank and bucket, in a row.
struct KeySegment {
    std::uint64_t rank = 0;
    std::uint32_t bucket = 0;
    std::uint32_t count = 0;
    std::uint64_t offset = 0; // in the section of keys
    std::uint64_t bytes = 0;
    std::uint64_t checksum = 0;
};

/// Write keys one after another, each as what is different from the one before.
void pack_keys(std::span<Word const> keys, std::size_t num_words,
               std::vector<std::byte>& to);
/// Read so many keys that were written like that. False if that is not what is there.
[[nodiscard]] bool unpack_keys(std::span<std::byte const> from, std::size_t num_words,
                               std::size_t count, std::vector<Word>& to);

/// The keys of a sender, as a file or as bytes: segments by falling rank, and by bucket
/// within a rank.
class SentKeys {
  public:
    SentKeys(SectionReader file, std::size_t num_words);

    [[nodiscard]] std::span<KeySegment const> segments() const { return segments_; }
    /// Read the keys of a segment. Throws `SpillError` if they have changed.
    void read(KeySegment const& segment, std::vector<Word>& to);
    /// The segments of a rank in these buckets.
    [[nodiscard]] std::span<KeySegment const> within(std::uint64_t rank,
                                                     BucketRange buckets) const;
    /// Close the file until it is read again.
    void rest() { file_.rest(); }
    /// Write the segments in these buckets into another file. Returns the highest rank
    /// of these.
    std::optional<std::uint64_t> copy(BucketRange buckets, SectionWriter& to);

    [[nodiscard]] std::filesystem::path const& path() const { return file_.path(); }

  private:
    void read_packed(KeySegment const& segment);

    SectionReader file_;
    std::size_t num_words_;
    std::vector<KeySegment> segments_;
    std::vector<std::byte> packed_;
};

} // namespace branchwise
