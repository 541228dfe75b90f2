// SPDX-License-Identifier: Apache-2.0
// What the record tests share: records in one line, and a sound log of a small machine in which everything happens.
#pragma once

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "model/record/names.h"
#include "model/record/record.h"

namespace tessera::record::test {

// A record under construction: at(20, Kind::kTbIssued).on(0, 1).launched(3).tb(5).
struct Builder {
  Record record;

  Builder on(std::uint16_t sm, std::uint16_t slot = kNoIndex) const {
    return with([&](Record& r) { r.sm = sm, r.slot = slot; });
  }
  Builder launched(std::uint32_t launch) const {
    return with([&](Record& r) { r.launch = launch; });
  }
  Builder kernel(std::uint16_t process, std::uint16_t kernel) const {
    return with([&](Record& r) { r.process = process, r.kernel = kernel; });
  }
  Builder process(std::uint16_t process) const {
    return with([&](Record& r) { r.process = process; });
  }
  Builder run(std::uint32_t run) const {
    return with([&](Record& r) { r.run = run; });
  }
  Builder tb(std::uint32_t tb) const {
    return with([&](Record& r) { r.tb = tb; });
  }
  Builder by(Technique technique) const {
    return with([&](Record& r) { r.technique = technique; });
  }
  Builder bytes(std::uint64_t bytes) const {
    return with([&](Record& r) { r.bytes = bytes; });
  }
  Builder cycles(std::uint64_t cycles) const {
    return with([&](Record& r) { r.cycles = cycles; });
  }
  Builder value(std::uint64_t value) const {
    return with([&](Record& r) { r.value = value; });
  }
  operator Record() const { return record; }  // NOLINT(google-explicit-constructor): it is the record

