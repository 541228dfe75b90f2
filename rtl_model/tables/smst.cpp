// SPDX-License-Identifier: Apache-2.0
// SMST: its edge.
#include "rtl_model/tables/smst.h"

namespace tessera::rtl_model {

Smst::Smst(const sc_core::sc_module_name& name, const Params& params)
    : ClockedModule(name), none_(static_cast<std::uint32_t>((std::uint64_t{1} << params.ksr_width()) - 1)) {
  SmRow row;
  row.ksr = row.next = Field32(params.ksr_width());
  row.running = Field32(params.tb_count_width());
  row.ksr = none_;
  row.next = none_;
  rows_q_.assign(params.num_sms, row);
}

std::uint32_t Smst::claimant(const SmRow& row) const {
  if (row.state == SmState::kRunning) return row.ksr;
  return row.state == SmState::kReserved && has_next(row) ? std::uint32_t{row.next} : kNone;
}

SmSet Smst::owned_by(std::uint32_t ksr) const {
  SmSet owned;
  for (std::uint32_t sm = 0; sm < rows_q_.size(); ++sm) {
    if (rows_q_[sm].state == SmState::kRunning && rows_q_[sm].ksr == ksr) owned.set(sm);
  }
  return owned;
}

void Smst::write(std::uint32_t sm, SmState state, std::uint32_t ksr, std::uint32_t next) {
  SmRow& row = rows_q_[sm];
  row.state = state;
  row.ksr = ksr;
  row.next = next;
  running_q_.set(sm, state == SmState::kRunning);
  reserved_q_.set(sm, state == SmState::kReserved);
}

void Smst::seq() {
  is_written_ = false;
  // 1. Residents: one TB comes, one goes, perhaps on the same SM.
  if (num_steps_ == 2 && steps_[0].sm == steps_[1].sm) {
    steps_[0].step += steps_[1].step;
    num_steps_ = 1;
  }
  for (std::uint32_t i = 0; i < num_steps_; ++i) rows_q_[steps_[i].sm].running.add(steps_[i].step);
  num_steps_ = 0;
  // 2. A row changes hands.
  if (change_.sm != kNone) {
    write(change_.sm, change_.state, change_.ksr, change_.next);
    change_.sm = kNone;
  }
  // 3. A finished kernel.
  if (forgotten_ != kNone) {
    for (std::uint32_t sm = 0; sm < rows_q_.size(); ++sm) {
      const SmRow& row = rows_q_[sm];
      if (row.ksr != forgotten_ && row.next != forgotten_) continue;
      const bool goes_idle = row.state == SmState::kRunning;
      write(sm, goes_idle ? SmState::kIdle : row.state, row.ksr == forgotten_ ? none_ : std::uint32_t{row.ksr},
            row.next == forgotten_ ? none_ : std::uint32_t{row.next});
    }
    forgotten_ = kNone;
  }
}

void Smst::list_signals(ISignalSink& signals) const {
  signals.enter("u_smst");
  for (std::size_t i = 0; i < rows_q_.size(); ++i) {
    const SmRow& row = rows_q_[i];
    signals.signal(indexed("state_q", i), 2, [&row] { return static_cast<std::uint64_t>(row.state); });
    signals.signal(indexed("ksr_q", i), row.ksr.width(), [&row] { return row.ksr; });
    signals.signal(indexed("next_q", i), row.next.width(), [&row] { return row.next; });
    signals.signal(indexed("running_q", i), row.running.width(), [&row] { return row.running; });
  }
  signals.leave();
}

}  // namespace tessera::rtl_model
