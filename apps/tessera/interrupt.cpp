// SPDX-License-Identifier: Apache-2.0
// One flag, set by the handler and read everywhere. Forked workers share it, so that a signal that reached the
// program alone ends them as well.
#include "apps/tessera/interrupt.h"

#include <sys/mman.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <new>
#include <system_error>

namespace tessera::app {
namespace {

static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");
std::atomic<bool>* g_is_interrupted = nullptr;  // in memory that workers share

void note_interrupt(int) { g_is_interrupted->store(true); }

// Who started the program with a signal ignored, as nohup does, wants it to stay so.
void catch_unless_ignored(int signal) {
  struct sigaction action {};
  sigaction(signal, nullptr, &action);
  if (action.sa_handler == SIG_IGN) return;
  action = {};
  action.sa_handler = note_interrupt;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

}  // namespace

void catch_interrupts() {
  void* const shared =
      ::mmap(nullptr, sizeof(*g_is_interrupted), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
  g_is_interrupted = new (shared) std::atomic<bool>(false);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) catch_unless_ignored(signal);
}

bool is_interrupted() { return g_is_interrupted != nullptr && g_is_interrupted->load(); }

}  // namespace tessera::app
