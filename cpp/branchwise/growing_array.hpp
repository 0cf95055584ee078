#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace branchwise {

/// A vector of plain values that grows in place where the system can do that: a large
/// one then never needs memory for two copies of itself.
template <typename T>
    requires std::is_trivially_copyable_v<T>
class GrowingArray {
  public:
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::size_t bytes() const { return capacity_ * sizeof(T); }
    [[nodiscard]] T const* data() const { return data_.get(); }
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

  private:
    struct Free {
        void operator()(T* data) const { std::free(data); }
    };

    void grow(std::size_t at_least) {
        std::size_t capacity = capacity_ + capacity_ / 2 + 1024;
        capacity = capacity < at_least ? at_least : capacity;
        auto* const data =
            static_cast<T*>(std::realloc(data_.get(), capacity * sizeof(T)));
        if (data == nullptr) {
            throw std::bad_alloc();
        }
        (void)data_.release(); // realloc has taken it over.
        data_.reset(data);
        capacity_ = capacity;
    }

    std::unique_ptr<T[], Free> data_;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

} // namespace branchwise
