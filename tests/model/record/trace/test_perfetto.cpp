// SPDX-License-Identifier: Apache-2.0
// The Perfetto trace, read back by protoc: tracks, slices that nest, densities, integer times, size.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <stdexcept>

#include "model/base/time.h"
#include "model/record/trace/perfetto_sink.h"
#include "model/record/trace/proto_encoder.h"
#include "tests/model/record/trace/perfetto_reader.h"
#include "tests/model/record/turn_log.h"

namespace tessera::record {
namespace {

using test::at;
using test::decode;
using test::has_unknown_field;
using test::Packet;
using test::packets_of;
using test::read;
using test::Trace;
using test::trace_of;
using test::value_of;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(ProtoEncoder, VarintsHoldSevenBitsAByte) {
  const auto varint = [](std::uint64_t value) {
    std::string bytes;
    append_varint(bytes, value);
    return bytes;
  };
  EXPECT_EQ(varint(0), std::string(1, '\0'));
  EXPECT_EQ(varint(127), "\x7F");
  EXPECT_EQ(varint(128), std::string("\x80\x01"));
  EXPECT_EQ(varint(300), "\xAC\x02");  // the example of the protobuf encoding guide
  EXPECT_EQ(varint(~std::uint64_t{0}).size(), 10U);
}

TEST(PerfettoSink, AFieldThatTheSchemaDoesNotHaveWouldBeNoticed) {
  std::string packet;
  append_number(packet, 10, 1);  // trusted_packet_sequence_id
  append_number(packet, 77, 1);
  std::string trace;
  append_bytes(trace, 1, packet);
  EXPECT_TRUE(has_unknown_field(decode(trace)));
  EXPECT_FALSE(has_unknown_field("packet {\n  timestamp: 77\n  track_event {\n  }\n}\n"));
}

TEST(PerfettoSink, ASoundLogDecodesWithoutFaults) {
  const Trace trace = read(test::sound_log());
  EXPECT_THAT(trace.faults, IsEmpty());
  std::vector<std::string> tracks;
  for (const auto& [uuid, name] : trace.tracks) tracks.push_back(name);
  EXPECT_THAT(tracks, testing::IsSupersetOf({"SMs/SM 0", "SMs/SM 0/SM 0 resident TBs", "SMs/SM 1", "Processes/alpha",
                                             "Processes/beta/kernels 0", "DMA/to GPU", "DMA/to host", "Scheduler"}));
}

TEST(PerfettoSink, TheFirstPacketClearsTheSequenceAndNoOther) {
  const std::vector<Packet> packets = packets_of(decode(trace_of(test::sound_log(), test::small_names(), 150)));
  ASSERT_GT(packets.size(), 1U);
  EXPECT_EQ(value_of(packets[0], "sequence_flags"), "1");
  for (std::size_t i = 1; i < packets.size(); ++i)
    EXPECT_THAT(value_of(packets[i], "sequence_flags"), testing::AnyOf("", "2"));
}

TEST(PerfettoSink, AnSmIsDrawnInThePhasesOfAContextSwitch) {
  EXPECT_THAT(read(test::sound_log()).slices["SMs/SM 0"],
              ElementsAre("set-up alpha/scan 16-20", "running alpha/scan 20-36", "reserved alpha/scan 36-50",
                          "saving alpha/scan 50-60", "set-up beta/sort 60-64", "running beta/sort 64-101",
                          "set-up beta/sort 108-112", "running beta/sort 112-130"));
}

TEST(PerfettoSink, AnSmThatDrainsIsDrawnAndACancelledDrainEndsAtOnce) {
  EXPECT_THAT(read(test::sound_log()).slices["SMs/SM 1"],
              ElementsAre("set-up alpha/scan 16-22", "running alpha/scan 22-70", "restoring alpha/scan 70-75",
                          "running alpha/scan 75-80", "draining alpha/scan 80-85", "running alpha/scan 85-91",
                          "restoring alpha/scan 91-95", "running alpha/scan 95-110", "draining alpha/scan 110-120",
                          "set-up beta/sort 120-124", "running beta/sort 124-140"));
}

TEST(PerfettoSink, ADrainTowardsAnotherKernelGoesOn) {
  const std::vector<Record> log{at(1, Kind::kKernelArrived).launched(0).kernel(0, 0),
                                at(2, Kind::kSmSetUp).on(0).launched(0).kernel(0, 0),
                                at(4, Kind::kTbIssued).on(0, 0).launched(0).tb(0),
                                at(6, Kind::kPreemptionRequested).on(0).launched(0).value(1).by(Technique::kDrain),
                                at(8, Kind::kPreemptionRetargeted).on(0).launched(0).value(2),
                                at(9, Kind::kTbFinished).on(0, 0).launched(0).tb(0),
                                at(9, Kind::kPreemptionDone).on(0).launched(0).cycles(3).by(Technique::kDrain)};
  EXPECT_THAT(read(log).slices["SMs/SM 0"],
              ElementsAre("set-up alpha/scan 2-4", "running alpha/scan 4-6", "draining alpha/scan 6-9"));
}

TEST(PerfettoSink, AnSmThatIsIdleByRuleIsDrawnSo) {
  Trace trace =
      read({at(1, Kind::kKernelArrived).launched(0).kernel(0, 0), at(2, Kind::kSmSetUp).on(0).launched(0).kernel(0, 0),
            at(10, Kind::kSmsWithheld).value(1), at(20, Kind::kSmReleased).on(0).launched(0),
            at(30, Kind::kSmsWithheld).value(2), at(40, Kind::kSmsWithheld).value(0)});
  EXPECT_THAT(trace.slices["SMs/SM 0"], ElementsAre("set-up alpha/scan 2-20", "idle by rule 30-40"));
  EXPECT_THAT(trace.slices["SMs/SM 1"], ElementsAre("idle by rule 10-40"));
}

TEST(PerfettoSink, DensityIsWrittenOncePerCycle) {
  EXPECT_THAT(read(test::sound_log()).counters["SMs/SM 0/SM 0 resident TBs"],
              ElementsAre("20 1", "21 2", "60 0", "64 1", "65 2", "100 1", "101 0", "112 1", "130 0"));
}

TEST(PerfettoSink, ASlotRefilledInTheNextCycleLeavesNoMarkALaterOneDoes) {
  const std::vector<Record> log{at(10, Kind::kTbIssued).on(0, 0), at(20, Kind::kTbFinished).on(0, 0),
                                at(21, Kind::kTbIssued).on(0, 0), at(30, Kind::kTbFinished).on(0, 0),
                                at(32, Kind::kTbIssued).on(0, 0)};
  EXPECT_THAT(read(log).counters["SMs/SM 0/SM 0 resident TBs"], ElementsAre("10 1", "30 0", "32 1"));
}

TEST(PerfettoSink, RunsThatFollowWithoutAGapDoNotNest) {
  const Trace trace = read(test::sound_log());
  EXPECT_THAT(trace.slices.at("Processes/beta"), ElementsAre("run 0 0-101", "run 1 101-140"));
}

TEST(PerfettoSink, ALaunchWaitsThenIsActiveWithinItsSlice) {
  const Trace trace = read(test::sound_log());
  EXPECT_THAT(trace.slices.at("Processes/alpha/kernels 0"),
              ElementsAre("scan 10-120", "waiting 10-14", "active 14-120"));
}

TEST(PerfettoSink, KernelsOfOneProcessThatOverlapTakeLanesOfTheirOwn) {
  const std::vector<Record> log{at(1, Kind::kKernelArrived).launched(0).kernel(0, 0).run(0),
                                at(2, Kind::kKernelArrived).launched(1).kernel(0, 0).run(0),
                                at(5, Kind::kKernelActivated).launched(0).kernel(0, 0),
                                at(7, Kind::kKernelFinished).launched(0).kernel(0, 0),
                                at(8, Kind::kKernelArrived).launched(2).kernel(0, 0).run(0)};
  const Trace trace = read(log, test::small_names(), 9);
  EXPECT_THAT(trace.faults, IsEmpty());
  EXPECT_THAT(trace.slices.at("Processes/alpha/kernels 0"),
              ElementsAre("scan 1-7", "waiting 1-5", "active 5-7", "scan 8-9", "waiting 8-9"));
  EXPECT_THAT(trace.slices.at("Processes/alpha/kernels 1"), ElementsAre("scan 2-9", "waiting 2-9"));
}

TEST(PerfettoSink, TransfersAreDrawnByDirectionUnderTheirProcess) {
  std::vector<Record> log{at(2, Kind::kDmaStarted).process(0).bytes(64), at(8, Kind::kDmaStarted).process(1).bytes(64),
                          at(8, Kind::kDmaEnded).process(0).bytes(64),
                          at(9, Kind::kDmaStarted).process(0).bytes(4).value(1)};
  const Trace trace = read(log, test::small_names(), 12);
  EXPECT_THAT(trace.faults, IsEmpty());
  EXPECT_THAT(trace.slices.at("DMA/to GPU"), ElementsAre("alpha 2-8", "beta 8-12"));
  EXPECT_THAT(trace.slices.at("DMA/to host"), ElementsAre("alpha 9-12"));
}

TEST(PerfettoSink, AKeptTurnIsDrawnByItsOwnerAndSwitchesByTheirCause) {
  const Trace trace = read(test::turn_log(), test::small_names(), test::kTurnLogEnd);
  EXPECT_THAT(trace.faults, IsEmpty());
  EXPECT_THAT(trace.slices.at("GPU turn"), ElementsAre("alpha 10-38", "switch: slice over 38-70", "beta 70-92",
                                                       "switch: dry 92-100", "alpha 100-180", "switch: dry 180-200"));
  EXPECT_EQ(read(test::sound_log()).slices.count("GPU turn"), 0U);
}

TEST(PerfettoSink, DecisionsAreDrawnFromTheirInvocation) {
  EXPECT_THAT(read(test::sound_log()).slices["Scheduler"], ElementsAre("decision 14-16"));
}

TEST(PerfettoSink, ADecisionThatWaitedForTheLastOneIsDrawnBehindIt) {
  const Trace trace = read({at(20, Kind::kPolicyDecided).cycles(10), at(25, Kind::kPolicyDecided).cycles(10)});
  EXPECT_THAT(trace.faults, IsEmpty());
  EXPECT_THAT(trace.slices.at("Scheduler"), ElementsAre("decision 10-20", "decision 20-25"));
}

TEST(PerfettoSink, WhatIsOpenAtTheEndEndsThere) {
  const Trace trace =
      read({at(5, Kind::kRunStarted).process(0).run(0), at(6, Kind::kKernelArrived).launched(0).kernel(0, 0),
            at(9, Kind::kSmSetUp).on(1).launched(0).kernel(0, 0)},
           test::small_names(), 11);
  EXPECT_THAT(trace.faults, IsEmpty());
  EXPECT_THAT(trace.slices.at("SMs/SM 1"), ElementsAre("set-up alpha/scan 9-11"));
  EXPECT_THAT(trace.slices.at("Processes/alpha"), ElementsAre("run 0 5-11"));
  EXPECT_THAT(trace.slices.at("Processes/alpha/kernels 0"), ElementsAre("scan 6-11", "waiting 6-11"));
}

TEST(PerfettoSink, RunsThatMissTheirDeadlineSaySo) {
  const Trace trace =
      read({at(0, Kind::kRunReleased).process(0).run(0).cycles(10), at(0, Kind::kRunStarted).process(0).run(0),
            at(5, Kind::kRunReleased).process(0).run(1).cycles(10),
            at(10, Kind::kRunEnded).process(0).run(0).cycles(10), at(10, Kind::kRunStarted).process(0).run(1)},
           test::small_names(), 16);
  EXPECT_THAT(trace.slices.at("Processes/alpha"), ElementsAre("run 0 0-10", "run 1, late 10-16"));
  EXPECT_THAT(trace.marks.at("Processes/alpha/releases and deadlines"),
              ElementsAre("release 0 0", "release 1 5", "deadline 0 10", "deadline 1 15"));
}

TEST(PerfettoSink, TimesAreWholeNanosecondsOfTheGpuClock) {
  Names names = test::small_names();
  names.clock_hz = 706'000'000;
  const Cycle end = 7'060'000'001;
  const Trace trace = read({at(706, Kind::kRunStarted).process(0).run(0)}, names, end);
  const std::uint64_t end_ns = Clock(names.clock_hz).time_of(end) / 1000;
  EXPECT_EQ(end_ns, 10'000'000'001U);
  EXPECT_THAT(trace.slices.at("Processes/alpha"), ElementsAre(fmt::format("run 0 1000-{}", end_ns)));
}

// `refill_cycles` after each of `num_tbs` TBs ends, the next one takes its slot.
std::size_t trace_bytes(std::uint32_t num_tbs, Cycle refill_cycles) {
  Names names = test::small_names();
  names.num_sms = 13;
  std::ostringstream out;
  PerfettoSink sink(out, names);
  const Cycle second = names.clock_hz;
  for (std::uint32_t i = 0; i < num_tbs; ++i) {
    const Cycle cycle = second + Cycle{i} * 10;
    const auto sm = static_cast<std::uint16_t>(i % names.num_sms);
    sink.consume(at(cycle, Kind::kTbIssued).on(sm, 0));
    sink.consume(at(cycle + 10 * names.num_sms - refill_cycles, Kind::kTbFinished).on(sm, 0));
  }
  sink.finish(2 * second);
  return out.str().size();
}

TEST(PerfettoSink, AThreadBlockTakesAtMost38BytesEvenIfEveryChangeIsDrawn) {
  constexpr std::uint32_t kNumTbs = 100'000;
  const std::size_t overhead = trace_bytes(0, 2);
  EXPECT_LE(trace_bytes(kNumTbs, 2) - overhead, 38U * kNumTbs);
  EXPECT_LE(trace_bytes(kNumTbs, 1) - overhead, std::size_t{kNumTbs}) << "refilled at once: the density never changes";
}

TEST(PerfettoSink, AStreamThatFailsIsReported) {
  std::ostringstream out;
  PerfettoSink sink(out, test::small_names());
  out.setstate(std::ios::badbit);
  EXPECT_THROW(sink.finish(0), std::runtime_error);
}

}  // namespace
}  // namespace tessera::record
