#include "branchwise/spill/spill.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings/bind.hpp"
#include "bindings/engines/run.hpp"
#include "bindings/gil.hpp"
#include "branchwise/spill/instance_digest.hpp"
#include "branchwise/spill/plan_builder.hpp"
#include "branchwise/spill/plan_marks.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace branchwise {

namespace {

using Number = std::uint32_t;
using Seconds = std::optional<double>;
using Bytes = std::optional<std::size_t>;
using States = std::optional<std::uint64_t>;
/// A path in UTF-8, whatever the system has it in.
using Path = std::string;
/// A rank, and how many states or keys there are of it.
using OfRank = std::pair<std::uint64_t, std::uint64_t>;

std::filesystem::path path_of(Path const& path) {
    return std::u8string(path.begin(), path.end());
}

char const* name_of(SpillError::Kind kind) {
    switch (kind) {
    case SpillError::Kind::damaged:
        return "damaged";
    case SpillError::Kind::foreign:
        return "foreign";
    case SpillError::Kind::unreadable:
        return "unreadable";
    default:
        return "unwritable";
    }
}

/// Whether a part was finished; and how the run ended.
std::pair<bool, Ending> expand(Spill& self, std::size_t part_bytes, States part_states,
                               std::uint64_t part_own, Seconds seconds, Bytes bytes,
                               Listener const& listener, States states) {
    RunWatch const watch = watch_for_python({seconds, bytes, states}, listener);
    WithoutLock const without_lock;
    Spill::Step const step = self.expand({part_bytes, part_states, part_own}, watch);
    return {step.is_done, step.ending};
}

std::pair<PartScored, Ending> score(Spill& self, std::size_t part,
                                    Measurement measurement, Seconds seconds,
                                    Bytes bytes, Listener const& listener) {
    RunWatch watch = watch_for_python({seconds, bytes, {}}, listener);
    WithoutLock const without_lock;
    PartScored const scored = self.score(part, measurement, watch);
    return {scored, watch.ending()};
}

std::vector<OfRank> waiting(Spill& self) {
    std::vector<OfRank> result;
    for (auto const& [rank, counts] : self.folder().waiting()) {
        std::uint64_t total = 0;
        for (std::uint64_t const count : counts) {
            total += count;
        }
        result.emplace_back(rank, total);
    }
    return result;
}

std::vector<OfRank> layers(Spill& self, std::size_t part) {
    std::vector<OfRank> result;
    for (PartLayer const& layer : self.layers(part)) {
        result.emplace_back(layer.rank, layer.count);
    }
    return result;
}

std::vector<double> layer_seconds(Spill& self, std::size_t part) {
    std::vector<double> result;
    for (PartLayer const& layer : self.layers(part)) {
        result.push_back(layer.seconds);
    }
    return result;
}

/// The highest rank of the keys, if there are any.
std::optional<std::uint64_t> export_keys(Spill& self, std::size_t part,
                                         BucketRange buckets, Path const& to) {
    WithoutLock const without_lock;
    SpillFolder& folder = self.folder();
    SectionWriter file(path_of(to), folder.digest());
    SenderId const sender{folder.owner(), static_cast<std::uint32_t>(part)};
    auto const rank = folder.keys_of(sender).copy(buckets, file);
    file.finish();
    return rank;
}

void import_values(Spill& self, std::size_t part, Number owner, Measurement measurement,
                   Path const& from) {
    SpillFolder& folder = self.folder();
    (void)folder.open(path_of(from)); // It must be whole, and of this problem.
    std::filesystem::rename(
        path_of(from), folder.foreign_values_file(part, owner, measurement.name()));
}

template <typename T>
nb::bytes as_bytes(std::vector<T> const& values) {
    return nb::bytes(values.data(), values.size() * sizeof(T));
}

void add_marks(PlanMarks& self, Number owner, Number part, nb::bytes const& bytes) {
    std::vector<PlanMark> marks(bytes.size() / sizeof(PlanMark));
    std::memcpy(marks.data(), bytes.data(), marks.size() * sizeof(PlanMark));
    self.add({owner, part}, marks);
}

nb::bytes follow(PlanMarks& self, std::size_t part) {
    std::vector<std::byte> records;
    {
        WithoutLock const without_lock;
        records = self.follow(part);
    }
    return as_bytes(records);
}

bool add_records(PlanBuilder& self, nb::bytes const& records) {
    WithoutLock const without_lock;
    return self.add(std::as_bytes(
        std::span(static_cast<char const*>(records.data()), records.size())));
}

nb::object text_of(std::filesystem::path const& path) {
    std::u8string const text = path.u8string();
    return nb::steal(PyUnicode_DecodeUTF8(reinterpret_cast<char const*>(text.data()),
                                          static_cast<Py_ssize_t>(text.size()),
                                          "replace"));
}

void bind_error(nb::module_& m) {
    static nb::exception<SpillError> const type(m, "SpillError");
    nb::register_exception_translator([](std::exception_ptr const& thrown, void*) {
        try {
            std::rethrow_exception(thrown);
        } catch (SpillError const& error) {
            nb::tuple const said = nb::make_tuple(name_of(error.kind()),
                                                  text_of(error.path()), error.what());
            PyErr_SetObject(type.ptr(), said.ptr());
        }
    });
}

void bind_steps(nb::class_<Spill>& spill) {
    spill
        .def("expand", &expand, "part_bytes"_a, "part_states"_a.none(), "part_own"_a,
             "seconds"_a.none(), "bytes"_a.none(), "listener"_a,
             "states"_a = nb::none(), "Expand the next part.")
        .def("score", &score, "part"_a, "measurement"_a, "seconds"_a.none(),
             "bytes"_a.none(), "listener"_a,
             "Score a part, those below it being scored.")
        .def(
            "end_exploring", [](Spill& self) { self.folder().end_exploring(); },
            "There are no more states, anywhere.")
        .def(
            "remove_keys", [](Spill& self) { self.folder().remove_keys(); },
            "Remove what only exploring needs.")
        .def("export_keys", &export_keys, "part"_a, "buckets"_a, "to"_a,
             "Write the keys that a part has sent to these buckets; return the highest "
             "rank there is of them.")
        .def(
            "import_keys",
            [](Spill& self, Number owner, Number part, Path const& from) {
                self.folder().add_keys({owner, part}, path_of(from));
            },
            "owner"_a, "part"_a, "from_"_a, "Take in keys that were sent here.")
        .def(
            "export_values",
            [](Spill& self, Number owner, Number part, Measurement measurement,
               Path const& to) {
                WithoutLock const without_lock;
                return write_answers(self.folder(), {owner, part}, measurement,
                                     path_of(to));
            },
            "owner"_a, "part"_a, "measurement"_a, "to"_a,
            "Write what the keys of a sender are worth; return whether there are any.")
        .def("import_values", &import_values, "part"_a, "owner"_a, "measurement"_a,
             "from_"_a, "Take in what the keys are worth that a part has sent.");
}

void bind_spill_class(nb::module_& m) {
    auto spill = nb::class_<Spill>(m, "Spill",
                                   "Solves an instance with its states in a folder.");
    spill
        .def(nb::init<Instance, std::size_t, Path, Number, BucketRange>(), "instance"_a,
             "num_threads"_a, "folder"_a, "owner"_a = 0, "buckets"_a = BucketRange())
        .def_prop_ro("engine", &Spill::engine, nb::rv_policy::reference_internal,
                     "An engine that has explored nothing, for the plan.")
        .def_prop_ro("digest", [](Spill& self) { return self.folder().digest(); })
        .def_prop_ro("num_parts",
                     [](Spill& self) { return self.folder().parts().size(); })
        .def_prop_ro("num_states",
                     [](Spill& self) { return self.folder().num_states(); })
        .def_prop_ro("is_explored",
                     [](Spill& self) { return self.folder().is_explored(); })
        .def_prop_ro("next_rank", &Spill::next_rank,
                     "The highest rank that waits to be expanded here.")
        .def_prop_ro("waiting", &waiting, "How many keys wait, by falling rank.")
        .def(
            "num_own",
            [](Spill& self, std::size_t part) {
                return self.folder().parts().at(part).num_own;
            },
            "part"_a, "How many states a part has expanded.")
        .def(
            "seconds",
            [](Spill& self, std::size_t part) {
                return self.folder().parts().at(part).seconds;
            },
            "part"_a, "How long expanding it took.")
        .def("layers", &layers, "part"_a,
             "How many states of each rank a part has expanded, by falling rank.")
        .def("layer_seconds", &layer_seconds, "part"_a, "How long each of these took.")
        .def(
            "is_scored",
            [](Spill& self, std::size_t part, Measurement measurement) {
                return std::filesystem::exists(
                    self.folder().values_file(part, measurement.name()));
            },
            "part"_a, "measurement"_a);
    bind_steps(spill);
}

void bind_plans(nb::module_& m) {
    nb::class_<PlanMarks>(m, "PlanMarks", "Follows optimal plans part by part.")
        .def(
            "__init__",
            [](PlanMarks* self, Spill& spill, Measurement measurement,
               bool keeps_ties) {
                new (self) PlanMarks(spill.folder(), spill.layout(), spill.tolerance(),
                                     measurement, keeps_ties);
            },
            "spill"_a, "measurement"_a, "keeps_ties"_a, nb::keep_alive<1, 2>())
        .def("mark_root", &PlanMarks::mark_root, "Plans begin at the first state here.")
        .def("add", &add_marks, "owner"_a, "part"_a, "marks"_a,
             "Plans come to keys that a part of another owner has sent here.")
        .def("follow", &follow, "part"_a, "Follow plans through a part.")
        .def(
            "marks_in",
            [](PlanMarks const& self, BucketRange buckets) {
                return as_bytes(self.marks_in(buckets));
            },
            "buckets"_a, "What plans come to in buckets of another owner.")
        .def_prop_ro("num_counted", &PlanMarks::num_counted);
    nb::class_<PlanBuilder>(m, "PlanBuilder", "Puts plans together.")
        .def(
            "__init__",
            [](PlanBuilder* self, CanonicalEngine& engine, Number owner) {
                new (self)
                    PlanBuilder(engine, PlanMarks::tag_of({owner, 0}, StateId{0}));
            },
            "engine"_a, "owner"_a = 0, nb::keep_alive<1, 2>())
        .def("add", &add_records, "records"_a,
             "Take in the states of a part; False if they do not fit the problem.")
        .def("finish", &PlanBuilder::finish, "Have the engine take it over.")
        .def_prop_ro("num_states", &PlanBuilder::num_states);
}

} // namespace

void bind_spill(nb::module_& m) {
    m.attr("NUM_BUCKETS") = num_buckets;
    m.def("digest_of", &digest_of, "instance"_a,
          "A number that only equal instances have in common.");
    nb::enum_<PartScored>(m, "PartScored", "What came of scoring a part.")
        .value("DONE", PartScored::done)
        .value("TOO_MANY", PartScored::too_many)
        .value("BROKEN_OFF", PartScored::broken_off);
    nb::class_<BucketRange>(m, "BucketRange", "Some buckets in a row.")
        .def(nb::init<Number, Number>(), "first"_a, "last"_a)
        .def_ro("first", &BucketRange::first)
        .def_ro("last", &BucketRange::last, "The first one behind.");
    nb::class_<Measurement>(m, "Measurement", "What trees are compared by.")
        .def(nb::init<Objective, bool>(), "objective"_a, "is_wide"_a = false)
        .def_ro("is_wide", &Measurement::is_wide);
    bind_error(m);
    bind_spill_class(m);
    bind_plans(m);
}

} // namespace branchwise
