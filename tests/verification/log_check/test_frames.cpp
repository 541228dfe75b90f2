// SPDX-License-Identifier: Apache-2.0
// Runs that are released: what the full-log check refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/model/record/released_log.h"
#include "tests/verification/log_check/support.h"

namespace tessera::verification {
namespace {

using namespace record;
using namespace test;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> faults_of(const std::vector<Record>& log, RunStart start = RunStart::kReleased) {
  LogFacts facts = test::small_machine();
  facts.starts = {RunStart::kBackToBack, start};
  return test::violations(log, facts);
}

template <typename Change>
std::vector<std::string> faults_if(Kind kind, std::uint32_t run, Change change) {
  std::vector<Record> log = late_frames();
  for (Record& record : log) {
    if (record.kind == kind && record.run == run) change(record);
  }
  return faults_of(log);
}

TEST(FrameChecks, ASoundLogPasses) {
  EXPECT_THAT(faults_of(late_frames()), IsEmpty());
  EXPECT_THAT(faults_of({released(0, 0, 1), started(0, 0), released(100, 1, 2), ended(250, 0, 250), started(300, 2),
                         released(300, 2, 1), ended(340, 2, 40)},
                        RunStart::kReleasedOrSkipped),
              IsEmpty());
}

TEST(FrameChecks, ARunStartsAfterItsReleaseOnlyAndOnce) {
  EXPECT_THAT(faults_if(Kind::kRunReleased, 1, [](Record& r) { r.cycle = 151; }),
              Contains(HasSubstr("starts before its release")));
  EXPECT_THAT(faults_if(Kind::kRunStarted, 2, [](Record& r) { r.run = 1; }), Contains(HasSubstr("without gaps")));
  std::vector<Record> log = late_frames();
  log.erase(log.begin());
  EXPECT_THAT(faults_of(log), Contains(HasSubstr("releases are numbered from 0")));
  log = late_frames();
  log.push_back(started(300, 3));
  EXPECT_THAT(faults_of(log), ElementsAre(HasSubstr("was never released")));
}

TEST(FrameChecks, OneThatWasSkippedDoesNotStartLater) {
  EXPECT_THAT(faults_of({released(0, 0, 1), started(0, 0), released(100, 1, 2), ended(150, 0, 150), started(200, 2),
                         released(200, 2, 1), ended(210, 2, 10), started(220, 1)},
                        RunStart::kReleasedOrSkipped),
              Contains(HasSubstr("runs start in order")));
}

TEST(FrameChecks, AReleaseCountsThoseThatAreOpen) {
  EXPECT_THAT(faults_if(Kind::kRunReleased, 1, [](Record& r) { r.value = 1; }),
              ElementsAre(HasSubstr("reports 1 that wait or run, 2 do")));
}

TEST(FrameChecks, AProcessThatRunsBackToBackHasNone) {
  EXPECT_THAT(faults_of(late_frames(), RunStart::kBackToBack), Contains(HasSubstr("the process has no releases")));
}

}  // namespace
}  // namespace tessera::verification
