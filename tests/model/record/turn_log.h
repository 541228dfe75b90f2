// SPDX-License-Identifier: Apache-2.0
// A sound log of the small machine in which the whole GPU changes hands three times.
#pragma once

#include <vector>

#include "tests/model/record/support.h"

namespace tessera::record::test {

inline constexpr Cycle kTurnLogEnd = 200;

// Process 0's kernel has run for a slice when process 1 comes, which then runs dry; so does process 0 at last.
inline std::vector<Record> turn_log() {
  using K = Kind;
  constexpr auto kDry = static_cast<std::uint64_t>(TurnCause::kDry);
  constexpr auto kSliceOver = static_cast<std::uint64_t>(TurnCause::kSliceOver);
  const std::uint64_t context = kSmallContext;
  const auto request = [](std::uint16_t sm) {
    return at(40, K::kPreemptionRequested).on(sm).launched(0).value(kNoNumber).by(Technique::kContextSwitch);
  };
  const auto done = [](std::uint16_t sm, std::uint64_t bytes) {
    return at(55, K::kPreemptionDone).on(sm).launched(0).bytes(bytes).cycles(15).by(Technique::kContextSwitch);
  };
  return in_order({
      at(10, K::kKernelArrived).launched(0).kernel(0, 0).run(0),
      at(10, K::kTurnBegan).process(0),
      at(14, K::kKernelActivated).launched(0).kernel(0, 0),
      at(15, K::kSmSetUp).on(0).launched(0).kernel(0, 0),
      at(15, K::kSmSetUp).on(1).launched(0).kernel(0, 0),
      at(20, K::kTbIssued).on(0, 0).launched(0).tb(0),
      at(20, K::kTbIssued).on(0, 1).launched(0).tb(1),
      at(21, K::kTbIssued).on(1, 0).launched(0).tb(2),
      at(30, K::kKernelArrived).launched(1).kernel(1, 0).run(0),
      at(34, K::kKernelActivated).launched(1).kernel(1, 0),
      at(38, K::kTurnPassed).process(0).value(kSliceOver),
      request(0),
      request(1),
      at(45, K::kSaveStarted).on(0).launched(0).bytes(2 * context),
      at(45, K::kSaveStarted).on(1).launched(0).bytes(context),
      at(55, K::kTbSaved).on(0, 0).launched(0).tb(0).bytes(context),
      at(55, K::kTbSaved).on(0, 1).launched(0).tb(1).bytes(context),
      at(55, K::kTbSaved).on(1, 0).launched(0).tb(2).bytes(context),
      done(0, 2 * context),
      done(1, context),
      at(70, K::kTurnBegan).process(1).cycles(32),
      at(71, K::kSmSetUp).on(0).launched(1).kernel(1, 0),
      at(75, K::kTbIssued).on(0, 0).launched(1).tb(0),
      at(75, K::kTbIssued).on(0, 1).launched(1).tb(1),
      at(90, K::kTbFinished).on(0, 0).launched(1).tb(0),
      at(91, K::kTbFinished).on(0, 1).launched(1).tb(1),
      at(91, K::kSmReleased).on(0).launched(1),
      at(91, K::kKernelFinished).launched(1).kernel(1, 0).value(2),
      at(92, K::kTurnPassed).process(1).value(kDry),
      at(100, K::kTurnBegan).process(0).cycles(8),
      at(101, K::kSmSetUp).on(0).launched(0).kernel(0, 0),
      at(101, K::kSmSetUp).on(1).launched(0).kernel(0, 0),
      at(105, K::kRestoreStarted).on(0).launched(0).bytes(2 * context),
      at(105, K::kRestoreStarted).on(1).launched(0).bytes(context),
      at(115, K::kTbRestored).on(0, 0).launched(0).tb(0).bytes(context),
      at(115, K::kTbRestored).on(0, 1).launched(0).tb(1).bytes(context),
      at(115, K::kTbRestored).on(1, 0).launched(0).tb(2).bytes(context),
      at(115, K::kRestoreDone).on(0).launched(0).bytes(2 * context).cycles(10),
      at(115, K::kRestoreDone).on(1).launched(0).bytes(context).cycles(10),
      at(130, K::kTbFinished).on(0, 0).launched(0).tb(0),
      at(130, K::kTbFinished).on(0, 1).launched(0).tb(1),
      at(131, K::kTbFinished).on(1, 0).launched(0).tb(2),
      at(130, K::kSmReleased).on(0).launched(0),
      at(131, K::kSmReleased).on(1).launched(0),
      at(131, K::kKernelFinished).launched(0).kernel(0, 0).value(3),
      at(180, K::kTurnPassed).process(0).value(kDry),
  });
}

}  // namespace tessera::record::test
