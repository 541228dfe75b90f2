// SPDX-License-Identifier: Apache-2.0
// The full-log check finds what is wrong with a log of event-driven kernels: logs of real runs, each with one fault put
// into it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "model/record/checks/gloop_monitor.h"
#include "tests/platform/gloop_machine.h"

namespace tessera::platform {
namespace {

using namespace test;
using testing::Contains;
using testing::HasSubstr;

constexpr Cycle kShort = 10'007;
constexpr std::uint64_t kFile = 3000;

// Two kernels of two loops that hand the token to each other; those of the first read files.
spec::Spec two_sessions() {
  spec::Spec spec = gloop_platform(2);
  add_loops(spec, loop_kernel(2, 12, {callback(kShort), file_read(kFile)}));
  add_loops(spec, loop_kernel(2, 30, {callback(kShort)}));
  return spec;
}

// The first kernel does not yield in time.
spec::Spec one_to_kill() {
  spec::Spec spec = gloop_platform();
  add_loops(spec, loop_kernel(1, 2, {callback(1'000'003)}));
  add_loops(spec, loop_kernel(1, 3, {callback(kShort)}));
  return spec;
}

class FaultyLog {
 public:
  explicit FaultyLog(spec::Spec spec) : spec_(std::move(spec)), records_(simulate_checked(spec_).records) {}

  // The n-th record of a kind and process.
  Record& at(Kind kind, std::uint16_t process, std::size_t n = 0) {
    for (Record& record : records_) {
      if (record.kind == kind && record.process == process && n-- == 0) return record;
    }
    throw std::out_of_range("the log has no such record");
  }
  // The first of a process that is like that.
  template <typename Predicate>
  Record& first(Kind kind, std::uint16_t process, Predicate is_such) {
    const auto found = std::find_if(records_.begin(), records_.end(), [&](const Record& each) {
      return each.kind == kind && each.process == process && is_such(each);
    });
    if (found == records_.end()) throw std::out_of_range("the log has no such record");
    return *found;
  }
  void remove(const Record& record) { records_.erase(records_.begin() + (&record - records_.data())); }
  void insert(const Record& record) { records_.push_back(record); }

  std::vector<std::string> violations() {
    std::sort(records_.begin(), records_.end(), record::canonical_less);
    return verification::check_log(records_, verification::make_log_facts(spec_)).violations;
  }
  // By the monitor of a run, the invariants that do not hold.
  std::vector<std::string> broken_invariants() {
    std::sort(records_.begin(), records_.end(), record::canonical_less);
    record::GloopMonitor monitor(spec_);
    for (const Record& record : records_) monitor.consume(record);
    monitor.finish(0);
    std::vector<std::string> broken;
    for (const auto& [name, verdict] : monitor.verdicts()) {
      if (verdict != "ok") broken.push_back(name);
    }
    return broken;
  }

