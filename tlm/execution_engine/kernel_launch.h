// SPDX-License-Identifier: Apache-2.0
// A kernel launch as the command dispatcher hands it to the execution engine.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>

#include "model/base/ids.h"
#include "model/cooperative/loop_program.h"
#include "model/spec/contention_spec.h"
#include "model/spec/spec_fwd.h"
#include "model/workload/tb_durations.h"
#include "model/workload/tb_progress.h"

namespace tessera::tlm_model {

// Additional parameters of an event-driven kernel ([G16]).
struct LoopLaunch {
  cooperative::LoopProgram program;
  bool is_blocking = false;
  std::uint32_t slots = 0;
  std::uint64_t state_bytes_per_slot = 0;
  std::uint32_t spread_ppm = 0;
  std::uint64_t key = 0;             // seeds the draw of each thread block's factor
  std::uint32_t num_relaunches = 0;  // above 0: the context's loops resume where they stopped
  std::uint64_t number = 0;          // of the launch, among the context's event-driven launches
};

struct KernelLaunch {
  QueueId queue{};         // where its completion is reported
  std::uint32_t node = 0;  // node within a graph command
  ContextId context{};
  std::uint32_t priority = 0;
  Cycle deadline = 0;  // counted from arrival at the command buffers; 0: none
  PartitionId partition{};
  std::uint16_t process = 0;  // process, kernel of its application, run: for the record log
  std::uint16_t kernel = 0;
  std::uint32_t run = 0;
  Cycle arrived = 0;  // at the command buffers
  std::uint32_t num_tbs = 0;
  std::uint32_t regs_per_tb = 0;
  std::uint32_t smem_bytes_per_tb = 0;
  std::uint32_t threads_per_tb = 0;
  std::uint32_t max_tbs_per_sm = 0;           // 0: what fits
  std::uint32_t idempotent_until_ppm = 0;     // of a TB's instructions: before this point it may be restarted
  workload::TbProgress progress;              // how a TB's instructions are spread over its time
  workload::TbDurations durations;            // a mean of kNever: its TBs never end by themselves
  std::shared_ptr<const LoopLaunch> loops{};  // null: an ordinary kernel
  std::optional<spec::KernelKind> kind{};     // which kernels its TBs contend with; empty: none
  std::int32_t occupancy_speedup_ppm = 0;     // how its TBs' speed changes with the number on their SM
  std::uint64_t dram_bytes_per_tb = 0;        // that a TB moves, where memory answers later under load
  std::uint32_t bytes_in_flight_per_tb = 0;   // of these, on their way at once; 0: as its threads have
};

// Appends a launch to those waiting for a command buffer; launches of one context are kept in order of priority.
void queue_up(std::deque<KernelLaunch>& waiting, const KernelLaunch& launch);

// The fields that determine how many of its TBs fit on an SM.
spec::KernelSpec resources_of(const KernelLaunch& launch);

}  // namespace tessera::tlm_model
