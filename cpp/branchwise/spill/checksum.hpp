#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace branchwise {

/// A number by which bytes are recognized that have changed; fast, and no secret.
///
/// Every step can be undone, so that what differs in one word only never has the same
/// number; anything else does once in 2^64 times.
class Checksum {
  public:
    void add(std::span<std::byte const> bytes) {
        size_ += bytes.size();
        while (!bytes.empty()) {
            if (num_kept_ == 0 && bytes.size() >= kept_.size()) {
                std::size_t const whole = bytes.size() / kept_.size() * kept_.size();
                for (std::size_t i = 0; i < whole; i += kept_.size()) {
                    mix(bytes.data() + i);
                }
                bytes = bytes.subspan(whole);
                continue;
            }
            std::size_t const count = bytes.size() < kept_.size() - num_kept_
                                          ? bytes.size()
                                          : kept_.size() - num_kept_;
            std::memcpy(kept_.data() + num_kept_, bytes.data(), count);
            num_kept_ += count;
            bytes = bytes.subspan(count);
            if (num_kept_ == kept_.size()) {
                mix(kept_.data());
                num_kept_ = 0;
            }
        }
    }
    template <typename T>
    void add_value(T const& value) {
        add(std::as_bytes(std::span(&value, 1)));
    }

    [[nodiscard]] std::uint64_t value() const {
        Checksum last = *this;
        if (num_kept_ > 0) {
            std::memset(last.kept_.data() + num_kept_, 0, kept_.size() - num_kept_);
            last.mix(last.kept_.data());
        }
        std::uint64_t result = size_;
        for (std::uint64_t const lane : last.lanes_) {
            result = (result ^ lane) * multiplier;
            result ^= result >> 32U;
        }
        return result;
    }

  private:
    static constexpr std::uint64_t multiplier = 0xD6E8FEB86659FD93U;
    static constexpr std::size_t num_lanes = 4;

    // Lanes do not wait for each other.
    void mix(std::byte const* block) {
        std::array<std::uint64_t, num_lanes> words{};
        std::memcpy(words.data(), block, sizeof words);
        for (std::size_t i = 0; i < num_lanes; ++i) {
            lanes_[i] = std::rotl((lanes_[i] ^ words[i]) * multiplier, 29);
        }
    }

    std::array<std::uint64_t, num_lanes> lanes_{1, 2, 3, 4};
    std::array<std::byte, num_lanes * sizeof(std::uint64_t)> kept_{};
    std::size_t num_kept_ = 0;
    std::uint64_t size_ = 0;
};

[[nodiscard]] inline std::uint64_t checksum_of(std::span<std::byte const> bytes) {
    Checksum result;
    result.add(bytes);
    return result.value();
}

} // namespace branchwise
