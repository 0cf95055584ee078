#include "branchwise/canonical/lanes/lane_kernel.hpp"

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace branchwise {

#ifdef __AVX2__

namespace {

/// A price for each lane in two registers, where the budget is less than 255.
struct ByteOps {
    using Price = std::uint8_t;

    struct Row {
        __m256i low, high;
    };

    static Row load(Price const* prices) {
        auto const* const halves = reinterpret_cast<__m256i const*>(prices);
        return {_mm256_load_si256(halves), _mm256_load_si256(halves + 1)};
    }
    static void store(Price* prices, Row row) {
        auto* const halves = reinterpret_cast<__m256i*>(prices);
        _mm256_store_si256(halves, row.low);
        _mm256_store_si256(halves + 1, row.high);
    }
    static Row all(Price price) {
        __m256i const half = _mm256_set1_epi8(static_cast<char>(price));
        return {half, half};
    }
    static Row add(Row one, Row other) {
        return {_mm256_adds_epu8(one.low, other.low),
                _mm256_adds_epu8(one.high, other.high)};
    }
    static Row subtract(Row one, Row other) {
        return {_mm256_sub_epi8(one.low, other.low),
                _mm256_sub_epi8(one.high, other.high)};
    }
    static Row times(Row one, Row other) {
        return {times(one.low, other.low), times(one.high, other.high)};
    }
    static Row least(Row one, Row other) {
        return {_mm256_min_epu8(one.low, other.low),
                _mm256_min_epu8(one.high, other.high)};
    }
    static Row most(Row one, Row other) {
        return {_mm256_max_epu8(one.low, other.low),
                _mm256_max_epu8(one.high, other.high)};
    }
    static Row where(Word lanes, Row one, Row other) {
        return {_mm256_blendv_epi8(other.low, one.low, mask(lanes)),
                _mm256_blendv_epi8(other.high, one.high, mask(lanes >> 32U))};
    }
    static Row least_where(Word lanes, Row one, Row other) {
        return where(lanes, least(one, other), one);
    }
    static Word at_most(Row one, Row other) {
        Row const lesser = least(one, other);
        return lanes_equal(lesser, one);
    }
    static Word with_bit(Row row, std::size_t bit) {
        Row const only = all(static_cast<Price>(1U << bit));
        return lanes_equal({_mm256_and_si256(row.low, only.low),
                            _mm256_and_si256(row.high, only.high)},
                           only);
    }

  private:
    // Neighbors by themselves, as products are of two bytes.
    static __m256i times(__m256i one, __m256i other) {
        __m256i const low = _mm256_set1_epi16(0xFF);
        __m256i const even = _mm256_mullo_epi16(_mm256_and_si256(one, low),
                                                _mm256_and_si256(other, low));
        __m256i const odd =
            _mm256_mullo_epi16(_mm256_srli_epi16(one, 8), _mm256_srli_epi16(other, 8));
        return _mm256_or_si256(_mm256_min_epu16(even, low),
                               _mm256_slli_epi16(_mm256_min_epu16(odd, low), 8));
    }
    // All bits of a byte where one of 32 lanes is in: each byte has a copy of the eight
    // lanes that it is among, and keeps its own.
    static __m256i mask(Word lanes) {
        __m256i const copies = _mm256_shuffle_epi8(
            _mm256_set1_epi32(static_cast<int>(static_cast<std::uint32_t>(lanes))),
            _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2,
                             2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3));
        __m256i const own =
            _mm256_set1_epi64x(static_cast<std::int64_t>(0x8040201008040201U));
        return _mm256_cmpeq_epi8(_mm256_and_si256(copies, own), own);
    }
    static Word lanes_equal(Row one, Row other) {
        Word const low = bits(_mm256_cmpeq_epi8(one.low, other.low));
        Word const high = bits(_mm256_cmpeq_epi8(one.high, other.high));
        return high << 32U | low;
    }
    static Word bits(__m256i bytes) {
        return static_cast<std::uint32_t>(_mm256_movemask_epi8(bytes));
    }
};

} // namespace

LaneKernels avx2_lane_kernels() {
    return {lane_kernel<ByteOps>(), {}, {}};
}

#else

LaneKernels avx2_lane_kernels() {
    return {};
}

#endif

} // namespace branchwise
