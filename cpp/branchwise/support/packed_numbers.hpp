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
        : bytes_(bytes), size_(static_cast<std::uint32_t>(size)), width_(width),
          step_(width) {}
    /// So many times the same number, which is there once.
    [[nodiscard]] static PackedNumbers repeated(std::byte const* bytes,
                                                std::size_t size, std::uint32_t width) {
        PackedNumbers result(bytes, size, width);
        result.step_ = 0;
        return result;
    }

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] T operator[](std::size_t i) const {
        std::uint32_t number = 0;
        std::memcpy(&number, bytes_ + i * step_, sizeof number);
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
    [[nodiscard]] std::byte const* behind() const {
        return step_ == 0 ? bytes_ + width_ : bytes_ + std::size_t{size_} * width_;
    }

  private:
    std::byte const* bytes_ = nullptr;
    std::uint32_t size_ = 0;
    std::uint32_t width_ = 0; // in bytes
    std::uint32_t step_ = 0;  // from one to the next
};

/// Write a number in so many bytes, and return where the next one begins.
inline std::byte* write_packed(std::byte* to, std::uint32_t number,
                               std::uint32_t width) {
    for (std::uint32_t i = 0; i < width; ++i) {
        *to++ = static_cast<std::byte>(number >> (8 * i));
    }
    return to;
}

/// Write a number in as many bytes as it takes, seven bits each: the last one is below
/// 128. Returns where the next one begins.
inline std::byte* write_short(std::byte* to, std::uint32_t number) {
    constexpr std::uint32_t more = 0x80;
    while (number >= more) {
        *to++ = static_cast<std::byte>(number | more);
        number >>= 7U;
    }
    *to++ = static_cast<std::byte>(number);
    return to;
}

/// Read such a number, and go on to the next one.
[[nodiscard]] inline std::uint32_t read_short(std::byte const*& from) {
    std::uint32_t number = 0;
    for (std::uint32_t shift = 0;; shift += 7) {
        auto const next = static_cast<std::uint32_t>(*from++);
        number |= (next & 0x7FU) << shift;
        if (next < 0x80) {
            return number;
        }
    }
}

/// How many bytes that takes.
[[nodiscard]] inline std::size_t bytes_of_short(std::uint32_t number) {
    std::size_t const bits = static_cast<std::size_t>(std::bit_width(number | 1U));
    return (bits + 6) / 7;
}

} // namespace branchwise
