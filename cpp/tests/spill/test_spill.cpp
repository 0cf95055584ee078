#include "branchwise/spill/spill.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "branchwise/spill/instance_digest.hpp"
#include "branchwise/spill/plan_builder.hpp"
#include "branchwise/spill/plan_marks.hpp"
#include "branchwise/support/machine.hpp"
#include "tests/instances.hpp"

namespace branchwise {

namespace {

/// A folder that is empty at first, and removed in the end.
class NewFolder {
  public:
    explicit NewFolder(std::string const& name)
        : path_(std::filesystem::temp_directory_path() /
                ("branchwise-" + name + "-" + std::to_string(process_number()))) {
        std::filesystem::remove_all(path_);
        std::filesystem::create_directory(path_);
    }
    NewFolder(NewFolder const&) = delete;
    NewFolder& operator=(NewFolder const&) = delete;
    ~NewFolder() { std::filesystem::remove_all(path_); }

    [[nodiscard]] std::filesystem::path const& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

void explore(Spill& spill, PartSizes sizes) {
    while (spill.next_rank()) {
        REQUIRE(spill.expand(sizes, RunWatch({})).is_done);
    }
}

void score(Spill& spill, Measurement measurement) {
    for (std::size_t part = spill.folder().parts().size(); part-- > 0;) {
        RunWatch watch({});
        REQUIRE(spill.score(part, measurement, watch) == PartScored::done);
    }
}

} // namespace

TEST_CASE("the README's example comes in four parts that meet three states each") {
    NewFolder const folder("example");
    Spill spill(intrusion(2), 1, folder.path(), 0, {});

    explore(spill, {SIZE_MAX, 3});

    auto const& parts = spill.folder().parts();
    REQUIRE(parts.size() == 4);
    CHECK(spill.folder().num_states() == 4);
    std::vector<std::uint64_t> ranks;
    std::vector<std::uint64_t> sent;
    for (PartInfo const& part : parts) {
        CHECK(part.high == part.low);
        ranks.push_back(part.high);
        sent.push_back(part.num_sent);
    }
    CHECK(ranks == std::vector<std::uint64_t>{4, 1, 0, 0});
    CHECK(sent == std::vector<std::uint64_t>{2, 2, 0, 0});
}

TEST_CASE("parts come to the scores of an engine in memory") {
    for (std::uint64_t const most : {1, 3, 10, 1'000}) {
        NewFolder const folder("scores");
        Spill spill(illustrative(5), 2, folder.path(), 0, {});
        Measurement const nodes{};
        explore(spill, {SIZE_MAX, most});
        score(spill, nodes);
        PlanMarks marks(spill.folder(), spill.layout(), spill.tolerance(), nodes, true);
        PlanBuilder builder(spill.engine(), PlanMarks::tag_of({}, StateId{0}));
        marks.mark_root();
        for (std::size_t i = 0; i < spill.folder().parts().size(); ++i) {
            REQUIRE(builder.add(marks.follow(i)));
        }
        builder.finish();

        CanonicalEngine engine(illustrative(5), 1);
        RunWatch watch({});
        REQUIRE(engine.explore(Objective::fewest_nodes, watch));
        CHECK(spill.engine().lower_bound() == engine.lower_bound());
        CHECK(spill.folder().num_states() == engine.graph().size());
        CHECK(marks.num_counted() ==
              count_reduced(engine.worst_case(), *engine.scores(),
                            engine.worst_case().start(engine.root())));
    }
}

TEST_CASE("keys are read as they were written, and nothing else is") {
    std::vector<Word> const keys{1, 0, 1, ~Word{0}, 0x0100, 5, 0x0100, 5};
    std::vector<std::byte> packed;
    pack_keys(keys, 2, packed);
    std::vector<Word> read;

    CHECK(unpack_keys(packed, 2, 4, read));
    CHECK(read == keys);
    CHECK_FALSE(unpack_keys(packed, 2, 3, read));
    CHECK_FALSE(unpack_keys(packed, 2, 5, read));
    CHECK_FALSE(unpack_keys(std::span(packed).first(packed.size() - 1), 2, 4, read));
}

TEST_CASE("a checksum does not depend on how bytes come, and on every bit of them") {
    std::vector<std::byte> bytes(100);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = static_cast<std::byte>(i * i);
    }
    std::uint64_t const whole = checksum_of(bytes);
    Checksum pieces;
    for (std::size_t i = 0; i < bytes.size();) {
        std::size_t const count = std::min(1 + i % 7, bytes.size() - i);
        pieces.add(std::span(bytes).subspan(i, count));
        i += count;
    }
    CHECK(pieces.value() == whole);
    for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
        auto const mask = static_cast<std::byte>(1U << bit % 8);
        bytes[bit / 8] ^= mask;
        CHECK(checksum_of(bytes) != whole);
        bytes[bit / 8] ^= mask;
    }
}

TEST_CASE("equal instances have one digest, and others have others") {
    CHECK(digest_of(illustrative(5)) == digest_of(illustrative(5)));
    CHECK(digest_of(illustrative(5)) != digest_of(illustrative(6)));
    Instance other = illustrative(5);
    other.actions[3].variants[0].probabilities = {0.25, 0.75};
    CHECK(digest_of(other) != digest_of(illustrative(5)));
}

} // namespace branchwise
