// SPDX-License-Identifier: Apache-2.0
// A sound log in which an SM passes from one kernel to another position by position.
#pragma once

#include <vector>

#include "tests/model/record/support.h"

namespace tessera::record::test {

// SM 0 belongs to launch 0, and launch 1 has arrived.
inline std::vector<Record> before_sharing() {
  using K = Kind;
  return {at(10, K::kKernelArrived).launched(0).kernel(0, 0).run(0),
          at(14, K::kKernelActivated).launched(0).kernel(0, 0),
          at(16, K::kSmSetUp).on(0).launched(0).kernel(0, 0),
          at(20, K::kTbIssued).on(0, 0).launched(0).tb(0),
          at(21, K::kTbIssued).on(0, 1).launched(0).tb(1),
          at(30, K::kKernelArrived).launched(1).kernel(1, 0).run(0),
          at(34, K::kKernelActivated).launched(1).kernel(1, 0),
          at(36, K::kPreemptionRequested).on(0).launched(0).value(1).by(Technique::kDualKernel)};
}

// One TB of SM 0 is dropped and one saved; each makes room for one of the guest, to whom the SM passes. Both come back.
inline std::vector<Record> shared_log() {
  using K = Kind;
  const std::uint64_t context = kSmallContext;
  std::vector<Record> log = before_sharing();
  for (const Record& record : std::vector<Record>{
           at(37, K::kVictimChosen).on(0, 0).launched(0).tb(0).by(Technique::kFlush).bytes(17).value(17),
           at(37, K::kVictimChosen)
               .on(0, 1)
               .launched(0)
               .tb(1)
               .by(Technique::kContextSwitch)
               .bytes(16)
               .cycles(25)
               .value(10),
           at(37, K::kTbFlushed).on(0, 0).launched(0).tb(0),
           at(37, K::kSmFlushed).on(0).launched(0).value(1).cycles(17),
           at(37, K::kVictimLeft).on(0, 0).launched(0).tb(0).by(Technique::kFlush),
           at(37, K::kPositionGranted).on(0, 0).launched(1).value(1).cycles(7),
           at(41, K::kTbIssued).on(0, 0).launched(1).tb(0),
           at(45, K::kSaveStarted).on(0).launched(0).bytes(context),
           at(60, K::kTbSaved).on(0, 1).launched(0).tb(1).bytes(context),
           at(60, K::kVictimLeft).on(0, 1).launched(0).tb(1).by(Technique::kContextSwitch).cycles(23).bytes(context),
           at(60, K::kPositionGranted).on(0, 1).launched(1).value(1).cycles(30),
           at(60, K::kPreemptionDone).on(0).launched(0).bytes(context).cycles(24).by(Technique::kDualKernel),
           at(60, K::kSmPassed).on(0).launched(1).kernel(1, 0),
           at(60, K::kSmBusy).on(0).launched(0).cycles(40),
           at(64, K::kTbIssued).on(0, 1).launched(1).tb(1),
           at(90, K::kTbFinished).on(0, 0).launched(1).tb(0),
           at(95, K::kTbFinished).on(0, 1).launched(1).tb(1),
           at(95, K::kSmReleased).on(0).launched(1),
           at(95, K::kSmBusy).on(0).launched(1).cycles(35),
           at(95, K::kKernelFinished).launched(1).kernel(1, 0).value(2),
           at(100, K::kSmSetUp).on(0).launched(0).kernel(0, 0),
           at(104, K::kTbRestarted).on(0, 0).launched(0).tb(0),
           at(104, K::kRestoreStarted).on(0).launched(0).bytes(context),
           at(110, K::kTbRestored).on(0, 1).launched(0).tb(1).bytes(context),
           at(110, K::kRestoreDone).on(0).launched(0).bytes(context).cycles(6),
           at(150, K::kTbFinished).on(0, 0).launched(0).tb(0),
           at(151, K::kTbFinished).on(0, 1).launched(0).tb(1),
           at(152, K::kTbIssued).on(0, 0).launched(0).tb(2),
           at(180, K::kTbFinished).on(0, 0).launched(0).tb(2),
           at(180, K::kSmReleased).on(0).launched(0),
           at(180, K::kSmBusy).on(0).launched(0).cycles(76),
           at(180, K::kKernelFinished).launched(0).kernel(0, 0).value(3),
       })
    log.push_back(record);
  return in_order(log);
}

}  // namespace tessera::record::test
