// SPDX-License-Identifier: Apache-2.0
// Replays the log on a ledger of launches, SMs and runs, and notes every entry that cannot be.
#include "model/record/checks/log_checker.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "model/record/kind_info.h"
#include "model/spec/spec.h"
#include "model/workload/kernel_model.h"

namespace tessera::record {
namespace {

enum class TbState : std::uint8_t { kUnissued, kResident, kSaved, kFinished };
enum class Stage : std::uint8_t { kArrived, kActive, kFinished };

struct Launch {
  std::uint16_t process = kNoIndex;
  std::uint16_t kernel = kNoIndex;
  const KernelFacts* facts = nullptr;
  Stage stage = Stage::kArrived;
  std::vector<TbState> tbs;
  std::map<std::uint32_t, std::uint64_t> saved;  // TB -> bytes of its context
  std::uint32_t num_finished = 0;
  std::optional<Record> left;  // its kKernelLeft
};

struct Resident {
  std::uint32_t launch = kNoNumber;
  std::uint32_t tb = kNoNumber;
};

struct Restore {
  std::uint64_t bytes = 0;
  Cycle start = 0;
};

struct Sm {
  std::uint32_t owner = kNoNumber;      // LaunchId
  bool is_handed_over = false;          // preempted: the owner has left, the next one has not come
  std::optional<Record> request;        // the preemption that goes on
  std::optional<std::uint64_t> saving;  // bytes announced by kSaveStarted
  std::uint64_t saved_bytes = 0;        // by the preemption that goes on
  std::optional<Restore> restore;
  std::uint64_t restored_bytes = 0;      // by the restore that goes on
  std::uint32_t last_owner = kNoNumber;  // whose kSmBusy is to come
  Cycle counted_until = 0;               // set-up, or the last kSmBusy
  std::vector<std::optional<Resident>> slots;
};

class LogChecker {
 public:
  explicit LogChecker(const LogFacts& facts) : facts_(facts), sms_(facts.num_sms) {
    for (Sm& sm : sms_) sm.slots.resize(facts.max_tbs_per_sm);
  }

  void visit(const Record& record);
  LogReport finish();

 private:
  template <typename... Args>
  void fail(const Record& record, fmt::format_string<Args...> text, Args&&... args);
  // Notes a violation unless `holds`, and returns it.
  template <typename... Args>
  bool require(bool holds, const Record& record, fmt::format_string<Args...> text, Args&&... args);

  bool check_references(const Record& record);
  void visit_tb(const Record& record, Sm& sm, Launch& launch);
  void visit_sm(const Record& record, Sm& sm, Launch& launch);
  void visit_kernel(const Record& record);
  void visit_host(const Record& record);

  bool take_from_slot(const Record& record, Sm& sm, Launch& launch);
  void put_into_slot(const Record& record, Sm& sm, Launch& launch);
  void check_resources(const Record& record, const Sm& sm);
  void tb_finished(const Record& record, Sm& sm, Launch& launch);
  void tb_saved(const Record& record, Sm& sm, Launch& launch);
  void tb_restored(const Record& record, Sm& sm, Launch& launch);
  void tb_issued(const Record& record, Sm& sm, Launch& launch);

  void sm_set_up(const Record& record, Sm& sm, const Launch& launch);
  void sm_released(const Record& record, Sm& sm);
  void sm_busy(const Record& record, Sm& sm);
  void preemption_requested(const Record& record, Sm& sm);
  void preemption_retargeted(const Record& record, Sm& sm);
  void preemption_done(const Record& record, Sm& sm);
  void save_started(const Record& record, Sm& sm);
  void restore_started(const Record& record, Sm& sm);
  void restore_done(const Record& record, Sm& sm);

  void kernel_arrived(const Record& record);
  void kernel_finished(const Record& record, Launch& launch);
  void run_ended(const Record& record);
  void check_left(std::uint32_t id, const Launch& launch);

