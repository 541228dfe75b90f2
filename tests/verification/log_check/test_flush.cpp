// SPDX-License-Identifier: Apache-2.0
// Flushed thread blocks in the log: what the full-log check lets pass, and what the results count.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "model/record/metrics/metrics.h"
#include "tests/verification/log_check/support.h"

namespace tessera::verification {
namespace {

using namespace record;
using test::at;
using test::violations;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

// The sound log until the preemption of SM 0; there one TB is dropped and the other saved, and both come back on SM 1.
std::vector<Record> flushing_log() {
  using K = Kind;
  const std::uint64_t context = test::kSmallContext;
  std::vector<Record> log = test::sound_log();
  log.erase(std::remove_if(log.begin(), log.end(), [](const Record& r) { return r.cycle > 34; }), log.end());
  for (const Record& record : std::vector<Record>{
           at(36, K::kPreemptionRequested).on(0).launched(0).value(1).by(Technique::kFlush),
           at(37, K::kTbFlushed).on(0, 1).launched(0).tb(1),
           at(37, K::kSmFlushed).on(0).launched(0).value(1).cycles(16),
           at(50, K::kSaveStarted).on(0).launched(0).bytes(context),
           at(60, K::kTbSaved).on(0, 0).launched(0).tb(0).bytes(context),
           at(60, K::kPreemptionDone).on(0).launched(0).bytes(context).cycles(24).by(Technique::kFlush),
           at(60, K::kSmSetUp).on(0).launched(1).kernel(1, 0),
           at(70, K::kTbFinished).on(1, 0).launched(0).tb(2),
           at(72, K::kTbRestarted).on(1, 1).launched(0).tb(1),
           at(72, K::kRestoreStarted).on(1).launched(0).bytes(context),
           at(77, K::kTbRestored).on(1, 0).launched(0).tb(0).bytes(context),
           at(77, K::kRestoreDone).on(1).launched(0).bytes(context).cycles(5),
           at(78, K::kKernelLeft).launched(0).kernel(0, 0).value(1),
           at(78, K::kKernelLeft).launched(1).kernel(1, 0).value(0),
       })
    log.push_back(record);
  return log;
}

// With the record of that cycle and kind changed.
std::vector<std::string> faults_if(Cycle cycle, Kind kind, const std::function<void(Record&)>& change) {
  std::vector<Record> log = flushing_log();
  for (Record& record : log) {
    if (record.cycle == cycle && record.kind == kind) change(record);
  }
  return violations(log);
}

TEST(FlushedTbs, InASoundLogAreDroppedOnceAndStartAgainOnce) { EXPECT_THAT(violations(flushing_log()), IsEmpty()); }

TEST(FlushedTbs, AreNeitherSavedNorIssuedNorRestored) {
  std::vector<Record> log = flushing_log();
  log.push_back(at(60, Kind::kTbSaved).on(0, 1).launched(0).tb(1).bytes(1700));
  EXPECT_THAT(violations(log), Contains(HasSubstr("not resident")));
  EXPECT_THAT(faults_if(72, Kind::kTbRestarted, [](Record& r) { r.kind = Kind::kTbIssued; }),
              Contains(HasSubstr("it was flushed: its handle waits")));
  EXPECT_THAT(faults_if(72, Kind::kTbRestarted, [](Record& r) { r.kind = Kind::kTbRestored; }),
              Contains(HasSubstr("it was not saved")));
}

TEST(FlushedTbs, AreThoseOfAFlush) {
  EXPECT_THAT(faults_if(36, Kind::kPreemptionRequested, [](Record& r) { r.technique = Technique::kContextSwitch; }),
              Contains(HasSubstr("no flush was requested here")));
  EXPECT_THAT(faults_if(77, Kind::kTbRestored, [](Record& r) { r.kind = Kind::kTbRestarted; }),
              Contains(HasSubstr("it was not flushed")));
}

TEST(FlushedTbs, AndWhatTheyHadRunAreCountedUnderFlush) {
  MetricsSink sink(2);
  for (const Record& record : flushing_log()) sink.consume(record);
  sink.finish(100);
  const PreemptionResult& flush = sink.result().preemptions.at("flush");
  EXPECT_EQ(flush.latency.count, 1U);
  EXPECT_EQ(flush.tbs_flushed, 1U);
  EXPECT_EQ(flush.cycles_flushed, 16U);
  EXPECT_EQ(flush.bytes_saved, 1700U);
  EXPECT_EQ(flush.bytes_restored, 1700U);
  EXPECT_EQ(sink.result().preemptions.at("context_switch").bytes_restored, 0U);
}

TEST(FlushedTbs, HaveNoEntryWhereNothingWasFlushed) {
  MetricsSink sink(2);
  for (const Record& record : test::sound_log()) sink.consume(record);
  sink.finish(200);
  EXPECT_EQ(sink.result().preemptions.count("flush"), 0U);
}

}  // namespace
}  // namespace tessera::verification
