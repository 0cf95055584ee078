#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace branchwise {

/// States that are rows of whole numbers, each numbered as it is first met.
class RowTable {
  public:
    static constexpr std::size_t most_rows = std::size_t{1} << 31U;

    explicit RowTable(std::size_t width) : width_(width), places_(least_places, none) {}

    [[nodiscard]] std::size_t width() const { return width_; }
    [[nodiscard]] std::size_t size() const { return size_; }

    /// Number rows, one after another: a new one gets the next number.
    void number(std::span<std::int64_t const> rows, std::span<std::int32_t> numbers);
    /// The number of a row; nothing if it is not here.
    [[nodiscard]] std::optional<std::size_t> find(std::int64_t const* row) const;

    /// Some rows, as they were put in.
    [[nodiscard]] std::span<std::int64_t const> rows(std::size_t first,
                                                     std::size_t last) const {
        return {rows_.data() + first * width_, (last - first) * width_};
    }

    /// Forget all rows from a number on.
    void shorten(std::size_t size);

  private:
    static constexpr std::uint32_t none = UINT32_MAX;
    static constexpr std::size_t least_places = 64;

    /// Where a row is, or could be, among the places.
    [[nodiscard]] std::size_t place(std::int64_t const* row) const;
    void place_all(std::size_t num_places);

    std::size_t width_;
    std::size_t size_ = 0;
    std::vector<std::int64_t> rows_;
    std::vector<std::uint32_t> places_; // numbers of rows, by hash; a power of two
};

} // namespace branchwise
