#include "branchwise/support/thread_team.hpp"

#include <algorithm>
#include <exception>
#include <latch>
#include <memory>
#include <new>
#include <system_error>
#include <utility>

namespace branchwise {

namespace {

/// Wait a little for what is to come, as going to sleep and being woken up takes longer
/// than most tasks do. Returns whether it came.
template <typename Condition>
bool is_soon(Condition const& condition) {
    constexpr int most_looks = 100;
    for (int i = 0; i < most_looks; ++i) {
        if (condition()) {
            return true;
        }
        std::this_thread::yield(); // to a thread that has something to do
    }
    return false;
}

/// A thread's first exception needs memory for what the thread knows of exceptions. If
/// that exception says that there is no more memory, the process ends without a word.
/// So every thread asks about exceptions, which takes that memory, while there is some.
void prepare_for_exceptions() {
    [[maybe_unused]] int const volatile none = std::uncaught_exceptions();
}

/// Find out that memory is short here, where that can still be said.
void see_that_a_thread_can_prepare() {
    constexpr std::size_t ample = std::size_t{256} << 10;
    [[maybe_unused]] auto const room = std::make_unique<std::byte[]>(ample);
}

} // namespace

ThreadTeam::ThreadTeam(std::size_t num_threads)
    : size_(std::clamp<std::size_t>(num_threads, 1, most_threads)) {
    prepare_for_exceptions();
}

// Threads are made when they are first needed: most problems are solved sooner than a
// thread is started.
void ThreadTeam::gather() {
    is_gathered_ = true;
    try {
        threads_.reserve(size_ - 1);
        for (std::size_t i = 1; i < size_; ++i) {
            see_that_a_thread_can_prepare();
            std::latch is_prepared(1);
            threads_.emplace_back([this, i, &is_prepared] {
                prepare_for_exceptions();
                is_prepared.count_down();
                work(i);
            });
            is_prepared.wait();
        }
    } catch (std::system_error const&) {
        return; // The system has no more; fewer do the same work.
    } catch (std::bad_alloc const&) {
        return;
    }
}

ThreadTeam::~ThreadTeam() {
    {
        std::lock_guard const lock(mutex_);
        is_over_ = true;
    }
    is_called_.notify_all();
    for (std::thread& thread : threads_) {
        thread.join();
    }
}

void ThreadTeam::share(std::size_t num_tasks, Task const& task) {
    share(num_tasks, task, num_tasks < too_few ? too_few : at_a_time);
}

void ThreadTeam::share_singly(std::size_t num_tasks, Task const& task) {
    share(num_tasks, task, 1);
}

bool ThreadTeam::share_beside(Own const& own, std::size_t num_tasks, Task const& task) {
    if (!is_to_be_shared(num_tasks, 1)) {
        bool const goes_on = own();
        for (std::size_t i = 0; goes_on && i < num_tasks; ++i) {
            task(i, 0);
        }
        return goes_on;
    }
    call(num_tasks, task, 1);
    bool goes_on = false;
    try {
        goes_on = own();
        if (!goes_on) {
            begin_no_more();
        }
        take_tasks(0);
    } catch (...) {
        note_failure();
    }
    finish();
    return goes_on;
}

void ThreadTeam::share(std::size_t num_tasks, Task const& task, std::size_t step) {
    if (!is_to_be_shared(num_tasks, step)) {
        for (std::size_t i = 0; i < num_tasks; ++i) {
            task(i, 0);
        }
        return;
    }
    call(num_tasks, task, step);
    take_tasks(0);
    finish();
}

bool ThreadTeam::is_to_be_shared(std::size_t num_tasks, std::size_t step) {
    if (size_ > 1 && num_tasks > step && !is_gathered_) {
        gather();
    }
    return !threads_.empty() && num_tasks > step;
}

void ThreadTeam::call(std::size_t num_tasks, Task const& task, std::size_t step) {
    {
        std::lock_guard const lock(mutex_);
        task_ = &task;
        num_tasks_ = num_tasks;
        step_ = step;
        next_task_ = 0;
        num_working_ = threads_.size();
        ++round_;
    }
    is_called_.notify_all();
}

// Wait for the others, and throw what any of them has thrown.
void ThreadTeam::finish() {
    auto const is_finished = [this] { return num_working_ == 0; };
    if (!is_soon(is_finished)) {
        std::unique_lock lock(mutex_);
        is_finished_.wait(lock, is_finished);
    }
    if (failure_) {
        std::rethrow_exception(std::exchange(failure_, nullptr));
    }
}

void ThreadTeam::work(std::size_t thread) {
    std::size_t done = 0;
    while (true) {
        auto const is_called = [&] { return is_over_ || round_ != done; };
        if (!is_soon(is_called)) {
            std::unique_lock lock(mutex_);
            is_called_.wait(lock, is_called);
        }
        if (is_over_) {
            return;
        }
        ++done;
        take_tasks(thread);
        std::lock_guard const lock(mutex_);
        if (--num_working_ == 0) {
            is_finished_.notify_one();
        }
    }
}

// A thread that throws would end the process, and one that leaves would leave the
// others with a task that is no more.
void ThreadTeam::take_tasks(std::size_t thread) noexcept {
    while (true) {
        std::size_t const first = next_task_.fetch_add(step_);
        if (first >= num_tasks_) {
            return;
        }
        std::size_t const last = std::min(first + step_, num_tasks_);
        try {
            for (std::size_t i = first; i < last; ++i) {
                (*task_)(i, thread);
            }
        } catch (...) {
            note_failure();
            return;
        }
    }
}

void ThreadTeam::note_failure() noexcept {
    std::lock_guard const lock(mutex_);
    failure_ = std::current_exception();
    begin_no_more();
}

} // namespace branchwise
