// SPDX-License-Identifier: Apache-2.0
// fork, a pipe per child, and poll.
#include "platform/worker_pool.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <system_error>

namespace tessera::platform {
namespace {

struct Worker {
  std::size_t task = 0;
  pid_t pid = -1;
  int pipe = -1;
  std::string received;
};

void write_all(int fd, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t written = ::write(fd, text.data() + at, text.size() - at);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;  // the parent is gone: nobody wants to know
    at += static_cast<std::size_t>(written);
  }
}

// {"result": ...} or {"error": "..."}.
[[noreturn]] void run_child(const std::function<nlohmann::json()>& task, int pipe) {
  nlohmann::json answer;
  try {
    answer["result"] = task();
  } catch (const std::exception& error) {
    answer["error"] = error.what();
  }
  write_all(pipe, answer.dump());
  ::close(pipe);
  std::fflush(nullptr);
  ::_exit(0);  // not exit: the parent's buffers and handlers are not ours
}

Worker start(const std::function<nlohmann::json()>& task, std::size_t index) {
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
    run_child(task, ends[1]);
  }
  ::close(ends[1]);
  return {index, pid, ends[0], {}};
}

// Reads what there is; true at the end of the child's answer.
bool receive(Worker& worker) {
  char buffer[65536];
  const ssize_t size = ::read(worker.pipe, buffer, sizeof(buffer));
  if (size < 0 && errno == EINTR) return false;
  if (size > 0) worker.received.append(buffer, static_cast<std::size_t>(size));
  return size <= 0;
}

// The child's answer, or how it died as {"error": ...}.
nlohmann::json reap(Worker& worker) {
  ::close(worker.pipe);
  int status = 0;
  while (::waitpid(worker.pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) {
    return {{"error", fmt::format("a simulation was killed by signal {}", WTERMSIG(status))}};
  }
  nlohmann::json answer = nlohmann::json::parse(worker.received, nullptr, false);
  if (answer.is_discarded()) return {{"error", "a simulation ended without a result"}};
  return answer;
}

}  // namespace

std::vector<nlohmann::json> run_in_workers(const std::vector<std::function<nlohmann::json()>>& tasks,
                                           unsigned num_workers, const std::function<void(std::size_t)>& on_done,
                                           const std::function<void(std::size_t, const nlohmann::json&)>& on_result) {
  std::vector<nlohmann::json> answers(tasks.size());
  std::vector<Worker> running;
  std::size_t next = 0;
  while (next < tasks.size() || !running.empty()) {
    // 1. As many children as allowed.
    while (next < tasks.size() && running.size() < std::max(1U, num_workers)) {
      running.push_back(start(tasks[next], next));
      ++next;
    }
    // 2. Whatever they say.
    std::vector<pollfd> polled;
    for (const Worker& worker : running) polled.push_back({worker.pipe, POLLIN, 0});
    if (::poll(polled.data(), polled.size(), -1) < 0) continue;  // a signal: children see it too, and end
    for (std::size_t i = running.size(); i-- > 0;) {
      if (polled[i].revents == 0 || !receive(running[i])) continue;
      const nlohmann::json& answer = answers[running[i].task] = reap(running[i]);
      if (on_result && answer.contains("result")) on_result(running[i].task, answer["result"]);
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
      if (on_done) on_done(next - running.size());
    }
  }
  std::vector<nlohmann::json> results;
  for (nlohmann::json& answer : answers) {
    if (answer.contains("error")) throw std::runtime_error(answer["error"].get<std::string>());
    results.push_back(std::move(answer["result"]));
  }
  return results;
}

}  // namespace tessera::platform
