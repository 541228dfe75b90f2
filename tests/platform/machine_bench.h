// SPDX-License-Identifier: Apache-2.0
// A bench for the whole machine: a tiny one, host programs in one line each, and simulations in processes of their
// own that bring their record log back. Every simulation has been checked: invariants, full log, SystemC reports.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "model/record/memory_sink.h"
#include "platform/simulation.h"
#include "platform/worker_pool.h"
#include "tests/tlm/core_bench.h"
#include "verification/log_check/log_checker.h"

namespace tessera::record {
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Record, cycle, kind, technique, process, kernel, sm, slot, launch, tb, run, bytes,
                                   cycles, value)
}  // namespace tessera::record

namespace tessera::platform::test {

using record::Kind;
using record::Record;

// ---- what is simulated ---------------------------------------------------------------------------------------

inline constexpr Picoseconds kCyclePs = 1000;  // of the machine below

// As tiny_machine of the engine's tests, behind a host and a link whose latencies all differ too. The link moves two
// bytes a cycle.
inline spec::Spec tiny_platform(std::uint32_t num_sms = 4) {
  spec::Spec spec = tlm_model::test::tiny_machine(num_sms, 0);
  spec.gpu.pcie.clock_hz = 500'000'000;
  spec.gpu.pcie.num_lanes = 8;
  spec.gpu.pcie.latency = 701 * kCyclePs;
  spec.gpu.framework.dispatch_cycles = 17;
  spec.host.launch = 5003 * kCyclePs;
  spec.host.copy = 6007 * kCyclePs;
  spec.host.synchronise = 2011 * kCyclePs;
  spec.host.interrupt = 3001 * kCyclePs;
  spec.time_base = spec::TimeBase::kTimePerTb;
  spec.stop.min_runs = 1;
  return spec;
}

// A kernel of which an SM of the tiny machine holds one TB.
inline spec::KernelSpec kernel_of(const std::string& name, std::uint32_t num_tbs, Cycle tb_cycles) {
  spec::KernelSpec kernel;
  kernel.name = name;
  kernel.num_tbs = num_tbs;
  kernel.regs_per_tb = 64;
  kernel.threads_per_tb = tlm_model::test::kMaxThreadsPerSm;
  kernel.tb_time = tb_cycles * kCyclePs;
  return kernel;
}

inline spec::HostStep cpu(Cycle cycles) { return spec::CpuPhase{cycles * kCyclePs}; }
inline spec::HostStep launch(std::uint32_t kernel, std::uint32_t stream = 0) { return spec::Launch{kernel, stream}; }
inline spec::HostStep copy(spec::CopyDirection direction, std::uint64_t bytes, std::uint32_t stream = 0) {
  return spec::Copy{direction, bytes, stream, false};
}
inline spec::HostStep copy_async(spec::CopyDirection direction, std::uint64_t bytes, std::uint32_t stream = 0) {
  return spec::Copy{direction, bytes, stream, true};
}
inline spec::HostStep synchronise() { return spec::Synchronise{}; }
inline spec::HostStep synchronise(std::uint32_t stream) { return spec::Synchronise{stream}; }
inline spec::HostStep launch_at(Cycle start, std::uint32_t kernel, std::uint32_t stream = 0) {
  return spec::Launch{kernel, stream, start * kCyclePs};
}
inline spec::HostStep record_event(std::uint32_t event, std::uint32_t stream) {
  return spec::RecordEvent{event, stream};
}
inline spec::HostStep wait_for_event(std::uint32_t event, std::uint32_t stream) {
  return spec::WaitForEvent{event, stream};
}
inline spec::HostStep synchronise_event(std::uint32_t event) { return spec::Synchronise{{}, event}; }
inline spec::HostStep loop(std::uint32_t count, std::vector<spec::HostStep> body) {
  return spec::Loop{count, std::move(body)};
}
inline spec::HostStep group(std::vector<spec::HostStep> work, std::uint32_t stream = 0) {
  return spec::Group{std::move(work), stream};
}

// Adds a process with an application of its own.
inline spec::ProcessSpec& add_process(spec::Spec& spec, std::vector<spec::KernelSpec> kernels,
                                      std::vector<spec::HostStep> program) {
  const std::string name = "p" + std::to_string(spec.processes.size());
  spec::ProcessSpec process;
  process.name = name;
  process.application = static_cast<std::uint32_t>(spec.applications.size());
  spec.applications.push_back({name, std::move(kernels), std::move(program)});
  spec.processes.push_back(process);
  return spec.processes.back();
}

// ---- simulation ----------------------------------------------------------------------------------------------

// What a simulation left behind.
struct Log {
  record::RunResult result;
  std::vector<Record> records;

