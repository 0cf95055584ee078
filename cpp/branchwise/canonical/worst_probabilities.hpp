#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "branchwise/canonical/residual_layout.hpp"
#include "branchwise/problem/instance.hpp"

namespace branchwise {

/// How much of an adversary there is.
enum class Threat : std::uint8_t {
    none,    // all odds are nominal
    limited, // some may be other ones, so many times
    endless, // all may be, always
};

/// Odds for up to so many outcomes need no memory of their own.
inline constexpr std::size_t most_odds_at_hand = 16;

/// Room for the odds of one action.
class OddsRoom {
  public:
    explicit OddsRoom(std::size_t size) : size_(size) {
        if (size > most_odds_at_hand) {
            more_.resize(size);
        }
    }
    [[nodiscard]] double* data() { return more_.empty() ? few_.data() : more_.data(); }
    [[nodiscard]] std::span<double const> view() const {
        return {more_.empty() ? few_.data() : more_.data(), size_};
    }

  private:
    std::array<double, most_odds_at_hand> few_{};
    std::vector<double> more_{};
    std::size_t size_;
};

/// The odds within a spread under which the expected value is least. Only outcomes that
/// can happen count, in order; nothing is moved for a difference of `tolerance` or
/// less.
///
/// Write the odds as nominal + up - down, with up and down at least 0 and of the same
/// sum m, at most the distance. For a given m it is best to go up where the values are
/// least and to come down where they are greatest, each as far as its bound. The next
/// bit moved so gains a difference of values that never rises with m: so going on while
/// it is above 0 is best.
void worst_odds(Variant const& variant, std::span<double const> values,
                double tolerance, double* odds);

/// An action at the odds that an adversary might choose once and for all: those that
/// take most from the outcomes that something waits for.
[[nodiscard]] InstanceAction at_odds_against(ResidualLayout const& layout,
                                             std::size_t action);

} // namespace branchwise
