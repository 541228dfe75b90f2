// SPDX-License-Identifier: Apache-2.0
// SMs change hands; kernels are forgotten.
#include "rtl_model/tables/smst.h"

namespace tessera::rtl_model {

Smst::Smst(const CoreParams& params) : rows_q_(params.num_sms) {
  for (std::uint32_t sm = 0; sm < size(); ++sm) {
    rows_q_[sm].running = Field32(params.tb_count_width());
    rows_q_[sm].partition = Field32(params.partition_width());
    idle_q_.set(sm);
    empty_q_.set(sm);
  }
}

std::uint32_t Smst::claimant(std::uint32_t sm) const {
  const SmRow& row = rows_q_[sm];
  if (row.state == SmState::kRunning) return row.ksr;
  return row.state == SmState::kReserved ? row.next : kNone;
}

SmSet Smst::counting_against(std::uint32_t ksr) const {
  SmSet sms;
  (running_q_ | reserved_q_).for_each([&](std::uint32_t sm) {
    if (claimant(sm) == ksr) sms.set(sm);
  });
  return sms;
}

SmSet Smst::claimed() const {
  SmSet sms = running_q_;
  reserved_q_.for_each([&](std::uint32_t sm) { sms.set(sm, rows_q_[sm].next != kNone); });
  return sms;
}

std::uint32_t Smst::first_to_take(const SmSet& sms) const {
  const SmSet reserved = sms & reserved_q_;
  return reserved.any() ? reserved.lowest() : sms.lowest();
}

void Smst::suspect_all() {
  for (std::uint32_t sm = 0; sm < size(); ++sm) foreign_q_.set(sm);
}

SmSet Smst::wants_tb() const {
  const SmSet held_back = flags.full | flags.restoring | flags.served;
  return (flags.active & running_q_ & flags.issuable).without(held_back);
}

SmSet Smst::leaves() const {
  const SmSet has_to = (reserved_q_ & flags.drains) | running_q_.without(flags.issuable);
  return (flags.active & empty_q_ & has_to).without(flags.restoring);
}

bool Smst::is_changing_hands() const {
  return reserved_q_.any() || running_q_.without(flags.active).any() || flags.restoring.any();
}

// ---- a row changes hands -------------------------------------------------------------------------------------

void Smst::own(std::uint32_t sm, std::uint32_t ksr, bool is_issuable) {
  change(sm, SmState::kRunning, ksr, kNone);
  forget(sm);
  flags.set_up_pending.set(sm);
  flags.issuable.set(sm, is_issuable);
}

void Smst::reserve(std::uint32_t sm, std::uint32_t next) { change(sm, SmState::kReserved, rows_q_[sm].ksr, next); }

void Smst::cancel(std::uint32_t sm) {
  change(sm, SmState::kRunning, rows_q_[sm].ksr, kNone);
  flags.drains.clear(sm);
}

void Smst::release(std::uint32_t sm) {
  change(sm, SmState::kIdle, kNone, kNone);
  forget(sm);
  flags.issuable.clear(sm);
}

void Smst::evict(bool drains) {
  const SmSet active = (flags.active & running_q_).without(flags.restoring);
  flags.drains = drains ? flags.drains | running_q_ : flags.drains.without(running_q_);
  flags.trap_pending = flags.trap_pending.without(running_q_);
  if (!drains) flags.trap_pending = flags.trap_pending | active;
  (running_q_ | reserved_q_).for_each([this](std::uint32_t sm) { reserve(sm, kNone); });
}

void Smst::change(std::uint32_t sm, SmState state, std::uint32_t ksr, std::uint32_t next) {
  SmRow& row = rows_q_[sm];
  row.state = state;
  row.ksr = ksr;
  row.next = next;
  idle_q_.set(sm, state == SmState::kIdle);
  running_q_.set(sm, state == SmState::kRunning);
  reserved_q_.set(sm, state == SmState::kReserved);
}

void Smst::forget(std::uint32_t sm) {
  for (SmSet* flag : {&flags.set_up_pending, &flags.active, &flags.trap_pending, &flags.trapped, &flags.full,
                      &flags.drains, &flags.no_room}) {
    flag->clear(sm);
  }
}

// ---- what follows a kernel -----------------------------------------------------------------------------------

void Smst::set_running(std::uint32_t sm, std::uint32_t tbs) {
  rows_q_[sm].running = tbs;
  empty_q_.set(sm, tbs == 0);
}

void Smst::set_issuable(std::uint32_t ksr, bool is_issuable) {
  for (std::uint32_t sm = 0; sm < size(); ++sm) {
    if (rows_q_[sm].ksr == ksr) flags.issuable.set(sm, is_issuable);
  }
}

SmSet Smst::forget_kernel(std::uint32_t ksr) {
  SmSet left;
  for (std::uint32_t sm = 0; sm < size(); ++sm) {
    SmRow& row = rows_q_[sm];
    if (row.next == ksr) row.next = kNone;
    if (row.ksr != ksr) continue;
    flags.issuable.clear(sm);
    row.ksr = kNone;
    if (row.state != SmState::kRunning) {
      // Nobody is left for whom it could be set up: it leaves for its `next`.
      if (!flags.set_up_pending.has(sm)) continue;
      flags.set_up_pending.clear(sm);
      flags.active.set(sm);
      flags.drains.set(sm);
      continue;
    }
    change(sm, SmState::kIdle, kNone, kNone);
    flags.active.clear(sm);
    flags.full.clear(sm);
    flags.set_up_pending.clear(sm);
    left.set(sm);
  }
  return left;
}

}  // namespace tessera::rtl_model
