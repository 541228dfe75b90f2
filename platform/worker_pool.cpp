// SPDX-License-Identifier: Apache-2.0
// fork, a pipe per child, and poll.
#include "platform/worker_pool.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include "model/workload/kernel_fits.h"

namespace tessera::platform {
namespace {

using Time = std::chrono::steady_clock::time_point;

struct Worker {
  std::size_t task = 0;
  pid_t pid = -1;
  int pipe = -1;
  Time deadline = Time::max();
  std::string received = {};
  nlohmann::json answer = {};  // once it is all there
  bool is_late = false;
};

void write_all(int fd, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t written = ::write(fd, text.data() + at, text.size() - at);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;  // the parent is gone: nobody wants to know
    at += static_cast<std::size_t>(written);
  }
}

// What is allocated beyond the limit throws std::bad_alloc.
void limit_memory(std::uint64_t bytes) {
  const rlimit limit{bytes, bytes};
  if (bytes > 0) ::setrlimit(RLIMIT_AS, &limit);
}

// SystemC puts words of its own around it, and has others for the stacks of its threads.
bool is_out_of_memory(const std::string& reason) {
  const auto has = [&](const char* words) { return reason.find(words) != std::string::npos; };
  return has("std::bad_alloc") || has("failed to allocate");
}

// {"result": ..., "fits": kernel times that were fitted} or {"error": "..."}; ends with status 1 where what comes
// afterwards fails.
[[noreturn]] void run_child(const std::function<Work(std::size_t)>& task, std::size_t index, const WorkerLimits& limits,
                            int pipe) {
  nlohmann::json answer;
  Work work;
  int status = 0;
  workload::KernelFits& fits = workload::KernelFits::of_process();
  limit_memory(limits.memory_bytes);
  fits.begin_worker();
  try {
    work = task(index);
    answer["result"] = std::move(work.result);
    answer["fits"] = fits.news();
  } catch (const std::exception& error) {
    const std::string reason = error.what();
    answer["error"] = is_out_of_memory(reason) ? "out of memory" : reason;
  }
  write_all(pipe, answer.dump());
  ::close(pipe);
  try {
    if (work.afterwards) work.afterwards();
  } catch (const std::exception&) {
    status = 1;
  }
  std::fflush(nullptr);
  ::_exit(status);  // not exit: the parent's buffers and handlers are not ours
}

Worker start(const std::function<Work(std::size_t)>& task, std::size_t index, const WorkerLimits& limits) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  std::fflush(nullptr);
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (pid == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // whoever kills the program does not leave simulations behind
    if (::getppid() != parent) ::_exit(1);
    ::close(ends[0]);
    run_child(task, index, limits, ends[1]);
  }
  ::close(ends[1]);
  Worker worker{index, pid, ends[0]};
  if (limits.seconds > 0) {
    worker.deadline = std::chrono::steady_clock::now() +
                      std::chrono::duration_cast<Time::duration>(std::chrono::duration<double>(limits.seconds));
  }
  return worker;
}

// Reads what there is; true at the end of the child's answer.
bool receive(Worker& worker) {
  char buffer[65536];
  const ssize_t size = ::read(worker.pipe, buffer, sizeof(buffer));
  if (size < 0 && errno == EINTR) return false;
  if (size > 0) worker.received.append(buffer, static_cast<std::size_t>(size));
  return size <= 0;
}

// What it fitted is known from now on, to workers that start before it has ended too.
void take_answer(Worker& worker) {
  worker.answer = nlohmann::json::parse(worker.received, nullptr, false);
  worker.received.clear();
  const auto fits = worker.answer.is_discarded() ? worker.answer.end() : worker.answer.find("fits");
  if (fits != worker.answer.end()) workload::KernelFits::of_process().take_over(*fits);
}

// How a child that has ended with that status came out.
Ending ending_of(Worker& worker, int status, const WorkerLimits& limits) {
  if (worker.is_late) return {{}, fmt::format("time limit ({} s)", limits.seconds)};
  if (WIFSIGNALED(status)) return {{}, fmt::format("a simulation was killed by signal {}", WTERMSIG(status))};
  if (worker.answer.is_discarded()) return {{}, "a simulation ended without a result"};
  if (worker.answer.contains("error")) return {{}, worker.answer["error"].get<std::string>()};
  if (WEXITSTATUS(status) != 0) return {{}, "its result could not be kept"};
  return {std::move(worker.answer["result"]), {}};
}

