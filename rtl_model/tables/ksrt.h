// SPDX-License-Identifier: Apache-2.0
// The kernel status register table ([T14] 3.3): a row per active kernel. Its counters are kept up to date by every
// move, so that a search can judge a row in the cycle in which it passes.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "rtl_model/base/clocked_module.h"
#include "rtl_model/base/field.h"
#include "rtl_model/interfaces/pins.h"
#include "rtl_model/params.h"

namespace tessera::rtl_model {

struct KsrRow {
  bool valid = false;
  bool has_pool_token = false;  // its budget has one of the N_SM mod N_p remaining tokens in it
  Field64 descriptor;
  Field32 context, priority;
  Field32 tokens;      // the budget; what is left of it is tokens - owned - reserved
  Field32 tbs_per_sm;  //
  Field32 remaining;   // TBs that were never issued
  Field32 next_tb;
  Field32 outstanding;  // TBs issued and not finished, those in the PTBQ included
  Field32 preempted;    // handles in the PTBQ
  Field32 promised;     // PTBQ entries for SMs that are saving now
  Field32 owned;        // SMs that run it and are not reserved
  Field32 reserved;     // SMs whose `next` it is
  Field32 covered;      // slots that wait for its TBs: free ones on owned SMs, all those of SMs reserved for it

  bool is_issuable() const { return remaining != 0 || preempted != 0; }
  std::uint32_t held() const { return owned + reserved; }
};

class Ksrt final : public ClockedModule {
 public:
  Ksrt(const sc_core::sc_module_name& name, const Params& params);

  // Signed steps of a row's counters.
  struct Step {
    std::uint32_t ksr = kNone;
    std::int32_t remaining = 0, outstanding = 0, preempted = 0, promised = 0, owned = 0, reserved = 0, covered = 0;
  };

  // Read ports.
  const KsrRow& row(std::uint32_t ksr) const { return rows_q_[ksr]; }
  std::uint32_t lowest_free() const;  // kNone when full
  // Has TBs that no slot waits for (docs/readings.md, DSS 1). With breadth-first issue a TB wants an SM of its own.
  bool is_uncovered(const KsrRow& row) const {
    const std::uint64_t issuable = std::uint64_t{row.remaining} + row.preempted;
    if (!is_breadth_first_) return issuable > row.covered;
    const std::uint32_t owned = row.owned;
    const std::uint32_t free = row.covered;
    return issuable > std::uint64_t{free < owned ? free : owned} + row.reserved;
  }
  // Slots that one reserved SM stands for in `covered`.
  std::int32_t slots_of_reserved_sm(const KsrRow& row) const {
    return is_breadth_first_ ? 0 : static_cast<std::int32_t>(std::uint32_t{row.tbs_per_sm});
  }

  // Write ports.
  void step(const Step& step);  // those of one row in one cycle add up
  void activate(std::uint32_t ksr, const KsrRow& row) {
    activated_ = ksr;
    activated_row_ = row;
    is_written_ = true;
  }
  void free(std::uint32_t ksr) {
    freed_ = ksr;
    is_written_ = true;
  }
  void set_tokens(std::uint32_t ksr, std::uint32_t tokens, bool has_pool_token);
  // To every kernel of a context.
  void set_context_priority(std::uint32_t context, std::uint32_t priority);
  void set_context_tokens(std::uint32_t context, std::uint32_t tokens);

  KsrRow empty_row() const { return empty_; }
  void seq() override;
  bool is_written() const { return is_written_; }  // the coming edge changes something
  // Edges since the last call made a row issuable, or stopped it from being so.
  bool take_flipped() { return std::exchange(has_flipped_, false); }

  void list_signals(ISignalSink& signals) const override;

 private:
  struct ContextWrite {
    bool valid = false;
    std::uint32_t context = 0;
    std::uint32_t value = 0;
  };
  void apply(const Step& step);

  bool is_breadth_first_;
  KsrRow empty_;
  std::vector<KsrRow> rows_q_;
  bool has_flipped_ = false;
  bool is_written_ = false;

  std::array<Step, 8> steps_;
  std::uint32_t num_steps_ = 0;
  std::uint32_t activated_ = kNone;
  KsrRow activated_row_;
  std::uint32_t freed_ = kNone;
  std::uint32_t tokens_ksr_ = kNone;
  std::uint32_t tokens_ = 0;
  bool tokens_from_pool_ = false;
  ContextWrite priority_write_;
  ContextWrite tokens_write_;
};

}  // namespace tessera::rtl_model