  const LogFacts& facts_;
  LogReport report_;
  std::optional<Record> previous_;
  std::map<std::uint32_t, Launch> launches_;
  std::vector<Sm> sms_;
  std::map<std::pair<std::uint16_t, std::uint32_t>, Cycle> open_runs_;                // (process, run) -> start
  std::map<std::uint16_t, std::uint32_t> num_runs_;                                   // [process]: runs started
  std::multiset<std::tuple<std::uint16_t, std::uint64_t, std::uint64_t>> transfers_;  // process, direction, bytes
};

// "cycle 7: tb_finished sm 0 launch 3 tb 5"
std::string place_of(const Record& record) {
  std::string text = fmt::format("cycle {}: {}", record.cycle, to_string(record.kind));
  if (record.process != kNoIndex) text += fmt::format(" process {}", record.process);
  if (record.run != kNoNumber) text += fmt::format(" run {}", record.run);
  if (record.sm != kNoIndex) text += fmt::format(" sm {}", record.sm);
  if (record.launch != kNoNumber) text += fmt::format(" launch {}", record.launch);
  if (record.tb != kNoNumber) text += fmt::format(" tb {}", record.tb);
  return text;
}

template <typename... Args>
void LogChecker::fail(const Record& record, fmt::format_string<Args...> text, Args&&... args) {
  report_.violations.push_back(place_of(record) + ": " + fmt::format(text, std::forward<Args>(args)...));
}

template <typename... Args>
bool LogChecker::require(bool holds, const Record& record, fmt::format_string<Args...> text, Args&&... args) {
  if (!holds) fail(record, text, std::forward<Args>(args)...);
  return holds;
}

void LogChecker::visit(const Record& record) {
  require(!previous_ || !canonical_less(record, *previous_), record, "out of canonical order");
  previous_ = record;
  if (!check_references(record)) return;
  if (!kind_info(record.kind).has(kFieldSm)) {
    visit_kernel(record);
    visit_host(record);
    return;
  }
  Sm& sm = sms_[record.sm];
  Launch& launch = launches_.at(record.launch);
  if (is_per_tb(record.kind)) {
    visit_tb(record, sm, launch);
  } else {
    visit_sm(record, sm, launch);
  }
}

// False if the record names something that does not exist, so that nothing else of it can be judged.
bool LogChecker::check_references(const Record& record) {
  const KindInfo& info = kind_info(record.kind);
  if (info.has(kFieldProcess) && !require(record.process < facts_.kernels.size(), record, "there is no such process")) {
    return false;
  }
  if (info.has(kFieldKernel) &&
      !require(record.kernel < facts_.kernels[record.process].size(), record, "there is no kernel {}", record.kernel)) {
    return false;
  }
  if (info.has(kFieldSm) && !require(record.sm < sms_.size(), record, "there is no such SM")) return false;
  if (info.has(kFieldSlot) &&
      !require(record.slot < facts_.max_tbs_per_sm, record, "there is no slot {}", record.slot)) {
    return false;
  }
  if (!info.has(kFieldLaunch) || record.kind == Kind::kKernelArrived) return true;
  const auto launch = launches_.find(record.launch);
  if (!require(launch != launches_.end(), record, "its kernel has not arrived")) return false;
  const bool is_same_kernel =
      !info.has(kFieldKernel) || (record.process == launch->second.process && record.kernel == launch->second.kernel);
  if (!require(is_same_kernel, record, "arrived as another kernel")) return false;
  return !info.has(kFieldTb) || require(record.tb < launch->second.tbs.size(), record, "the kernel has no such TB");
}

// --- Thread blocks ---------------------------------------------------------------------------------------

void LogChecker::visit_tb(const Record& record, Sm& sm, Launch& launch) {
  switch (record.kind) {
    case Kind::kTbFinished:
      return tb_finished(record, sm, launch);
    case Kind::kTbSaved:
      return tb_saved(record, sm, launch);
    case Kind::kTbRestored:
      return tb_restored(record, sm, launch);
    case Kind::kTbIssued:
      return tb_issued(record, sm, launch);
    default:
      return;
  }
}

bool LogChecker::take_from_slot(const Record& record, Sm& sm, Launch& launch) {
  std::optional<Resident>& slot = sm.slots[record.slot];
  const bool is_there = slot && slot->launch == record.launch && slot->tb == record.tb;
  if (launch.tbs[record.tb] == TbState::kFinished) {
    fail(record, "finished before");
  } else {
    require(is_there, record, "not resident in slot {}", record.slot);
  }
  if (is_there) slot.reset();
  return is_there;
}

void LogChecker::put_into_slot(const Record& record, Sm& sm, Launch& launch) {
  require(launch.stage == Stage::kActive, record, "its kernel is not active");
  require(sm.owner == record.launch && !sm.is_handed_over, record, "the SM is not owned by this kernel");
  std::optional<Resident>& slot = sm.slots[record.slot];
  require(!slot, record, "slot {} is taken", record.slot);
  slot = Resident{record.launch, record.tb};
  launch.tbs[record.tb] = TbState::kResident;
  check_resources(record, sm);
}

void LogChecker::check_resources(const Record& record, const Sm& sm) {
  std::uint64_t tbs = 0;
  std::uint64_t registers = 0;
  std::uint64_t shared_memory = 0;
  std::uint64_t threads = 0;
  for (const std::optional<Resident>& slot : sm.slots) {
    if (!slot) continue;
    const KernelFacts& kernel = *launches_.at(slot->launch).facts;
    ++tbs;
    registers += kernel.registers;
    shared_memory += kernel.shared_memory_bytes;
    threads += kernel.threads;
  }
  const KernelFacts& kernel = *launches_.at(record.launch).facts;
  require(tbs <= kernel.tbs_per_sm, record, "{} resident TBs, {} fit", tbs, kernel.tbs_per_sm);
  require(registers <= facts_.registers_per_sm, record, "{} registers in use, there are {}", registers,
          facts_.registers_per_sm);
  require(shared_memory <= kernel.shared_memory_config_bytes, record, "{} bytes of shared memory in use, there are {}",
          shared_memory, kernel.shared_memory_config_bytes);
  require(threads <= facts_.max_threads_per_sm, record, "{} threads, {} fit", threads, facts_.max_threads_per_sm);
}

void LogChecker::tb_finished(const Record& record, Sm& sm, Launch& launch) {
  if (!take_from_slot(record, sm, launch)) return;
  launch.tbs[record.tb] = TbState::kFinished;
  ++launch.num_finished;
}

void LogChecker::tb_saved(const Record& record, Sm& sm, Launch& launch) {
  if (!take_from_slot(record, sm, launch)) return;
  require(sm.request && sm.request->technique == Technique::kContextSwitch, record,
          "no context switch was requested here");
  require(record.bytes == launch.facts->context_bytes, record, "{} bytes, its context has {}", record.bytes,
          launch.facts->context_bytes);
  launch.tbs[record.tb] = TbState::kSaved;
  launch.saved[record.tb] = record.bytes;
  sm.saved_bytes += record.bytes;
  const std::uint64_t bound = std::uint64_t{facts_.num_sms} * launch.facts->tbs_per_sm;
  require(launch.saved.size() <= bound, record, "{} preempted TBs, the PTBQ holds {}", launch.saved.size(), bound);
}

void LogChecker::tb_restored(const Record& record, Sm& sm, Launch& launch) {
  const auto saved = launch.saved.find(record.tb);
  if (!require(saved != launch.saved.end(), record, "it was not saved")) return;
  require(record.bytes == saved->second, record, "{} bytes, saved were {}", record.bytes, saved->second);
  require(sm.restore.has_value(), record, "no restore goes on here");
  sm.restored_bytes += record.bytes;
  launch.saved.erase(saved);
  put_into_slot(record, sm, launch);
}

void LogChecker::tb_issued(const Record& record, Sm& sm, Launch& launch) {
  const TbState state = launch.tbs[record.tb];
  if (state == TbState::kSaved) return fail(record, "it was saved: a new start loses its context");
  if (!require(state == TbState::kUnissued, record, "issued before")) return;
  put_into_slot(record, sm, launch);
}

// --- Streaming multiprocessors ---------------------------------------------------------------------------

void LogChecker::visit_sm(const Record& record, Sm& sm, Launch& launch) {
  if (record.kind == Kind::kSmSetUp) return sm_set_up(record, sm, launch);
  if (record.kind == Kind::kSmBusy) return sm_busy(record, sm);  // may follow its owner's release
  if (!require(sm.owner == record.launch, record, "the SM is not owned by this kernel")) return;
  switch (record.kind) {
    case Kind::kPreemptionDone:
      return preemption_done(record, sm);
    case Kind::kRestoreDone:
      return restore_done(record, sm);
    case Kind::kSmReleased:
      return sm_released(record, sm);
    case Kind::kPreemptionRequested:
      return preemption_requested(record, sm);
    case Kind::kPreemptionRetargeted:
      return preemption_retargeted(record, sm);
    case Kind::kRestoreStarted:
      return restore_started(record, sm);
    case Kind::kSaveStarted:
      return save_started(record, sm);
    default:
      return;
  }
}

void LogChecker::sm_set_up(const Record& record, Sm& sm, const Launch& launch) {
  require(sm.owner == kNoNumber || sm.is_handed_over, record, "the SM is owned by launch {}", sm.owner);
  require(launch.stage == Stage::kActive, record, "its kernel is not active");
  require(!sm.restore, record, "a restore of the last owner goes on");
  sm.owner = sm.last_owner = record.launch;
  sm.is_handed_over = false;
  sm.counted_until = record.cycle;
}

void LogChecker::sm_busy(const Record& record, Sm& sm) {
  require(sm.last_owner == record.launch, record, "the SM was not owned by this kernel");
  const Cycle elapsed = record.cycle - sm.counted_until;
  require(record.cycles <= elapsed, record, "{} busy cycles within {}", record.cycles, elapsed);
  sm.counted_until = record.cycle;
}

void LogChecker::sm_released(const Record& record, Sm& sm) {
  for (const std::optional<Resident>& slot : sm.slots) {
    if (slot) fail(record, "TB {} of launch {} is resident", slot->tb, slot->launch);
  }
  require(!sm.request, record, "a preemption was requested and is not done");
  require(!sm.restore, record, "a restore goes on");
  sm.owner = kNoNumber;
  sm.is_handed_over = false;
}

void LogChecker::preemption_requested(const Record& record, Sm& sm) {
  require(!sm.request, record, "the SM is reserved already");
  require(!sm.is_handed_over, record, "the SM was handed over");
  require(record.technique != Technique::kNone, record, "without a technique");
  sm.request = record;
  sm.saving.reset();
  sm.saved_bytes = 0;
}

void LogChecker::preemption_retargeted(const Record& record, Sm& sm) {
  if (!require(sm.request.has_value(), record, "the SM is not reserved")) return;
  // Only a drain can be cancelled; a save goes on and the SM comes back to its owner afterwards.
  if (sm.request->technique == Technique::kDrain && record.value == record.launch) sm.request.reset();
}

void LogChecker::preemption_done(const Record& record, Sm& sm) {
  if (!require(sm.request.has_value(), record, "no preemption was requested")) return;
  const Cycle latency = record.cycle - sm.request->cycle;
  require(record.cycles == latency, record, "reports {} cycles, the request was {} ago", record.cycles, latency);
  require(record.technique == sm.request->technique, record, "reports {}, requested was {}",
          to_string(record.technique), to_string(sm.request->technique));
  require(record.bytes == sm.saved_bytes, record, "reports {} bytes, its TBs saved {}", record.bytes, sm.saved_bytes);
  require(record.bytes == sm.saving.value_or(0), record, "reports {} bytes, the save started with {}", record.bytes,
          sm.saving.value_or(0));
  for (const std::optional<Resident>& slot : sm.slots) {
    if (slot) fail(record, "TB {} of launch {} is resident", slot->tb, slot->launch);
  }
  sm.request.reset();
  sm.is_handed_over = true;
}

void LogChecker::save_started(const Record& record, Sm& sm) {
  require(sm.request && sm.request->technique == Technique::kContextSwitch, record,
          "no context switch was requested here");
  require(!sm.saving, record, "another save goes on");
  sm.saving = record.bytes;
}

void LogChecker::restore_started(const Record& record, Sm& sm) {
  require(!sm.restore, record, "another restore goes on");
  sm.restore = Restore{record.bytes, record.cycle};
  sm.restored_bytes = 0;
}

void LogChecker::restore_done(const Record& record, Sm& sm) {
  if (!require(sm.restore.has_value(), record, "no restore was started")) return;
  require(record.bytes == sm.restore->bytes, record, "reports {} bytes, it started with {}", record.bytes,
          sm.restore->bytes);
  require(record.bytes == sm.restored_bytes, record, "reports {} bytes, its TBs restored {}", record.bytes,
          sm.restored_bytes);
  const Cycle duration = record.cycle - sm.restore->start;
  require(record.cycles == duration, record, "reports {} cycles, it started {} ago", record.cycles, duration);
  sm.restore.reset();
}

// --- Kernels, runs, transfers ----------------------------------------------------------------------------

void LogChecker::visit_kernel(const Record& record) {
  if (record.kind == Kind::kKernelArrived) return kernel_arrived(record);
  const auto entry = launches_.find(record.launch);
  if (entry == launches_.end()) return;
  Launch& launch = entry->second;
  switch (record.kind) {
    case Kind::kKernelActivated:
      require(launch.stage == Stage::kArrived, record, "activated before");
      launch.stage = Stage::kActive;
      return;
    case Kind::kKernelFinished:
      return kernel_finished(record, launch);
    case Kind::kKernelLeft:
      // Judged at the end: kinds that sort behind it may still change the launch in this cycle.
      require(!launch.left, record, "left before");
      launch.left = record;
      return;
    default:
      return;
  }
}

void LogChecker::kernel_arrived(const Record& record) {
  const auto [entry, is_new] = launches_.try_emplace(record.launch);
  if (!require(is_new, record, "arrived before")) return;
  Launch& launch = entry->second;
  launch.process = record.process;
  launch.kernel = record.kernel;
  launch.facts = &facts_.kernels[record.process][record.kernel];
  launch.tbs.resize(launch.facts->num_tbs);
}

void LogChecker::kernel_finished(const Record& record, Launch& launch) {
  require(launch.stage == Stage::kActive, record, "the kernel is not active");
  require(record.value == launch.facts->num_tbs, record, "reports {} TBs, it has {}", record.value,
          launch.facts->num_tbs);
  for (std::size_t tb = 0; tb < launch.tbs.size(); ++tb) {
    require(launch.tbs[tb] == TbState::kFinished, record, "TB {} is not finished", tb);
  }
  launch.stage = Stage::kFinished;
}

void LogChecker::visit_host(const Record& record) {
  const std::pair run(record.process, record.run);
  const std::tuple transfer(record.process, record.value, record.bytes);
  switch (record.kind) {
    case Kind::kRunStarted:
      require(record.run == num_runs_[record.process]++, record, "runs are numbered from 0 without gaps");
      open_runs_[run] = record.cycle;
      return;
    case Kind::kRunEnded:
      return run_ended(record);
    case Kind::kDmaStarted:
      transfers_.insert(transfer);
      return;
    case Kind::kDmaEnded: {
      const auto started = transfers_.find(transfer);
      if (require(started != transfers_.end(), record, "the transfer was not started")) transfers_.erase(started);
      return;
    }
    default:
      return;
  }
}

void LogChecker::run_ended(const Record& record) {
  const auto started = open_runs_.find({record.process, record.run});
  if (!require(started != open_runs_.end(), record, "the run was not started")) return;
  const Cycle turnaround = record.cycle - started->second;
  require(record.cycles == turnaround, record, "reports {} cycles, it started {} ago", record.cycles, turnaround);
  open_runs_.erase(started);
}

// --- The end ---------------------------------------------------------------------------------------------

LogReport LogChecker::finish() {
  for (const auto& [id, launch] : launches_) check_left(id, launch);
  for (const Sm& sm : sms_) {
    if (sm.request) report_.open_preemptions.push_back(place_of(*sm.request));
  }
  std::map<std::uint16_t, int> open_runs;
  for (const auto& [run, start] : open_runs_) {
    if (++open_runs[run.first] == 2) {
      report_.violations.push_back(fmt::format("cycle {}: process {} has several open runs", start, run.first));
    }
  }
  return std::move(report_);
}

void LogChecker::check_left(std::uint32_t id, const Launch& launch) {
  std::uint64_t saved_bytes = 0;
  for (const auto& [tb, bytes] : launch.saved) saved_bytes += bytes;
  report_.open_saves += launch.saved.size();
  report_.open_save_bytes += saved_bytes;
  if (!launch.left) {
    if (launch.stage == Stage::kActive) {
      report_.violations.push_back(fmt::format("cycle {}: launch {} neither finished nor left", previous_->cycle, id));
    }
    return;
  }
  const Record& left = *launch.left;
  require(launch.stage == Stage::kActive, left, "the kernel is not active");
  require(left.value == launch.num_finished, left, "reports {} TBs finished, {} did", left.value, launch.num_finished);
  require(left.bytes == saved_bytes, left, "reports {} bytes saved and not restored, there are {}", left.bytes,
          saved_bytes);
}

}  // namespace

LogFacts make_log_facts(const spec::Spec& spec) {
  LogFacts facts;
  facts.num_sms = spec.gpu.num_sms;
  facts.max_tbs_per_sm = spec.gpu.max_tbs_per_sm;
  facts.registers_per_sm = spec.gpu.registers_per_sm;
  facts.max_threads_per_sm = spec.gpu.max_threads_per_sm;
  for (const spec::ProcessSpec& process : spec.processes) {
    std::vector<KernelFacts>& kernels = facts.kernels.emplace_back();
    for (const spec::KernelSpec& kernel : spec.applications[process.application].kernels) {
      const workload::Occupancy occupancy = workload::occupancy(spec.gpu, kernel);
      kernels.push_back({kernel.num_tbs, kernel.regs_per_tb, kernel.smem_bytes_per_tb, kernel.threads_per_tb,
                         workload::context_bytes_per_tb(kernel), occupancy.tbs_per_sm,
                         occupancy.shared_memory_config_bytes});
    }
  }
  return facts;
}

LogReport check_log(const std::vector<Record>& records, const LogFacts& facts) {
  LogChecker checker(facts);
  for (const Record& record : records) checker.visit(record);
  return checker.finish();
}

}  // namespace tessera::record