// Milliseconds until the first worker is late, as poll() wants them.
int time_left(const std::vector<Worker>& workers) {
  Time first = Time::max();
  for (const Worker& worker : workers) first = std::min(first, worker.is_late ? Time::max() : worker.deadline);
  if (first == Time::max()) return -1;
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(first - std::chrono::steady_clock::now());
  constexpr std::chrono::milliseconds::rep kLongest = 60'000;
  return static_cast<int>(std::clamp<std::chrono::milliseconds::rep>(left.count() + 1, 0, kLongest));
}

void kill_late(std::vector<Worker>& workers) {
  const Time now = std::chrono::steady_clock::now();
  for (Worker& worker : workers) {
    if (worker.is_late || now < worker.deadline) continue;
    worker.is_late = true;
    ::kill(worker.pid, SIGKILL);
  }
}

class Pool {
 public:
  Pool(const std::function<Work(std::size_t)>& task, unsigned num_workers, const WorkerLimits& limits,
       const std::function<void(std::size_t, const Ending&)>& on_end)
      : task_(task), num_workers_(num_workers), limits_(limits), on_end_(on_end) {}

  bool is_idle() const { return running_.empty() && leaving_.empty(); }
  // Those that have answered do little; but that little may be slow.
  bool has_room() const {
    constexpr std::size_t kLeaving = 4;
    return running_.size() < num_workers_ && leaving_.size() < kLeaving * num_workers_;
  }
  void start_task(std::size_t index) { running_.push_back(start(task_, index, limits_)); }

  // Waits for something to happen, and sees to it.
  void listen() {
    std::vector<pollfd> polled;
    for (const Worker& worker : running_) polled.push_back({worker.pipe, POLLIN, 0});
    constexpr int kSoon = 1;  // milliseconds: nothing wakes us when one that has answered ends
    const int wait = time_left(running_);
    const int longest = leaving_.empty() ? wait : wait < 0 ? kSoon : std::min(wait, kSoon);
    const int number = ::poll(polled.data(), polled.size(), longest);
    kill_late(running_);
    for (std::size_t i = number > 0 ? running_.size() : 0; i-- > 0;) {  // else a signal: children see it too, and end
      if (polled[i].revents == 0 || !receive(running_[i])) continue;
      ::close(running_[i].pipe);
      take_answer(running_[i]);
      leaving_.push_back(std::move(running_[i]));
      running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    reap();
  }

 private:
  void reap() {
    for (std::size_t i = leaving_.size(); i-- > 0;) {
      int status = 0;
      if (::waitpid(leaving_[i].pid, &status, WNOHANG) <= 0) continue;
      Worker worker = std::move(leaving_[i]);
      leaving_.erase(leaving_.begin() + static_cast<std::ptrdiff_t>(i));
      on_end_(worker.task, ending_of(worker, status, limits_));
    }
  }

  const std::function<Work(std::size_t)>& task_;
  const std::size_t num_workers_;
  const WorkerLimits& limits_;
  const std::function<void(std::size_t, const Ending&)>& on_end_;
  std::vector<Worker> running_;  // have not answered yet
  std::vector<Worker> leaving_;
};

}  // namespace

void run_each(std::size_t num_tasks, const std::function<Work(std::size_t)>& task, unsigned num_workers,
              const WorkerLimits& limits, const std::function<void(std::size_t, const Ending&)>& on_end,
              const std::function<bool()>& stops) {
  Pool pool(task, std::max(1U, num_workers), limits, on_end);
  for (std::size_t next = 0; next < num_tasks || !pool.is_idle();) {
    if (stops()) next = num_tasks;
    for (; next < num_tasks && pool.has_room(); ++next) pool.start_task(next);
    if (!pool.is_idle()) pool.listen();
  }
}

std::vector<nlohmann::json> run_in_workers(const std::vector<std::function<nlohmann::json()>>& tasks,
                                           unsigned num_workers, const std::function<void(std::size_t)>& on_done,
                                           const std::function<void(std::size_t, const nlohmann::json&)>& on_result,
                                           const std::function<bool()>& stops) {
  std::vector<Ending> endings(tasks.size());
  std::size_t done = 0;
  const auto on_end = [&](std::size_t task, const Ending& ending) {
    endings[task] = ending;
    if (on_result && ending.error.empty()) on_result(task, ending.result);
    if (on_done) on_done(++done);
  };
  run_each(
      tasks.size(), [&](std::size_t task) { return Work{tasks[task]()}; }, num_workers, {}, on_end, stops);
  std::vector<nlohmann::json> results;
  for (Ending& ending : endings) {
    if (!ending.error.empty()) throw std::runtime_error(ending.error);
    results.push_back(std::move(ending.result));
  }
  return results;
}

}  // namespace tessera::platform