  // Those of a kind, of one process or of all of them.
  std::vector<Record> all(Kind kind, std::uint16_t process = record::kNoIndex) const {
    std::vector<Record> found;
    for (const Record& record : records) {
      if (record.kind == kind && (process == record::kNoIndex || record.process == process)) found.push_back(record);
    }
    return found;
  }
  // The cycles of these, in order.
  std::vector<Cycle> cycles(Kind kind, std::uint16_t process = record::kNoIndex) const {
    std::vector<Cycle> found;
    for (const Record& record : all(kind, process)) found.push_back(record.cycle);
    return found;
  }
  // The cycle of the only one about a kernel of a process.
  Cycle when(Kind kind, std::uint16_t process, std::uint16_t kernel) const {
    std::vector<Cycle> found;
    for (const Record& record : all(kind, process)) {
      if (record.kernel == kernel) found.push_back(record.cycle);
    }
    EXPECT_EQ(found.size(), 1U) << to_string(kind) << " of kernel " << kernel << " of process " << process;
    return found.empty() ? 0 : found.front();
  }
};

// A SystemC report that is more than information ends the simulation with an exception, in this process.
inline void throw_on_systemc_reports() {
  sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_THROW);
  sc_core::sc_report_handler::set_actions(sc_core::SC_ERROR, sc_core::SC_THROW);
}

inline MachineOptions clocked(ClockDrive drive = ClockDrive::kGated) {
  MachineOptions options;
  options.abstraction = Abstraction::kRtlModel;
  options.clock = drive;
  return options;
}

inline bool never_interrupted() { return false; }

// Simulates in this process, which cannot simulate again; for tasks of run_in_workers.
inline Log simulate_here(const spec::Spec& spec, const MachineOptions& options = {},
                         std::vector<record::ISink*> listeners = {}) {
  throw_on_systemc_reports();
  record::MemorySink sink;
  listeners.push_back(&sink);
  Log log{simulate(spec, listeners, never_interrupted, options), {}};
  log.records = sink.records();
  return log;
}

// One line for everything that is wrong with a log.
inline std::vector<std::string> faults_of(const spec::Spec& spec, const Log& log) {
  std::vector<std::string> faults = verification::check_log(log.records, verification::make_log_facts(spec)).violations;
  for (const auto& [name, verdict] : log.result.invariants) {
    if (verdict != "ok") faults.push_back(name + ": " + verdict);
  }
  if (log.result.invariants.empty()) faults.emplace_back("no invariant was checked");
  return faults;
}

// Simulates in a process of its own.
inline Log simulate_checked(const spec::Spec& spec, const MachineOptions& options = {}) {
  const auto task = [&]() -> nlohmann::json {
    const Log log = simulate_here(spec, options);
    return {{"result", log.result}, {"records", log.records}};
  };
  const nlohmann::json answer = run_in_workers({task}, 1).front();
  Log log{answer.at("result").get<record::RunResult>(), answer.at("records").get<std::vector<Record>>()};
  EXPECT_THAT(faults_of(spec, log), testing::IsEmpty());
  return log;
}

// ---- what the Spec says of the host's side ---------------------------------------------------------------------

// Latencies of a Spec under the short names that the timelines use; the engine's own are tlm_model::test::Latencies.
struct HostLatencies {
  explicit HostLatencies(const spec::Spec& spec)
      : clock(spec.gpu.clock_hz),
        launch(clock.cycles_in(spec.host.launch)),
        copy(clock.cycles_in(spec.host.copy)),
        synchronise(clock.cycles_in(spec.host.synchronise)),
        interrupt(clock.cycles_in(spec.host.interrupt)),
        link(clock.cycles_in(spec.gpu.pcie.latency)),
        dispatch(spec.gpu.framework.dispatch_cycles),
        link_bytes_per_second(spec.gpu.pcie.bytes_per_second()) {}

  Clock clock;
  Cycle launch, copy, synchronise;  // of the calls, on the CPU
  Cycle interrupt;                  // from the line to the woken process
  Cycle link;                       // one way
  Cycle dispatch;                   // from a command's arrival to the look at it
  std::uint64_t link_bytes_per_second;

  // From the end of a launch call to the kernel's arrival at its command buffer: doorbell, read of the command, read
  // of its kernel descriptor, dispatcher; a message takes effect in the next cycle.
  Cycle to_arrival() const { return link + 2 * link + 2 * link + dispatch + 1; }
  // From the end of a copy call to the start of its transfer on a free engine: doorbell, read, dispatcher, choice.
  Cycle to_transfer() const { return link + 2 * link + dispatch + 1; }
  Cycle transfer(std::uint64_t bytes) const { return link + mul_div_ceil(bytes, clock.hertz(), link_bytes_per_second); }
  // From the end of a command to the process that waits for it, whose fence is already at the dispatcher.
  Cycle to_process() const { return dispatch + link + interrupt; }
};

}  // namespace tessera::platform::test
