// SPDX-License-Identifier: Apache-2.0
// Forks, shared pages, and waiting for each other.
#include "processes.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <new>

namespace probe {

void* shared_bytes(std::size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) return memory;
  std::fprintf(stderr, "tessera: probe: no shared memory of %zu bytes\n", bytes);
  std::exit(3);
}

Meeting::Meeting(int num_processes)
    : num_processes_(num_processes), page_(new (shared_bytes(sizeof(Page))) Page{{0}}) {}

void Meeting::wait() {
  constexpr double kPatienceUs = 2e7;
  ++rounds_;
  page_->arrived.fetch_add(1);
  const double begin = now_us();
  while (page_->arrived.load() < num_processes_ * rounds_ && now_us() - begin < kPatienceUs) usleep(20);
}

bool run_beside_each_other(const std::vector<std::function<void()>>& processes) {
  std::vector<pid_t> children;
  std::fflush(nullptr);  // or children print it again
  for (const std::function<void()>& process : processes) {
    const pid_t child = fork();
    if (child == 0) {
      process();
      std::fflush(nullptr);
      _exit(0);
    }
    if (child > 0) children.push_back(child);
  }
  bool are_well = children.size() == processes.size();
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    are_well = are_well && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }
  return are_well;
}

bool run_in_a_process(const std::function<void()>& experiment) { return run_beside_each_other({experiment}); }

}  // namespace probe
