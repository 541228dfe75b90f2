// SPDX-License-Identifier: Apache-2.0
// SM driver: orders of the scheduler, and the hand-over between kernels. Completions, set-up and issue stand in
// sm_issue.cpp, saving and restoring in sm_preemption.cpp, the other order of issue in sm_breadth_first.cpp, what SMs
// are used for in sm_use.cpp.
#include "tlm/execution_engine/sm_driver.h"

#include <algorithm>

namespace tessera::tlm_model {
namespace {

std::uint32_t bits_for(std::uint32_t count) {
  std::uint32_t bits = 0;
  while ((1U << bits) < count) ++bits;
  return bits;
}

// No context of a kernel that fits an SM is larger than this.
std::uint64_t max_context_bytes(const spec::GpuSpec& gpu) {
  return 4ULL * gpu.registers_per_sm + gpu.shared_memory_bytes.back();
}

record::Technique technique_of(spec::TechniqueKind technique) {
  switch (technique) {
    case spec::TechniqueKind::kContextSwitch:
      return record::Technique::kContextSwitch;
    case spec::TechniqueKind::kDrain:
      return record::Technique::kDrain;
    case spec::TechniqueKind::kFlush:
      return record::Technique::kFlush;
    case spec::TechniqueKind::kChimera:
      return record::Technique::kChimera;
    case spec::TechniqueKind::kDualKernel:
      return record::Technique::kDualKernel;
  }
  return record::Technique::kNone;
}

}  // namespace

SmDriver::SmDriver(const spec::Spec& spec, policy::SchedulingTables& tables, EventTree& timers, record::RecordLog& log,
                   record::InvariantMonitor* monitor, PagedMemory* context_bytes)
    : spec_(spec),
      tables_(tables),
      timers_(timers),
      log_(log),
      monitor_(monitor),
      slot_bits_(bits_for(spec.gpu.max_tbs_per_sm)),
      completions_(spec.gpu.num_sms << slot_bits_),
      context_memory_(spec.gpu.framework.num_ksrs, spec.gpu.num_sms * spec.gpu.max_tbs_per_sm,
                      max_context_bytes(spec.gpu), 0, context_bytes),
      channel_(make_memory_channel(spec.channel_sharing, spec.gpu, 2 * spec.gpu.num_sms)),
      technique_(spec.scheduler.technique),
      counts_slots_(technique_ != spec::TechniqueKind::kDualKernel),
      is_breadth_first_(spec.scheduler.fill == spec::Fill::kBreadthFirst),
      sms_(spec.gpu.num_sms),
      kernels_(spec.gpu.framework.num_ksrs),
      ptbqs_(spec.gpu.framework.num_ksrs, Ptbq(spec.gpu.num_sms * spec.gpu.max_tbs_per_sm)),
      slot_tb_(std::size_t{spec.gpu.num_sms} << slot_bits_),
      slot_stack_(slot_tb_.size()),
      slot_remaining_(slot_tb_.size()),
      slot_flushes_(slot_tb_.size()),
      slot_free_since_(slot_tb_.size(), 0) {
  if (spec.contention.is_on()) contention_ = std::make_unique<Contention>(spec.contention, tables, sms_, kernels_);
}

// ---- orders of the scheduler ---------------------------------------------------------------------------------

// Where two kernels share an SM, it has no number of slots.
void SmDriver::set_scheduler(const spec::SchedulerSpec& scheduler) {
  technique_ = scheduler.technique;
  if (technique_ == spec::TechniqueKind::kDualKernel) counts_slots_ = false;
}

void SmDriver::kernel_activated(KsrId ksr, LaunchId id, const KernelLaunch& launch, Cycle now) {
  now_ = now;
  KernelRun& kernel = kernels_[index(ksr)];
  kernel.id = id;
  kernel.launch = launch;
  kernel.finished_tbs = 0;
  kernel.taken_tbs = 0;
  kernel.num_away = 0;
  kernel.none_waits_from = kNever;
  kernel.fresh_end = launch.num_tbs;
  kernel.next_duration = launch.durations.of(0);
  kernel.context_bytes_per_tb = 4ULL * launch.regs_per_tb + launch.smem_bytes_per_tb;
  kernel.use_per_tb = {launch.regs_per_tb, launch.smem_bytes_per_tb, launch.threads_per_tb, 1};
  if (monitor_ != nullptr) monitor_->kernel_activated(ksr, launch.num_tbs);
  if (launch.loops != nullptr) require_loops().kernel_activated(id, launch);
}

DeviceLoops& SmDriver::require_loops() {
  if (loops_ != nullptr) return *loops_;
  loops_ = std::make_unique<DeviceLoops>(spec_.gpu.num_sms, slot_bits_, spec_.processes.size(), *channel_, log_);
  loops_->finish_tb = [this](std::uint32_t leaf, Cycle at) { completions_.set(leaf, at); };
  loops_->on_channel_changed = [this] { time_moves(SmId(0)); };
  loops_->requests = &loop_requests;
  return *loops_;
}

// A freed slot of an event-driven kernel is filled by issue(), which the loops hear of.
bool SmDriver::takes_refill(SmId id) const {
  return !is_breadth_first_ && kernels_[index(sms_[index(id)].ksr)].launch.loops == nullptr;
}

void SmDriver::assign(SmId id, KsrId ksr, Cycle now) {
  now_ = now;
  tables_.assign(id, ksr);
  set_up(id, ksr, now);
}

void SmDriver::reserve(SmId id, KsrId next, Cycle now) {
  note_reserved(id, next, now);
  Sm& sm = sms_[index(id)];
  // An SM in set-up or one that is restoring gives way at the end of that.
  if (sm.phase != SmPhase::kRunning) return;
  if (sm.technique != spec::TechniqueKind::kDrain) {
    preempt(id, now);
  } else if (sm.occupied_slots == 0) {
    timers_.set(static_cast<std::uint32_t>(index(id)), now + 1);  // in a cycle, preemption done precedes decisions
  }
}

void SmDriver::note_reserved(SmId id, KsrId next, Cycle now) {
  now_ = now;
  Sm& sm = sms_[index(id)];
  tables_.reserve(id, next);
  sm.takes_refill = false;
  sm.technique = technique_;
  sm.reserved_at = now;
  sm.meter.preemption_begins(now);
  record::Record request = about_preemption(record::Kind::kPreemptionRequested, id, now);
  request.value = static_cast<std::uint64_t>(kernels_[index(next)].id);
  log_.emit(now, request);
}

void SmDriver::retarget(SmId id, KsrId next, Cycle now) {
  if (!note_retargeted(id, next, now)) return;
  Sm& sm = sms_[index(id)];
  if (sm.phase != SmPhase::kRunning) return;
  timers_.clear(static_cast<std::uint32_t>(index(id)));  // an empty SM was about to be handed over
  sm.takes_refill = takes_refill(id);
  fill(id, now);
}

bool SmDriver::note_retargeted(SmId id, KsrId next, Cycle now) {
  now_ = now;
  Sm& sm = sms_[index(id)];
  tables_.retarget(id, next);
  record::Record retarget = about_preemption(record::Kind::kPreemptionRetargeted, id, now);
  retarget.value = static_cast<std::uint64_t>(kernels_[index(next)].id);
  log_.emit(now, retarget);
  // A drain can be cancelled for the owner, a trap cannot (docs/readings.md, DSS 7).
  const bool is_for_owner = next == sm.ksr && kernels_[index(next)].id == sm.launch;
  if (!is_for_owner || sm.technique != spec::TechniqueKind::kDrain) return false;
  tables_.unreserve(id);
  sm.meter.preemption_ends(now);
  return true;
}

// ---- hand-over and release -----------------------------------------------------------------------------------

void SmDriver::preemption_done(SmId id, std::uint64_t bytes_saved, Cycle now) {
  report_preemption(id, bytes_saved, now);
  hand_over(id, now);
}

void SmDriver::report_preemption(SmId id, std::uint64_t bytes_saved, Cycle now) {
  Sm& sm = sms_[index(id)];
  timers_.clear(static_cast<std::uint32_t>(index(id)));
  report_use(id, now);
  record::Record done = about_preemption(record::Kind::kPreemptionDone, id, now);
  done.bytes = bytes_saved;
  done.cycles = now - sm.reserved_at;
  log_.emit(now, done);
  sm.meter.preemption_ends(now);
}

void SmDriver::hand_over(SmId id, Cycle now) {
  const KsrId next = tables_.sm(id).next;
  if (next == kNoKsr || tables_.ksr(next).issuable_tbs() <= 0) return release(id, now);
  tables_.hand_over(id);
  set_up(id, next, now);
}

void SmDriver::release(SmId id, Cycle now) {
  Sm& sm = sms_[index(id)];
  timers_.clear(static_cast<std::uint32_t>(index(id)));
  report_use(id, now);
  log_.emit(now, about(record::Kind::kSmReleased, id, now));
  sm.meter.released();
  tables_.release(id);
  sm.phase = SmPhase::kIdle;
  sm.takes_refill = false;
  wants_policy = true;
}

bool SmDriver::is_any_sm_changing_hands() const {
  return std::any_of(sms_.begin(), sms_.end(), [this](const Sm& sm) {
    const bool is_settled = sm.phase == SmPhase::kIdle || sm.phase == SmPhase::kRunning;
    return !is_settled || is_reserved(SmId(&sm - sms_.data()));
  });
}

// ---- use of SMs, records
// -------------------------------------------------------------------------------------------------

void SmDriver::finish(Cycle end) {
  for (std::size_t i = 0; i < sms_.size(); ++i) report_use(SmId(i), end, cycles_to_come(SmId(i), end));
  for (const KsrId id : tables_.active_queue()) {
    const KernelRun& kernel = kernels_[index(id)];
    record::Record left;
    left.cycle = end;
    left.kind = record::Kind::kKernelLeft;
    left.process = kernel.launch.process;
    left.kernel = kernel.launch.kernel;
    left.run = kernel.launch.run;
    left.launch = static_cast<std::uint32_t>(kernel.id);
    left.value = kernel.finished_tbs;
    left.bytes = kernel.context_bytes_per_tb * (ptbqs_[index(id)].num_saved() + num_restoring(id));
    log_.emit(end, left);
  }
}

// TBs whose contexts are on their way in.
std::uint64_t SmDriver::num_restoring(KsrId ksr) const {
  std::uint64_t count = 0;
  for (const Sm& sm : sms_) {
    if (sm.ksr == ksr) count += static_cast<std::uint64_t>(__builtin_popcountll(sm.restoring_slots));
  }
  return count;
}

record::Record SmDriver::about(record::Kind kind, SmId id, Cycle at) const {
  record::Record record;
  record.cycle = at;
  record.kind = kind;
  record.sm = static_cast<std::uint16_t>(id);
  record.launch = static_cast<std::uint32_t>(sms_[index(id)].launch);
  return record;
}

record::Record SmDriver::about_preemption(record::Kind kind, SmId id, Cycle at) const {
  record::Record record = about(kind, id, at);
  record.technique = technique_of(sms_[index(id)].technique);
  return record;
}

void SmDriver::emit_tb(record::Kind kind, SmId id, std::uint32_t slot, Cycle at, std::uint64_t bytes) {
  if (!log_.wants_per_tb()) return;
  record::Record record;
  record.cycle = at;
  record.kind = kind;
  record.sm = static_cast<std::uint16_t>(id);
  record.slot = static_cast<std::uint16_t>(slot);
  record.launch = static_cast<std::uint32_t>(sms_[index(id)].launch);
  record.tb = slot_tb_[leaf_of(id, slot)];
  record.bytes = bytes;
  log_.emit(now_, record);
}

}  // namespace tessera::tlm_model
