// SPDX-License-Identifier: Apache-2.0
// Tracks activity outside the SMs record by record: the kernels, runs, copies and decisions that timelines draw.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "model/record/record.h"

namespace tessera::record {

// Kernels of one process may overlap, but slices of one track must not: each launch gets the lowest free lane.
struct KernelLane {
  std::uint16_t process = 0;
  std::size_t lane = 0;
};

class IHostActivityListener {
 public:
  virtual ~IHostActivityListener() = default;

  virtual void kernel_arrived(const KernelLane& lane, const Record& arrived) = 0;
  virtual void kernel_activated(const KernelLane& lane, std::uint32_t launch, Cycle cycle) = 0;
  virtual void kernel_ended(const KernelLane& lane, std::uint32_t launch, Cycle cycle) = 0;
  virtual void run_ended(std::uint16_t process, std::uint32_t run, Cycle begin, Cycle end) = 0;
  // Direction 0: to the GPU, 1: to the host. An engine may start the next transfer before the end of this one is
  // reported.
  virtual void transfer_ended(std::size_t direction, std::uint16_t process, Cycle begin, Cycle end) = 0;
  // A decision invoked during the previous one is drawn from the end of that one.
  virtual void decided(Cycle begin, Cycle end) = 0;
};

class HostActivity {
 public:
  // `listener` must outlive this object.
  HostActivity(IHostActivityListener& listener, std::size_t num_processes)
      : listener_(listener), processes_(num_processes) {}

  // Uses kernel, run, DMA and policy records; ignores others, and ends without a beginning.
  void consume(const Record& record);
  void finish(Cycle end);  // ends everything that is open

 private:
  struct Process {
    std::vector<bool> busy_lanes;
    std::map<std::uint32_t, Cycle> runs;  // active runs, and since when
  };
  struct Transfer {
    Cycle begin = 0;
    std::uint16_t process = 0;
  };

  void kernel_arrived(const Record& record);
  void kernel_ended(std::uint32_t launch, Cycle cycle);
  void run_ended(std::uint16_t process, std::uint32_t run, Cycle cycle);
  void transfer_ended(std::size_t direction, Cycle cycle);
  void policy_decided(const Record& record);

  IHostActivityListener& listener_;
  std::vector<Process> processes_;
  std::map<std::uint32_t, KernelLane> launches_;   // waiting or active ones
  std::array<std::deque<Transfer>, 2> transfers_;  // by direction, in order
  Cycle last_decision_ = 0;
};

}  // namespace tessera::record
