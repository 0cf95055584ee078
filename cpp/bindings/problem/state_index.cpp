#include "branchwise/problem/state_index.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include "bindings/bind.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace branchwise {

namespace {

using Ranks = std::vector<StateIndex::Rank>;

constexpr std::size_t word_bytes = sizeof(BigIndex::Word);

// Python's own `int.from_bytes` and `int.to_bytes` are exact at any length and part
// of the stable ABI's reach, which its C functions for long integers are not.
nb::int_ to_python(BigIndex const& index) {
    std::string bytes;
    bytes.reserve(index.words().size() * word_bytes);
    for (BigIndex::Word const word : index.words()) {
        for (std::size_t i = 0; i < word_bytes; ++i) {
            bytes.push_back(static_cast<char>(word >> (8 * i) & 0xFFU));
        }
    }
    nb::handle const type(reinterpret_cast<PyObject*>(&PyLong_Type));
    auto const number =
        type.attr("from_bytes")(nb::bytes(bytes.data(), bytes.size()), "little");
    return nb::borrow<nb::int_>(number);
}

BigIndex from_python(nb::int_ const& number) {
    auto const num_bits = nb::cast<std::size_t>(number.attr("bit_length")());
    std::size_t const num_words = num_bits / (8 * word_bytes) + 1;
    auto const bytes =
        nb::cast<nb::bytes>(number.attr("to_bytes")(num_words * word_bytes, "little"));
    auto const* const data = static_cast<std::uint8_t const*>(bytes.data());
    std::vector<BigIndex::Word> words(num_words);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        words[i / word_bytes] |= BigIndex::Word{data[i]} << (8 * (i % word_bytes));
    }
    return BigIndex(words);
}

} // namespace

void bind_state_index(nb::module_& m) {
    nb::class_<StateIndex>(m, "StateIndex", "Numbers every state from zero up.")
        .def(nb::init<Ranks>(), "sizes"_a)
        .def_prop_ro(
            "num_states",
            [](StateIndex const& self) { return to_python(self.num_states()); },
            "How many states there are: the product of the sizes.")
        .def(
            "index",
            [](StateIndex const& self, Ranks const& state) {
                return to_python(self.index(state));
            },
            "state"_a, "The index of a state.")
        .def(
            "state",
            [](StateIndex const& self, nb::int_ const& index) {
                return self.state(from_python(index));
            },
            "index"_a, "The state whose index this is.");
}

} // namespace branchwise
