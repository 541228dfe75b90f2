// SPDX-License-Identifier: Apache-2.0
// A line on the terminal that fills up, with the time that is left; nothing where standard error is no terminal.
#pragma once

#include <chrono>
#include <cstddef>

namespace tessera::app {

class Progress {
 public:
  explicit Progress(const char* unit = "simulations") : unit_(unit) {}
  // To be called with growing `done`; at `total` the line goes away, and another may begin.
  void show(std::size_t done, std::size_t total);
  // Where nobody knows how much there is to do. clear() ends it.
  void count(std::size_t done);
  void clear();

 private:
  const char* unit_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace tessera::app
