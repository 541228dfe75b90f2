// SPDX-License-Identifier: Apache-2.0
// Contexts that share the card: a process each, forked before anybody opens the device, with a page that all of them
// see.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

#include "common.h"

namespace probe {

// Memory that forked processes share, zeroed, for `count` objects.
void* shared_bytes(std::size_t bytes);
template <typename T>
T* shared_array(std::size_t count) {
  return static_cast<T*>(shared_bytes(count * sizeof(T)));
}

// All wait for each other, again and again. Gives up after 20 s, so that one that failed does not hold the others.
class Meeting {
 public:
  explicit Meeting(int num_processes);
  void wait();

 private:
  struct Page {
    std::atomic<int> arrived;
  };
  int num_processes_;
  int rounds_ = 0;  // of this process
  Page* page_;
};

// Runs each in a process of its own; false if one of them failed.
bool run_beside_each_other(const std::vector<std::function<void()>>& processes);

// The same for one experiment, which opens the device: the caller never does, and may fork again.
bool run_in_a_process(const std::function<void()>& experiment);

}  // namespace probe
