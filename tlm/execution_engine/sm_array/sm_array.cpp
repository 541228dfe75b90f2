// SPDX-License-Identifier: Apache-2.0
// Kernels begin, and thread blocks come into slots.
#include "tlm/execution_engine/sm_array/sm_array.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/spec/spec.h"
#include "tlm/execution_engine/sm_array/ends_loop.h"

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

Resources resources(std::uint32_t registers, std::uint32_t shared_memory_bytes, std::uint32_t threads,
                    std::uint32_t slots) {
  return {static_cast<std::int32_t>(registers), static_cast<std::int32_t>(shared_memory_bytes),
          static_cast<std::int32_t>(threads), static_cast<std::int32_t>(slots)};
}

Sm empty_sm(const spec::GpuSpec& gpu) {
  Sm sm;
  sm.free = resources_of_sm(gpu);
  return sm;
}

}  // namespace

SmArray::SmArray(const spec::Spec& spec, record::RecordLog& log, record::InvariantMonitor* monitor,
                 PagedMemory* context_bytes)
    : spec_(spec),
      log_(log),
      monitor_(monitor),
      slot_bits_(bits_for(spec.gpu.max_tbs_per_sm)),
      ends_(spec.gpu.num_sms << slot_bits_),
      context_memory_(spec.gpu.framework.num_ksrs, spec.gpu.num_sms * spec.gpu.max_tbs_per_sm,
                      max_context_bytes(spec.gpu), 0, context_bytes),
      microcode_(spec.gpu),
      memory_(spec.channel_sharing == spec::ChannelSharing::kLoadedLatency
                  ? std::make_unique<LoadedMemory>(spec.gpu, slot_bits_)
                  : nullptr),
      channel_(memory_ != nullptr ? memory_->make_channel(2 * spec.gpu.num_sms)
                                  : make_memory_channel(spec.channel_sharing, spec.gpu, 2 * spec.gpu.num_sms)),
      sms_(spec.gpu.num_sms, empty_sm(spec.gpu)),
      kernels_(spec.gpu.framework.num_ksrs),
      slots_(std::size_t{spec.gpu.num_sms} << slot_bits_),
      starts_(spec.contention.is_on() ? slots_.size() : 0) {}

// ---- kernels -------------------------------------------------------------------------------------------------

void SmArray::begin_kernel(KsrId ksr, LaunchId id, const KernelLaunch& launch, std::uint32_t tbs_per_sm) {
  KernelRun& kernel = kernels_[index(ksr)];
  kernel.id = id;
  kernel.launch = launch;
  kernel.tbs = {launch.num_tbs, 0, 0, 0};
  kernel.tbs_per_sm = tbs_per_sm;
  kernel.fresh_end = launch.num_tbs;
  kernel.resources_per_tb = resources(launch.regs_per_tb, launch.smem_bytes_per_tb, launch.threads_per_tb, 1);
  kernel.context_bytes_per_tb = 4ULL * launch.regs_per_tb + launch.smem_bytes_per_tb;
  if (memory_ != nullptr) {
    kernel.memory_per_tb =
        memory_->use_of(launch.dram_bytes_per_tb, launch.bytes_in_flight_per_tb, launch.threads_per_tb);
  }
  kernel.next_duration = launch.durations.of(0);
  kernel.none_waits_from = kNever;
  if (launch.occupancy_speedup_ppm != 0) {
    work_.resize(slots_.size());
    starts_.resize(slots_.size());
  }
  if (monitor_ != nullptr) monitor_->kernel_activated(ksr, launch.num_tbs);
  if (launch.loops != nullptr) require_loops().kernel_activated(id, launch);
}

DeviceLoops& SmArray::require_loops() {
  if (loops_ != nullptr) return *loops_;
  loops_ = std::make_unique<DeviceLoops>(spec_.gpu.num_sms, slot_bits_, spec_.processes.size(), *channel_, log_);
  loops_->finish_tb = [this](std::uint32_t leaf, Cycle at) { ends_.set(leaf, at); };
  loops_->on_channel_changed = [this] { tell_ends_of_moves(SmId(0)); };
  loops_->requests = &loop_requests_;
  return *loops_;
}

// TBs have slots, or wait for one: what an SM's meter asks for.
void SmArray::no_fresh_is_left(KernelRun& kernel, Cycle last_start) {
  kernel.last_fresh_start = last_start;
  if (kernel.tbs.away == 0) kernel.none_waits_from = last_start;
}

void SmArray::is_back(KernelRun& kernel, Cycle start) {
  if (--kernel.tbs.away > 0 || kernel.tbs.fresh() > 0) return;
  kernel.none_waits_from = std::max(start, kernel.last_fresh_start);
}

void SmArray::wait_again(KsrId ksr, Cycle now) {
  KernelRun& kernel = kernels_[index(ksr)];
  for (Sm& sm : sms_) {
    if (sm.meter.is_of(kernel.none_waits_from)) sm.meter.count_until(now);
  }
  kernel.none_waits_from = kNever;
}

// ---- thread blocks come --------------------------------------------------------------------------------------

