#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace branchwise {

/// A vector of plain values that grows in place where the system can do that: a large
/// one then never needs memory for two copies of itself.
///
/// A copy shares the memory and stays as it is, whatever is appended to the original,
/// also from another thread: what grows beyond the memory that others see gets memory
/// of its own. Only one of all that share memory may be appended to.
template <typename T>
    requires std::is_trivially_copyable_v<T>
class GrowingArray {
  public:
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::size_t bytes() const { return capacity_ * sizeof(T); }
    [[nodiscard]] T const* data() const { return data_; }
    [[nodiscard]] T& operator[](std::size_t i) { return data_[i]; }
    [[nodiscard]] T const& operator[](std::size_t i) const { return data_[i]; }

    void push_back(T value) { append(&value, 1); }

    void append(T const* values, std::size_t count) {
        if (size_ + count > capacity_) {
            grow(size_ + count);
        }
        for (std::size_t i = 0; i < count; ++i) {
            data_[size_ + i] = values[i];
        }
        size_ += count;
    }

    /// Share the memory with no copy any more, so that values can be changed.
    void make_own() {
        if (memory_ && !is_alone()) {
            move_to_own(capacity_);
        }
    }

  private:
    struct Memory {
        Memory() = default;
        Memory(Memory const&) = delete;
        Memory& operator=(Memory const&) = delete;
        ~Memory() { std::free(data); }

        T* data = nullptr;
    };

    [[nodiscard]] bool is_alone() const {
        bool const result = memory_.use_count() == 1;
        // What the last other one has read was read before.
        std::atomic_thread_fence(std::memory_order_acquire);
        return result;
    }

    void grow(std::size_t at_least) {
        std::size_t const capacity =
            std::max(at_least, capacity_ + capacity_ / 2 + 1024);
        if (memory_ && !is_alone()) {
            move_to_own(capacity);
            return;
        }
        if (!memory_) {
            memory_ = std::make_shared<Memory>();
        }
        resize(*memory_, capacity);
        adopt(capacity);
    }

    void move_to_own(std::size_t capacity) {
        auto own = std::make_shared<Memory>();
        resize(*own, capacity);
        std::copy(data_, data_ + size_, own->data);
        memory_ = std::move(own);
        adopt(capacity);
    }

    static void resize(Memory& memory, std::size_t capacity) {
        auto* const data =
            static_cast<T*>(std::realloc(memory.data, capacity * sizeof(T)));
        if (data == nullptr) {
            throw std::bad_alloc();
        }
        memory.data = data;
    }

    void adopt(std::size_t capacity) {
        data_ = memory_->data;
        capacity_ = capacity;
    }

    std::shared_ptr<Memory> memory_;
    T* data_ = nullptr; // that of the memory, at hand
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

} // namespace branchwise
