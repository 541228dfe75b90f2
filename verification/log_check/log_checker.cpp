// SPDX-License-Identifier: Apache-2.0
// Replays the log on a ledger of launches, SMs and runs, and notes every entry that cannot be.
#include "verification/log_check/log_checker.h"

#include <optional>
#include <utility>

#include "model/record/kind_info.h"
#include "model/record/metrics/gloop_metrics.h"
#include "model/spec/policies.h"
#include "model/spec/spec.h"
#include "model/workload/kernel_model.h"
#include "verification/log_check/causes.h"
#include "verification/log_check/complaints.h"
#include "verification/log_check/cpu_checks.h"
#include "verification/log_check/driver_checks.h"
#include "verification/log_check/gloop_checks.h"
#include "verification/log_check/host_checks.h"
#include "verification/log_check/kernel_checks.h"
#include "verification/log_check/ledger.h"
#include "verification/log_check/shared_checks.h"
#include "verification/log_check/sm_checks.h"
#include "verification/log_check/tb_checks.h"
#include "verification/log_check/turn_checks.h"
#include "verification/log_check/victim_checks.h"

namespace tessera::verification {

using record::Kind;
using record::Record;

namespace {

// What an SM was used for, as far as it was not told yet.
bool is_of_use(Kind kind) { return kind == Kind::kSmBusy || kind == Kind::kSmSlots; }

class LogChecker {
 public:
  explicit LogChecker(const LogFacts& facts) : ledger_(facts) {}

  void visit(const Record& record);
  LogReport finish();

 private:
  void settle();
  void judge(const Record& record);
  bool check_references(const Record& record);

