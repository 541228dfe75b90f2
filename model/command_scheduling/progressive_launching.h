// SPDX-License-Identifier: Apache-2.0
// How many launches of a task are on the GPU: XSched's progressive launching (OSDI 2025, level 1). Launches are handed
// over while fewer than `threshold` are there; when that is reached, the host waits for the oldest `batch` of them.
#pragma once

#include <cstdint>

namespace tessera::command_scheduling {

class ProgressiveLaunching {
 public:
  // 1 <= batch <= threshold.
  ProgressiveLaunching(std::uint32_t threshold, std::uint32_t batch) : threshold_(threshold), batch_(batch) {}

  void arrive() { ++held_; }
  bool may_hand_over() const { return held_ > 0 && awaited_ == 0; }
  void hand_over();
  // The oldest `launches` of those on the GPU are done.
  void complete(std::uint32_t launches);

  std::uint32_t in_flight() const { return in_flight_; }  // handed over and not known to be done
  bool is_idle() const { return held_ == 0 && in_flight_ == 0; }

 private:
  std::uint32_t threshold_;
  std::uint32_t batch_;
  std::uint64_t held_ = 0;
  std::uint32_t in_flight_ = 0;
  std::uint32_t awaited_ = 0;  // completions that the host still waits for
};

}  // namespace tessera::command_scheduling
