// SPDX-License-Identifier: Apache-2.0
// From files to a GPU with its record log, and from the log to a summary.
#include "tessera/gpu.h"

#include <stdexcept>
#include <utility>

#include "model/record/metrics/metrics.h"
#include "model/record/record_log.h"
#include "model/spec/loader.h"
#include "model/spec/spec.h"
#include "tlm/base/cycle_time.h"
#include "tlm/gpu/gpu.h"

namespace tessera {
namespace {

template <typename Load>
auto loaded(Load load) {
  try {
    return load();
  } catch (const spec::InputError& error) {
    throw std::invalid_argument(error.what());
  }
}

tlm_model::ExecutionEngine::Pace engine_pace(Gpu::Pace pace) {
  using EnginePace = tlm_model::ExecutionEngine::Pace;
  return pace == Gpu::Pace::kRunAhead ? EnginePace::kRunAhead : EnginePace::kStepwise;
}

std::vector<PreemptionSummary> preemptions_of(const record::RunResult& result) {
  std::vector<PreemptionSummary> all;
  for (const auto& [technique, preemptions] : result.preemptions) {
    const record::CycleStats& latency = preemptions.latency;
    all.push_back(
        {technique, latency.count, latency.mean(), latency.max, preemptions.bytes_saved, preemptions.bytes_restored});
  }
  return all;
}

}  // namespace

GpuDescription::GpuDescription(spec::Spec spec) : spec_(std::make_shared<const spec::Spec>(std::move(spec))) {}

GpuDescription GpuDescription::of_gpu(const std::filesystem::path& file, std::uint32_t num_contexts) {
  spec::Spec spec;
  spec.gpu = loaded([&] { return spec::load_gpu(file); });
  spec.processes.resize(num_contexts);
  return GpuDescription(std::move(spec));
}

GpuDescription GpuDescription::of_experiment(const std::filesystem::path& file,
                                             const std::vector<std::string>& overrides) {
  return GpuDescription(loaded([&] { return spec::load_experiment(file, overrides); }));
}

struct Gpu::Parts {
  Parts(const GpuDescription& description, Pace pace)
      : spec(description.spec_),
        metrics(spec->processes.size(), {}, 0, {}, {}, record::make_partition_facts(*spec)),
        u_gpu("u_gpu", *spec, log, engine_pace(pace)) {
    log.add_sink(&metrics);
  }

  std::shared_ptr<const spec::Spec> spec;
  record::MetricsSink metrics;
  record::RecordLog log;
  tlm_model::Gpu u_gpu;
};

Gpu::Gpu(const sc_core::sc_module_name& name, const GpuDescription& description, Pace pace)
    : sc_module(name), parts_(std::make_unique<Parts>(description, pace)) {}

Gpu::~Gpu() = default;

::tlm::tlm_target_socket<>& Gpu::registers_tsock() { return parts_->u_gpu.front_end().registers_tsock; }
::tlm::tlm_target_socket<>& Gpu::device_memory_tsock() { return parts_->u_gpu.device_memory().bus_tsock; }
::tlm::tlm_initiator_socket<>& Gpu::system_memory_isock() { return parts_->u_gpu.front_end().system_memory_isock; }
sc_core::sc_out<bool>& Gpu::irq_o() { return parts_->u_gpu.front_end().irq_o; }

void Gpu::set_end(const sc_core::sc_time& end) {
  const tlm_model::CycleTime time(parts_->spec->gpu.clock_hz);
  parts_->u_gpu.execution_engine().set_end(time.first_from(end));
}

GpuSummary Gpu::finish() {
  // 1. Close the log behind the cycle that is running.
  tlm_model::IExecutionEngine& engine = parts_->u_gpu.execution_engine();
  const Cycle end = tlm_model::CycleTime(parts_->spec->gpu.clock_hz).now() + 1;
  engine.finish(end);
  parts_->log.finish(end);
  // 2. Sum up.
  const record::RunResult& result = parts_->metrics.result();
  GpuSummary summary{result.cycles,          result.tbs_completed,
                     result.busy_sm_cycles,  result.policy_invocations,
                     preemptions_of(result), {}};
  for (const auto& [name, verdict] : engine.core().monitor().verdicts()) {
    if (verdict != "ok") summary.broken_invariants.push_back(name + ": " + verdict);
  }
  return summary;
}

}  // namespace tessera
