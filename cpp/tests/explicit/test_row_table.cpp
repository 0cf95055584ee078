#include <cstdint>
#include <optional>
#include <vector>

#include <doctest/doctest.h>

#include "branchwise/explicit/row_table.hpp"

namespace branchwise {

TEST_CASE("Rows are numbered as they are first met, whatever their sign") {
    RowTable table(2);
    std::vector<std::int64_t> const rows{1, -1, 0, 0, 1, -1, INT64_MIN, 5};
    std::vector<std::int32_t> numbers(4);

    table.number(rows, numbers);

    CHECK(numbers == std::vector<std::int32_t>{0, 1, 0, 2});
    CHECK(table.size() == 3);
    CHECK(table.find(rows.data() + 6) == std::optional<std::size_t>(2));
    std::vector<std::int64_t> const other{5, INT64_MIN};
    CHECK_FALSE(table.find(other.data()).has_value());
}

TEST_CASE("Many rows keep their numbers as the table grows, and some are forgotten") {
    RowTable table(1);
    std::vector<std::int64_t> rows;
    for (std::int64_t i = 0; i < 10'000; ++i) {
        rows.push_back(i * i);
    }
    std::vector<std::int32_t> numbers(rows.size());
    table.number(rows, numbers);
    table.number(rows, numbers);

    CHECK(table.size() == rows.size());
    CHECK(numbers.back() == 9'999);
    table.shorten(100);
    CHECK(table.size() == 100);
    CHECK_FALSE(table.find(rows.data() + 100).has_value());
    CHECK(table.find(rows.data() + 99) == std::optional<std::size_t>(99));
}

} // namespace branchwise
