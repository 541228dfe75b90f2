// SPDX-License-Identifier: Apache-2.0
// The SM status table ([T14] 3.3): state, owner, next owner and resident TBs of each SM.
#pragma once

#include <vector>

#include "rtl_model/base/clocked_module.h"
#include "rtl_model/base/field.h"
#include "rtl_model/interfaces/pins.h"
#include "rtl_model/params.h"

namespace tessera::rtl_model {

enum class SmState : std::uint8_t { kIdle, kRunning, kReserved };

struct SmRow {
  SmState state = SmState::kIdle;
  Field32 ksr;      // owner; all ones: none
  Field32 next;     // of a reserved SM; all ones: none
  Field32 running;  // resident TBs, those being restored included
};

class Smst final : public ClockedModule {
 public:
  Smst(const sc_core::sc_module_name& name, const Params& params);

  // Read ports.
  const SmRow& row(std::uint32_t sm) const { return rows_q_[sm]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(rows_q_.size()); }
  bool has_owner(const SmRow& row) const { return row.ksr != none_; }
  bool has_next(const SmRow& row) const { return row.next != none_; }
  // The kernel an SM counts against: its owner while running, `next` while reserved; kNone.
  std::uint32_t claimant(const SmRow& row) const;
  // SMs in a state, as vectors for priority encoders.
  const SmSet& running() const { return running_q_; }
  const SmSet& reserved() const { return reserved_q_; }
  SmSet owned_by(std::uint32_t ksr) const;  // running ones; a comparator per row

  // Write ports. Changes of a row by the event or the policy, and residents by the issue unit, may meet in a cycle.
  void own(std::uint32_t sm, std::uint32_t ksr) { change({sm, SmState::kRunning, ksr, none_}); }
  void reserve(std::uint32_t sm, std::uint32_t next) { change({sm, SmState::kReserved, rows_q_[sm].ksr, next}); }
  void release(std::uint32_t sm) { change({sm, SmState::kIdle, none_, none_}); }
  void step_running(std::uint32_t sm, std::int32_t step) {
    steps_[num_steps_++] = {sm, step};
    is_written_ = true;
  }
  // A kernel is finished: its SMs go idle, and no row names it any more.
  void forget(std::uint32_t ksr) {
    forgotten_ = ksr;
    is_written_ = true;
  }

  void seq() override;
  bool is_written() const { return is_written_; }  // the coming edge changes something
  void list_signals(ISignalSink& signals) const override;

 private:
  struct Change {
    std::uint32_t sm = kNone;
    SmState state = SmState::kIdle;
    std::uint32_t ksr = 0;
    std::uint32_t next = 0;
  };
  struct Step {
    std::uint32_t sm = 0;
    std::int32_t step = 0;
  };
  void change(const Change& change) {
    change_ = change;
    is_written_ = true;
  }
  void write(std::uint32_t sm, SmState state, std::uint32_t ksr, std::uint32_t next);

  std::uint32_t none_;
  std::vector<SmRow> rows_q_;
  SmSet running_q_, reserved_q_;  // decoded from the rows
  bool is_written_ = false;

  Change change_;
  Step steps_[2];
  std::uint32_t num_steps_ = 0;
  std::uint32_t forgotten_ = kNone;
};

}  // namespace tessera::rtl_model
