// SPDX-License-Identifier: Apache-2.0
// Registers of rtl_model that neither pins nor tables show: of the search unit, and of the SM driver. Found by name.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "rtl_model/scheduler/tsr_scheduler.h"

namespace tessera::testbench {

enum class SearchState : std::uint8_t { kIdle, kBegin, kActivate, kWalk, kDistribute, kSettle };
inline constexpr std::size_t kNumSearchStates = 6;

struct SearchView {
  SearchState state = SearchState::kIdle;
  bool is_second = false;
  std::uint32_t step = 0;
  std::uint32_t cycle = 0;
  bool is_pending = false;
  bool tick_waits = false;
  bool is_checking = false;
  bool has_victim = false;
  std::uint32_t pool = 0;
};

// What an SM is doing, as the core sees it.
enum class SmPhase : std::uint8_t {
  kIdle,
  kSetUp,
  kActive,
  kFilling,  // in a batch of handles, or until its contexts are in
  kReservedInSetUp,
  kReservedFilling,
  kTrapPending,
  kTrapped,
  kDraining,
};
inline constexpr std::size_t kNumSmPhases = 9;

class RegisterProbe {
 public:
  // Of this core from now on.
  void attach(const rtl_model::TsrScheduler& core, std::uint32_t num_sms);

  SearchView search() const;
  // The set-up or the trap that is sent in this cycle, without descriptor and page table.
  rtl_model::SmControlPins sent() const;
  SmPhase phase(std::uint32_t sm) const;
  bool is_trapped(std::uint32_t sm) const { return trapped_[sm]() != 0; }
  bool is_restoring(std::uint32_t sm) const { return restoring_[sm]() != 0; }

 private:
  using Value = std::function<std::uint64_t()>;

  const rtl_model::TsrScheduler* core_ = nullptr;
  Value state_, is_second_, step_, cycle_, pending_, tick_waits_, is_checking_, victim_valid_, pool_, in_batch_, turn_;
  Value sent_valid_, sent_kind_, sent_sm_, sent_context_;
  std::vector<Value> active_, trapped_, restoring_, drains_, trap_pending_;
};

}  // namespace tessera::testbench
