// SPDX-License-Identifier: Apache-2.0
// The full-log check on victims, positions and guests: silent on a sound log, and loud about each way to be wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "tests/model/record/shared_log.h"
#include "tests/verification/log_check/support.h"

namespace tessera::verification {
namespace {

using namespace record;
using test::at;
using test::violations;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using K = Kind;

std::vector<Record> until(Cycle cycle, const std::vector<Record>& more) {
  std::vector<Record> log = test::shared_log();
  log.erase(std::remove_if(log.begin(), log.end(), [&](const Record& r) { return r.cycle > cycle; }), log.end());
  log.insert(log.end(), more.begin(), more.end());
  return log;
}

// The sound log with the first record of this cycle, kind and slot changed.
std::vector<std::string> faults_if(Cycle cycle, Kind kind, std::uint16_t slot,
                                   const std::function<void(Record&)>& change) {
  std::vector<Record> log = test::shared_log();
  const auto found = std::find_if(
      log.begin(), log.end(), [&](const Record& r) { return r.cycle == cycle && r.kind == kind && r.slot == slot; });
  EXPECT_NE(found, log.end());
  if (found != log.end()) change(*found);
  return violations(log);
}

// Launch 0 has one TB that drains and one that is to be saved; then its guest comes no more.
std::vector<Record> cancelled_log() {
  const std::uint64_t context = test::kSmallContext;
  std::vector<Record> log = test::before_sharing();
  for (const Record& record : std::vector<Record>{
           at(37, K::kVictimChosen).on(0, 0).launched(0).tb(0).by(Technique::kDrain).cycles(40),
           at(37, K::kVictimChosen).on(0, 1).launched(0).tb(1).by(Technique::kContextSwitch).cycles(25),
           at(42, K::kPreemptionRetargeted).on(0).launched(0).value(0).by(Technique::kDualKernel),
           at(45, K::kSaveStarted).on(0).launched(0).bytes(context),
           at(60, K::kTbSaved).on(0, 1).launched(0).tb(1).bytes(context),
           at(60, K::kVictimLeft).on(0, 1).launched(0).tb(1).by(Technique::kContextSwitch).cycles(23).bytes(context),
           at(80, K::kTbFinished).on(0, 0).launched(0).tb(0),
           at(81, K::kTbIssued).on(0, 0).launched(0).tb(2),
           at(90, K::kKernelLeft).launched(0).kernel(0, 0).value(1).bytes(context),
           at(90, K::kKernelLeft).launched(1).kernel(1, 0).value(0),
       })
    log.push_back(record);
  return log;
}

TEST(Victims, ASoundLogOfASharedSmHasNoViolations) { EXPECT_THAT(violations(test::shared_log()), IsEmpty()); }

TEST(Victims, EveryRecordOfASharedSmThatIsLostIsNoticed) {
  const std::vector<Record> log = test::shared_log();
  for (std::size_t i = 0; i < log.size(); ++i) {
    const bool is_last_grant = log[i].kind == K::kPositionGranted && log[i].cycle == 60;  // the SM passes at once
    const bool may_be_missing = log[i].kind == K::kSmBusy || (log[i].kind == K::kSmReleased && log[i].cycle == 180);
    if (is_last_grant || may_be_missing) continue;
    std::vector<Record> poorer = log;
    poorer.erase(poorer.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_THAT(violations(poorer), Not(IsEmpty())) << "cycle " << log[i].cycle << " " << to_string(log[i].kind);
  }
}

TEST(Victims, AreResidentTbsOfTheOwnerAndChosenOnce) {
  EXPECT_THAT(faults_if(37, K::kVictimChosen, 0, [](Record& r) { r.tb = 2; }), Contains(HasSubstr("not resident")));
  EXPECT_THAT(faults_if(37, K::kVictimChosen, 0, [](Record& r) { r.launch = 1; }), Contains(HasSubstr("not owned")));
  const Record again = at(50, K::kVictimChosen).on(0, 1).launched(0).tb(1).by(Technique::kContextSwitch);
  EXPECT_THAT(violations(until(50, {again})), Contains(HasSubstr("chosen before")));
  std::vector<Record> unasked = test::shared_log();
  for (Record& record : unasked) {
    if (record.kind == K::kPreemptionRequested) record.technique = Technique::kFlush;
  }
  EXPECT_THAT(violations(unasked), Contains(HasSubstr("no preemption was requested that chooses victims")));
}

TEST(Victims, WasteWhatTheirWayOutDoes) {
  EXPECT_THAT(faults_if(37, K::kVictimChosen, 0, [](Record& r) { r.value = 16; }),
              Contains(HasSubstr("a flush wastes the 17 instructions executed, not 16")));
  EXPECT_THAT(
      violations(until(36, {at(37, K::kVictimChosen).on(0, 0).launched(0).tb(0).by(Technique::kDrain).value(1)})),
      Contains(HasSubstr("draining wastes nothing")));
}

TEST(Victims, LeaveByTheWayChosen) {
  EXPECT_THAT(faults_if(37, K::kVictimChosen, 0, [](Record& r) { r.technique = Technique::kContextSwitch; }),
              Contains(HasSubstr("it was chosen for context_switch")));
  EXPECT_THAT(faults_if(37, K::kVictimChosen, 1, [](Record& r) { r.technique = Technique::kFlush, r.value = 16; }),
              Contains(HasSubstr("it was chosen for flush")));
  EXPECT_THAT(faults_if(60, K::kVictimLeft, 1, [](Record& r) { r.technique = Technique::kDrain; }),
              Contains(HasSubstr("by drain, it left by context_switch")));
  EXPECT_THAT(faults_if(60, K::kVictimLeft, 1, [](Record& r) { r.cycles = 22; }),
              Contains(HasSubstr("reports 22 cycles, it was chosen 23 ago")));
}

TEST(Victims, AreTheOnlyOnesThatAreDroppedOrSaved) {
  std::vector<Record> log = test::shared_log();
  log.erase(
      std::remove_if(log.begin(), log.end(), [](const Record& r) { return r.kind == K::kVictimChosen && r.slot == 0; }),
      log.end());
  EXPECT_THAT(violations(log), Contains(HasSubstr("it was not chosen for that")));
  EXPECT_THAT(violations(log), Contains(HasSubstr("victim_left sm 0 launch 0 tb 0: it was not chosen")));
}

TEST(Victims, ThatAreToBeSavedMayFinishFirst) {
  const std::vector<Record> log =
      until(41, {at(44, K::kTbFinished).on(0, 1).launched(0).tb(1),
                 at(44, K::kVictimLeft).on(0, 1).launched(0).tb(1).by(Technique::kDrain).cycles(7),
                 at(44, K::kPositionGranted).on(0, 1).launched(1).value(1).cycles(14),
                 at(44, K::kPreemptionDone).on(0).launched(0).cycles(8).by(Technique::kDualKernel),
                 at(44, K::kSmPassed).on(0).launched(1).kernel(1, 0),
                 at(50, K::kKernelLeft).launched(0).kernel(0, 0).value(1),
                 at(50, K::kKernelLeft).launched(1).kernel(1, 0).value(0)});
  EXPECT_THAT(violations(log), IsEmpty());
}

TEST(Victims, ThatDrainMayBeChosenAgainForAnotherWay) {
  std::vector<Record> log = test::shared_log();
  log.push_back(at(36, K::kVictimChosen).on(0, 1).launched(0).tb(1).by(Technique::kDrain).cycles(300));
  for (Record& record : log) {
    if (record.kind == K::kPreemptionRequested) record.cycle = 35;
    if (record.kind == K::kPreemptionDone) record.cycles = 25;
  }
  EXPECT_THAT(violations(log), IsEmpty());
}

TEST(Victims, OfACancelledRequestStayOrFinishTheirSave) {
  EXPECT_THAT(violations(cancelled_log()), IsEmpty());
  std::vector<Record> log = cancelled_log();
  log.push_back(at(60, K::kPreemptionDone).on(0).launched(0).cycles(24).bytes(1700).by(Technique::kDualKernel));
  EXPECT_THAT(violations(log), Contains(HasSubstr("no preemption was requested")));
}

TEST(Victims, AreSavedInBatchesOfWhatWasAnnounced) {
  EXPECT_THAT(faults_if(45, K::kSaveStarted, kNoIndex, [](Record& r) { r.bytes -= 4; }),
              Contains(HasSubstr("the saves that go on have")));
  EXPECT_THAT(faults_if(45, K::kSaveStarted, kNoIndex, [](Record& r) { r.bytes += 4; }),
              Contains(HasSubstr("4 bytes are still to be saved")));
  EXPECT_THAT(faults_if(60, K::kPreemptionDone, kNoIndex, [](Record& r) { r.bytes -= 4; }),
              Contains(HasSubstr("its TBs saved")));
  EXPECT_THAT(faults_if(37, K::kSmFlushed, kNoIndex, [](Record& r) { r.value = 2; }),
              Contains(HasSubstr("reports 2 TBs, 1 were dropped")));
}

TEST(Victims, MakeRoomThatTheirOwnKernelDoesNotTake) {
  EXPECT_THAT(violations(until(40, {at(40, K::kTbIssued).on(0, 0).launched(0).tb(2)})),
              Contains(HasSubstr("its kernel gets no thread block where others leave for a guest")));
}

TEST(Guests, ComeAfterTheirFirstPositionAndNeverBeyondTheirPositions) {
  EXPECT_THAT(faults_if(41, K::kTbIssued, 0, [](Record& r) { r.cycle = 36; }), Contains(HasSubstr("not owned")));
  std::vector<Record> log = test::before_sharing();
  for (const std::uint16_t slot : {std::uint16_t{0}, std::uint16_t{1}}) {
    const std::uint64_t executed = 17U - slot;
    log.push_back(at(37, K::kVictimChosen)
                      .on(0, slot)
                      .launched(0)
                      .tb(slot)
                      .by(Technique::kFlush)
                      .bytes(executed)
                      .value(executed));
    log.push_back(at(37, K::kTbFlushed).on(0, slot).launched(0).tb(slot));
    log.push_back(at(37, K::kVictimLeft).on(0, slot).launched(0).tb(slot).by(Technique::kFlush));
    log.push_back(at(41, K::kTbIssued).on(0, slot).launched(1).tb(slot));
  }
  log.push_back(at(37, K::kPositionGranted).on(0, 0).launched(1).value(1).cycles(7));
  EXPECT_THAT(violations(log), Contains(HasSubstr("2 TBs beside the owner, 1 positions were granted")));
}

TEST(Guests, AreThoseTheSmIsReservedFor) {
  EXPECT_THAT(faults_if(37, K::kPositionGranted, 0, [](Record& r) { r.launch = 0; }),
              Contains(HasSubstr("the SM is reserved for launch 1")));
  EXPECT_THAT(faults_if(37, K::kPositionGranted, 0, [](Record& r) { r.slot = 2; }),
              Contains(HasSubstr("there is no position 2")));  // 3 x 400 registers, there are 1024
  EXPECT_THAT(faults_if(37, K::kPositionGranted, 0, [](Record& r) { r.value = 2; }),
              Contains(HasSubstr("a position holds one")));
  EXPECT_THAT(faults_if(37, K::kPositionGranted, 0, [](Record& r) { r.cycles = 8; }),
              Contains(HasSubstr("reports 8 cycles, its kernel arrived 7 ago")));
}

TEST(Guests, GetTheSmWhenTheOwnersLastTbHasLeft) {
  EXPECT_THAT(faults_if(60, K::kSmPassed, kNoIndex, [](Record& r) { r.cycle = 50; }),
              Contains(HasSubstr("1 TBs of launch 0 are resident")));
  EXPECT_THAT(faults_if(60, K::kSmPassed, kNoIndex, [](Record& r) { r.launch = 0, r.process = 0; }),
              Contains(HasSubstr("it has no places in this SM")));
}

TEST(Guests, HaveGoneWhenTheirRequestIsCancelled) {
  const Record cancel = at(50, K::kPreemptionRetargeted).on(0).launched(0).value(0).by(Technique::kDualKernel);
  EXPECT_THAT(violations(until(50, {cancel})), Contains(HasSubstr("1 TBs of launch 1 are resident")));
}

TEST(Guests, AndOwnersShareTheResourcesOfTheSm) {
  LogFacts facts = test::small_machine();
  facts.kernels[1][0].threads = 33;  // 32 + 33 of 64
  EXPECT_THAT(violations(test::shared_log(), facts), Contains(HasSubstr("65 threads, 64 fit")));
}

TEST(Chimera, HandsTheWholeSmOver) {
  const auto log_with = [](const Record& granted) {
    std::vector<Record> log = test::before_sharing();
    log.back().technique = Technique::kChimera;
    for (const std::uint16_t slot : {std::uint16_t{0}, std::uint16_t{1}}) {
      log.push_back(at(37, K::kVictimChosen).on(0, slot).launched(0).tb(slot).by(Technique::kFlush));
      log.push_back(at(37, K::kTbFlushed).on(0, slot).launched(0).tb(slot));
      log.push_back(at(37, K::kVictimLeft).on(0, slot).launched(0).tb(slot).by(Technique::kFlush));
    }
    for (const Record& record : std::vector<Record>{
             at(37, K::kSmFlushed).on(0).launched(0).value(2).cycles(33), granted,
             at(37, K::kPreemptionDone).on(0).launched(0).cycles(1).by(Technique::kChimera),
             at(37, K::kSmSetUp).on(0).launched(1).kernel(1, 0), at(50, K::kKernelLeft).launched(0).kernel(0, 0),
             at(50, K::kKernelLeft).launched(1).kernel(1, 0)})
      log.push_back(record);
    return log;
  };
  const test::Builder granted = at(37, K::kPositionGranted).on(0).launched(1).cycles(7);
  EXPECT_THAT(violations(log_with(granted.value(2))), IsEmpty());
  EXPECT_THAT(violations(log_with(granted.value(1))), Contains(HasSubstr("for 1 TBs, 2 fit")));
  EXPECT_THAT(violations(log_with(granted.on(0, 0).value(1))), Contains(HasSubstr("only dual_kernel")));
}

}  // namespace
}  // namespace tessera::verification
