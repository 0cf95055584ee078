#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "branchwise/support/thread_team.hpp"

namespace branchwise {

TEST_CASE("tasks are done beside what the caller does itself") {
    for (std::size_t const num_threads : {1U, 2U, 5U}) {
        ThreadTeam team(num_threads);
        for (std::size_t const num_tasks : {0U, 1U, 2U, 100U}) {
            std::vector<std::atomic<int>> done(num_tasks);
            std::thread::id by{};

            bool const goes_on = team.share_beside(
                [&] {
                    by = std::this_thread::get_id();
                    return true;
                },
                num_tasks, [&](std::size_t task, std::size_t) { ++done[task]; });

            CHECK(goes_on);
            CHECK(by == std::this_thread::get_id());
            for (std::atomic<int> const& times : done) {
                CHECK(times == 1);
            }
        }
    }
}

TEST_CASE("no task is begun once the caller has had enough") {
    for (std::size_t const num_threads : {1U, 2U}) {
        ThreadTeam team(num_threads);
        std::atomic<bool> is_over = false;
        std::atomic<std::size_t> num_done = 0;

        bool const goes_on = team.share_beside(
            [&] {
                is_over = true;
                return false;
            },
            1'000'000,
            [&](std::size_t, std::size_t) {
                // Until the caller is there the others can hardly do them all.
                while (!is_over) {
                    std::this_thread::yield();
                }
                ++num_done;
            });

        CHECK(!goes_on);
        CHECK(num_done < 1'000'000);
    }
}

TEST_CASE("what the caller or a task throws comes out once all have stopped") {
    for (std::size_t const num_threads : {1U, 2U, 3U}) {
        ThreadTeam team(num_threads);
        std::atomic<int> num_at_work = 0;
        auto const task = [&](std::size_t number, std::size_t) {
            ++num_at_work;
            if (number == 50) {
                --num_at_work;
                throw std::runtime_error("of a task");
            }
            --num_at_work;
        };
        auto const fail = []() -> bool { throw std::logic_error("of its own"); };
        auto const nothing = [] { return true; };

        CHECK_THROWS_AS(
            (void)team.share_beside(fail, 2, [](std::size_t, std::size_t) {}),
            std::logic_error);
        CHECK(num_at_work == 0);
        CHECK_THROWS_AS((void)team.share_beside(nothing, 100, task),
                        std::runtime_error);
        CHECK(num_at_work == 0);
        CHECK(team.share_beside(nothing, 50, task));
    }
}

TEST_CASE("a copy of the process can go on with a team, and end it") {
    auto team = std::make_unique<ThreadTeam>(3);
    auto const all_are_done = [&team] {
        std::vector<std::atomic<int>> done(1000);
        team->share(done.size(), [&](std::size_t task, std::size_t) { ++done[task]; });
        return std::all_of(done.begin(), done.end(), [](int n) { return n == 1; });
    };
    REQUIRE(all_are_done());
    std::this_thread::sleep_for(std::chrono::milliseconds(20)); // all wait to be called

    pid_t const copy = fork();
    if (copy == 0) {
        bool const is_sound = all_are_done();
        team.reset();
        _exit(is_sound ? 0 : 1);
    }
    REQUIRE(copy > 0);
    int status = -1;
    auto const end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (waitpid(copy, &status, WNOHANG) == 0) {
        if (std::chrono::steady_clock::now() > end) {
            kill(copy, SIGKILL);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    CHECK(status == 0);
    CHECK(all_are_done());
}

} // namespace branchwise
