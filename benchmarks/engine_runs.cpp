// SPDX-License-Identifier: Apache-2.0
// The three drivers, and the listener that makes their reports.
#include "engine_runs.h"

#include <deque>
#include <string>
#include <utility>

#include "measurement.h"
#include "model/record/metrics/metrics.h"
#include "model/spec/spec.h"
#include "model/workload/kernel_times.h"
#include "platform/machine.h"
#include "tlm/execution_engine/execution_core.h"

namespace tessera::bench {
namespace {

using tlm_model::EngineMessage;

// Listens as a run of the program does, and notes the launches. When every kernel finished and every preemption
// was done, and with how many bytes, tells two runs apart.
class ReportSink : public record::ISink {
 public:
  explicit ReportSink(std::size_t num_processes) : metrics_(num_processes) {}

  bool wants_per_tb() const override { return false; }
  void consume(const record::Record& record) override {
    metrics_.consume(record);
    if (record.kind == record::Kind::kKernelArrived)
      report_.arrivals.push_back({record.cycle, record.process, record.run});
    if (record.kind == record::Kind::kKernelFinished) ++report_.kernels;
    if (record.kind != record::Kind::kKernelFinished && record.kind != record::Kind::kPreemptionDone) return;
    for (const std::uint64_t field : {record.cycle, std::uint64_t{record.launch} << 32 | record.sm, record.bytes}) {
      report_.digest = workload::mix64(report_.digest ^ field);
    }
  }
  void finish(Cycle end) override {
    metrics_.finish(end);
    report_.end = end;
    report_.tbs = metrics_.result().tbs_completed;
    for (const auto& [technique, preemption] : metrics_.result().preemptions)
      report_.preemptions += preemption.latency.count;
  }

  RunReport take(double seconds) {
    report_.seconds = seconds;
    return std::move(report_);
  }

 private:
  record::MetricsSink metrics_;
  RunReport report_;
};

// The launches of each process, in order; every process uses one stream and kernel 0 only.
class LaunchSource {
 public:
  explicit LaunchSource(const spec::Spec& spec) : spec_(spec) {
    const workload::KernelTimes times(spec);
    for (std::uint16_t i = 0; i < spec.processes.size(); ++i) {
      const spec::ProcessSpec& process = spec.processes[i];
      const spec::KernelSpec& kernel = spec.applications[process.application].kernels.front();
      Process& next = processes_.emplace_back();
      next.time = times.of(process.application, 0);
      tlm_model::KernelLaunch& launch = next.launch;
      launch.queue = QueueId(i);
      launch.context = ContextId(i);
      launch.priority = process.priority;
      launch.process = i;
      launch.num_tbs = kernel.num_tbs;
      launch.regs_per_tb = kernel.regs_per_tb;
      launch.smem_bytes_per_tb = kernel.smem_bytes_per_tb;
      launch.threads_per_tb = kernel.threads_per_tb;
    }
  }

  // Runs of a process follow each other.
  EngineMessage next(std::uint16_t id, std::uint32_t run, Cycle stamp) {
    Process& process = processes_[id];
    if (process.launch.run != run) process.launches_in_run = 0;
    process.launch.run = run;
    process.launch.durations =
        workload::TbDurations(process.time, workload::launch_key(spec_.seed, id, run, process.launches_in_run++));
    return {stamp, id, process.launch};
  }