 private:
  spec::Spec spec_;
  std::vector<Record> records_;
};

bool is_suspended(const Record& left) { return left.bytes > 0; }
bool reads_state(const Record& resumed) { return resumed.bytes > 0; }

// ---- the token -------------------------------------------------------------------------------------------------

TEST(GloopLog, ATokenThatIsGrantedTwiceIsFound) {
  FaultyLog log(two_sessions());
  Record second = log.at(Kind::kTokenGranted, 0);
  second.process = 1;
  log.insert(second);
  EXPECT_THAT(log.violations(), Contains(HasSubstr("token_granted process 1: process 0 has it (gloop_token)")));
  EXPECT_THAT(log.broken_invariants(), Contains("gloop_token"));
}

TEST(GloopLog, ATokenThatNobodyAskedForIsFound) {
  FaultyLog log(two_sessions());
  log.remove(log.at(Kind::kTokenRequested, 1, 1));
  EXPECT_THAT(log.violations(), Contains(HasSubstr("process 1: it has not asked for the token (gloop_token)")));
}

TEST(GloopLog, ATokenThatPassesSomebodyWhoWaitsLongerIsFound) {
  spec::Spec spec = two_sessions();
  add_loops(spec, loop_kernel(1, 3, {callback(kShort)}));
  FaultyLog log(spec);
  log.at(Kind::kTokenGranted, 1).process = 2;
  EXPECT_THAT(log.violations(), Contains(HasSubstr("token_granted process 2: process 1 waits longer (gloop_token)")));
}

TEST(GloopLog, ALoopThatRunsWithoutTheTokenIsFound) {
  FaultyLog log(two_sessions());
  log.remove(log.at(Kind::kTokenGranted, 1));
  EXPECT_THAT(log.violations(), Contains(testing::AllOf(HasSubstr("loop_resumed process 1"),
                                                        HasSubstr("its session has no token, and has lost none"))));
}

TEST(GloopLog, ATokenThatIsGivenBackBeforeTheKernelHasLeftIsFound) {
  FaultyLog log(two_sessions());
  log.remove(log.at(Kind::kLoopsLeft, 0));
  EXPECT_THAT(log.violations(),
              Contains(HasSubstr("token_released process 0: nothing says that its kernel has left the GPU")));
}

TEST(GloopLog, AHolderThatIsToldBeforeTheThresholdIsFound) {
  FaultyLog log(two_sessions());
  Record& told = log.at(Kind::kYieldRequested, 0);
  --told.cycle;
  --told.cycles;
  EXPECT_THAT(log.violations(),
              Contains(HasSubstr("50020 cycles after grant and request, the threshold is 50021 (gloop_token)")));
}

TEST(GloopLog, ATokenThatWasHeldForAnotherTimeThanToldIsFound) {
  FaultyLog log(two_sessions());
  ++log.at(Kind::kTokenReleased, 1).cycles;
  EXPECT_THAT(log.violations(), Contains(HasSubstr("token_released process 1: reports")));
  EXPECT_THAT(log.broken_invariants(), testing::ElementsAre("gloop_token"));
}

// ---- callbacks -------------------------------------------------------------------------------------------------

TEST(GloopLog, ACallbackThatIsSkippedIsFound) {
  FaultyLog log(two_sessions());
  ++log.first(Kind::kLoopResumed, 1, reads_state).value;
  EXPECT_THAT(log.violations(), Contains(testing::AllOf(HasSubstr("loop_resumed process 1"), HasSubstr("it goes on"),
                                                        HasSubstr("(gloop_callbacks)"))));
  EXPECT_THAT(log.broken_invariants(), Contains("gloop_callbacks"));
}

TEST(GloopLog, ACallbackThatIsRepeatedIsFound) {
  FaultyLog log(two_sessions());
  --log.first(Kind::kLoopResumed, 1, reads_state).value;
  EXPECT_THAT(log.violations(), Contains(HasSubstr("it goes on after")));
}

// Where the loop left and where it goes on agree; the time for it is missing.
TEST(GloopLog, ACallbackThatTakesNoTimeIsFound) {
  FaultyLog log(two_sessions());
  const std::uint32_t tb = log.first(Kind::kLoopLeft, 1, is_suspended).tb;
  ++log.first(Kind::kLoopLeft, 1, is_suspended).value;
  ++log.first(Kind::kLoopResumed, 1, [tb](const Record& each) { return each.tb == tb && reads_state(each); }).value;
  EXPECT_THAT(log.violations(), Contains(HasSubstr("its callbacks take")));
}

TEST(GloopLog, ALoopThatDoesNotGoOnInALaunchIsFound) {
  FaultyLog log(two_sessions());
  const Record resumed = log.first(Kind::kLoopResumed, 1, reads_state);
  const auto is_its = [&resumed](const Record& each) { return each.launch == resumed.launch && each.tb == resumed.tb; };
  log.remove(log.first(Kind::kLoopResumed, 1, is_its));
  log.remove(log.first(Kind::kLoopLeft, 1, is_its));
  EXPECT_THAT(log.violations(), Contains(HasSubstr("did not go on (gloop_callbacks)")));
}

TEST(GloopLog, ALoopThatLeavesUnaskedIsFound) {
  FaultyLog log(two_sessions());
  log.remove(log.at(Kind::kYieldRequested, 1));
  EXPECT_THAT(log.violations(), Contains(HasSubstr("it is not done, and nobody told it to leave (gloop_callbacks)")));
}

TEST(GloopLog, LoopsLeftThatDoNotAddUpAreFound) {
  FaultyLog log(two_sessions());
  --log.at(Kind::kLoopsLeft, 1).value;
  EXPECT_THAT(log.violations(), Contains(HasSubstr("reports 1 loops that are not done, 2 are (gloop_callbacks)")));
}

TEST(GloopLog, AnIoThatIsDoneTwiceIsFound) {
  FaultyLog log(two_sessions());
  Record again = log.at(Kind::kIoDone, 0);
  again.cycle += 1;
  log.insert(again);
  EXPECT_THAT(log.violations(), Contains(HasSubstr("its loop has asked for none (gloop_callbacks)")));
}

TEST(GloopLog, AnIoThatIsSkippedIsFound) {
  FaultyLog log(two_sessions());
  const std::uint32_t tb = log.at(Kind::kIoRequested, 0).tb;
  const auto is_its = [tb](const Record& each) { return each.tb == tb; };
  log.remove(log.first(Kind::kIoRequested, 0, is_its));
  log.remove(log.first(Kind::kIoDone, 0, is_its));
  EXPECT_THAT(log.violations(), Contains(HasSubstr("(gloop_callbacks)")));
}

TEST(GloopLog, AnIoOfAnotherSizeIsFound) {
  FaultyLog log(two_sessions());
  ++log.at(Kind::kIoRequested, 0).bytes;
  EXPECT_THAT(log.violations(), Contains(HasSubstr("the next I/O of its program has 3000 bytes, direction 0")));
}

TEST(GloopLog, ALoopThatGoesOnWhereItsThreadBlockIsNotIsFound) {
  FaultyLog log(two_sessions());
  Record& resumed = log.at(Kind::kLoopResumed, 1);
  resumed.sm = static_cast<std::uint16_t>(1 - resumed.sm);
  EXPECT_THAT(log.violations(), Contains(HasSubstr("its thread block is not there")));
}

// ---- state -----------------------------------------------------------------------------------------------------

TEST(GloopLog, StateThatIsNotWhatWasWrittenIsFound) {
  FaultyLog log(two_sessions());
  --log.first(Kind::kLoopResumed, 1, reads_state).bytes;
  EXPECT_THAT(log.violations(), Contains(HasSubstr("reads 519 bytes, 520 were written (gloop_state)")));
  EXPECT_THAT(log.broken_invariants(), testing::ElementsAre("gloop_state"));
}

TEST(GloopLog, StateThatIsNotAllWrittenIsFound) {
  FaultyLog log(two_sessions());
  --log.first(Kind::kLoopLeft, 1, is_suspended).bytes;
  EXPECT_THAT(log.violations(), Contains(HasSubstr("writes 519 bytes, its state has 520 (gloop_state)")));
}

TEST(GloopLog, StateThatDoesNotAddUpIsFound) {
  FaultyLog log(two_sessions());
  ++log.at(Kind::kLoopsLeft, 1).bytes;
  EXPECT_THAT(log.violations(), Contains(HasSubstr("reports 1041 bytes, its loops wrote 1040 (gloop_state)")));
}

// ---- kills -----------------------------------------------------------------------------------------------------

TEST(GloopLog, AKernelWithLoopsLeftThatEndsUnkilledIsFound) {
  FaultyLog log(one_to_kill());
  log.remove(log.at(Kind::kKernelKilled, 0));
  const std::vector<std::string> violations = log.violations();
  EXPECT_THAT(violations, Contains(testing::AllOf(HasSubstr("tb_finished"),
                                                  HasSubstr("its loop has not left, and nobody killed it"))));
  EXPECT_THAT(violations, Contains(testing::AllOf(HasSubstr("run_ended process 0"),
                                                  HasSubstr("1 loops of its kernel are not done, and nobody killed it "
                                                            "(gloop_kills)"))));
  EXPECT_THAT(log.broken_invariants(), Contains("gloop_kills"));
}

TEST(GloopLog, AKernelThatIsKilledBeforeItsTimeIsFound) {
  FaultyLog log(one_to_kill());
  --log.at(Kind::kKernelKilled, 0).cycle;
  EXPECT_THAT(log.violations(), Contains(HasSubstr("20010 cycles after it was told, 20011 are to pass (gloop_token)")));
}

TEST(GloopLog, AKernelThatIsKilledWhereOthersArePreemptedIsFound) {
  spec::Spec spec = one_to_kill();
  spec.driver.on_timeout = spec::OnTimeout::kPreempt;
  spec.scheduler.policy = spec::PolicyKind::kPpq;
  FaultyLog log(spec);
  Record kill = log.at(Kind::kTokenRevoked, 0);
  kill.kind = Kind::kKernelKilled;
  kill.cycles = 0;
  log.remove(log.at(Kind::kTokenRevoked, 0));
  log.insert(kill);
  EXPECT_THAT(log.violations(), Contains(HasSubstr("kernels that do not yield are preempted (gloop_token)")));
}

// ---- other machines --------------------------------------------------------------------------------------------

TEST(GloopLog, LoopsOfAKernelThatHasNoneAreFound) {
  spec::Spec spec = gloop_platform();
  add_process(spec, {kernel_of("plain", 1, 1000)}, {launch(0), synchronise()}).runs = 1;
  FaultyLog log(spec);
  Record resumed = log.at(Kind::kKernelArrived, 0);
  resumed.kind = Kind::kTokenRequested;
  resumed.kernel = record::kNoIndex;
  resumed.launch = resumed.run = record::kNoNumber;
  log.insert(resumed);
  EXPECT_THAT(log.violations(), Contains(HasSubstr("token_requested process 0: no kernel is event-driven")));
}

}  // namespace
}  // namespace tessera::platform
