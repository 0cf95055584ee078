#include "branchwise/canonical/key_memory.hpp"

#include <algorithm>
#include <new>

#include "branchwise/support/key_hash.hpp"

namespace branchwise {

namespace {

// Never 0; the low bits choose the entry, so it is the highest that is set.
std::uint64_t mark_of(Word const* key, std::size_t num_words) {
    return key_hash(key, num_words) | std::uint64_t{1} << 63U;
}

} // namespace

void KeyMemory::prefetch(Word const* key) const {
    if (num_entries_ > 0) {
        __builtin_prefetch(&words_[entry_of(mark_of(key, num_words_))]);
    }
}

Word const* KeyMemory::find(Word const* key) const {
    if (num_entries_ == 0) {
        return nullptr;
    }
    std::uint64_t const mark = mark_of(key, num_words_);
    Word const* const entry = &words_[entry_of(mark)];
    bool const is_it = entry[0] == mark && is_same_key(key, entry + 1, num_words_);
    return is_it ? entry + 1 + num_words_ : nullptr;
}

// An entry is simply overwritten: the newest keys are those most likely to come again.
void KeyMemory::remember(Word const* key, Word const* simple) {
    if (num_entries_ == 0 || (num_remembered_++ >= num_entries_ && can_grow())) {
        grow();
    }
    if (num_entries_ == 0) {
        return;
    }
    std::uint64_t const mark = mark_of(key, num_words_);
    Word* const entry = &words_[entry_of(mark)];
    entry[0] = mark;
    std::copy_n(key, num_words_, entry + 1);
    std::copy_n(simple, num_words_, entry + 1 + num_words_);
}

// By so much at once that it seldom happens; what was there is forgotten. Where there
// is no memory for more, it stays as it is: nothing depends on it but speed.
void KeyMemory::grow() {
    std::size_t const num_entries = entries_to_grow();
    num_remembered_ = 1;
    try {
        words_ = std::vector<Word>(num_entries * entry_words());
        num_entries_ = num_entries;
    } catch (std::bad_alloc const&) {
        return;
    }
}

} // namespace branchwise
