// SPDX-License-Identifier: Apache-2.0
// What the parts look up.
#include "tlm/execution_engine/shared_sm/shared_sms.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/spec/spec.h"

namespace tessera::tlm_model {

SharedSms::SharedSms(SmParts& parts)
    : parts_(parts),
      sms_(parts.spec.gpu.num_sms),
      choices_(parts.spec.gpu.num_sms, std::vector<Choice>(parts.spec.gpu.max_tbs_per_sm)),
      finished_tbs_(parts.spec.gpu.framework.num_ksrs) {}

void SharedSms::retime(SmId id) {
  const SharedSm& sm = at(id);
  Cycle next = std::min({sm.plan_at, sm.escalate_at, sm.set_up_at});
  for (const QueuedMove& move : sm.moves) {
    const bool waits = move.stage == QueuedMove::Stage::kWaiting;
    next = std::min(next, waits && is_its_turn(sm, move) ? move.not_before : move.stage_ends);
  }
  for (const Grant& grant : sm.grants) next = std::min(next, grant.set_up_at);
  parts_.timers.set(static_cast<std::uint32_t>(index(id)), next);
}

bool SharedSms::is_active(SmId id) const {
  const SmOwner& sm = parts_.owners.sm(id);
  const KernelRun& owner = parts_.array.kernel(sm.ksr);
  return parts_.tables.ksr(sm.ksr).is_valid && owner.id == sm.launch && owner.tbs.finished < owner.tbs.total;
}

// ---- room ----------------------------------------------------------------------------------------------------

std::uint64_t SharedSms::free_slots(SmId id) const {
  return ~parts_.array.sm(id).occupied & first_slots(parts_.spec.gpu.max_tbs_per_sm);
}

std::uint32_t SharedSms::num_coming(SmId id) const {
  const auto& grants = at(id).grants;
  return static_cast<std::uint32_t>(
      std::count_if(grants.begin(), grants.end(), [](const Grant& grant) { return !grant.is_taken; }));
}

std::uint32_t SharedSms::threads_in_use(SmId id) const {
  return static_cast<std::uint32_t>(parts_.spec.gpu.max_threads_per_sm - parts_.array.sm(id).free.threads);
}

preemption::TbSize SharedSms::size_of(KsrId ksr) const {
  const KernelLaunch& launch = parts_.array.kernel(ksr).launch;
  return {launch.regs_per_tb, launch.smem_bytes_per_tb, launch.threads_per_tb};
}

preemption::SmRoom SharedSms::room_of(SmId id) const {
  const spec::GpuSpec& gpu = parts_.spec.gpu;
  return {gpu.registers_per_sm, at(id).shared_memory_bytes, gpu.max_threads_per_sm, gpu.max_tbs_per_sm};
}

std::uint64_t SharedSms::positions_in_use(SmId id, const preemption::TbSize& size, std::uint32_t num_positions) const {
  const SharedSm& sm = at(id);
  std::uint64_t used = 0;
  for_each_slot(parts_.array.sm(id).occupied, [&](std::uint32_t number) {
    const Slot& slot = parts_.array.slot(id, number);
    used |= preemption::overlapped_positions({slot.position, size_of(slot.kernel)}, size, num_positions);
  });
  const KsrId guest = sm.has_guest() ? sm.guest : parts_.owners.sm(id).ksr;
  for (const Grant& grant : sm.grants) {
    used |= preemption::overlapped_positions({grant.position, size_of(guest)}, size, num_positions);
  }
  return used;
}

void SharedSms::check_sharing(SmId id) const {
  if (parts_.monitor == nullptr) return;
  const std::uint64_t occupied = parts_.array.sm(id).occupied;
  const preemption::SmRoom room = room_of(id);
  const auto complain = [&](const char* what) {
    parts_.monitor->violated(record::Invariant::kSmResources, fmt::format("SM {}: {}", index(id), what));
  };
  for_each_slot(occupied, [&](std::uint32_t slot) {
    const preemption::TbSize size = size_of(parts_.array.slot(id, slot).kernel);
    const std::uint64_t at = parts_.array.slot(id, slot).position;
    if ((at + 1) * size.registers > room.registers || (at + 1) * size.shared_memory_bytes > room.shared_memory_bytes)
      complain("a thread block lies outside of it");
    for_each_slot(occupied & ~((std::uint64_t{2} << slot) - 1), [&](std::uint32_t other) {
      const preemption::TbSize its = size_of(parts_.array.slot(id, other).kernel);
      const std::uint64_t there = parts_.array.slot(id, other).position;
      const auto overlap = [&](std::uint64_t a, std::uint64_t b) {
        return at * a < (there + 1) * b && there * b < (at + 1) * a;
      };
      if (overlap(size.registers, its.registers) || overlap(size.shared_memory_bytes, its.shared_memory_bytes))
        complain("two thread blocks lie in the same registers or shared memory");
    });
  });
}

record::Record SharedSms::about_tb(record::Kind kind, SmId id, std::uint32_t number, Cycle at) const {
  const Slot& slot = parts_.array.slot(id, number);
  record::Record record = parts_.owners.about(kind, id, at);
  record.slot = static_cast<std::uint16_t>(number);
  record.launch = static_cast<std::uint32_t>(parts_.array.kernel(slot.kernel).id);
  record.tb = slot.tb;
  return record;
}

}  // namespace tessera::tlm_model
