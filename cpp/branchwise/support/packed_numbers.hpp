#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>

namespace branchwise {

/// How many bytes a number takes: none for 0, and four at most.
[[nodiscard]] inline std::uint32_t bytes_for(std::uint32_t number) {
    return (static_cast<std::uint32_t>(std::bit_width(number)) + 7) / 8;
}

/// Numbers side by side, each in as many bytes as the largest of them takes, the lowest
/// byte first. Whoever keeps them has room for a few bytes behind the last one, which
/// are read together with it.
template <typename T>
class PackedNumbers {
  public:
    static constexpr std::size_t bytes_behind = sizeof(std::uint32_t);

    /// Goes over the numbers from the first to the last.
    class Iterator {
      public:
        using iterator_category = std::input_iterator_tag;
        using value_type = T;
        using difference_type = std::ptrdiff_t;
        using pointer = T const*;
        using reference = T;

        Iterator(PackedNumbers const& numbers, std::size_t at)
            : numbers_(&numbers), at_(at) {}

        [[nodiscard]] T operator*() const { return (*numbers_)[at_]; }
        Iterator& operator++() {
            ++at_;
            return *this;
        }
        Iterator operator++(int) {
            Iterator const before = *this;
            ++at_;
            return before;
        }
        [[nodiscard]] bool operator==(Iterator const& other) const {
            return at_ == other.at_;
        }

      private:
        PackedNumbers const* numbers_;
        std::size_t at_;
    };

    /// None at all.
    PackedNumbers() = default;
    PackedNumbers(std::byte const* bytes, std::size_t size, std::uint32_t width)
        : bytes_(bytes), size_(static_cast<std::uint32_t>(size)), width_(width) {}

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] T operator[](std::size_t i) const {
        std::uint32_t number = 0;
        std::memcpy(&number, bytes_ + i * width_, sizeof number);
        if constexpr (std::endian::native == std::endian::big) {
            number = __builtin_bswap32(number);
        }
        auto const mask = (std::uint64_t{1} << (8 * width_)) - 1;
        return static_cast<T>(static_cast<std::uint32_t>(number & mask));
    }
    [[nodiscard]] Iterator begin() const { return {*this, 0}; }
    [[nodiscard]] Iterator end() const { return {*this, size_}; }
    /// Is there no place where numbers could be?
    [[nodiscard]] bool operator==(std::nullptr_t) const { return bytes_ == nullptr; }
    /// Where the bytes of the numbers end.
    [[nodiscard]] std::byte const* behind() const { return bytes_ + size_ * width_; }

  private:
    std::byte const* bytes_ = nullptr;
    std::uint32_t size_ = 0;
    std::uint32_t width_ = 0; // in bytes
};

/// Write a number in so many bytes, and return where the next one begins.
inline std::byte* write_packed(std::byte* to, std::uint32_t number,
                               std::uint32_t width) {
    for (std::uint32_t i = 0; i < width; ++i) {
        *to++ = static_cast<std::byte>(number >> (8 * i));
    }
    return to;
}

} // namespace branchwise
