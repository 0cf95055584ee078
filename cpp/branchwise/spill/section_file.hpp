#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "branchwise/spill/checksum.hpp"
#include "branchwise/spill/spill_error.hpp"
#include "branchwise/support/large_array.hpp"

namespace branchwise {

/// What a section of a file holds.
enum class SectionTag : std::uint32_t {
    part,      // what the part is
    layers,    // how many of its own states have each rank
    own,       // the numbers of its own states, as they were expanded
    lengths,   // how many bytes their links take
    links,     // where they lead
    rewards,   // by state: what is paid there
    gains,     // rewards that become certain together
    stops,     // what stopping pays, where that is no level
    sent,      // the numbers of the other states, in the order of their keys
    arrivals,  // by sender: what number each of its keys has here
    directory, // where keys begin
    keys,      // keys, segment by segment
    origin,    // whose keys or values these are
    scores,    // of own states
    choices,   // of own states
    answers,   // by sender: the scores of its keys
    measures,  // by sender: what the best trees below its keys measure
};

/// Writes a file of sections, each with a checksum. It has its name only once it is
/// whole: before, it is there under another one, and is removed if writing fails.
class SectionWriter {
  public:
    SectionWriter(std::filesystem::path path, std::uint64_t digest);
    SectionWriter(SectionWriter const&) = delete;
    SectionWriter& operator=(SectionWriter const&) = delete;
    ~SectionWriter();

    /// What is written from now on is this section; a tag may have several, by number.
    void begin(SectionTag tag, std::uint64_t number = 0);
    void write(std::span<std::byte const> bytes);
    template <typename T>
    void write_values(std::span<T const> values) {
        write(std::as_bytes(values));
    }
    template <typename T>
    void write_section(SectionTag tag, std::uint64_t number,
                       std::span<T const> values) {
        begin(tag, number);
        write(std::as_bytes(values));
    }
    /// How many bytes the section has by now.
    [[nodiscard]] std::uint64_t section_bytes() const;
    /// Give the file its name.
    void finish();

  private:
    friend class SectionReader;

    static constexpr std::uint64_t magic = 0x31306C6C69707362U; // "bspill01"

    struct Entry {
        SectionTag tag{};
        std::uint32_t unused = 0;
        std::uint64_t number = 0;
        std::uint64_t offset = 0;
        std::uint64_t bytes = 0;
        std::uint64_t checksum = 0;
    };
    /// The end of a file, by which it is read.
    struct Trailer {
        std::uint64_t digest = 0;
        std::uint64_t offset = 0; // of the entries
        std::uint64_t count = 0;
        std::uint64_t checksum = 0; // of all of that
        std::uint64_t magic = SectionWriter::magic;
    };

    [[nodiscard]] static std::uint64_t stamp_of(Trailer const& trailer,
                                                std::vector<Entry> const& entries);
    void put(std::span<std::byte const> bytes);
    void end_section();
    [[noreturn]] void fail();

    std::filesystem::path path_;
    std::filesystem::path partial_;
    std::uint64_t digest_;
    std::vector<char> buffer_;
    std::ofstream file_;
    std::vector<Entry> entries_;
    Checksum checksum_; // of the section that is written
    std::uint64_t offset_ = 0;
    bool is_finished_ = false;
};

/// Reads such a file. Whatever is not as it was written is a `SpillError`, at the
/// latest when the section is read that it is in.
class SectionReader {
  public:
    SectionReader(std::filesystem::path path, std::uint64_t digest);

    [[nodiscard]] std::filesystem::path const& path() const { return path_; }
    /// Two files with the same stamp have the same content.
    [[nodiscard]] std::uint64_t stamp() const { return trailer_.checksum; }
    [[nodiscard]] bool has(SectionTag tag, std::uint64_t number = 0) const {
        return find(tag, number) != nullptr;
    }
    /// The numbers that a tag has sections of, ascending as they were written.
    [[nodiscard]] std::vector<std::uint64_t> numbers(SectionTag tag) const;
    [[nodiscard]] std::uint64_t bytes(SectionTag tag, std::uint64_t number = 0) const {
        return entry(tag, number).bytes;
    }
    /// How many values of this size a section holds.
    [[nodiscard]] std::size_t count(SectionTag tag, std::uint64_t number,
                                    std::size_t value_bytes) const;

    /// All of a section, which has so many bytes.
    void read(SectionTag tag, std::uint64_t number, std::span<std::byte> to);
    template <typename T>
    [[nodiscard]] LargeArray<T> read_all(SectionTag tag, std::uint64_t number = 0) {
        LargeArray<T> result;
        std::size_t const size = count(tag, number, sizeof(T));
        T* const to = result.extend(size);
        read(tag, number, std::as_writable_bytes(std::span(to, size)));
        return result;
    }
    template <typename T>
    [[nodiscard]] T read_value(SectionTag tag, std::uint64_t number = 0) {
        T result{};
        if (bytes(tag, number) != sizeof result) {
            throw damaged();
        }
        read(tag, number, std::as_writable_bytes(std::span(&result, 1)));
        return result;
    }
    /// Some bytes of a section, which the caller has to check.
    void read_piece(SectionTag tag, std::uint64_t number, std::uint64_t first,
                    std::span<std::byte> to);

    /// Close the file until it is read again.
    void rest() { file_.close(); }

    [[nodiscard]] SpillError damaged() const;

  private:
    using Entry = SectionWriter::Entry;
    using Trailer = SectionWriter::Trailer;

    [[nodiscard]] Entry const* find(SectionTag tag, std::uint64_t number) const;
    [[nodiscard]] Entry const& entry(SectionTag tag, std::uint64_t number) const;
    void open();
    void read_at(std::uint64_t offset, std::span<std::byte> to);

    std::filesystem::path path_;
    std::ifstream file_;
    std::uint64_t size_ = 0;
    Trailer trailer_;
    std::vector<Entry> entries_;
};

} // namespace branchwise
