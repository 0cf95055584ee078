#pragma once

#include <algorithm>
#include <cstddef>
#include <new>
#include <span>
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
        swap(other);
        return *this;
    }
    ~LargeMemory() { free(); }

    void swap(LargeMemory& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(bytes_, other.bytes_);
        std::swap(is_mapped_, other.is_mapped_);
    }

    [[nodiscard]] void* data() const { return data_; }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

    /// Keep what is there, as far as it fits. Throws `std::bad_alloc`.
    void resize(std::size_t bytes);
    /// Release all of it.
    void release() { LargeMemory().swap(*this); }

  private:
    void map(std::size_t bytes);
    void remap(std::size_t bytes);
    void free();

    void* data_ = nullptr;
    std::size_t bytes_ = 0;
    bool is_mapped_ = false; // by itself, not a part of the heap
};

/// Let this process keep some megabytes that a run has given back for the next run,
/// where the system would have to hand them out again page by page.
void keep_freed_memory();
/// Give what was freed back to the system, where a run is about to take much.
void give_back_freed_memory();

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
    [[nodiscard]] T* begin() { return data(); }
    [[nodiscard]] T* end() { return data() + size_; }
    [[nodiscard]] T const* begin() const { return data(); }
    [[nodiscard]] T const* end() const { return data() + size_; }
    [[nodiscard]] T& operator[](std::size_t i) { return data()[i]; }
    [[nodiscard]] T const& operator[](std::size_t i) const { return data()[i]; }

    void push_back(T value) { *extend(1) = value; }
    /// Room for some more values, which are not set yet.
    T* extend(std::size_t count) {
        make_room(count);
        size_ += count;
        return data() + (size_ - count);
    }
    void append(std::span<T const> values) {
        std::copy(values.begin(), values.end(), extend(values.size()));
    }
    /// Add values, all alike, until there are so many; nothing if there are.
    void fill_up(std::size_t size, T value) {
        if (size > size_) {
            std::size_t const count = size - size_;
            std::fill_n(extend(count), count, value);
        }
    }
    /// Have room for so many more, so that adding them cannot fail.
    void make_room(std::size_t count) {
        if (size_ + count > capacity_) {
            grow(size_ + count);
        }
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
    /// Release all there is.
    void release() {
        memory_.release();
        size_ = capacity_ = most_ = 0;
    }
    /// Release what is in store.
    void shrink() {
        resize(size_);
        most_ = size_;
    }

  private:
    static constexpr std::size_t least = 512;

    /// What is there stays as it is if there is no memory.
    [[gnu::noinline]] void grow(std::size_t at_least) {
        try {
            resize(std::max({least, at_least, 2 * capacity_}));
        } catch (std::bad_alloc const&) {
            resize(at_least); // Not in store, but all that is needed.
        }
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
