// SPDX-License-Identifier: Apache-2.0
// A trace that has become too large ends cleanly, and nobody builds per-TB records for it any more.
#include <gtest/gtest.h>

#include <stdexcept>

#include "model/record/record_log.h"
#include "model/record/trace/limited_sink.h"

namespace tessera::record {
namespace {

struct CountingSink : ISink {
  bool wants_per_tb() const override { return true; }
  void consume(const Record&) override { ++num_records; }
  void finish(Cycle end) override {
    ++num_finishes;
    ended_at = end;
  }
  std::uint64_t num_records = 0;
  int num_finishes = 0;
  Cycle ended_at = 0;
};

Record tb_finished(Cycle cycle) {
  Record record;
  record.cycle = cycle;
  record.kind = Kind::kTbFinished;
  record.tb = static_cast<std::uint32_t>(cycle);
  return record;
}

TEST(LimitedSink, EndsItsSinkOnceWhenFullAndStopsListening) {
  CountingSink inner;
  bool is_full = false;
  LimitedSink limited(inner, [&] { return is_full; });
  RecordLog log;
  log.add_sink(&limited);
  Cycle now = 0;
  for (; now < 10'000; ++now) log.emit(now, tb_finished(now));
  EXPECT_TRUE(log.wants_per_tb());
  is_full = true;
  for (; now < 20'000; ++now) log.emit(now, tb_finished(now));
  log.finish(now);
  EXPECT_FALSE(log.wants_per_tb());
  EXPECT_EQ(inner.num_finishes, 1);
  EXPECT_EQ(inner.ended_at, limited.ended_at());
  EXPECT_EQ(inner.num_records, limited.ended_at());  // one record a cycle, from cycle 0
  EXPECT_GE(limited.ended_at(), 10'000U);
  EXPECT_LT(limited.ended_at(), 20'000U);
}

struct BrokenSink : CountingSink {
  void finish(Cycle) override { throw std::runtime_error("disk full"); }
};

TEST(LimitedSink, RemembersThatItsSinkCouldNotBeFinished) {
  BrokenSink inner;
  LimitedSink limited(inner, [] { return false; });
  RecordLog log;
  log.add_sink(&limited);
  log.emit(0, tb_finished(0));
  EXPECT_FALSE(limited.has_failed());
  log.finish(1);
  EXPECT_TRUE(limited.has_failed());
}

TEST(LimitedSink, PassesEverythingOnWhileThereIsRoom) {
  CountingSink inner;
  LimitedSink limited(inner, [] { return false; });
  RecordLog log;
  log.add_sink(&limited);
  for (Cycle now = 0; now < 20'000; ++now) log.emit(now, tb_finished(now));
  log.finish(20'000);
  EXPECT_EQ(inner.num_records, 20'000U);
  EXPECT_EQ(inner.ended_at, 20'000U);
}

// Traces tell one by one what counters add up.
TEST(LimitedSink, LeavesCountersOut) {
  CountingSink inner;
  LimitedSink limited(inner, [] { return false; });
  Record slots = tb_finished(0);
  slots.kind = Kind::kSmSlots;
  limited.consume(slots);
  EXPECT_EQ(inner.num_records, 0U);
}

}  // namespace
}  // namespace tessera::record
