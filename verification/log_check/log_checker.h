// SPDX-License-Identifier: Apache-2.0
// Checks a full log, per-TB records included, against every invariant of docs/concepts/readings.md that a log can
// show. It knows the machine and the kernels, and nothing of any model.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/base/sm_set.h"
#include "model/record/checks/cpu/cpu_ledger.h"
#include "model/record/checks/gloop/gloop_facts.h"
#include "model/record/driver/driver_facts.h"
#include "model/record/record.h"
#include "model/record/run_start.h"
#include "model/spec/spec_fwd.h"

namespace tessera::verification {

// What the check needs to know; make_log_facts takes it from a Spec.
struct KernelFacts {
  std::uint32_t num_tbs = 0;
  std::uint32_t registers = 0;  // of one TB, as all of these
  std::uint32_t shared_memory_bytes = 0;
  std::uint32_t threads = 0;
  std::uint64_t context_bytes = 0;
  std::uint32_t tbs_per_sm = 0;
  std::uint32_t shared_memory_config_bytes = 0;  // what an SM set up for this kernel has
  Cycle turnaround_cycles = 0;  // where kernels share SMs: how long its place stays taken when it has ended
};

struct LogFacts {
  std::uint32_t num_sms = 0;
  std::uint32_t max_tbs_per_sm = 0;
  std::uint32_t registers_per_sm = 0;
  std::uint32_t max_threads_per_sm = 0;
  std::vector<std::vector<KernelFacts>> kernels{};  // [process][kernel]
  std::vector<record::RunStart> starts{};           // by process; those that it leaves out run back to back
  record::DriverFacts driver{};
  record::GloopFacts gloop{};
  record::CpuFacts cpu{};
  // Static partitions: the SMs of each, and that of each process; empty where there are none.
  std::vector<SmSet> sms_of_partition{};
  std::vector<std::uint32_t> partition_of_process{};
  bool shares_sms = false;                // kernels share them, and they have no owners
  std::uint32_t shared_memory_bytes = 0;  // of such an SM
  bool switches_gpu = false;              // all SMs change hands at once, with a kept turn
  bool writes_policy = false;             // the OS does, which is in no log: a kept turn then ends without a record
};

LogFacts make_log_facts(const spec::Spec& spec);

struct LogReport {
  std::vector<std::string> violations;        // "cycle C: KIND ...: what is wrong"; empty: the log is sound
  std::vector<std::string> open_preemptions;  // requested, neither done nor cancelled when the log ends
  std::uint64_t open_saves = 0;               // TBs saved and not restored when the log ends
  std::uint64_t open_save_bytes = 0;
};

// The log of a whole run, from its first record to those that describe its end.
LogReport check_log(const std::vector<record::Record>& records, const LogFacts& facts);

}  // namespace tessera::verification
