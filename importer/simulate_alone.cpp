// SPDX-License-Identifier: Apache-2.0
// Listens to the record log: kernels from their first SM to their end.
#include <algorithm>
#include <limits>
#include <unordered_map>

#include "importer/fidelity.h"
#include "model/spec/core_cycles.h"
#include "platform/simulation.h"
#include "platform/worker_pool.h"

namespace tessera::importer {
namespace {

class KernelTimesSink : public record::ISink {
 public:
  KernelTimesSink(std::size_t num_kernels, Cycle to_first_sm) : to_first_sm_(to_first_sm), cycles_(num_kernels) {}

  bool wants_per_tb() const override { return false; }
  bool is_done() const override { return run_ended_; }
  void consume(const record::Record& record) override {
    switch (record.kind) {
      case record::Kind::kKernelArrived:
        launches_[record.launch] = {record.kernel, cycles_[record.kernel].size(), record.cycle, false};
        cycles_[record.kernel].push_back(0);
        break;
      case record::Kind::kSmSetUp:
        set_up(record);
        break;
      case record::Kind::kKernelFinished:
        finished(record);
        break;
      case record::Kind::kDmaStarted:
        begin_ = std::min(begin_, record.cycle);
        break;
      case record::Kind::kDmaEnded:
        end_ = std::max(end_, record.cycle);
        break;
      case record::Kind::kRunEnded:
        run_ended_ = true;
        break;
      default:
        break;
    }
  }

  SimulatedRun run(std::uint64_t clock_hz) const {
    const double ns_per_cycle = 1e9 / static_cast<double>(clock_hz);
    SimulatedRun run;
    for (const std::vector<Cycle>& cycles : cycles_) {
      std::vector<double>& times = run.kernel_ns.emplace_back();
      for (const Cycle each : cycles) times.push_back(static_cast<double>(each) * ns_per_cycle);
    }
    run.span_ns = end_ > begin_ ? static_cast<double>(end_ - begin_) * ns_per_cycle : 0;
    run.is_complete = run_ended_;
    return run;
  }

 private:
  struct Launch {
    std::uint16_t kernel = 0;
    std::size_t ordinal = 0;
    Cycle start = 0;
    bool has_sm = false;
  };

  void set_up(const record::Record& record) {
    Launch& launch = launches_[record.launch];
    if (launch.has_sm) return;
    launch.has_sm = true;
    launch.start = std::max(launch.start, record.cycle - std::min(record.cycle, to_first_sm_));
    begin_ = std::min(begin_, launch.start);
  }

  void finished(const record::Record& record) {
    const auto launch = launches_.find(record.launch);
    cycles_[launch->second.kernel][launch->second.ordinal] = record.cycle - launch->second.start;
    end_ = std::max(end_, record.cycle);
    launches_.erase(launch);
  }

  Cycle to_first_sm_;  // on an empty machine, from the kernel's arrival
  std::unordered_map<std::uint32_t, Launch> launches_;
  std::vector<std::vector<Cycle>> cycles_;  // by kernel
  Cycle begin_ = std::numeric_limits<Cycle>::max();
  Cycle end_ = 0;
  bool run_ended_ = false;
};

}  // namespace

SimulatedRun simulate_alone(const spec::Spec& spec, const std::function<bool()>& is_interrupted) {
  const Cycle to_first_sm =
      (spec::activation_core_cycles(spec) + spec::walk_step_cycles(spec) + spec::kWalkBeyondSteps) /
      spec.scheduler.tbs_per_cycle;
  const auto task = [&]() -> nlohmann::json {
    KernelTimesSink sink(spec.applications.front().kernels.size(), to_first_sm);
    platform::simulate(spec, {&sink}, is_interrupted);
    return sink.run(spec.gpu.clock_hz);
  };
  return platform::run_in_workers({task}, 1).front().get<SimulatedRun>();
}

}  // namespace tessera::importer