inline Slot& SmArray::occupy(SmId id, Place place, KsrId ksr) {
  Sm& sm = sms_[index(id)];
  const KernelRun& kernel = kernels_[index(ksr)];
  Slot& slot = slots_[leaf_of(id, place.slot)];
  slot.kernel = ksr;
  slot.position = place.position;
  slot.clock = kernel.launch.occupancy_speedup_ppm == 0 ? ClockDomain::kReal : ClockDomain::kSm;
  sm.occupied |= slot_bit(place.slot);
  sm.free.take(kernel.resources_per_tb);
  if (monitor_ != nullptr && sm.free.is_overdrawn()) report_overdrawn(id);
  return slot;
}

void SmArray::start_fresh(SmId id, Place place, KsrId ksr, Cycle start, Cycle duration) {
  Slot& slot = occupy(id, place, ksr);
  Sm& sm = sms_[index(id)];
  KernelRun& kernel = kernels_[index(ksr)];
  const std::uint32_t leaf = leaf_of(id, place.slot);
  const bool ends_with_bytes = place_bytes(leaf, kernel.memory_per_tb, start, duration);
  put_next<true, true>(sm, slot, kernel, leaf, start, duration, !ends_with_bytes);
  is_there(id, leaf, start);
}

void SmArray::is_there(SmId id, std::uint32_t leaf, Cycle start) {
  const Slot& slot = slots_[leaf];
  const KernelRun& kernel = this->kernel(slot.kernel);
  change_pace(id, now_);
  sms_[index(id)].meter.started(now_, start);
  if (monitor_ != nullptr) monitor_->tb_issued(slot.kernel, slot.tb);
  emit_tb(record::Kind::kTbIssued, leaf, start);
  if (kernel.launch.loops != nullptr) loops_->issued(leaf, kernel.launch.context, slot.tb, start);
}

std::uint32_t SmArray::send_next(KsrId ksr, Cycle start) {
  KernelRun& kernel = kernels_[index(ksr)];
  const std::uint32_t tb = kernel.tbs.next++;
  if (kernel.tbs.next < kernel.tbs.total) {
    kernel.next_duration = kernel.launch.durations.of(kernel.tbs.next);
  } else {
    no_fresh_is_left(kernel, start);
  }
  return tb;
}

void SmArray::start_sent(SmId id, Place place, KsrId ksr, std::uint32_t tb, Cycle start, Cycle duration) {
  Slot& slot = occupy(id, place, ksr);
  const std::uint32_t leaf = leaf_of(id, place.slot);
  slot.tb = tb;
  slot.num_flushes = 0;
  if (!place_bytes(leaf, kernel(ksr).memory_per_tb, start, duration)) {
    ends_.set(leaf, std::min(start + duration, kNever));
  }
  sms_[index(id)].last_start = start;
  keep_start(leaf, start);
  if (slot.clock == ClockDomain::kSm) work_begins(leaf, duration, start, 0);
  is_there(id, leaf, start);
}

void SmArray::start_again(SmId id, Place place, KsrId ksr, const TbHandle& handle, Cycle start) {
  Slot& slot = occupy(id, place, ksr);
  Sm& sm = sms_[index(id)];
  KernelRun& kernel = kernels_[index(ksr)];
  const std::uint32_t leaf = leaf_of(id, place.slot);
  const Cycle duration = kernel.launch.durations.of(handle.tb);
  slot.tb = handle.tb;
  slot.num_flushes = handle.num_flushes();
  if (!place_bytes(leaf, kernel.memory_per_tb, start, duration)) {
    ends_.set(leaf, std::min(start + duration, kNever));
  }
  if (slot.clock == ClockDomain::kSm) work_begins(leaf, duration, start, 0);
  change_pace(id, now_);
  sm.last_start = start;
  keep_start(leaf, start);
  sm.meter.started(now_, start);
  is_back(kernel, start);
  if (monitor_ != nullptr) monitor_->tb_restarted(ksr, handle.tb);
  emit_tb(record::Kind::kTbRestarted, leaf, start);
}

void SmArray::await_context(SmId id, Place place, KsrId ksr, const TbHandle& handle) {
  Slot& slot = occupy(id, place, ksr);
  slot.tb = handle.tb;
  slot.stack_pointer = handle.stack_pointer;
  sms_[index(id)].moving |= slot_bit(place.slot);
  change_pace(id, now_);
}

void SmArray::report_overdrawn(SmId id) {
  monitor_->violated(record::Invariant::kSmResources, fmt::format("SM {} holds {} TBs, more than it has room for",
                                                                  index(id), num_slots(sm(id).occupied)));
}

// ---- records -------------------------------------------------------------------------------------------------

record::Record SmArray::about(record::Kind kind, SmId id, KsrId ksr, Cycle at) const {
  record::Record record;
  record.cycle = at;
  record.kind = kind;
  record.sm = static_cast<std::uint16_t>(id);
  record.launch = static_cast<std::uint32_t>(kernel(ksr).id);
  return record;
}

void SmArray::emit_wanted_tb(record::Kind kind, std::uint32_t leaf, Cycle at, std::uint64_t bytes) {
  record::Record record = about(kind, SmId(leaf >> slot_bits_), slots_[leaf].kernel, at);
  record.slot = static_cast<std::uint16_t>(leaf & ((1U << slot_bits_) - 1));
  record.tb = slots_[leaf].tb;
  record.bytes = bytes;
  log_.emit(now_, record);
}

}  // namespace tessera::tlm_model
