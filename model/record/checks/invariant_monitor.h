// SPDX-License-Identifier: Apache-2.0
// The invariants (docs/concepts/readings.md, Invariants), checked while a model runs: two bits per TB of the active
// kernels and counters. The first violation of each is kept.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/base/ids.h"
#include "model/base/time.h"
#include "model/policy/scheduling_tables.h"

namespace tessera::record {

enum class Invariant : std::uint8_t {
  kTbFinishesOnce,         // at most once, and exactly once if its kernel finished
  kTbReissuedOnlyIfSaved,  // a TB is issued again only after it was saved
  kContextIntact,          // a restore brings back the bytes of its save (with the context check on)
  kSmHasOneOwner,          // every SM that is not idle belongs to an active kernel
  kSmResources,            // registers, shared memory, slots and threads of the resident TBs
  kTokensConserved,        // token count + SMs owned + SMs reserved for it = tokens
  kPtbqBound,
  kNoNeedlessIdleSm,  // no SM stays idle while a kernel that may have it has unmet demand
  kNoStarvation,      // dss: no kernel with a token left waits without an SM while budgets fit the machine
  kSmInPartition,     // only under static_partition: no SM is given to a kernel whose partition lacks it
};
inline constexpr int kNumInvariants = static_cast<int>(Invariant::kSmInPartition) + 1;
const char* to_string(Invariant invariant);  // "tb_finishes_once", ...

// What a kernel's TBs occupy, and the limits of an SM.
struct SmUse {
  std::uint64_t registers = 0;
  std::uint64_t shared_memory_bytes = 0;
  std::uint64_t threads = 0;
  std::uint64_t slots = 0;
};

class InvariantMonitor {
 public:
  InvariantMonitor(std::uint32_t num_ksrs, const SmUse& sm_limits) : tbs_(num_ksrs), sm_limits_(sm_limits) {}

  void set_now(Cycle now) { now_ = now; }
  Cycle now() const { return now_; }

  // Changes of a TB's state. These are on the hot path.
  void kernel_activated(KsrId ksr, std::uint32_t num_tbs);
  void tb_issued(KsrId ksr, std::uint32_t tb) { move(ksr, tb, kFresh, kResident, Invariant::kTbReissuedOnlyIfSaved); }
  void tb_finished(KsrId ksr, std::uint32_t tb) { move(ksr, tb, kResident, kFinished, Invariant::kTbFinishesOnce); }
  void tb_saved(KsrId ksr, std::uint32_t tb) { move(ksr, tb, kResident, kSaved, Invariant::kTbReissuedOnlyIfSaved); }
  void tb_restored(KsrId ksr, std::uint32_t tb) { move(ksr, tb, kSaved, kResident, Invariant::kTbReissuedOnlyIfSaved); }
  // A flushed TB waits like a saved one; only then may it be issued again.
  void tb_flushed(KsrId ksr, std::uint32_t tb) { tb_saved(ksr, tb); }
  void tb_restarted(KsrId ksr, std::uint32_t tb) { tb_restored(ksr, tb); }
  void kernel_finished(KsrId ksr);

  // Call after every change of residents, of the tables, or of a PTBQ.
  void check_residents(SmId sm, std::uint32_t resident, const SmUse& per_tb);
  void check_tables(const policy::SchedulingTables& tables);
  void check_ptbq(KsrId ksr, std::uint32_t size, std::uint32_t bound);

  // Reports a violation that only the model itself can detect.
  void violated(Invariant invariant, const std::string& how);

  bool all_hold() const;
  // {name, "ok" or the first violation with its cycle} for each invariant.
  std::vector<std::pair<std::string, std::string>> verdicts() const;

 private:
  enum State : std::uint64_t { kFresh = 0, kResident = 1, kSaved = 2, kFinished = 3 };
  struct TbStates {
    std::uint32_t num_tbs = 0;
    std::vector<std::uint64_t> words;  // 2 bits per TB; capacity is kept from launch to launch
  };

  void move(KsrId ksr, std::uint32_t tb, State from, State to, Invariant invariant) {
    TbStates& states = tbs_[index(ksr)];
    if (tb < states.num_tbs) {
      std::uint64_t& word = states.words[tb / 32];
      const unsigned shift = tb % 32 * 2;
      if ((word >> shift & 3) == from) {
        word ^= static_cast<std::uint64_t>(from ^ to) << shift;
        return;
      }
    }
    report_move(ksr, tb, to, invariant);
  }
  void check_partitions(const policy::SchedulingTables& tables);
  void report_move(KsrId ksr, std::uint32_t tb, State to, Invariant invariant);

  Cycle now_ = 0;
  std::vector<TbStates> tbs_;  // by KSR
  SmUse sm_limits_;
  std::vector<std::uint32_t> owned_, reserved_;  // scratch of check_tables
  bool is_partitioned_ = false;                  // at some time so far
  std::vector<std::pair<KsrId, KsrId>> claims_;  // by SM: owner and `next` at the last check_partitions()
  std::array<std::string, kNumInvariants> first_violation_;
};

}  // namespace tessera::record
