// SPDX-License-Identifier: Apache-2.0
// Replays a thread-block log on the execution engine: from the durations alone, SM, slot and start cycle of every
// TB must come out as the log has them (docs/concepts/readings.md, Logged order).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "model/record/record_log.h"
#include "model/spec/spec_fwd.h"
#include "model/workload/tb_log.h"
#include "tlm/execution_engine/i_execution_core.h"

namespace tessera::tlm_model {

// The log's machine: its SMs and slots, breadth-first issue at full rate, and no latency except that a slot freed in
// cycle c is filled in cycle c + 1.
spec::Spec replay_machine(const workload::TbLog& log);

struct LogReplay {
  std::vector<workload::TbPlacement> tbs;  // by TB; the first start is the log's first start
  std::uint32_t sm_mismatches = 0;
  std::uint32_t slot_mismatches = 0;
  std::uint32_t start_mismatches = 0;
  std::optional<std::uint32_t> first_mismatch;  // the lowest TB that differs
  Cycle max_added_latency = 0;                  // largest delay of a TB's start against the log

  bool matches() const { return !first_mismatch; }
};

// Creates the engine that replays, for replay_machine() or a similar machine.
using CoreFactory = std::function<std::unique_ptr<IExecutionCore>(const spec::Spec& machine, record::RecordLog& log)>;

// The logged machine issued its first TB to SM 1. A core whose round robin begins at SM 0 first runs a TB of another
// kernel (kAfterAnother).
enum class ReplayBegin { kAtOnce, kAfterAnother };

LogReplay replay_log(const workload::TbLog& log);
LogReplay replay_log(const workload::TbLog& log, const spec::Spec& machine, const CoreFactory& make_core,
                     ReplayBegin begin = ReplayBegin::kAtOnce);

}  // namespace tessera::tlm_model
