#include "branchwise/spill/section_file.hpp"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace branchwise {

namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 18U;

[[nodiscard]] std::string reason_of(int error) {
    return error == 0 ? "the system does not say why"
                      : std::generic_category().message(error);
}

} // namespace

SectionWriter::SectionWriter(std::filesystem::path path, std::uint64_t digest)
    : path_(std::move(path)), partial_(path_), digest_(digest), buffer_(buffer_bytes) {
    partial_ += ".tmp";
    file_.rdbuf()->pubsetbuf(buffer_.data(),
                             static_cast<std::streamsize>(buffer_.size()));
    errno = 0;
    file_.open(partial_, std::ios::binary | std::ios::trunc);
    if (!file_) {
        fail();
    }
}

SectionWriter::~SectionWriter() {
    if (!is_finished_) {
        file_.close();
        std::error_code ignored;
        std::filesystem::remove(partial_, ignored);
    }
}

void SectionWriter::fail() {
    throw SpillError(SpillError::Kind::unwritable, path_, reason_of(errno));
}

void SectionWriter::begin(SectionTag tag, std::uint64_t number) {
    end_section();
    entries_.push_back({tag, 0, number, offset_, 0, 0});
    checksum_ = {};
}

void SectionWriter::end_section() {
    if (!entries_.empty()) {
        entries_.back().bytes = section_bytes();
        entries_.back().checksum = checksum_.value();
    }
}

std::uint64_t SectionWriter::section_bytes() const {
    return offset_ - entries_.back().offset;
}

void SectionWriter::write(std::span<std::byte const> bytes) {
    checksum_.add(bytes);
    put(bytes);
}

void SectionWriter::put(std::span<std::byte const> bytes) {
    errno = 0;
    file_.write(reinterpret_cast<char const*>(bytes.data()),
                static_cast<std::streamsize>(bytes.size()));
    if (!file_) {
        fail();
    }
    offset_ += bytes.size();
}

std::uint64_t SectionWriter::stamp_of(Trailer const& trailer,
                                      std::vector<Entry> const& entries) {
    Checksum result;
    result.add_value(trailer.digest);
    result.add_value(trailer.offset);
    result.add(std::as_bytes(std::span(entries)));
    return result.value();
}

void SectionWriter::finish() {
    end_section();
    Trailer trailer{digest_, offset_, entries_.size(), 0, magic};
    trailer.checksum = stamp_of(trailer, entries_);
    put(std::as_bytes(std::span(std::as_const(entries_))));
    put(std::as_bytes(std::span(&trailer, 1)));
    errno = 0;
    file_.close();
    if (!file_) {
        fail();
    }
    std::error_code error;
    std::filesystem::rename(partial_, path_, error);
    if (error) {
        throw SpillError(SpillError::Kind::unwritable, path_, error.message());
    }
    is_finished_ = true;
}

SectionReader::SectionReader(std::filesystem::path path, std::uint64_t digest)
    : path_(std::move(path)) {
    open();
    file_.seekg(0, std::ios::end);
    size_ = static_cast<std::uint64_t>(file_.tellg());
    if (size_ < sizeof trailer_) {
        throw damaged();
    }
    std::uint64_t const room = size_ - sizeof trailer_;
    read_at(room, std::as_writable_bytes(std::span(&trailer_, 1)));
    if (trailer_.magic != SectionWriter::magic || trailer_.offset > room ||
        trailer_.count != (room - trailer_.offset) / sizeof(Entry) ||
        trailer_.count * sizeof(Entry) != room - trailer_.offset) {
        throw damaged();
    }
    entries_.resize(trailer_.count);
    read_at(trailer_.offset, std::as_writable_bytes(std::span(entries_)));
    if (SectionWriter::stamp_of(trailer_, entries_) != trailer_.checksum) {
        throw damaged();
    }
    if (trailer_.digest != digest) {
        throw SpillError(SpillError::Kind::foreign, path_,
                         "it belongs to another problem");
    }
}

void SectionReader::open() {
    errno = 0;
    file_.open(path_, std::ios::binary);
    if (!file_) {
        throw SpillError(SpillError::Kind::unreadable, path_, reason_of(errno));
    }
}

SpillError SectionReader::damaged() const {
    return {SpillError::Kind::damaged, path_, "it is not as it was written"};
}

SectionWriter::Entry const* SectionReader::find(SectionTag tag,
                                                std::uint64_t number) const {
    auto const found =
        std::find_if(entries_.begin(), entries_.end(), [&](Entry const& each) {
            return each.tag == tag && each.number == number;
        });
    return found == entries_.end() ? nullptr : &*found;
}

SectionWriter::Entry const& SectionReader::entry(SectionTag tag,
                                                 std::uint64_t number) const {
    Entry const* const found = find(tag, number);
    if (found == nullptr) {
        throw damaged();
    }
    return *found;
}

std::vector<std::uint64_t> SectionReader::numbers(SectionTag tag) const {
    std::vector<std::uint64_t> result;
    for (Entry const& each : entries_) {
        if (each.tag == tag) {
            result.push_back(each.number);
        }
    }
    return result;
}

std::size_t SectionReader::count(SectionTag tag, std::uint64_t number,
                                 std::size_t value_bytes) const {
    std::uint64_t const total = bytes(tag, number);
    if (total % value_bytes != 0) {
        throw damaged();
    }
    return total / value_bytes;
}

void SectionReader::read(SectionTag tag, std::uint64_t number,
                         std::span<std::byte> to) {
    Entry const& found = entry(tag, number);
    if (found.bytes != to.size()) {
        throw damaged();
    }
    read_at(found.offset, to);
    if (checksum_of(to) != found.checksum) {
        throw damaged();
    }
}

void SectionReader::read_piece(SectionTag tag, std::uint64_t number,
                               std::uint64_t first, std::span<std::byte> to) {
    Entry const& found = entry(tag, number);
    if (first > found.bytes || to.size() > found.bytes - first) {
        throw damaged();
    }
    read_at(found.offset + first, to);
}

void SectionReader::read_at(std::uint64_t offset, std::span<std::byte> to) {
    if (offset > size_ || to.size() > size_ - offset) {
        throw damaged();
    }
    if (!file_.is_open()) {
        open();
    }
    errno = 0;
    file_.seekg(static_cast<std::streamoff>(offset));
    file_.read(reinterpret_cast<char*>(to.data()),
               static_cast<std::streamsize>(to.size()));
    if (!file_) {
        bool const is_short = file_.eof();
        file_.clear();
        if (is_short) {
            throw damaged(); // It became shorter meanwhile.
        }
        throw SpillError(SpillError::Kind::unreadable, path_, reason_of(errno));
    }
}

} // namespace branchwise
