// SPDX-License-Identifier: Apache-2.0
// Random experiments around the execution engine: machines, schedulers, kernels and OS writes that rapidcheck draws,
// and a closed loop of processes that launches them.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "model/spec/core_cycles.h"
#include "model/spec/gpu_spec.h"
#include "model/spec/policies.h"
#include "tests/tlm/core_bench.h"

namespace tessera::tlm_model::test {

// A process launches its kernels one after the other, each some cycles after the end of the one before.
struct PlannedLaunch {
  Cycle gap = 0;
  KernelLaunch launch;
};

struct Experiment {
  spec::Spec spec;
  std::vector<std::vector<PlannedLaunch>> launches;  // by process
  std::vector<EngineMessage> os_writes;
};

// What rapidcheck can shrink is drawn from it; the many small numbers come from a generator seeded by it.
class ExperimentMaker {
 public:
  explicit ExperimentMaker(std::vector<spec::TechniqueKind> techniques = {spec::TechniqueKind::kContextSwitch,
                                                                          spec::TechniqueKind::kDrain})
      : techniques_(std::move(techniques)), random_(*rc::gen::arbitrary<std::uint32_t>()) {}

  Experiment make() {
    Experiment experiment;
    experiment.spec = machine(*rc::gen::inRange<std::uint32_t>(1, 133));
    const auto num_processes = *rc::gen::inRange<std::uint16_t>(1, 25);
    experiment.spec.processes.resize(num_processes);
    experiment.spec.scheduler = scheduler(experiment.spec.gpu.num_sms);
    experiment.spec.gpu.framework.engine = engine(experiment.spec);
    experiment.spec.channel_sharing = one_of(spec::ChannelSharing::kStatic, spec::ChannelSharing::kFair);
    experiment.spec.checks.enable_context_check = below(2) == 0;
    for (spec::ProcessSpec& process : experiment.spec.processes) {
      if (below(4) == 0) process.tokens = static_cast<std::uint32_t>(below(experiment.spec.gpu.num_sms + 1));
    }
    for (std::uint16_t p = 0; p < num_processes; ++p) experiment.launches.push_back(launches_of(p));
    partition(experiment);
    const auto num_writes = *rc::gen::inRange<std::uint32_t>(0, 9);
    for (std::uint32_t i = 0; i < num_writes; ++i) experiment.os_writes.push_back(os_write(experiment.spec));
    if (!has_points() && below(2) == 0) contend(experiment);
    return experiment;
  }

  // Each SM of the serialised engine with delays of its own, some with none.
  Experiment make_with_links() {
    Experiment experiment = make();
    serialise(experiment.spec);
    link(experiment.spec);
    return experiment;
  }

  // A refill lane, at times behind links, at times with a kept turn. Many thread blocks, more than it counts.
  Experiment make_with_lane() {
    Experiment experiment = below(3) == 0 ? make_with_kept_turn() : make();
    spec::Spec& spec = experiment.spec;
    serialise(spec);
    spec.gpu.framework.refill_lane = true;
    if (below(2) == 0) spec.scheduler.tbs_per_cycle = 1;
    spec.gpu.framework.tb_issue_cycles =
        std::max(spec.gpu.framework.tb_issue_cycles, spec::min_tb_issue_cycles(spec.scheduler.tbs_per_cycle));
    if (below(3) == 0) link(spec);
    if (below(4) == 0) experiment.launches.front().front().launch.num_tbs = between(4000, 4300);
    return experiment;
  }

  // A kept turn, which the OS may write to be passed and kept again; front end and driver say what they like, but in
  // the end all are on the run list.
  Experiment make_with_kept_turn() {
    Experiment experiment = make();
    spec::Spec& spec = experiment.spec;
    keep_turn(spec.scheduler);
    spec.gpu.framework.gpu_switch = gpu_switch();
    for (spec::ProcessSpec& process : spec.processes) {
      process.slice_end = slice_end();
      if (below(3) == 0) process.time_slice = kMicrosecond * between(5, 40);
    }
    for (EngineMessage& message : experiment.os_writes) {
      auto* const write = std::get_if<RegisterWrite>(&message.what);
      auto* const policy = write == nullptr ? nullptr : std::get_if<SetPolicy>(write);
      if (policy != nullptr && below(2) == 0) keep_turn(policy->scheduler);
    }
    for (std::uint16_t p = 0; p < spec.processes.size(); ++p) tell_turn(experiment, ContextId(p));
    return experiment;
  }