 private:
  struct Process {
    tlm_model::KernelLaunch launch;
    workload::TbTime time;
    std::uint32_t launches_in_run = 0;
  };
  const spec::Spec& spec_;
  std::vector<Process> processes_;
};

// The smallest host: a method per process, woken when its kernel is done and when it sends the next.
class MinimalHost final : public sc_core::sc_module, private tlm_model::IEngineListener {
 public:
  MinimalHost(const sc_core::sc_module_name& name, const spec::Spec& spec, record::RecordLog& log, Pace pace,
              std::uint64_t kernels_per_process)
      : sc_module(name),
        spec_(spec),
        engine_("u_execution_engine", spec.gpu.clock_hz, std::make_unique<tlm_model::ExecutionCore>(spec, log, nullptr),
                pace, *this),
        time_(spec.gpu.clock_hz),
        launches_(spec) {
    for (const spec::ProcessSpec& process : spec.processes) {
      Sender& sender = senders_.emplace_back();
      sender.left = process.is_background ? kForever : kernels_per_process;
      sender.pause = spec.gpu.framework.dispatch_cycles;
      if (process.is_background) sender.pause += time_.clock().cycles_in(think_time(process));
      if (!process.is_background) ++batch_running_;
    }
    for (std::uint16_t i = 0; i < senders_.size(); ++i) {
      sc_core::sc_spawn_options options;
      options.spawn_method();
      options.set_sensitivity(&senders_[i].event);
      sc_core::sc_spawn([this, i] { send(i); }, ("sender_" + std::to_string(i)).c_str(), &options);
    }
  }

  // Once it is over: returns the first cycle that was not simulated.
  Cycle finish() {
    engine_.finish(end_);
    return end_;
  }

 private:
  static constexpr std::uint64_t kForever = ~std::uint64_t{0};
  struct Sender {
    std::uint64_t left = 0;
    Cycle pause = 0;
    sc_core::sc_event event;
  };

  Picoseconds think_time(const spec::ProcessSpec& process) const {
    return std::get<spec::CpuPhase>(spec_.applications[process.application].program.front()).time;
  }
  void send(std::uint16_t process) { engine_.send(launches_.next(process, 0, time_.now())); }
  void loop_requested(const tlm_model::LoopRequest&) override {}
  void kernel_done(const tlm_model::KernelDone& kernel) override {
    Sender& sender = senders_[index(kernel.queue)];
    if (--sender.left > 0) {
      sender.event.notify(time_.until(time_.now() + sender.pause));
    } else if (--batch_running_ == 0) {
      end_ = time_.now() + 1;
      engine_.set_end(end_);
      sc_core::sc_stop();
    }
  }

  const spec::Spec& spec_;
  tlm_model::ExecutionEngine engine_;
  tlm_model::CycleTime time_;
  LaunchSource launches_;
  std::deque<Sender> senders_;
  std::uint32_t batch_running_ = 0;
  Cycle end_ = 0;
};

}  // namespace

RunReport run_machine(const spec::Spec& spec, Pace pace) {
  sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_INFO, sc_core::SC_DO_NOTHING);  // "stopped"
  const workload::KernelTimes times(spec);
  ReportSink sink(spec.processes.size());
  record::RecordLog log;
  log.add_sink(&sink);
  platform::Machine machine("machine", spec, times, log, pace);
  const double start = cpu_seconds();
  machine.run([] { return false; });
  return sink.take(cpu_seconds() - start);
}

RunReport run_engine_alone(const spec::Spec& spec, Pace pace, std::uint64_t kernels_per_process) {
  sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  ReportSink sink(spec.processes.size());
  record::RecordLog log;
  log.add_sink(&sink);
  MinimalHost host("host", spec, log, pace, kernels_per_process);
  const double start = cpu_seconds();
  sc_core::sc_start();
  log.finish(host.finish());
  return sink.take(cpu_seconds() - start);
}

RunReport run_bare(const spec::Spec& spec, const RunReport& recorded) {
  ReportSink sink(spec.processes.size());
  record::RecordLog log;
  log.add_sink(&sink);
  tlm_model::ExecutionCore core(spec, log, nullptr);
  LaunchSource launches(spec);
  const double start = cpu_seconds();
  const auto run_before = [&core](Cycle limit) {
    while (core.next_event() < limit) {
      core.run_until(limit);
      core.take_done();
    }
  };
  for (const Arrival& arrival : recorded.arrivals) {
    run_before(arrival.cycle);
    core.send(launches.next(arrival.process, arrival.run, arrival.cycle - 1));
  }
  run_before(recorded.end);
  core.finish(recorded.end);
  log.finish(recorded.end);
  return sink.take(cpu_seconds() - start);
}

}  // namespace tessera::bench
