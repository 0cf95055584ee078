#include "branchwise/canonical/lanes/lane_kernel.hpp"

#if defined(__AVX512F__) && defined(__AVX512BW__)
#include <immintrin.h>
#endif

namespace branchwise {

#if defined(__AVX512F__) && defined(__AVX512BW__)

namespace {

/// A price for each lane in one register, where the budget is less than 255.
struct ByteOps {
    using Price = std::uint8_t;
    using Row = __m512i;

    static constexpr short endless = 0xFF;

    static Row load(Price const* prices) { return _mm512_load_si512(prices); }
    static void store(Price* prices, Row row) { _mm512_store_si512(prices, row); }
    static Row all(Price price) { return _mm512_set1_epi8(static_cast<char>(price)); }
    static Row add(Row one, Row other) { return _mm512_adds_epu8(one, other); }
    static Row subtract(Row one, Row other) { return _mm512_sub_epi8(one, other); }
    // Neighbors by themselves, as products are of two bytes.
    static Row times(Row one, Row other) {
        __m512i const low = _mm512_set1_epi16(endless);
        __m512i const even = _mm512_mullo_epi16(_mm512_and_si512(one, low),
                                                _mm512_and_si512(other, low));
        __m512i const odd =
            _mm512_mullo_epi16(_mm512_srli_epi16(one, 8), _mm512_srli_epi16(other, 8));
        return _mm512_or_si512(_mm512_min_epu16(even, low),
                               _mm512_slli_epi16(_mm512_min_epu16(odd, low), 8));
    }
    static Row least(Row one, Row other) { return _mm512_min_epu8(one, other); }
    static Row most(Row one, Row other) { return _mm512_max_epu8(one, other); }
    static Row where(Word lanes, Row one, Row other) {
        return _mm512_mask_mov_epi8(other, lanes, one);
    }
    static Row least_where(Word lanes, Row one, Row other) {
        return _mm512_mask_min_epu8(one, lanes, one, other);
    }
    static Word at_most(Row one, Row other) {
        return _mm512_cmple_epu8_mask(one, other);
    }
    static Word with_bit(Row row, std::size_t bit) {
        return _mm512_test_epi8_mask(row, all(static_cast<Price>(1U << bit)));
    }
};

/// The same in two registers, where the budget is less than 65,535.
struct HalfOps {
    using Price = std::uint16_t;

    struct Row {
        __m512i low, high;
    };

    static __mmask32 low(Word lanes) { return static_cast<__mmask32>(lanes); }
    static __mmask32 high(Word lanes) { return static_cast<__mmask32>(lanes >> 32U); }

    static Row load(Price const* prices) {
        return {_mm512_load_si512(prices), _mm512_load_si512(prices + 32)};
    }
    static void store(Price* prices, Row row) {
        _mm512_store_si512(prices, row.low);
        _mm512_store_si512(prices + 32, row.high);
    }
    static Row all(Price price) {
        __m512i const half = _mm512_set1_epi16(static_cast<short>(price));
        return {half, half};
    }
    static Row add(Row one, Row other) {
        return {_mm512_adds_epu16(one.low, other.low),
                _mm512_adds_epu16(one.high, other.high)};
    }
    static Row subtract(Row one, Row other) {
        return {_mm512_sub_epi16(one.low, other.low),
                _mm512_sub_epi16(one.high, other.high)};
    }
    static __m512i times(__m512i one, __m512i other) {
        __m512i const above = _mm512_mulhi_epu16(one, other);
        return _mm512_mask_mov_epi16(_mm512_mullo_epi16(one, other),
                                     _mm512_test_epi16_mask(above, above),
                                     _mm512_set1_epi16(-1));
    }
    static Row times(Row one, Row other) {
        return {times(one.low, other.low), times(one.high, other.high)};
    }
    static Row least(Row one, Row other) {
        return {_mm512_min_epu16(one.low, other.low),
                _mm512_min_epu16(one.high, other.high)};
    }
    static Row most(Row one, Row other) {
        return {_mm512_max_epu16(one.low, other.low),
                _mm512_max_epu16(one.high, other.high)};
    }
    static Row where(Word lanes, Row one, Row other) {
        return {_mm512_mask_mov_epi16(other.low, low(lanes), one.low),
                _mm512_mask_mov_epi16(other.high, high(lanes), one.high)};
    }
    static Row least_where(Word lanes, Row one, Row other) {
        return {_mm512_mask_min_epu16(one.low, low(lanes), one.low, other.low),
                _mm512_mask_min_epu16(one.high, high(lanes), one.high, other.high)};
    }
    static Word at_most(Row one, Row other) {
        Word const high = _mm512_cmple_epu16_mask(one.high, other.high);
        return high << 32U | _mm512_cmple_epu16_mask(one.low, other.low);
    }
    static Word with_bit(Row row, std::size_t bit) {
        __m512i const mask = _mm512_set1_epi16(static_cast<short>(1U << bit));
        Word const high = _mm512_test_epi16_mask(row.high, mask);
        return high << 32U | _mm512_test_epi16_mask(row.low, mask);
    }
};

} // namespace

LaneKernels avx512_lane_kernels() {
    return {lane_kernel<ByteOps>(), lane_kernel<HalfOps>(), {}};
}

#else

LaneKernels avx512_lane_kernels() {
    return {};
}

#endif

} // namespace branchwise
