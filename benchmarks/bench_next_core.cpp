// SPDX-License-Identifier: Apache-2.0
// A busy machine of 13 SMs on the core that does one job at a time, and on the present one: the same OS and SMs behind
// the pins of each, recorded once; what is timed is the core alone, on the recorded inputs.
#include <benchmark/benchmark.h>

#include <array>
#include <vector>

#include "measurement.h"
#include "model/spec/spec.h"
#include "rtl_model/scheduler/tsr_scheduler.h"
#include "rtl_model_next/scheduler/tsr_scheduler.h"

namespace tessera::bench {
namespace {

constexpr std::uint32_t kNumSms = 13;
constexpr std::uint32_t kTbsPerSm = 4;
constexpr std::uint32_t kNumContexts = 4;
constexpr std::uint32_t kNumCycles = 20'000;  // their inputs fit a cache
constexpr int kRounds = 20;
constexpr int kRepetitions = 5;
constexpr std::uint32_t kSetupCycles = 100;

// The present core, a cycle at a time as the other.
class PresentCore {
 public:
  using Inputs = rtl_model::SchedulerInputs;
  using Outputs = rtl_model::SchedulerOutputs;

  explicit PresentCore(spec::PolicyKind policy) : params_(spec(policy)), core_("core", params_, in_) {
    core_.comb_outputs();
  }
  const Outputs& outputs() const { return core_.outputs(); }
  void step(const Inputs& in) {
    in_ = in;
    core_.comb_inputs();
    core_.seq_all();
    core_.comb_outputs();
  }

 private:
  static spec::Spec spec(spec::PolicyKind policy) {
    spec::Spec spec;
    spec.gpu.clock_hz = 1'000'000'000;
    spec.gpu.num_sms = kNumSms;
    spec.gpu.max_tbs_per_sm = kTbsPerSm;
    spec.gpu.framework.num_ksrs = kNumSms;
    spec.gpu.framework.num_command_buffers = kNumContexts;
    spec.scheduler.policy = policy;
    spec.scheduler.technique = spec::TechniqueKind::kDrain;
    spec.processes.resize(kNumContexts);
    return spec;
  }

  Inputs in_;
  rtl_model::Params params_;
  rtl_model::TsrScheduler core_;
};

class NextCore {
 public:
  using Inputs = rtl_model_next::SchedulerInputs;
  using Outputs = rtl_model_next::SchedulerOutputs;

  explicit NextCore(spec::PolicyKind policy) : core_(params(policy)) {}
  const Outputs& outputs() const { return core_.outputs(); }
  void step(const Inputs& in) { core_.step(in); }

 private:
  static rtl_model_next::Params params(spec::PolicyKind policy) {
    rtl_model_next::Params params;
    params.num_sms = params.num_ksrs = kNumSms;
    params.max_tbs_per_sm = kTbsPerSm;
    params.ptbq_depth = kNumSms * kTbsPerSm;
    params.num_command_buffers = params.num_contexts = kNumContexts;
    params.policy = (policy == spec::PolicyKind::kDss ? 3 : 0) | 1U << 3;
    return params;
  }

  rtl_model_next::TsrScheduler core_;
};

// The OS launches into every free buffer; an SM sets up, and runs what it gets. SMs are drained, never saved.
template <typename Core>
class Surroundings {
 public:
  Surroundings(std::uint32_t num_tbs, std::uint32_t tb_cycles) : num_tbs_(num_tbs), tb_cycles_(tb_cycles) {}

  typename Core::Inputs drive(const typename Core::Outputs& out) {
    typename Core::Inputs in;
    launch(out, in);
    for (std::uint32_t i = 0; i < kNumSms && !in.sm_event.valid; ++i) show_event((first_ + i) % kNumSms, in);
    if (in.sm_event.valid && out.sm_event_ready) take(in.sm_event);
    if (out.sm_control.valid) sms_[out.sm_control.sm].set_up_at = now_ + kSetupCycles;
    if (out.dispatch.valid) send(sms_[out.dispatch.sm]);
    ++now_;
    return in;
  }
  std::uint64_t num_tbs_done() const { return num_tbs_done_; }

 private:
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  struct SmPins {
    std::uint64_t set_up_at = kNever;
    std::array<std::uint64_t, kTbsPerSm> ends_at{};  // 0: free
  };