  // Memory that answers later under load, and copies beside; at times with links or a kept turn.
  Experiment make_with_loaded_memory() {
    Experiment experiment = below(3) == 0 ? make_with_kept_turn() : below(3) == 0 ? make_with_links() : make();
    spec::Spec& spec = experiment.spec;
    spec.channel_sharing = spec::ChannelSharing::kLoadedLatency;
    spec::MemoryLatencySpec& memory = spec.gpu.memory_latency.emplace();
    memory.unloaded = kNanosecond * between(1, 500);
    memory.bytes_per_thread = between(1, 64);
    memory.sm_bytes_per_s = kGigabyte * between(1, 64);
    const std::uint64_t all = memory.sm_bytes_per_s * spec.gpu.num_sms;
    memory.curve = {{all / between(8, 60), between(1'000'000, 1'500'000)}};
    if (below(2) == 0) memory.curve.push_back({all / between(2, 7), between(1'500'000, 4'000'000)});
    for (auto& launches : experiment.launches) {
      for (PlannedLaunch& planned : launches) {
        if (below(4) == 0) continue;
        planned.launch.dram_bytes_per_tb = between(1, one_of(1000U, 100'000U));
        if (below(2) == 0) planned.launch.bytes_in_flight_per_tb = between(1, 10'000);
      }
    }
    spec.gpu.pcie.clock_hz = kGigabyte * between(1, 8);
    spec.gpu.pcie.num_lanes = 2;
    for (Cycle stamp = below(10'000); below(4) != 0; stamp += between(1, 10'000)) {
      experiment.os_writes.push_back({stamp, spec.gpu.num_hardware_queues, CopyTraffic{true}});
      stamp += between(1, 10'000);
      experiment.os_writes.push_back({stamp, spec.gpu.num_hardware_queues, CopyTraffic{false}});
    }
    return experiment;
  }

  // Under static_partition at first, with masks that overlap and are written again while kernels run.
  Experiment make_with_masks() {
    Experiment experiment = make();
    experiment.spec.gpu.framework.engine = spec::Engine::kIdeal;  // the serialised one knows no masks
    experiment.spec.scheduler.policy = spec::PolicyKind::kStaticPartition;
    for (std::uint32_t id = 0; id < kMostPartitions; ++id) {
      experiment.os_writes.push_back(message(0, experiment.spec, mask_write(experiment.spec, id)));
      if (below(3) != 0) continue;
      const Cycle stamp = below(20'000);
      experiment.os_writes.push_back(message(stamp, experiment.spec, mask_write(experiment.spec, id)));
    }
    return experiment;
  }

 private:
  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  std::uint32_t between(std::uint32_t low, std::uint32_t high) {
    return low + static_cast<std::uint32_t>(below(high - low + 1));
  }
  template <typename T>
  T one_of(T a, T b) {
    return below(2) == 0 ? a : b;
  }

  spec::Spec machine(std::uint32_t num_sms) {
    spec::Spec spec = tiny_machine(num_sms, 1);
    spec::FrameworkSpec& framework = spec.gpu.framework;
    framework.num_ksrs = between(1, num_sms + 3);
    framework.num_command_buffers = between(1, 16);
    framework.search_entry_cycles = between(0, 2);
    framework.kernel_activation_cycles = between(0, 5);
    framework.sm_setup_cycles = between(1, 60);
    framework.tb_issue_cycles = between(1, 3);
    framework.pipeline_drain_cycles = 50 * between(0, 3);
    framework.trap_entry_cycles = between(0, 20);
    return spec;
  }

  // The serialised engine, with what links and a lane need.
  void serialise(spec::Spec& spec) {
    spec::FrameworkSpec& framework = spec.gpu.framework;
    framework.engine = spec::Engine::kSerialised;
    framework.tb_issue_cycles =
        std::max(framework.tb_issue_cycles, spec::min_tb_issue_cycles(spec.scheduler.tbs_per_cycle));
    framework.setup_tag_bits = between(1, spec::kMaxSetupTagBits);
  }

  void link(spec::Spec& spec) {
    spec::LinkSpec& links = spec.gpu.framework.link_cycles;
    const std::uint32_t most = one_of(20U, 300U);
    for (std::vector<std::uint32_t>* delays : {&links.up, &links.down}) {
      const std::uint32_t same = between(0, most);
      const bool are_same = below(2) == 0;
      for (std::uint32_t sm = 0; sm < spec.gpu.num_sms; ++sm) {
        delays->push_back(below(8) == 0 ? 0 : are_same ? same : between(0, most));
      }
    }
  }

  spec::SchedulerSpec scheduler(std::uint32_t num_sms) {
    spec::SchedulerSpec scheduler;
    scheduler.policy = *rc::gen::elementOf(spec::policies_of(spec::Cores::kTlm));
    scheduler.technique = *rc::gen::elementOf(techniques_);
    scheduler.access = *rc::gen::element(spec::Access::kExclusive, spec::Access::kShared);
    scheduler.exclusive_scope = *rc::gen::element(spec::ExclusiveScope::kNeeded, spec::ExclusiveScope::kAll);
    scheduler.token_scope = *rc::gen::element(spec::TokenScope::kKernel, spec::TokenScope::kProcess);
    scheduler.fill = *rc::gen::element(spec::Fill::kDepthFirst, spec::Fill::kBreadthFirst);
    scheduler.order = one_of(spec::PartitionOrder::kEdf, spec::PartitionOrder::kPriority);
    scheduler.search_width = between(1, num_sms);
    scheduler.tbs_per_cycle = between(1, num_sms);
    scheduler.time_slice = 1'000'000ULL * between(1, 10);
    if (spec::info(scheduler.technique).chooses_victims) choose_victims(scheduler);
    return scheduler;
  }

  void keep_turn(spec::SchedulerSpec& scheduler) {
    scheduler.policy = spec::PolicyKind::kTimeSlice;
    scheduler.turn = spec::Turn::kKept;
    scheduler.switch_scope = one_of(spec::SwitchScope::kSm, spec::SwitchScope::kGpu);
    scheduler.time_slice = kMicrosecond * between(5, 40);
    if (below(3) == 0) scheduler.dry_owner = spec::DryOwner::kKeeps;
    if (below(3) == 0) scheduler.slice_renewal = one_of(spec::SliceRenewal::kNever, spec::SliceRenewal::kAlways);
    if (below(3) == 0) scheduler.next_turn = spec::NextTurn::kAtEnd;
  }

  spec::GpuSwitchSpec gpu_switch() {
    spec::GpuSwitchSpec costs;
    costs.preempted = kNanosecond * below(3000);
    costs.dry = kNanosecond * below(3000);
    costs.in_slice = std::min(costs.preempted, costs.dry) / between(1, 4);
    if (below(2) == 0) return costs;
    costs.model = spec::SaveModel::kMicrocode;
    costs.microcode = {below(20'000), below(20'000), below(300'000), below(300'000), kBytesPerCycle * 1'000'000'000};
    return costs;
  }

  spec::SliceEnd slice_end() {
    return *rc::gen::element(spec::SliceEnd::kTechnique, spec::SliceEnd::kDrain, spec::SliceEnd::kWait,
                             spec::SliceEnd::kContextSwitch);
  }

  void tell_turn(Experiment& experiment, ContextId context) {
    const auto tell = [&](Cycle stamp, const TurnInput& input) {
      experiment.os_writes.push_back({stamp, experiment.spec.gpu.num_hardware_queues, input});
    };
    for (Cycle stamp = below(10'000); below(4) != 0; stamp += between(1, 10'000)) {
      tell(stamp, SetWaiting{context, below(2) == 0});
    }
    for (Cycle stamp = below(10'000); below(3) == 0; stamp += between(1, 10'000)) {
      tell(stamp, SetListed{context, false});
      stamp += below(6'000);
      tell(stamp, SetListed{context, true});
    }
    if (below(3) == 0) {
      const RegisterWrite write = SetSliceEnd{context, slice_end()};
      experiment.os_writes.push_back(message(below(20'000), experiment.spec, write));
    }
  }

  // The serialised one where it can do all that is asked of it.
  spec::Engine engine(const spec::Spec& spec) const {
    const std::uint32_t least = spec::min_tb_issue_cycles(spec.scheduler.tbs_per_cycle);
    const bool is_ideal = has_points() || spec.gpu.framework.tb_issue_cycles < least;
    return is_ideal ? spec::Engine::kIdeal : spec::Engine::kSerialised;
  }

  void choose_victims(spec::SchedulerSpec& scheduler) {
    scheduler.latency_limit = 1'000ULL * below(5'000);  // cycles are nanoseconds
    scheduler.chimera_mix = one_of(spec::ChimeraMix::kTb, spec::ChimeraMix::kSm);
    scheduler.estimator =
        *rc::gen::element(spec::Estimator::kFinishedMean, spec::Estimator::kLeastSpread, spec::Estimator::kOracle);
    scheduler.switch_pricing = one_of(spec::SwitchPricing::kPerTb, spec::SwitchPricing::kChannel);
    scheduler.enable_escalation = below(2) == 0;
    scheduler.max_flushes_per_tb = between(1, 4);
    scheduler.candidate_sets = one_of(spec::CandidateSets::kDecision, spec::CandidateSets::kLaunch);
  }

  std::vector<PlannedLaunch> launches_of(std::uint16_t process) {
    std::vector<PlannedLaunch> launches(between(1, 4));
    for (std::size_t i = 0; i < launches.size(); ++i) {
      launches[i].gap = between(1, 3000);
      KernelLaunch& launch = launches[i].launch;
      launch.queue = QueueId(process);
      launch.context = ContextId(process);
      launch.priority = between(0, 3);
      if (below(4) != 0) launch.deadline = between(1, 30'000);
      launch.process = process;
      launch.kernel = static_cast<std::uint16_t>(i);
      launch.num_tbs = between(1, below(8) == 0 ? 400 : 40);
      launch.regs_per_tb = between(1, 300);
      launch.smem_bytes_per_tb = between(0, 2000);
      launch.threads_per_tb = between(8, 64);
      const Cycle mean = between(1, 4000);
      launch.durations = workload::TbDurations({mean, mean / between(1, 8)}, random_());
      if (has_points()) {
        launch.idempotent_until_ppm = one_of(between(0, 1'000'000), 1'000'000U);
        launch.progress = workload::TbProgress({between(0, 500'000), between(0, 500'000), 0}, random_());
        if (below(2) == 0) launch.occupancy_speedup_ppm = static_cast<std::int32_t>(below(2'000'001)) - 1'000'000;
      }
    }
    return launches;
  }

  // Registers of partitions, whatever the policy: kernels are in the first few, and each of these keeps an SM.
  void partition(Experiment& experiment) {
    const std::uint32_t num_sms = experiment.spec.gpu.num_sms;
    const std::uint32_t num_partitions = between(1, std::min(num_sms, kMostPartitions));
    for (std::uint32_t sm = 0; sm < num_sms; ++sm) {
      SetPartition write = sm_write(experiment.spec, sm);
      write.sm = SmId(sm);
      if (sm < num_partitions) write.partition = PartitionId(sm);
      experiment.os_writes.push_back(message(0, experiment.spec, write));
    }
    for (auto& launches : experiment.launches) {
      for (PlannedLaunch& planned : launches) planned.launch.partition = PartitionId(below(num_partitions));
    }
  }

  void contend(Experiment& experiment) {
    spec::ContentionSpec& contention = experiment.spec.contention;
    contention.model = spec::ContentionModel::kCoRunning;
    contention.domain = one_of(spec::ContentionDomain::kPartition, spec::ContentionDomain::kGpu);
    for (std::uint32_t& factor : contention.factor_ppm) factor = between(1'000'000, 4'000'000);
    for (auto& launches : experiment.launches) {
      for (PlannedLaunch& planned : launches) {
        if (below(4) == 0) continue;
        planned.launch.kind = one_of(spec::KernelKind::kCompute, spec::KernelKind::kMemory);
      }
    }
  }

  static EngineMessage message(Cycle stamp, const spec::Spec& spec, const RegisterWrite& write) {
    return {stamp, spec.gpu.num_hardware_queues, write};
  }

  // An SM from `first` on gets another partition.
  SetPartition sm_write(const spec::Spec& spec, std::uint32_t first) {
    return {SmId(between(first, spec.gpu.num_sms - 1)),
            PartitionId(below(std::min(spec.gpu.num_sms, kMostPartitions + 1)))};
  }

  SetMask mask_write(const spec::Spec& spec, std::uint32_t partition) {
    SetMask mask{PartitionId(partition), {}};
    for (std::uint32_t sm = 0; sm < spec.gpu.num_sms; ++sm) mask.sms.set(sm, below(2) == 0);
    return mask;
  }

  EngineMessage os_write(const spec::Spec& spec) {
    const Cycle stamp = below(20'000);
    return message(stamp, spec, register_write(spec));
  }

  RegisterWrite register_write(const spec::Spec& spec) {
    const auto context = ContextId(below(spec.processes.size()));
    switch (below(4)) {
      case 0:
        return SetPriority{context, static_cast<std::uint32_t>(below(6))};
      case 1:
        return SetTokens{context, static_cast<std::uint32_t>(below(spec.gpu.num_sms + 3))};
      case 2:
        if (spec.gpu.num_sms > kMostPartitions) return sm_write(spec, kMostPartitions);
        return SetPriority{context, 0};
      default:
        return SetPolicy{scheduler(spec.gpu.num_sms)};
    }
  }

  bool has_points() const {
    return std::any_of(techniques_.begin(), techniques_.end(),
                       [](spec::TechniqueKind technique) { return spec::info(technique).chooses_victims; });
  }

  static constexpr std::uint32_t kMostPartitions = 4;
  static constexpr std::uint64_t kGigabyte = 1'000'000'000;
  static constexpr Picoseconds kNanosecond = 1'000;
  static constexpr Picoseconds kMicrosecond = 1'000'000;

  std::vector<spec::TechniqueKind> techniques_;
  std::mt19937_64 random_;
};

struct Watching {
  bool per_tb = true;
  bool invariants = true;
  Cycle chunk = kNever;  // how far the engine may run ahead at a time
};

struct Outcome {
  std::vector<Record> records;
  bool has_stalled = false;
  std::vector<std::pair<std::string, std::string>> broken;
};

// The processes as a closed loop around the engine.
class Run {
 public:
  Run(const Experiment& experiment, const Watching& watching)
      : experiment_(experiment), watching_(watching), spec_(with(experiment.spec, watching)), sink_(watching.per_tb) {
    log_.add_sink(&sink_);
    for (const EngineMessage& write : experiment.os_writes) core_.send(write);
    for (const auto& launches : experiment.launches) processes_.push_back({0, launches[0].gap, false});
  }

  Outcome run() {
    Outcome outcome;
    while (!is_done() && !outcome.has_stalled) {
      Process* const next = next_to_launch();
      const Cycle limit = next == nullptr ? kNever : next->at;
      if (core_.next_event() < limit) {
        core_.run_until(std::min(limit, core_.next_event() + watching_.chunk));
        take_answers();
      } else if (next != nullptr) {
        launch(*next);
      } else {
        outcome.has_stalled = true;
      }
    }
    core_.finish(last_ + 1);
    log_.finish(last_ + 1);
    for (const auto& verdict : core_.monitor().verdicts()) {
      if (verdict.second != "ok") outcome.broken.push_back(verdict);
    }
    outcome.records = sink_.records();
    return outcome;
  }

 private:
  struct Process {
    std::size_t num_launched = 0;
    Cycle at = 0;  // of the next launch
    bool is_waiting = false;
  };

  static spec::Spec with(spec::Spec spec, const Watching& watching) {
    spec.checks.enable_invariants = watching.invariants;
    return spec;
  }
  const std::vector<PlannedLaunch>& plan(const Process& process) const {
    return experiment_.launches[static_cast<std::size_t>(&process - processes_.data())];
  }
  bool has_more(const Process& process) const { return process.num_launched < plan(process).size(); }
  bool is_done() const {
    return std::all_of(processes_.begin(), processes_.end(),
                       [&](const Process& p) { return !p.is_waiting && !has_more(p); });
  }
  Process* next_to_launch() {
    Process* next = nullptr;
    for (Process& process : processes_) {
      if (process.is_waiting || !has_more(process)) continue;
      if (next == nullptr || process.at < next->at) next = &process;
    }
    return next;
  }
  void launch(Process& process) {
    const KernelLaunch& launch = plan(process)[process.num_launched].launch;
    core_.send({process.at, static_cast<std::uint32_t>(index(launch.queue)), launch});
    ++process.num_launched;
    process.is_waiting = true;
  }
  void take_answers() {
    for (const KernelDone& done : core_.take_done()) {
      Process& process = processes_[index(done.queue)];
      process.is_waiting = false;
      if (has_more(process)) process.at = done.cycle + plan(process)[process.num_launched].gap;
      last_ = done.cycle;
    }
  }

  const Experiment& experiment_;
  Watching watching_;
  spec::Spec spec_;
  record::RecordLog log_;
  record::MemorySink sink_;
  PagedMemory memory_;
  ExecutionCore core_{spec_, log_, &memory_};
  std::vector<Process> processes_;
  Cycle last_ = 0;
};

inline verification::LogFacts facts_of(const Experiment& experiment) {
  spec::Spec spec = experiment.spec;
  for (std::uint32_t p = 0; p < spec.processes.size(); ++p) {
    spec.processes[p].application = p;
    spec::ApplicationSpec application;
    for (const PlannedLaunch& planned : experiment.launches[p]) {
      spec::KernelSpec kernel;
      kernel.num_tbs = planned.launch.num_tbs;
      kernel.regs_per_tb = planned.launch.regs_per_tb;
      kernel.smem_bytes_per_tb = planned.launch.smem_bytes_per_tb;
      kernel.threads_per_tb = planned.launch.threads_per_tb;
      application.kernels.push_back(kernel);
    }
    spec.applications.push_back(application);
  }
  verification::LogFacts facts = verification::make_log_facts(spec);
  facts.writes_policy = std::any_of(experiment.os_writes.begin(), experiment.os_writes.end(), [](const auto& message) {
    const auto* const write = std::get_if<RegisterWrite>(&message.what);
    return write != nullptr && std::holds_alternative<SetPolicy>(*write);
  });
  return facts;
}

inline bool is_same(const std::vector<Record>& a, const std::vector<Record>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Record& x, const Record& y) {
    return !record::canonical_less(x, y) && !record::canonical_less(y, x);
  });
}

inline std::vector<Record> without_tbs(std::vector<Record> records) {
  records.erase(std::remove_if(records.begin(), records.end(), [](const Record& r) { return is_per_tb(r.kind); }),
                records.end());
  return records;
}

// What every experiment has to keep to.
inline void expect_that_all_finishes(const Experiment& experiment) {
  const Outcome outcome = Run(experiment, {}).run();
  RC_ASSERT(!outcome.has_stalled);
  for (const auto& [name, verdict] : outcome.broken) RC_LOG() << name << ": " << verdict << std::endl;
  RC_ASSERT(outcome.broken.empty());
  const verification::LogReport report = verification::check_log(outcome.records, facts_of(experiment));
  for (const std::string& violation : report.violations) RC_LOG() << violation << std::endl;
  RC_ASSERT(report.violations.empty());
  RC_ASSERT(report.open_saves == 0U);
  const auto num_finished = std::count_if(outcome.records.begin(), outcome.records.end(),
                                          [](const Record& r) { return r.kind == Kind::kKernelFinished; });
  const std::size_t num_launched = std::accumulate(
      experiment.launches.begin(), experiment.launches.end(), std::size_t{0},
      [](std::size_t sum, const std::vector<PlannedLaunch>& launches) { return sum + launches.size(); });
  RC_ASSERT(static_cast<std::size_t>(num_finished) == num_launched);
}

inline void expect_one_log(const Experiment& experiment) {
  const std::vector<Record> log = Run(experiment, {}).run().records;
  RC_ASSERT(is_same(log, Run(experiment, {}).run().records));
  const auto chunk = *rc::gen::inRange<Cycle>(1, 3000);
  RC_ASSERT(is_same(log, Run(experiment, {true, true, chunk}).run().records));
  RC_ASSERT(is_same(without_tbs(log), Run(experiment, {false, true}).run().records));
  RC_ASSERT(is_same(without_tbs(log), Run(experiment, {false, false}).run().records));
  RC_ASSERT(is_same(log, Run(experiment, {true, false}).run().records));
}

}  // namespace tessera::tlm_model::test