  LogReport report_;
  log_check::Complaints complaints_{report_.violations};
  log_check::Ledger ledger_;
  log_check::VictimChecks victims_{ledger_, complaints_};
  log_check::TbChecks tbs_{ledger_, victims_, complaints_};
  log_check::SmChecks sms_{ledger_, victims_, complaints_};
  log_check::SharedChecks shared_{ledger_, complaints_};
  log_check::KernelChecks kernels_{ledger_, complaints_};
  log_check::HostChecks host_{ledger_.facts.starts, complaints_};
  log_check::DriverChecks driver_{ledger_.facts.driver, complaints_};
  log_check::TurnChecks turns_{ledger_, complaints_};
  log_check::GloopChecks gloop_{ledger_, complaints_};
  log_check::CpuChecks cpu_{ledger_.facts.cpu, complaints_};
  std::vector<Record> cycle_;  // not judged yet
  std::optional<Record> previous_;
};

void LogChecker::visit(const Record& record) {
  complaints_.require(!previous_ || !record::canonical_less(record, *previous_), record, "out of canonical order");
  if (previous_ && previous_->cycle != record.cycle) settle();
  previous_ = record;
  cycle_.push_back(record);
}

void LogChecker::settle() {
  log_check::put_requests_first(cycle_);
  for (const Record& record : cycle_) judge(record);
  cycle_.clear();
}

void LogChecker::judge(const Record& record) {
  if (!check_references(record)) return;
  gloop_.visit(record);
  if (record::is_of_gloop(record.kind)) return;
  if (record.kind == Kind::kSmSetUp) driver_.visit(record);
  turns_.visit(record);
  if (!record::kind_info(record.kind).has(record::kFieldSm)) {
    kernels_.visit(record);
    host_.visit(record);
    driver_.visit(record);
    cpu_.visit(record);
    return;
  }
  log_check::Sm& sm = ledger_.sms[record.sm];
  if (ledger_.facts.shares_sms && !record::is_per_tb(record.kind)) return shared_.visit_sm(record, sm);
  log_check::Launch& launch = ledger_.launches.at(record.launch);
  if (ledger_.facts.shares_sms) return shared_.visit_tb(record, sm, launch);
  if (record::is_per_tb(record.kind)) {
    tbs_.visit(record, sm, launch);
  } else {
    sms_.visit(record, sm, launch);
  }
}

// False if the record names something that does not exist, so that nothing else of it can be judged.
bool LogChecker::check_references(const Record& record) {
  const record::KindInfo& info = record::kind_info(record.kind);
  if (info.has(record::kFieldProcess) &&
      !complaints_.require(record.process < ledger_.facts.kernels.size(), record, "there is no such process")) {
    return false;
  }
  if (info.has(record::kFieldKernel) &&
      !complaints_.require(record.kernel < ledger_.facts.kernels[record.process].size(), record,
                           "there is no kernel {}", record.kernel)) {
    return false;
  }
  if (info.has(record::kFieldSm) && !complaints_.require(record.sm < ledger_.sms.size(), record, "there is no such SM"))
    return false;
  const bool is_of_slot =
      info.has(record::kFieldSlot) && record.kind != Kind::kPositionGranted && !record::is_counter(record.kind);
  if (is_of_slot &&
      !complaints_.require(record.slot < ledger_.facts.max_tbs_per_sm, record, "there is no slot {}", record.slot)) {
    return false;
  }
  if (!info.has(record::kFieldLaunch) || record.kind == Kind::kKernelArrived) return true;
  if (ledger_.facts.shares_sms && is_of_use(record.kind)) return true;  // of no single kernel
  const auto launch = ledger_.launches.find(record.launch);
  if (!complaints_.require(launch != ledger_.launches.end(), record, "its kernel has not arrived")) return false;
  const bool is_same_kernel = !info.has(record::kFieldKernel) ||
                              (record.process == launch->second.process && record.kernel == launch->second.kernel);
  if (!complaints_.require(is_same_kernel, record, "arrived as another kernel")) return false;
  return !info.has(record::kFieldTb) ||
         complaints_.require(record.tb < launch->second.tbs.size(), record, "the kernel has no such TB");
}

LogReport LogChecker::finish() {
  settle();
  kernels_.finish(previous_ ? previous_->cycle : 0, report_);
  for (const log_check::Sm& sm : ledger_.sms) {
    if (sm.request) report_.open_preemptions.push_back(place_of(*sm.request));
  }
  turns_.finish();
  victims_.finish();
  host_.finish();
  driver_.finish();
  gloop_.finish();
  return std::move(report_);
}

}  // namespace

LogFacts make_log_facts(const spec::Spec& spec) {
  LogFacts facts;
  facts.num_sms = spec.gpu.num_sms;
  facts.max_tbs_per_sm = spec.gpu.max_tbs_per_sm;
  facts.registers_per_sm = spec.gpu.registers_per_sm;
  facts.max_threads_per_sm = spec.gpu.max_threads_per_sm;
  facts.starts = record::run_starts_of(spec);
  facts.driver = record::make_driver_facts(spec);
  facts.gloop = record::make_gloop_facts(spec);
  facts.cpu = record::make_cpu_facts(spec);
  facts.shares_sms = spec.gpu.framework.shares_sms();
  facts.shared_memory_bytes = spec.gpu.shared_memory_bytes.back();
  facts.switches_gpu = spec::switches_gpu(spec.scheduler);
  if (spec::is_partitioned(spec.scheduler) && !spec.partitions.empty()) {
    facts.sms_of_partition = spec::sms_of_partitions(spec);
    for (const spec::ProcessSpec& process : spec.processes) facts.partition_of_process.push_back(process.partition);
  }
  for (const spec::ProcessSpec& process : spec.processes) {
    std::vector<KernelFacts>& kernels = facts.kernels.emplace_back();
    for (const spec::KernelSpec& kernel : spec.applications[process.application].kernels) {
      const workload::Occupancy occupancy = workload::occupancy(spec.gpu, kernel);
      kernels.push_back({kernel.num_tbs, kernel.regs_per_tb, kernel.smem_bytes_per_tb, kernel.threads_per_tb,
                         workload::context_bytes_per_tb(kernel), occupancy.tbs_per_sm,
                         occupancy.shared_memory_config_bytes, 0});
      if (facts.shares_sms) {
        kernels.back().turnaround_cycles = spec.gpu.framework.dispatch_class(kernel.threads_per_tb).turnaround_cycles;
      }
    }
  }
  return facts;
}

LogReport check_log(const std::vector<Record>& records, const LogFacts& facts) {
  LogChecker checker(facts);
  for (const Record& record : records) checker.visit(record);
  return checker.finish();
}

}  // namespace tessera::verification
