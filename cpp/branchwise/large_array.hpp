#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace branchwise {

/// Memory for many values. A large piece is in pages of the largest size the system has
/// and has no store of its own until it is written to, so that it may well be larger
/// than needed; it grows and shrinks without being copied, where the system can do
/// that.
class LargeMemory {
  public:
    LargeMemory() = default;
    LargeMemory(LargeMemory&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)),
          bytes_(std::exchange(other.bytes_, 0)),
          is_mapped_(std::exchange(other.is_mapped_, false)) {}
    LargeMemory& operator=(LargeMemory&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(bytes_, other.bytes_);
        std::swap(is_mapped_, other.is_mapped_);
        return *this;
    }
    ~LargeMemory() { release(); }

    [[nodiscard]] void* data() const { return data_; }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

    /// Keep what is there, as far as it fits. Throws `std::bad_alloc`.
    void resize(std::size_t bytes);

  private:
    void map(std::size_t bytes);
    void remap(std::size_t bytes);
    void release();

    void* data_ = nullptr;
    std::size_t bytes_ = 0;
    bool is_mapped_ = false; // by itself, not a part of the heap
};

/// Let this process keep some megabytes that a run has given back for the next run,
/// where the system would have to hand them out again page by page.
void keep_freed_memory();

/// A vector of plain values in such memory.
template <typename T>
    requires std::is_trivially_copyable_v<T>
class LargeArray {
  public:
    [[nodiscard]] std::size_t size() const { return size_; }
    /// What has been written to.
    [[nodiscard]] std::size_t bytes() const {
        return std::max(most_, size_) * sizeof(T);
    }
    [[nodiscard]] T* data() { return static_cast<T*>(memory_.data()); }
    [[nodiscard]] T const* data() const { return static_cast<T*>(memory_.data()); }
    [[nodiscard]] T& operator[](std::size_t i) { return data()[i]; }
    [[nodiscard]] T const& operator[](std::size_t i) const { return data()[i]; }

    void push_back(T value) { *extend(1) = value; }
    /// Room for some more values, which are not set yet.
    T* extend(std::size_t count) {
        if (size_ + count > capacity_) {
            grow(size_ + count);
        }
        size_ += count;
        return data() + (size_ - count);
    }
    /// Have room for so many values in all.
    void reserve(std::size_t count) {
        if (count > capacity_) {
            resize(count);
        }
    }
    /// Leave out what is past some size.
    void shorten(std::size_t size) { size_ = size; }

    void clear() {
        most_ = std::max(most_, size_);
        size_ = 0;
    }
    /// Give back what is in store.
    void shrink() {
        resize(size_);
        most_ = size_;
    }

  private:
    static constexpr std::size_t least = 512;

    [[gnu::noinline]] void grow(std::size_t at_least) {
        resize(std::max({least, at_least, 2 * capacity_}));
    }
    void resize(std::size_t capacity) {
        memory_.resize(capacity * sizeof(T));
        capacity_ = memory_.bytes() / sizeof(T);
    }

    LargeMemory memory_;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
    std::size_t most_ = 0; // values there have been at once, before it was cleared
};

} // namespace branchwise
