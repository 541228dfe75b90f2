// SPDX-License-Identifier: Apache-2.0
// A worker that compares, and perhaps a second one that draws.
#include "platform/cosim_experiment.h"

#include <algorithm>

#include "cosim/core_builder.h"
#include "model/spec/spec.h"
#include "platform/clocked/waveform.h"
#include "platform/simulation.h"
#include "platform/worker_pool.h"

namespace tessera::platform {
namespace {

constexpr Cycle kCyclesBeforeDifference = 1000;

nlohmann::json to_json(const Mismatch& mismatch) {
  return {{"cycle", mismatch.cycle},
          {"signal", mismatch.difference.signal},
          {"left", mismatch.difference.left},
          {"right", mismatch.difference.right},
          {"failed_assertion", mismatch.failed_assertion},
          {"last", mismatch.last}};
}

Mismatch mismatch_of(const nlohmann::json& json) {
  return {json.at("cycle"),
          {json.at("signal"), json.at("left"), json.at("right")},
          json.at("failed_assertion"),
          json.at("last")};
}

MachineOptions lockstep_machine(LockstepRecord& record, Waveform* waveform) {
  MachineOptions options;
  options.abstraction = Abstraction::kRtl;
  options.waveform = waveform;
  options.make_scheduler = lockstep_scheduler(record, waveform != nullptr);
  return options;
}

nlohmann::json compare(const spec::Spec& spec, const CosimExperimentOptions& options) {
  LockstepRecord record;
  const auto has_ended = [&] {
    if (options.on_progress) options.on_progress(record.active_cycles);
    return options.is_interrupted() || record.active_cycles >= options.max_active_cycles;
  };
  nlohmann::json answer;
  try {
    answer["run"] = simulate(spec, {}, has_ended, lockstep_machine(record, nullptr));
  } catch (const std::exception&) {
    if (!record.mismatch) throw;
    answer["mismatch"] = to_json(*record.mismatch);
  }
  answer["active_cycles"] = record.active_cycles;
  answer["quiet_points"] = record.quiet_points;
  return answer;
}

nlohmann::json draw(const spec::Spec& spec, const CosimExperimentOptions& options, Cycle cycle) {
  const Clock clock(spec.gpu.clock_hz);
  const Cycle ratio = rtl_model::Params(spec).clock_ratio;
  WaveformRequest request;
  request.fst = options.waveform;
  request.from = clock.time_of((cycle - std::min(cycle, kCyclesBeforeDifference)) / ratio);
  request.length = clock.time_of(kCyclesBeforeDifference / ratio + 2);
  request.max_bytes = std::numeric_limits<std::uint64_t>::max();
  Waveform waveform(request);
  LockstepRecord record;
  try {
    simulate(spec, {}, options.is_interrupted, lockstep_machine(record, &waveform));
  } catch (const std::exception&) {
    if (!record.mismatch) throw;
  }
  return nullptr;
}

}  // namespace

CosimExperimentResult cosim_experiment(const spec::Spec& spec, const CosimExperimentOptions& options) {
  const nlohmann::json answer = run_in_workers({[&] { return compare(spec, options); }}, 1).front();
  CosimExperimentResult result;
  result.lockstep.active_cycles = answer.at("active_cycles");
  result.lockstep.quiet_points = answer.at("quiet_points");
  if (answer.contains("run")) result.run = answer.at("run").get<record::RunResult>();
  if (!answer.contains("mismatch")) return result;
  result.lockstep.mismatch = mismatch_of(answer.at("mismatch"));
  if (!options.waveform.empty()) {
    run_in_workers({[&] { return draw(spec, options, result.lockstep.mismatch->cycle); }}, 1);
  }
  return result;
}

}  // namespace tessera::platform
