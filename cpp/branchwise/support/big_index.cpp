#include "branchwise/support/big_index.hpp"

#include <cassert>

namespace branchwise {

namespace {

// Holds any word times any word plus any word, so the sums below cannot wrap.
using DoubleWord = std::uint64_t;

constexpr int word_bits = 32;

} // namespace

BigIndex::BigIndex(Word value) : words_{value} {
    drop_leading_zeros();
}

BigIndex::BigIndex(std::span<Word const> words) : words_(words.begin(), words.end()) {
    drop_leading_zeros();
}

void BigIndex::multiply_add(Word factor, Word addend) {
    DoubleWord carry = addend;
    for (Word& word : words_) {
        DoubleWord const product = DoubleWord{word} * factor + carry;
        word = static_cast<Word>(product);
        carry = product >> word_bits;
    }
    if (carry != 0) {
        words_.push_back(static_cast<Word>(carry));
    }
    drop_leading_zeros();
}

BigIndex::Word BigIndex::divide(Word divisor) {
    assert(divisor != 0);
    DoubleWord remainder = 0;
    for (auto word = words_.rbegin(); word != words_.rend(); ++word) {
        DoubleWord const dividend = (remainder << word_bits) | *word;
        *word = static_cast<Word>(dividend / divisor);
        remainder = dividend % divisor;
    }
    drop_leading_zeros();
    return static_cast<Word>(remainder);
}

void BigIndex::drop_leading_zeros() {
    while (!words_.empty() && words_.back() == 0) {
        words_.pop_back();
    }
}

} // namespace branchwise
