#include <cstring>

#include "branchwise/canonical/lanes/lane_kernel.hpp"

namespace branchwise {

namespace {

/// A price for each lane, in plain C++: loops that compilers turn into the instructions
/// every machine has. A sum that is too large for a price stays at the largest.
template <typename PriceType>
struct PortableOps {
    using Price = PriceType;

    struct Row {
        alignas(64) Price of[num_lanes];
    };

    static Row load(Price const* prices) {
        Row result;
        std::memcpy(result.of, prices, sizeof result.of);
        return result;
    }
    static void store(Price* prices, Row const& row) {
        std::memcpy(prices, row.of, sizeof row.of);
    }
    static Row all(Price price) {
        Row result;
        for (Price& each : result.of) {
            each = price;
        }
        return result;
    }
    static Row add(Row const& one, Row const& other) {
        Row result;
        for (std::size_t i = 0; i < num_lanes; ++i) {
            auto const sum = static_cast<Price>(one.of[i] + other.of[i]);
            result.of[i] = sum < one.of[i] ? static_cast<Price>(~Price{0}) : sum;
        }
        return result;
    }
    static Row subtract(Row const& one, Row const& other) {
        Row result;
        for (std::size_t i = 0; i < num_lanes; ++i) {
            result.of[i] = static_cast<Price>(one.of[i] - other.of[i]);
        }
        return result;
    }
    static Row times(Row const& one, Row const& other) {
        Row result;
        for (std::size_t i = 0; i < num_lanes; ++i) {
            Price product = 0;
            bool const is_too_much =
                __builtin_mul_overflow(one.of[i], other.of[i], &product);
            result.of[i] = is_too_much ? static_cast<Price>(~Price{0}) : product;
        }
        return result;
    }
    static Row least(Row const& one, Row const& other) {
        Row result;
        for (std::size_t i = 0; i < num_lanes; ++i) {
            result.of[i] = one.of[i] < other.of[i] ? one.of[i] : other.of[i];
        }
        return result;
    }
    static Row most(Row const& one, Row const& other) {
        Row result;
        for (std::size_t i = 0; i < num_lanes; ++i) {
            result.of[i] = one.of[i] < other.of[i] ? other.of[i] : one.of[i];
        }
        return result;
    }
    static Row where(Word lanes, Row const& one, Row const& other) {
        Row const mask = masks(lanes);
        Row result;
        for (std::size_t i = 0; i < num_lanes; ++i) {
            result.of[i] = static_cast<Price>((one.of[i] & mask.of[i]) |
                                              (other.of[i] & ~mask.of[i]));
        }
        return result;
    }
    static Row least_where(Word lanes, Row const& one, Row const& other) {
        return where(lanes, least(one, other), one);
    }
    static Word at_most(Row const& one, Row const& other) {
        std::uint8_t is_so[num_lanes];
        for (std::size_t i = 0; i < num_lanes; ++i) {
            is_so[i] = one.of[i] <= other.of[i] ? 1 : 0;
        }
        return lanes_with(is_so);
    }
    static Word with_bit(Row const& row, std::size_t bit) {
        std::uint8_t is_so[num_lanes];
        for (std::size_t i = 0; i < num_lanes; ++i) {
            is_so[i] = static_cast<std::uint8_t>(row.of[i] >> bit & 1U);
        }
        return lanes_with(is_so);
    }

  private:
    static Word lanes_with(std::uint8_t const* is_so) {
        Word result = 0;
        for (std::size_t i = 0; i < num_lanes; i += 8) {
            Word eight = 0;
            for (std::size_t k = 0; k < 8; ++k) {
                eight |= Word{is_so[i + k]} << (8 * k);
            }
            // The lowest bit of each byte, side by side in the highest byte.
            result |= (eight * 0x0102040810204080U >> 56U) << i;
        }
        return result;
    }
    // All bits of a price where a lane is in, none elsewhere.
    static Row masks(Word lanes) {
        std::uint8_t is_in[num_lanes];
        for (std::size_t i = 0; i < num_lanes; i += 8) {
            // A copy of eight lanes in every byte, of which each keeps its own.
            Word const own =
                (lanes >> i & 0xFFU) * 0x0101010101010101U & 0x8040201008040201U;
            Word const bits = ((own + 0x7F7F7F7F7F7F7F7FU) | own) >> 7U;
            for (std::size_t k = 0; k < 8; ++k) {
                is_in[i + k] = static_cast<std::uint8_t>(bits >> (8 * k) & 1U);
            }
        }
        Row result;
        for (std::size_t i = 0; i < num_lanes; ++i) {
            result.of[i] = static_cast<Price>(0 - Price{is_in[i]});
        }
        return result;
    }
};

} // namespace

LaneKernels portable_lane_kernels() {
    return {lane_kernel<PortableOps<std::uint8_t>>(),
            lane_kernel<PortableOps<std::uint16_t>>(),
            lane_kernel<PortableOps<std::uint64_t>>()};
}

} // namespace branchwise
