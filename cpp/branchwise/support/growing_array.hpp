#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "branchwise/support/large_array.hpp"

namespace branchwise {

/// A vector of plain values in large memory, of which copies may be read while it
/// grows.
///
/// A copy shares the memory and stays as it is, whatever is appended to the original,
/// also from another thread: what grows beyond the memory that others see gets memory
/// of its own. Only one of all that share memory may be appended to.
template <typename T>
    requires std::is_trivially_copyable_v<T>
class GrowingArray {
  public:
    [[nodiscard]] std::size_t size() const { return size_; }
    /// What has been written to.
    [[nodiscard]] std::size_t bytes() const { return size_ * sizeof(T); }
    [[nodiscard]] T const* data() const { return data_; }
    [[nodiscard]] T& operator[](std::size_t i) { return data_[i]; }
    [[nodiscard]] T const& operator[](std::size_t i) const { return data_[i]; }

    void push_back(T value) {
        make_room(1);
        data_[size_++] = value;
    }

    /// Room for some more values, which are not set yet.
    T* extend(std::size_t count) {
        make_room(count);
        size_ += count;
        return data_ + (size_ - count);
    }
    void append(std::span<T const> values) {
        std::copy(values.begin(), values.end(), extend(values.size()));
    }

    /// Have room for so many more, so that adding them cannot fail.
    void make_room(std::size_t count) {
        if (size_ + count > capacity_) {
            grow(size_ + count);
        }
    }

    /// Share the memory with no copy any more, so that values can be changed.
    void make_own() {
        if (memory_ && !is_alone()) {
            move_to_own(size_);
        }
    }

  private:
    static constexpr std::size_t least = 512;

    [[nodiscard]] bool is_alone() const {
        bool const result = memory_.use_count() == 1;
        // What the last other one has read was read before.
#if defined(__SANITIZE_THREAD__)
        // The thread sanitizer knows no fences; but that counting is in order.
        [[maybe_unused]] std::shared_ptr<LargeMemory> const counted = memory_;
#else
        std::atomic_thread_fence(std::memory_order_acquire);
#endif
        return result;
    }

    /// What is there stays as it is if there is no memory.
    void grow(std::size_t at_least) {
        try {
            resize(std::max({least, at_least, 2 * capacity_}));
        } catch (std::bad_alloc const&) {
            resize(at_least); // Not in store, but all that is needed.
        }
    }

    void resize(std::size_t capacity) {
        if (memory_ && !is_alone()) {
            move_to_own(capacity);
            return;
        }
        if (!memory_) {
            memory_ = std::make_shared<LargeMemory>();
        }
        memory_->resize(capacity * sizeof(T));
        adopt();
    }

    void move_to_own(std::size_t capacity) {
        auto own = std::make_shared<LargeMemory>();
        own->resize(capacity * sizeof(T));
        std::copy(data_, data_ + size_, static_cast<T*>(own->data()));
        memory_ = std::move(own);
        adopt();
    }

    void adopt() {
        data_ = static_cast<T*>(memory_->data());
        capacity_ = memory_->bytes() / sizeof(T);
    }

    std::shared_ptr<LargeMemory> memory_;
    T* data_ = nullptr; // that of the memory, at hand
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

} // namespace branchwise
