#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "branchwise/canonical/layout/residual_layout.hpp"
#include "branchwise/problem/instance.hpp"

namespace branchwise {

/// How much of an adversary there is.
enum class Threat : std::uint8_t {
    none,    // all probabilities are nominal
    limited, // some may be other ones, so many times
    endless, // all may be, always
};

/// Probabilities for up to so many outcomes need no memory of their own.
inline constexpr std::size_t most_local_probabilities = 16;

/// Space for one number per outcome of an action.
class ProbabilityBuffer {
  public:
    explicit ProbabilityBuffer(std::size_t size) : size_(size) {
        if (size > most_local_probabilities) {
            more_.resize(size);
        }
    }
    [[nodiscard]] double* data() { return more_.empty() ? few_.data() : more_.data(); }
    [[nodiscard]] std::span<double const> view() const {
        return {more_.empty() ? few_.data() : more_.data(), size_};
    }

  private:
    std::array<double, most_local_probabilities> few_{};
    std::vector<double> more_{};
    std::size_t size_;
};

/// The probabilities within a spread under which the expected value is least. Only
/// outcomes that can happen count, in order; nothing is moved for a difference of
/// `tolerance` or less.
///
/// Write the probabilities as nominal + up - down, with up and down at least 0 and of
/// the same sum m, at most the distance. For a given m it is best to go up where the
/// values are least and to come down where they are greatest, each as far as its bound.
/// The next bit moved so gains a difference of values that never rises with m: so going
/// on while it is above 0 is best.
void worst_probabilities(Variant const& variant, std::span<double const> values,
                         double tolerance, double* probabilities);

/// An action at the probabilities that an adversary might choose once and for all:
/// those that take most from the outcomes that something waits for.
[[nodiscard]] InstanceAction at_worst_fixed_probabilities(ResidualLayout const& layout,
                                                          std::size_t action);

} // namespace branchwise
