// SPDX-License-Identifier: Apache-2.0
// The serialised engine has no techniques that choose victims, no SMs in several partitions, and a least issue latency.
// The ideal one has no clocked core, and may issue slower than one a cycle.
#include "model/spec/read_engine.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "model/spec/core_cycles.h"
#include "model/spec/decimal.h"
#include "model/spec/names.h"
#include "model/spec/scalar_rules.h"
#include "model/spec/spec.h"

namespace tessera::spec {
namespace {

// Of the scheduler and the baseline, the one with the slower core.
std::uint32_t slowest_clock_ratio(const Spec& spec) {
  const std::uint32_t ratio = spec.scheduler.tbs_per_cycle;
  return spec.baseline ? std::min(ratio, spec.baseline->tbs_per_cycle) : ratio;
}

// A baseline that has the scheduler's technique is not blamed again.
void reject_victims(MappingReader reader, const SchedulerSpec& scheduler) {
  if (!info(scheduler.technique).chooses_victims || !reader.has("technique")) return;
  reader.reject("technique", "the serialised engine does not have it", std::string(to_string(scheduler.technique)),
                "another technique, or framework.engine: ideal");
}

// The serialised engine has the core's rate. The driver of the ideal one gives out at most tbs_per_cycle.
void read_issue_rate(MappingReader gpu, const Spec& spec) {
  const std::uint64_t issue_hz = spec.gpu.framework.tb_issue_hz;
  if (issue_hz == 0) return;
  MappingReader framework = gpu.known_mapping("framework");
  const std::string given = format_decimal(issue_hz, kFrequencyDigits);
  if (has_one_job_engine(spec)) {
    framework.reject("tb_issue_mhz", "the serialised engine issues as fast as its core", given,
                     "0, or framework.engine: ideal");
    return;
  }
  const std::uint32_t tbs_per_cycle = slowest_clock_ratio(spec);
  const std::uint64_t most = spec.gpu.clock_hz * tbs_per_cycle;
  if (issue_hz <= most) return;
  framework.reject("tb_issue_mhz", fmt::format("is more than tbs_per_cycle: {} allows", tbs_per_cycle), given,
                   "at most " + format_decimal(most, kFrequencyDigits));
}

}  // namespace

void read_issue_latency(MappingReader gpu, std::uint32_t clock_ratio, GpuSpec& spec) {
  const bool is_ideal = spec.framework.engine == Engine::kIdeal;
  const std::uint32_t least = is_ideal ? kIdealIssueCycles : min_tb_issue_cycles(clock_ratio);
  MappingReader framework = gpu.known_mapping("framework");
  std::uint32_t& cycles = spec.framework.tb_issue_cycles;
  if (!framework.has("tb_issue_cycles")) cycles = least;
  if (cycles >= least) return;
  framework.reject("tb_issue_cycles",
                   fmt::format("the serialised engine takes {} cycles with tbs_per_cycle: {}", least, clock_ratio),
                   fmt::format("{}", cycles), fmt::format("at least {}, or framework.engine: ideal", least));
}

void read_engine(EngineReaders readers, Cores cores, bool is_scheduler_good, Spec& spec) {
  read_issue_latency(readers.gpu, slowest_clock_ratio(spec), spec.gpu);
  read_issue_rate(readers.gpu, spec);
  if (!has_one_job_engine(spec)) {
    if (!includes(cores, Cores::kClocked)) return;
    readers.gpu.known_mapping("framework")
        .reject("engine", "the core of this abstraction is the serialised engine", "ideal",
                "serialised, or abstraction tlm");
    return;
  }
  reject_victims(readers.scheduler, spec.scheduler);
  if (spec.baseline) reject_victims(readers.baseline, *spec.baseline);
  if (!is_scheduler_good || !shared_sms(spec).any()) return;
  readers.scheduler.reject("partitions", "masks overlap, and an SM of the serialised engine has one partition", "",
                           "masks of so many SMs as there are at most, or framework.engine: ideal");
}

}  // namespace tessera::spec
