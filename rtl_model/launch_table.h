// SPDX-License-Identifier: Apache-2.0
// Launch descriptors in device memory as read by the SMs: a thread block's resources and, since instructions are not
// simulated, its duration and progress.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>

#include "model/base/ids.h"
#include "model/workload/tb_durations.h"
#include "model/workload/tb_progress.h"
#include "rtl_model/memory/loop_memory.h"

namespace tessera::rtl_model {

struct Launch {
  LaunchId id{};
  std::uint16_t process = 0;  // process, kernel of its application, run: for the record log
  std::uint16_t kernel = 0;
  std::uint32_t run = 0;
  std::uint32_t context = 0;
  std::uint32_t num_tbs = 0;
  std::uint32_t regs_per_tb = 0;
  std::uint32_t smem_bytes_per_tb = 0;
  std::uint32_t threads_per_tb = 0;
  std::uint32_t smem_config_bytes = 0;     // shared memory configuration of its SMs
  std::uint32_t idempotent_until_ppm = 0;  // of a TB's instructions: before this point it may be flushed
  workload::TbDurations durations;
  workload::TbProgress progress;
  std::shared_ptr<const LoopDescriptor> loops;  // null: an ordinary kernel

  std::uint64_t context_bytes_per_tb() const { return 4ULL * regs_per_tb + smem_bytes_per_tb; }
};

// Descriptors of pending and active kernels; a descriptor's address is the launch's number.
class LaunchTable {
 public:
  const Launch& at(std::uint64_t descriptor) const { return launches_[descriptor - first_]; }
  bool has(std::uint64_t descriptor) const { return descriptor >= first_ && descriptor < next(); }
  // Returns the descriptor.
  std::uint64_t add(const Launch& launch) {
    launches_.push_back(launch);
    return first_ + launches_.size() - 1;
  }
  std::uint64_t next() const { return first_ + launches_.size(); }
  // The kernel is done; its memory is freed once all earlier ones are done too.
  void retire(std::uint64_t descriptor) {
    launches_[descriptor - first_].num_tbs = 0;
    while (!launches_.empty() && launches_.front().num_tbs == 0) {
      launches_.pop_front();
      ++first_;
    }
  }

 private:
  std::deque<Launch> launches_;
  std::uint64_t first_ = 0;
};

}  // namespace tessera::rtl_model