  void launch(const typename Core::Outputs& out, typename Core::Inputs& in) {
    const std::uint32_t buffer = now_ % kNumContexts;
    if (!out.buffer_free.has(buffer)) return;
    in.command.valid = true;
    in.command.buffer = in.command.context = buffer;
    in.command.num_tbs = num_tbs_;
    in.command.tbs_per_sm = kTbsPerSm;
  }
  void show_event(std::uint32_t sm, typename Core::Inputs& in) {
    const SmPins& pins = sms_[sm];
    for (const std::uint64_t end : pins.ends_at) {
      if (end != 0 && end <= now_) in.sm_event = {true, sm, rtl_model::SmEventKind::kTbDone};
    }
    if (pins.set_up_at <= now_) in.sm_event = {true, sm, rtl_model::SmEventKind::kSetupDone};
  }
  void take(const rtl_model::SmEventPins& event) {
    SmPins& pins = sms_[event.sm];
    first_ = event.sm + 1;
    if (event.kind == rtl_model::SmEventKind::kSetupDone) {
      pins.set_up_at = kNever;
      return;
    }
    ++num_tbs_done_;
    for (std::uint64_t& end : pins.ends_at) {
      if (end == 0 || end > now_) continue;
      end = 0;
      return;
    }
  }
  void send(SmPins& pins) {
    for (std::uint64_t& end : pins.ends_at) {
      if (end != 0) continue;
      end = now_ + tb_cycles_;
      return;
    }
  }

  std::uint32_t num_tbs_, tb_cycles_;
  std::uint64_t now_ = 1;
  std::uint64_t num_tbs_done_ = 0;
  std::uint32_t first_ = 0;
  std::array<SmPins, kNumSms> sms_;
};

// What keeps it busy.
struct Load {
  spec::PolicyKind policy;
  std::uint32_t num_tbs;    // of a kernel
  std::uint32_t tb_cycles;  //
};
constexpr Load kIssue{spec::PolicyKind::kFcfs, 100'000, 52 * 8};  // a TB ends in every eighth cycle
constexpr Load kDecide{spec::PolicyKind::kDss, 60, 52 * 8};       // and kernels come and go, SMs are drained
constexpr Load kRest{spec::PolicyKind::kFcfs, 100'000, 52 * 400};

template <typename Core>
nlohmann::json run(const Load& load) {
  std::vector<typename Core::Inputs> inputs;
  inputs.reserve(kNumCycles);
  Surroundings<Core> surroundings(load.num_tbs, load.tb_cycles);
  {
    Core core(load.policy);
    for (std::uint32_t i = 0; i < kNumCycles; ++i) {
      inputs.push_back(surroundings.drive(core.outputs()));
      core.step(inputs.back());
    }
  }
  double seconds = 0;
  for (int round = 0; round < kRounds; ++round) {
    Core core(load.policy);
    const double start = cpu_seconds();
    for (const typename Core::Inputs& in : inputs) core.step(in);
    seconds += cpu_seconds() - start;
  }
  return {{"ns", seconds / kRounds / kNumCycles * 1e9}, {"tbs", surroundings.num_tbs_done()}};
}

void core_cycle(benchmark::State& state, const Load& load) {
  std::vector<double> next, present, ratio;
  for (auto _ : state) {
    const nlohmann::json n = in_child([&] { return run<NextCore>(load); });
    const nlohmann::json p = in_child([&] { return run<PresentCore>(load); });
    next.push_back(n.at("ns"));
    present.push_back(p.at("ns"));
    ratio.push_back(next.back() / present.back());
    state.counters["tbs_next"] = n.at("tbs").get<double>();
    state.counters["tbs_present"] = p.at("tbs").get<double>();
    state.SetIterationTime(next.back() * kNumCycles / 1e9);
  }
  state.counters["next_ns"] = median(next);
  state.counters["present_ns"] = median(present);
  state.counters["next/present"] = median(ratio);
}

BENCHMARK_CAPTURE(core_cycle, issue, kIssue)->Iterations(kRepetitions)->UseManualTime();
BENCHMARK_CAPTURE(core_cycle, decide, kDecide)->Iterations(kRepetitions)->UseManualTime();
BENCHMARK_CAPTURE(core_cycle, rest, kRest)->Iterations(kRepetitions)->UseManualTime();

}  // namespace
}  // namespace tessera::bench
