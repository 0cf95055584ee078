#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "branchwise/objective.hpp"

namespace branchwise {

/// f(s), a whole number or a real one as the objective has it, in the same memory.
class Preference {
  public:
    Preference() = default;
    template <typename Value>
    explicit Preference(Value value) {
        if constexpr (std::is_same_v<Value, double>) {
            bits_ = std::bit_cast<std::uint64_t>(value);
        } else {
            bits_ = value;
        }
    }

    template <typename Value>
    [[nodiscard]] Value as() const {
        if constexpr (std::is_same_v<Value, double>) {
            return std::bit_cast<double>(static_cast<std::uint64_t>(bits_));
        } else {
            return static_cast<Value>(bits_);
        }
    }

  private:
    NodeCount bits_ = 0;
};

} // namespace branchwise
