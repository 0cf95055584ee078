#include "branchwise/spill/spill.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "branchwise/spill/instance_digest.hpp"
#include "branchwise/support/large_array.hpp"

namespace branchwise {

namespace {

std::vector<Word> key_of_root(CanonicalEngine const& engine) {
    KeyBuffer buffer;
    Word const* const key = engine.graph().key(engine.root(), buffer);
    return {key, key + engine.graph().layout().key_words()};
}

} // namespace

Spill::Spill(Instance instance, std::size_t num_threads, std::filesystem::path folder,
             std::uint32_t owner, BucketRange buckets)
    : engine_(std::move(instance), 1), root_(key_of_root(engine_)), team_(num_threads),
      folder_(std::move(folder), digest_of(engine_.graph().instance()),
              layout().key_words(), owner, buckets) {}

std::optional<std::uint64_t> Spill::next_rank() const {
    if (!folder_.waiting().empty()) {
        return folder_.waiting().begin()->first;
    }
    bool const has_root = folder_.buckets().has(bucket_of(root_.data(), root_.size()));
    if (has_root && folder_.parts().empty()) {
        return layout().rank(root_.data());
    }
    return std::nullopt;
}

// What is known of how large it will be is how large the one before was.
Spill::Step Spill::expand(PartSizes sizes, RunWatch const& watch) {
    std::uint32_t most_buckets = num_buckets;
    while (true) {
        RunWatch attempt = watch;
        std::uint32_t num_tried = 0;
        {
            PartExpansion part(folder_, layout(), team_, sizes);
            try {
                if (part.run(root_.data(), most_buckets, attempt)) {
                    return {true, attempt.ending()};
                }
            } catch (std::bad_alloc const&) {
                attempt.end(Ending::memory);
            }
            num_tried = part.num_buckets_tried();
        }
        give_back_freed_memory();
        bool const is_too_large =
            attempt.ending() == Ending::memory || attempt.ending() == Ending::states;
        if (!is_too_large || num_tried <= 1) {
            return {false, attempt.ending()};
        }
        most_buckets = num_tried / 2;
    }
}

std::vector<PartLayer> Spill::layers(std::size_t part) const {
    SectionReader file = folder_.open(folder_.states_file(part));
    auto const layers = file.read_all<PartLayer>(SectionTag::layers);
    return {layers.begin(), layers.end()};
}

} // namespace branchwise
