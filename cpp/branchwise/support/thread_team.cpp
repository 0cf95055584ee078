#include "branchwise/support/thread_team.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <latch>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "branchwise/support/machine.hpp"

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

/// The other threads, and what they and the calling one know of the work.
struct ThreadTeam::Others {
    explicit Others(std::size_t num_threads);
    ~Others();
    Others(Others const&) = delete;
    Others& operator=(Others const&) = delete;

    void call(std::size_t num_tasks, Task const& task, std::size_t step);
    void finish();
    void work(std::size_t thread);
    void take_tasks(std::size_t thread) noexcept;
    void note_failure() noexcept;
    void begin_no_more() noexcept { next_task = num_tasks; }

    long process = process_number(); // where they are
    std::mutex mutex{};
    std::condition_variable is_called{};
    std::condition_variable is_finished{};
    Task const* task = nullptr;
    std::size_t num_tasks = 0;
    std::size_t step = 1; // how many tasks a thread takes at a time
    std::atomic<std::size_t> next_task = 0;
    std::atomic<std::size_t> round = 0;
    std::atomic<std::size_t> num_working = 0;
    std::atomic<bool> is_over = false;
    std::exception_ptr failure{}; // what a task of this round has thrown
    std::vector<std::thread> threads{};
};

ThreadTeam::ThreadTeam(std::size_t num_threads)
    : size_(std::clamp<std::size_t>(num_threads, 1, most_threads)) {
    prepare_for_exceptions();
}

ThreadTeam::~ThreadTeam() {
    leave_to_parent();
}

// In a copy of the process that the threads are in they can be neither called nor
// waited for, and what they hold is never given back.
void ThreadTeam::leave_to_parent() {
    if (others_ && others_->process != process_number()) {
        [[maybe_unused]] Others const* const lost = others_.release();
    }
}

// Threads are made when they are first needed: most problems are solved sooner than a
// thread is started.
ThreadTeam::Others::Others(std::size_t num_threads) {
    try {
        threads.reserve(num_threads);
        for (std::size_t i = 1; i <= num_threads; ++i) {
            see_that_a_thread_can_prepare();
            std::latch is_prepared(1);
            threads.emplace_back([this, i, &is_prepared] {
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

ThreadTeam::Others::~Others() {
    {
        std::lock_guard const lock(mutex);
        is_over = true;
    }
    is_called.notify_all();
    for (std::thread& thread : threads) {
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
    others_->call(num_tasks, task, 1);
    bool goes_on = false;
    try {
        goes_on = own();
        if (!goes_on) {
            others_->begin_no_more();
        }
        others_->take_tasks(0);
    } catch (...) {
        others_->note_failure();
    }
    others_->finish();
    return goes_on;
}

void ThreadTeam::share(std::size_t num_tasks, Task const& task, std::size_t step) {
    if (!is_to_be_shared(num_tasks, step)) {
        for (std::size_t i = 0; i < num_tasks; ++i) {
            task(i, 0);
        }
        return;
    }
    others_->call(num_tasks, task, step);
    others_->take_tasks(0);
    others_->finish();
}

bool ThreadTeam::is_to_be_shared(std::size_t num_tasks, std::size_t step) {
    if (size_ == 1 || num_tasks <= step) {
        return false;
    }
    leave_to_parent();
    if (!others_) {
        others_ = std::make_unique<Others>(size_ - 1);
    }
    return !others_->threads.empty();
}

void ThreadTeam::Others::call(std::size_t count, Task const& what,
                              std::size_t at_a_time) {
    {
        std::lock_guard const lock(mutex);
        task = &what;
        num_tasks = count;
        step = at_a_time;
        next_task = 0;
        num_working = threads.size();
        ++round;
    }
    is_called.notify_all();
}

// Wait for the others, and throw what any of them has thrown.
void ThreadTeam::Others::finish() {
    auto const all_are_done = [this] { return num_working == 0; };
    if (!is_soon(all_are_done)) {
        std::unique_lock lock(mutex);
        is_finished.wait(lock, all_are_done);
    }
    if (failure) {
        std::rethrow_exception(std::exchange(failure, nullptr));
    }
}

void ThreadTeam::Others::work(std::size_t thread) {
    std::size_t done = 0;
    while (true) {
        auto const has_news = [&] { return is_over || round != done; };
        if (!is_soon(has_news)) {
            std::unique_lock lock(mutex);
            is_called.wait(lock, has_news);
        }
        if (is_over) {
            return;
        }
        ++done;
        take_tasks(thread);
        std::lock_guard const lock(mutex);
        if (--num_working == 0) {
            is_finished.notify_one();
        }
    }
}

// A thread that throws would end the process, and one that leaves would leave the
// others with a task that is no more.
void ThreadTeam::Others::take_tasks(std::size_t thread) noexcept {
    while (true) {
        std::size_t const first = next_task.fetch_add(step);
        if (first >= num_tasks) {
            return;
        }
        std::size_t const last = std::min(first + step, num_tasks);
        try {
            for (std::size_t i = first; i < last; ++i) {
                (*task)(i, thread);
            }
        } catch (...) {
            note_failure();
            return;
        }
    }
}

void ThreadTeam::Others::note_failure() noexcept {
    std::lock_guard const lock(mutex);
    failure = std::current_exception();
    begin_no_more();
}

} // namespace branchwise
