#include "branchwise/explicit/row_table.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include "bindings/bind.hpp"
#include "bindings/gil.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace branchwise {

namespace {

using Rows =
    nb::ndarray<std::int64_t const, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

using Places =
    nb::ndarray<std::int64_t const, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// No signature is to name the library of an array.

/// The rows of some numbers, in their order.
nb::bytes rows_of(RowTable const& self, nb::object const& array) {
    auto const numbers = nb::cast<Places>(array);
    std::vector<std::int64_t> result;
    result.reserve(numbers.shape(0) * self.width());
    for (std::size_t i = 0; i < numbers.shape(0); ++i) {
        auto const number = static_cast<std::size_t>(numbers.data()[i]);
        auto const row = self.rows(number, number + 1);
        result.insert(result.end(), row.begin(), row.end());
    }
    return nb::bytes(result.data(), result.size() * sizeof(std::int64_t));
}

nb::bytes number(RowTable& self, nb::object const& array) {
    auto const rows = nb::cast<Rows>(array);
    std::vector<std::int32_t> numbers(rows.shape(0));
    {
        WithoutLock const without_lock;
        self.number({rows.data(), rows.shape(0) * self.width()}, numbers);
    }
    return nb::bytes(numbers.data(), numbers.size() * sizeof(std::int32_t));
}

} // namespace

void bind_row_table(nb::module_& m) {
    nb::class_<RowTable>(m, "RowTable", "Rows of whole numbers, each with its number.")
        .def(nb::init<std::size_t>(), "width"_a)
        .def_prop_ro("size", &RowTable::size)
        .def("number", &number, "rows"_a, "The numbers of rows; new ones get the next.")
        .def(
            "find",
            [](RowTable const& self, nb::object const& row) {
                return self.find(nb::cast<Rows>(row).data());
            },
            "row"_a)
        .def(
            "rows",
            [](RowTable const& self, std::size_t first, std::size_t last) {
                auto const rows = self.rows(first, last);
                return nb::bytes(rows.data(), rows.size() * sizeof(std::int64_t));
            },
            "first"_a, "last"_a)
        .def("rows_of", &rows_of, "numbers"_a)
        .def("shorten", &RowTable::shorten, "size"_a);
}

} // namespace branchwise