 private:
  template <typename Change>
  Builder with(Change change) const {
    Builder result = *this;
    change(result.record);
    return result;
  }
};

inline Builder at(Cycle cycle, Kind kind) {
  Record record;
  record.cycle = cycle;
  record.kind = kind;
  return {record};
}

inline std::vector<Record> in_order(std::vector<Record> log) {
  std::sort(log.begin(), log.end(), canonical_less);
  return log;
}

// Of a thread block on the small machine: registers of four bytes, and shared memory.
inline constexpr std::uint64_t kSmallRegisters = 400;
inline constexpr std::uint64_t kSmallSharedMemory = 100;
inline constexpr std::uint64_t kSmallContext = 4 * kSmallRegisters + kSmallSharedMemory;

// The clock makes a cycle a nanosecond.
inline Names small_names() { return {{"alpha", "beta"}, {{"scan"}, {"sort"}}, 2, 2, 1'000'000'000}; }

// Two SMs of two slots; process 0 has a kernel of three TBs, process 1 one of two. A preemption by context switch,
// restores, a cancelled drain and a drain; every kernel finishes.
inline std::vector<Record> sound_log() {
  using K = Kind;
  const std::uint64_t context = kSmallContext;
  std::vector<Record> log{
      at(0, K::kRunStarted).process(0).run(0),
      at(0, K::kRunStarted).process(1).run(0),
      at(2, K::kDmaStarted).process(0).bytes(64),
      at(8, K::kDmaEnded).process(0).bytes(64),
      at(10, K::kKernelArrived).launched(0).kernel(0, 0).run(0),
      at(14, K::kKernelActivated).launched(0).kernel(0, 0),
      at(14, K::kPolicyInvoked),
      at(16, K::kPolicyDecided).cycles(2),
      at(16, K::kSmSetUp).on(0).launched(0).kernel(0, 0),
      at(16, K::kSmSetUp).on(1).launched(0).kernel(0, 0),
      at(20, K::kTbIssued).on(0, 0).launched(0).tb(0),
      at(21, K::kTbIssued).on(0, 1).launched(0).tb(1),
      at(22, K::kTbIssued).on(1, 0).launched(0).tb(2),
      at(30, K::kKernelArrived).launched(1).kernel(1, 0).run(0),
      at(34, K::kKernelActivated).launched(1).kernel(1, 0),
      // SM 0 goes to launch 1 by context switch.
      at(36, K::kPreemptionRequested).on(0).launched(0).value(1).by(Technique::kContextSwitch),
      at(50, K::kSaveStarted).on(0).launched(0).bytes(2 * context),
      at(60, K::kTbSaved).on(0, 0).launched(0).tb(0).bytes(context),
      at(60, K::kTbSaved).on(0, 1).launched(0).tb(1).bytes(context),
      at(60, K::kPreemptionDone).on(0).launched(0).bytes(2 * context).cycles(24).by(Technique::kContextSwitch),
      at(60, K::kSmBusy).on(0).launched(0).cycles(30),
      at(60, K::kSmSlots).on(0, 2).launched(0).cycles(59).bytes(20).value(0),  // 4 + 5 of issue
      at(60, K::kSmSetUp).on(0).launched(1).kernel(1, 0),
      at(64, K::kTbIssued).on(0, 0).launched(1).tb(0),
      at(65, K::kTbIssued).on(0, 1).launched(1).tb(1),
      // SM 1 takes the saved TBs up again, one after the other; in between a drain is cancelled.
      at(70, K::kTbFinished).on(1, 0).launched(0).tb(2),
      at(70, K::kRestoreStarted).on(1).launched(0).bytes(context),
      at(75, K::kTbRestored).on(1, 0).launched(0).tb(0).bytes(context),
      at(75, K::kRestoreDone).on(1).launched(0).bytes(context).cycles(5),
      at(80, K::kPreemptionRequested).on(1).launched(0).value(1).by(Technique::kDrain),
      at(85, K::kPreemptionRetargeted).on(1).launched(0).value(0),
      at(90, K::kTbFinished).on(1, 0).launched(0).tb(0),
      at(91, K::kRestoreStarted).on(1).launched(0).bytes(context),
      at(95, K::kTbRestored).on(1, 1).launched(0).tb(1).bytes(context),
      at(95, K::kRestoreDone).on(1).launched(0).bytes(context).cycles(4),
      at(100, K::kTbFinished).on(0, 0).launched(1).tb(0),
      at(101, K::kTbFinished).on(0, 1).launched(1).tb(1),
      at(101, K::kSmReleased).on(0).launched(1),
      at(101, K::kSmBusy).on(0).launched(1).cycles(37),
      at(101, K::kSmSlots).on(0, 2).launched(1).cycles(72).value(1),
      at(101, K::kKernelFinished).launched(1).kernel(1, 0).value(2),
      at(101, K::kRunEnded).process(1).run(0).cycles(101),
      at(101, K::kRunStarted).process(1).run(1),
      // SM 1 goes to launch 2 by draining.
      at(104, K::kKernelArrived).launched(2).kernel(1, 0).run(1),
      at(108, K::kKernelActivated).launched(2).kernel(1, 0),
      at(108, K::kSmSetUp).on(0).launched(2).kernel(1, 0),
      at(110, K::kPreemptionRequested).on(1).launched(0).value(2).by(Technique::kDrain),
      at(112, K::kTbIssued).on(0, 0).launched(2).tb(0),
      at(120, K::kTbFinished).on(1, 1).launched(0).tb(1),
      at(120, K::kPreemptionDone).on(1).launched(0).cycles(10).by(Technique::kDrain),
      at(120, K::kSmBusy).on(1).launched(0).cycles(90),
      // No TB waits from 22 to 60 and from 95 on; preemption and restores: 70 .. 75, 80 .. 85, 91 .. 95, 110 .. 120.
      at(120, K::kSmSlots).on(1, 2).launched(0).cycles(88).bytes(33).value(53),
      at(120, K::kKernelFinished).launched(0).kernel(0, 0).value(3),
      at(120, K::kRunEnded).process(0).run(0).cycles(120),
      at(120, K::kSmSetUp).on(1).launched(2).kernel(1, 0),
      at(124, K::kTbIssued).on(1, 0).launched(2).tb(1),
      at(130, K::kTbFinished).on(0, 0).launched(2).tb(0),
      at(130, K::kSmReleased).on(0).launched(2),
      at(130, K::kSmBusy).on(0).launched(2).cycles(18),
      at(130, K::kSmSlots).on(0, 2).launched(2).cycles(18).value(6),
      at(140, K::kTbFinished).on(1, 0).launched(2).tb(1),
      at(140, K::kSmReleased).on(1).launched(2),
      at(140, K::kSmBusy).on(1).launched(2).cycles(16),
      at(140, K::kSmSlots).on(1, 2).launched(2).cycles(16).value(16),
      at(140, K::kKernelFinished).launched(2).kernel(1, 0).value(2),
      at(140, K::kRunEnded).process(1).run(1).cycles(39),
  };
  return in_order(log);
}
inline constexpr Cycle kSoundLogEnd = 150;

// As traces have it.
inline std::vector<Record> sound_trace() {
  std::vector<Record> log = sound_log();
  log.erase(std::remove_if(log.begin(), log.end(), [](const Record& each) { return is_counter(each.kind); }),
            log.end());
  return log;
}

inline void feed(ISink& sink, const std::vector<Record>& log, Cycle end) {
  for (const Record& record : log) sink.consume(record);
  sink.finish(end);
}

// Of a table that a sink wrote, without their ends.
inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace tessera::record::test
