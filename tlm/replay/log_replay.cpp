// SPDX-License-Identifier: Apache-2.0
// Runs the engine on one listed kernel and compares what it did, TB by TB.
#include "tlm/replay/log_replay.h"

#include <algorithm>

#include "model/record/record_log.h"
#include "model/spec/spec.h"
#include "tlm/execution_engine/execution_core.h"

namespace tessera::tlm_model {
namespace {

// Keeps where each TB of one launch ran.
class PlacementSink final : public record::ISink {
 public:
  PlacementSink(std::size_t num_tbs, std::uint32_t launch) : launch_(launch), tbs_(num_tbs) {}

  bool wants_per_tb() const override { return true; }
  void consume(const record::Record& record) override {
    if (record.launch != launch_) return;
    if (record.kind == record::Kind::kTbIssued) tbs_[record.tb] = {record.sm, record.slot, record.cycle, 0};
    if (record.kind == record::Kind::kTbFinished) tbs_[record.tb].end = record.cycle;
  }
  std::vector<workload::TbPlacement> take() { return std::move(tbs_); }

 private:
  std::uint32_t launch_;
  std::vector<workload::TbPlacement> tbs_;
};

constexpr Cycle kRest = 8;  // until the engine is at rest again

// Returns when it is done.
Cycle run_kernel(IExecutionCore& core, const std::vector<Cycle>& durations, Cycle stamp) {
  KernelLaunch launch;
  launch.num_tbs = static_cast<std::uint32_t>(durations.size());
  launch.durations = workload::TbDurations(durations);
  core.send({stamp, 0, launch});
  while (core.done().empty()) core.run_until(kNever);
  return core.take_done().front().cycle;
}

std::vector<workload::TbPlacement> run(const workload::TbLog& log, const spec::Spec& machine,
                                       const CoreFactory& make_core, ReplayBegin begin) {
  // A kernel with fewer TBs than SMs is given all of them here, as in the simulator: TBs that come last change nothing.
  std::vector<Cycle> durations = log.durations();
  durations.resize(std::max<std::size_t>(durations.size(), log.num_sms), 1);
  record::RecordLog records;
  const bool is_second = begin == ReplayBegin::kAfterAnother;
  PlacementSink sink(durations.size(), is_second ? 1 : 0);
  records.add_sink(&sink);
  const std::unique_ptr<IExecutionCore> engine = make_core(machine, records);
  const Cycle at_rest = is_second ? run_kernel(*engine, {1}, 0) + kRest : 0;
  const Cycle end = run_kernel(*engine, durations, at_rest) + 1;
  engine->finish(end);
  records.finish(end);
  std::vector<workload::TbPlacement> tbs = sink.take();
  tbs.resize(log.tbs.size());
  return tbs;
}

Cycle first_start(const std::vector<workload::TbPlacement>& tbs) {
  return std::min_element(tbs.begin(), tbs.end(), [](const auto& a, const auto& b) { return a.start < b.start; })
      ->start;
}

}  // namespace

spec::Spec replay_machine(const workload::TbLog& log) {
  spec::Spec spec;
  spec.gpu.clock_hz = 1'000'000'000;  // the log counts cycles: any clock does
  spec.gpu.num_sms = log.num_sms;
  spec.gpu.max_tbs_per_sm = log.tbs_per_sm;
  spec.gpu.shared_memory_bytes = {1};
  spec.gpu.memory_bandwidth_bytes_per_s = 1;  // nothing is preempted
  spec.gpu.framework.num_ksrs = 1;
  spec.gpu.framework.num_command_buffers = 1;
  spec.gpu.framework.search_entry_cycles = 0;
  spec.gpu.framework.kernel_activation_cycles = 0;
  spec.gpu.framework.sm_setup_cycles = 0;
  spec.gpu.framework.engine = spec::Engine::kIdeal;
  spec.gpu.framework.tb_issue_cycles = spec::kIdealIssueCycles;
  spec.scheduler.fill = spec::Fill::kBreadthFirst;
  spec.scheduler.tbs_per_cycle = log.num_sms;
  spec.processes.resize(1);
  return spec;
}

LogReplay replay_log(const workload::TbLog& log) {
  return replay_log(log, replay_machine(log), [](const spec::Spec& machine, record::RecordLog& records) {
    return std::make_unique<ExecutionCore>(machine, records, nullptr);
  });
}

LogReplay replay_log(const workload::TbLog& log, const spec::Spec& machine, const CoreFactory& make_core,
                     ReplayBegin begin) {
  LogReplay replay;
  replay.tbs = run(log, machine, make_core, begin);
  // 1. The log's clock started at another time.
  const Cycle logged_start = first_start(log.tbs);
  const Cycle replayed_start = first_start(replay.tbs);
  for (workload::TbPlacement& tb : replay.tbs) {
    tb.start = tb.start - replayed_start + logged_start;
    tb.end = tb.end - replayed_start + logged_start;
  }
  // 2. Every TB is compared.
  for (std::uint32_t tb = 0; tb < log.tbs.size(); ++tb) {
    const bool sm_differs = replay.tbs[tb].sm != log.tbs[tb].sm;
    const bool slot_differs = replay.tbs[tb].slot != log.tbs[tb].slot;
    const bool start_differs = replay.tbs[tb].start != log.tbs[tb].start;
    replay.sm_mismatches += sm_differs;
    replay.slot_mismatches += slot_differs;
    replay.start_mismatches += start_differs;
    if (replay.tbs[tb].start > log.tbs[tb].start) {
      replay.max_added_latency = std::max(replay.max_added_latency, replay.tbs[tb].start - log.tbs[tb].start);
    }
    if ((sm_differs || slot_differs || start_differs) && !replay.first_mismatch) replay.first_mismatch = tb;
  }
  return replay;
}

}  // namespace tessera::tlm_model
