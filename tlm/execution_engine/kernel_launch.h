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

// What makes a kernel an event-driven one ([G16]).
struct LoopLaunch {
  cooperative::LoopProgram program;
  bool is_blocking = false;
  std::uint32_t slots = 0;
  std::uint64_t state_bytes_per_slot = 0;
  std::uint32_t spread_ppm = 0;
  std::uint64_t key = 0;             // seeds the draw of each thread block's factor
  std::uint32_t num_relaunches = 0;  // above 0: it goes on where the context's loops stand
  std::uint64_t number = 0;          // of the launch, among those of the context's event-driven kernels
};

struct KernelLaunch {
  QueueId queue{};         // where its completion is reported
  std::uint32_t node = 0;  // of a graph that is one command
  ContextId context{};
  std::uint32_t priority = 0;
  Cycle deadline = 0;  // from its arrival at the command buffers; 0: none
  PartitionId partition{};
  std::uint16_t process = 0;  // for the record: process, kernel of its application, run
  std::uint16_t kernel = 0;
  std::uint32_t run = 0;
  Cycle arrived = 0;  // at the command buffers
  std::uint32_t num_tbs = 0;
  std::uint32_t regs_per_tb = 0;
  std::uint32_t smem_bytes_per_tb = 0;
  std::uint32_t threads_per_tb = 0;
  std::uint32_t max_tbs_per_sm = 0;           // 0: what fits
  std::uint32_t idempotent_until_ppm = 0;     // of a TB's instructions: before, it may start again from nothing
  workload::TbProgress progress;              // how their instructions are spread over their time
  workload::TbDurations durations;            // a mean of kNever: its TBs never end by themselves
  std::shared_ptr<const LoopLaunch> loops{};  // null: an ordinary kernel
  std::optional<spec::KernelKind> kind{};     // whom its TBs contend with; none: nobody
  std::int32_t occupancy_speedup_ppm = 0;     // how its TBs' speed changes with the number on their SM
};

// Behind the launches that wait for a command buffer already, except that of one context the most urgent comes first.
void queue_up(std::deque<KernelLaunch>& waiting, const KernelLaunch& launch);

// What decides how many of its TBs an SM holds.
spec::KernelSpec resources_of(const KernelLaunch& launch);

}  // namespace tessera::tlm_model
