#include "branchwise/spill/spill_folder.hpp"

#include <cstdio>
#include <system_error>
#include <utility>

namespace branchwise {

namespace {

constexpr char const* states_kind = "states";
constexpr char const* keys_kind = "keys";

[[nodiscard]] std::string six_digits(std::uint64_t number) {
    std::string const digits = std::to_string(number);
    return digits.size() < 6 ? std::string(6 - digits.size(), '0') + digits : digits;
}

/// The number in the name of a file like `part-000012.states`; none in any other.
[[nodiscard]] std::optional<std::uint64_t> part_in(std::string const& name) {
    std::string const prefix = "part-";
    std::size_t const dot = name.find('.');
    if (!name.starts_with(prefix) || dot == std::string::npos) {
        return std::nullopt;
    }
    std::string const digits = name.substr(prefix.size(), dot - prefix.size());
    constexpr std::size_t most_digits = 9;
    bool const is_number = !digits.empty() && digits.size() <= most_digits &&
                           digits.find_first_not_of("0123456789") == std::string::npos;
    return is_number ? std::optional(std::uint64_t{std::stoul(digits)}) : std::nullopt;
}

} // namespace

SpillFolder::SpillFolder(std::filesystem::path path, std::uint64_t digest,
                         std::size_t num_words, std::uint32_t owner,
                         BucketRange buckets)
    : path_(std::move(path)), digest_(digest), num_words_(num_words), owner_(owner),
      buckets_(buckets) {
    read_parts();
    read_foreign_keys();
}

std::filesystem::path SpillFolder::file(std::size_t part,
                                        std::string const& kind) const {
    return path_ / ("part-" + six_digits(part) + "." + kind);
}

std::filesystem::path SpillFolder::states_file(std::size_t part) const {
    return file(part, states_kind);
}

std::filesystem::path SpillFolder::keys_file(std::size_t part) const {
    return file(part, keys_kind);
}

std::filesystem::path SpillFolder::values_file(std::size_t part,
                                               std::string const& measure) const {
    return file(part, "values-" + measure);
}

std::filesystem::path SpillFolder::foreign_keys_file(SenderId sender) const {
    return path_ / ("from-" + std::to_string(sender.owner) + "-" +
                    six_digits(sender.part) + ".keys");
}

std::filesystem::path
SpillFolder::foreign_values_file(std::size_t part, std::uint32_t owner,
                                 std::string const& measure) const {
    return file(part, "values-" + measure + "-from-" + std::to_string(owner));
}

std::vector<std::filesystem::path>
SpillFolder::foreign_values_files(std::size_t part, std::string const& measure) const {
    std::vector<std::filesystem::path> result;
    std::string const prefix =
        file(part, "values-" + measure + "-from-").filename().string();
    for (auto const& each : std::filesystem::directory_iterator(path_)) {
        std::string const name = each.path().filename().string();
        if (!has_all_buckets() && name.starts_with(prefix)) {
            result.push_back(each.path());
        }
    }
    return result;
}

std::filesystem::path SpillFolder::explored_file() const {
    return path_ / "explored";
}

// Once all is explored, the keys are of use no more.
void SpillFolder::read_parts() {
    if (std::filesystem::exists(explored_file())) {
        SectionReader marker = open(explored_file());
        auto const count = marker.read_value<std::uint64_t>(SectionTag::part);
        bool is_complete = true;
        for (std::size_t i = 0; i < count; ++i) {
            is_complete = is_complete && std::filesystem::exists(states_file(i));
        }
        is_explored_ = is_complete;
    }
    while (std::filesystem::exists(states_file(parts_.size())) &&
           (is_explored_ || std::filesystem::exists(keys_file(parts_.size())))) {
        SectionReader states = open(states_file(parts_.size()));
        auto const info = states.read_value<PartInfo>(SectionTag::part);
        if (is_explored_) {
            parts_.push_back(info);
            num_states_ += info.num_own;
        } else {
            add_part(info);
        }
    }
    remove_rest();
}

void SpillFolder::remove_rest() const {
    std::vector<std::filesystem::path> rest;
    for (auto const& each : std::filesystem::directory_iterator(path_)) {
        std::string const name = each.path().filename().string();
        auto const part = part_in(name);
        if (name.ends_with(".tmp") || (part && *part >= parts_.size())) {
            rest.push_back(each.path());
        }
    }
    if (!is_explored_) {
        rest.push_back(explored_file());
    }
    for (auto const& each : rest) {
        std::error_code ignored;
        std::filesystem::remove(each, ignored);
    }
}

void SpillFolder::read_foreign_keys() {
    for (auto const& each : std::filesystem::directory_iterator(path_)) {
        SenderId sender;
        std::string const name = each.path().filename().string();
        if (!is_explored_ && name.ends_with(".keys") &&
            std::sscanf(name.c_str(), "from-%u-%u.keys", &sender.owner, &sender.part) ==
                2) {
            add_sender(sender, each.path());
        }
    }
}

void SpillFolder::add_part(PartInfo const& info) {
    parts_.push_back(info);
    num_states_ += info.num_own;
    for (auto it = waiting_.begin(); it != waiting_.end();) {
        bool is_empty = true;
        for (std::uint32_t b = 0; b < num_buckets; ++b) {
            it->second[b] = is_taken(it->first, b) ? 0 : it->second[b];
            is_empty = is_empty && it->second[b] == 0;
        }
        it = is_empty ? waiting_.erase(it) : std::next(it);
    }
    std::size_t const part = parts_.size() - 1;
    add_sender({owner_, static_cast<std::uint32_t>(part)}, keys_file(part));
}

void SpillFolder::add_sender(SenderId sender, std::filesystem::path const& path) {
    auto const [place, is_new] =
        senders_.emplace(sender.number(), SentKeys(open(path), num_words_));
    for (KeySegment const& segment : place->second.segments()) {
        if (buckets_.has(segment.bucket) && !is_taken(segment.rank, segment.bucket)) {
            waiting_[segment.rank][segment.bucket] += segment.count;
        }
    }
}

void SpillFolder::add_keys(SenderId sender, std::filesystem::path const& from) {
    if (has_keys(sender)) {
        std::filesystem::remove(from); // They came before.
        return;
    }
    SentKeys const keys(open(from), num_words_);
    for (KeySegment const& segment : keys.segments()) {
        if (buckets_.has(segment.bucket) && is_taken(segment.rank, segment.bucket)) {
            throw SpillError(SpillError::Kind::foreign, from,
                             "its states were expanded before it came");
        }
    }
    std::filesystem::rename(from, foreign_keys_file(sender));
    add_sender(sender, foreign_keys_file(sender));
}

// Ranks fall from part to part, and within a rank buckets rise.
bool SpillFolder::is_taken(std::uint64_t rank, std::uint32_t bucket) const {
    if (parts_.empty() || rank != parts_.back().low) {
        return !parts_.empty() && rank > parts_.back().low;
    }
    return bucket < parts_.back().buckets.last;
}

std::uint32_t SpillFolder::next_bucket(std::uint64_t rank) const {
    bool const has_begun = !parts_.empty() && rank == parts_.back().low;
    return has_begun ? parts_.back().buckets.last : buckets_.first;
}

std::vector<std::size_t> const& SpillFolder::parts_with_keys_of(SenderId sender) {
    for (; num_arrived_ < parts_.size(); ++num_arrived_) {
        SectionReader const states = open(states_file(num_arrived_));
        for (std::uint64_t const number : states.numbers(SectionTag::arrivals)) {
            arrived_[number].push_back(num_arrived_);
        }
    }
    return arrived_[sender.number()];
}

void SpillFolder::end_exploring() {
    SectionWriter marker(explored_file(), digest_);
    std::uint64_t const count = parts_.size();
    marker.write_section(SectionTag::part, 0, std::span(&count, 1));
    marker.finish();
    is_explored_ = true;
}

void SpillFolder::remove_keys() {
    std::vector<std::filesystem::path> files;
    senders_.clear();
    for (auto const& each : std::filesystem::directory_iterator(path_)) {
        if (each.path().extension() == ".keys") {
            files.push_back(each.path());
        }
    }
    for (auto const& each : files) {
        std::error_code ignored;
        std::filesystem::remove(each, ignored);
    }
}

} // namespace branchwise
