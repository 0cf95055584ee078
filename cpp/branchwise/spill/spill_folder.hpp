#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "branchwise/spill/key_segments.hpp"
#include "branchwise/spill/part_states.hpp"
#include "branchwise/spill/section_file.hpp"

namespace branchwise {

/// Whose keys: an owner of buckets, and which of its parts has sent them.
struct SenderId {
    std::uint32_t owner = 0;
    std::uint32_t part = 0;

    [[nodiscard]] std::uint64_t number() const {
        return std::uint64_t{owner} << 32U | part;
    }
    [[nodiscard]] static SenderId of(std::uint64_t number) {
        return {static_cast<std::uint32_t>(number >> 32U),
                static_cast<std::uint32_t>(number)};
    }
};

/// The files of a run, and what follows from which of them are there.
///
/// A part is finished once its file is there. Parts have numbers in the order in which
/// they were expanded, by falling rank and within a rank by bucket; so the files up to
/// the first that is missing are what has been done, and whatever else there is goes.
class SpillFolder {
  public:
    SpillFolder(std::filesystem::path path, std::uint64_t digest, std::size_t num_words,
                std::uint32_t owner, BucketRange buckets);

    [[nodiscard]] std::uint64_t digest() const { return digest_; }
    [[nodiscard]] std::size_t num_words() const { return num_words_; }
    [[nodiscard]] std::uint32_t owner() const { return owner_; }
    /// Whose states are expanded here.
    [[nodiscard]] BucketRange buckets() const { return buckets_; }
    [[nodiscard]] bool has_all_buckets() const {
        return buckets_.size() == num_buckets;
    }

    [[nodiscard]] std::vector<PartInfo> const& parts() const { return parts_; }
    [[nodiscard]] std::uint64_t num_states() const { return num_states_; }
    [[nodiscard]] std::filesystem::path states_file(std::size_t part) const;
    [[nodiscard]] std::filesystem::path keys_file(std::size_t part) const;
    /// By what the best trees measure, in one word.
    [[nodiscard]] std::filesystem::path values_file(std::size_t part,
                                                    std::string const& measure) const;
    [[nodiscard]] SectionReader open(std::filesystem::path const& path) const {
        return {path, digest_};
    }

    /// Take in a part whose files have been written.
    void add_part(PartInfo const& info);
    /// Take in keys of another owner's part. Throws `SpillError` if states that they
    /// might be were expanded already.
    void add_keys(SenderId sender, std::filesystem::path const& from);
    [[nodiscard]] std::filesystem::path foreign_keys_file(SenderId sender) const;
    [[nodiscard]] std::filesystem::path
    foreign_values_file(std::size_t part, std::uint32_t owner,
                        std::string const& measure) const;
    /// Those that are there of a part.
    [[nodiscard]] std::vector<std::filesystem::path>
    foreign_values_files(std::size_t part, std::string const& measure) const;

    /// How many keys wait to be taken in, by rank and bucket: equal ones from several
    /// senders are counted several times.
    using Waiting =
        std::map<std::uint64_t, std::array<std::uint64_t, num_buckets>, std::greater<>>;
    [[nodiscard]] Waiting const& waiting() const { return waiting_; }
    /// Where the next part begins within a rank.
    [[nodiscard]] std::uint32_t next_bucket(std::uint64_t rank) const;

    /// Visit all senders with their keys, in the order of their numbers.
    template <typename Visit>
    void for_each_sender(Visit visit) {
        for (auto& [number, keys] : senders_) {
            visit(SenderId::of(number), keys);
        }
    }
    [[nodiscard]] SentKeys& keys_of(SenderId sender) {
        return senders_.at(sender.number());
    }
    [[nodiscard]] bool has_keys(SenderId sender) const {
        return senders_.contains(sender.number());
    }

    /// The parts in which keys of a sender have arrived.
    [[nodiscard]] std::vector<std::size_t> const& parts_with_keys_of(SenderId sender);

    /// All owners have come to the end: there are no more states.
    void end_exploring();
    [[nodiscard]] bool is_explored() const { return is_explored_; }
    /// Remove all keys, which only exploring needs.
    void remove_keys();

  private:
    [[nodiscard]] std::filesystem::path file(std::size_t part,
                                             std::string const& kind) const;
    [[nodiscard]] std::filesystem::path explored_file() const;
    void read_parts();
    void read_foreign_keys();
    void remove_rest() const;
    void add_sender(SenderId sender, std::filesystem::path const& path);
    [[nodiscard]] bool is_taken(std::uint64_t rank, std::uint32_t bucket) const;

    std::filesystem::path path_;
    std::uint64_t digest_;
    std::size_t num_words_;
    std::uint32_t owner_;
    BucketRange buckets_;
    std::vector<PartInfo> parts_;
    std::uint64_t num_states_ = 0;
    std::map<std::uint64_t, SentKeys> senders_;
    Waiting waiting_;
    std::map<std::uint64_t, std::vector<std::size_t>> arrived_; // parts by sender
    std::size_t num_arrived_ = 0;                               // parts looked through
    bool is_explored_ = false;
};

} // namespace branchwise
