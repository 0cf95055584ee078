#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "branchwise/support/growing_array.hpp"

namespace branchwise {

/// Numbers in a row, all in as many bytes as the largest so far takes, of which copies
/// may be read while more are added: see `GrowingArray`.
class GrowingNumbers {
  public:
    [[nodiscard]] std::size_t size() const { return bytes_.size() / width_; }
    [[nodiscard]] std::size_t bytes() const { return bytes_.bytes(); }

    [[nodiscard]] std::uint32_t operator[](std::size_t i) const {
        switch (width_) {
        case 1:
            return read<std::uint8_t>(i);
        case 2:
            return read<std::uint16_t>(i);
        default:
            return read<std::uint32_t>(i);
        }
    }

    /// Have room for so many more, none above `largest`, so that adding them cannot
    /// fail.
    void make_room(std::size_t count, std::uint32_t largest) {
        if (width_for(largest) > width_) {
            widen(width_for(largest), count);
        } else {
            bytes_.make_room(count * width_);
        }
    }
    /// There must be room for it.
    void push_back(std::uint32_t number) {
        std::byte* const to = bytes_.extend(width_);
        switch (width_) {
        case 1:
            return write(to, static_cast<std::uint8_t>(number));
        case 2:
            return write(to, static_cast<std::uint16_t>(number));
        default:
            return write(to, number);
        }
    }

  private:
    [[nodiscard]] static std::size_t width_for(std::uint32_t largest) {
        if (largest > UINT16_MAX) {
            return sizeof(std::uint32_t);
        }
        return largest > UINT8_MAX ? sizeof(std::uint16_t) : 1;
    }
    template <typename T>
    [[nodiscard]] std::uint32_t read(std::size_t i) const {
        T number{};
        std::memcpy(&number, bytes_.data() + i * sizeof number, sizeof number);
        return number;
    }
    template <typename T>
    static void write(std::byte* to, T number) {
        std::memcpy(to, &number, sizeof number);
    }

    // Copies keep the memory they have.
    void widen(std::size_t width, std::size_t count) {
        GrowingNumbers wider;
        wider.width_ = width;
        wider.bytes_.make_room((size() + count) * width);
        for (std::size_t i = 0; i < size(); ++i) {
            wider.push_back((*this)[i]);
        }
        *this = std::move(wider);
    }

    std::size_t width_ = 1;
    GrowingArray<std::byte> bytes_;
};

} // namespace branchwise
