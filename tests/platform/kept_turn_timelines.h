// SPDX-License-Identifier: Apache-2.0
// Timelines of a kept turn by hand: what a GPU that contexts share by time does, in us. Slices of 1000, every switch
// 100, of which nothing lies in the slice; one SM, a thread block a kernel; kernels of a queue 1 apart; launches at 1
// but for those that say otherwise. A model is to be within 1 us of each time.
#pragma once

#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "tests/platform/machine_bench.h"

namespace tessera::platform::test {

// ---- the machine -----------------------------------------------------------------------------------------------

inline constexpr Cycle kUs = 1000;  // cycles
inline constexpr Cycle kTolerance = kUs;

// Of the 1 us between two kernels of a queue the dispatcher has what the engine leaves. Everything else is small.
inline spec::Spec timeline_machine(spec::Engine engine) {
  spec::Spec spec = tiny_platform(1);
  spec.gpu.pcie.latency = 4 * kCyclePs;
  spec.host.launch = spec.host.copy = spec.host.synchronise = spec.host.interrupt = kCyclePs;
  spec.gpu.framework.num_ksrs = 4;
  spec.gpu.framework.num_command_buffers = 4;
  spec.gpu.framework.kernel_activation_cycles = 1;
  spec.gpu.framework.sm_setup_cycles = 1;
  spec.gpu.framework.pipeline_drain_cycles = 1;
  spec.gpu.framework.trap_entry_cycles = 1;
  spec.gpu.framework.dispatch_cycles = 940;
  spec.gpu.framework.engine = engine;
  spec.gpu.framework.tb_issue_cycles = spec::kSerialisedIssueCycles;
  spec.gpu.framework.gpu_switch.preempted = 100 * kUs * kCyclePs;
  spec.gpu.framework.gpu_switch.dry = 100 * kUs * kCyclePs;
  spec.scheduler.policy = spec::PolicyKind::kTimeSlice;
  spec.scheduler.turn = spec::Turn::kKept;
  spec.scheduler.switch_scope = spec::SwitchScope::kGpu;
  spec.scheduler.time_slice = 1000 * kUs * kCyclePs;
  return spec;
}

// A kernel of so many us.
inline spec::KernelSpec kernel_us(Cycle us) { return kernel_of("k" + std::to_string(us), 1, us * kUs); }

// A launch whose doorbell rings between that time and the start of its kernel on an empty GPU, half a us from both.
inline spec::HostStep launch_at_us(Cycle us, std::uint32_t kernel) { return launch_at(us * kUs - kUs / 2, kernel); }

inline void add_context(spec::Spec& spec, std::vector<spec::KernelSpec> kernels, std::vector<spec::HostStep> program) {
  program.push_back(synchronise());
  add_process(spec, std::move(kernels), std::move(program)).runs = 1;
}

// ---- what is expected ------------------------------------------------------------------------------------------

// A stretch in which a kernel ran, and when its context was out, if it was taken off; 0: at once.
struct Stretch {
  std::uint16_t process;
  std::uint16_t kernel;  // of its application
  Cycle from, until;
  Cycle out = 0;
};
struct Passed {
  std::uint16_t process;
  Cycle at;
  record::TurnCause cause;
};
struct Began {
  std::uint16_t process;
  Cycle at;
};

struct Timeline {
  std::string name;
  std::function<void(spec::Spec&)> add_contexts;  // and what else differs from the machine above
  std::vector<Stretch> stretches;                 // by process, then by time
  std::vector<Passed> passed;
  std::vector<Began> began;
};

inline void PrintTo(const Timeline& timeline, std::ostream* out) { *out << timeline.name; }

// The contexts' numbers are their places in the ring.
inline std::vector<Timeline> kept_turn_timelines() {
  constexpr std::uint16_t kA = 0, kB = 1;
  constexpr auto kDry = record::TurnCause::kDry;
  constexpr auto kOver = record::TurnCause::kSliceOver;
  std::vector<Timeline> timelines;

  timelines.push_back({"T1GapsSlicesSwitches",
                       [](spec::Spec& spec) {
                         for (int i = 0; i < 2; ++i) {
                           add_context(spec, {kernel_us(400), kernel_us(400), kernel_us(400)},
                                       {launch_at_us(1, 0), launch(1), launch(2)});
                         }
                       },
                       {{kA, 0, 1, 401},
                        {kA, 1, 402, 802},
                        {kA, 2, 803, 1001},
                        {kA, 2, 2201, 2403},
                        {kB, 0, 1101, 1501},
                        {kB, 1, 1502, 1902},
                        {kB, 2, 1903, 2101},
                        {kB, 2, 2503, 2705}},
                       {{kA, 1001, kOver}, {kB, 2101, kOver}, {kA, 2403, kDry}},
                       {{kA, 1}, {kB, 1101}, {kA, 2201}, {kB, 2503}}});

  timelines.push_back({"T2TheOwnerRunsDry",
                       [](spec::Spec& spec) {
                         add_context(spec, {kernel_us(300), kernel_us(300)},
                                     {launch_at_us(1, 0), synchronise(), cpu(500 * kUs), launch(1)});
                         add_context(spec, {kernel_us(900), kernel_us(900), kernel_us(900)},
                                     {launch_at_us(1, 0), launch(1), launch(2)});
                       },
                       {{kA, 0, 1, 301},
                        {kA, 1, 1501, 1801},
                        {kB, 0, 401, 1301},
                        {kB, 1, 1302, 1401},
                        {kB, 1, 1901, 2702},
                        {kB, 2, 2703, 3603}},
                       {{kA, 301, kDry}, {kB, 1401, kOver}, {kA, 1801, kDry}},
                       {{kA, 1}, {kB, 401}, {kA, 1501}, {kB, 1901}}});

  timelines.push_back({"T3ALoneOwnerWithAQueue",
                       [](spec::Spec& spec) {
                         add_context(spec, {kernel_us(300)}, {launch_at_us(2301, 0)});
                         add_context(spec, std::vector<spec::KernelSpec>(5, kernel_us(900)),
                                     {launch_at_us(1, 0), launch(1), launch(2), launch(3), launch(4)});
                       },
                       {{kA, 0, 3101, 3401},
                        {kB, 0, 1, 901},
                        {kB, 1, 902, 1802},
                        {kB, 2, 1803, 2703},
                        {kB, 3, 2704, 3001},
                        {kB, 3, 3501, 4104},
                        {kB, 4, 4105, 5005}},
                       {{kB, 3001, kOver}, {kA, 3401, kDry}},
                       {{kB, 1}, {kA, 3101}, {kB, 3501}}});

  // Slices of 150, saves and restores of 200. A context that runs a cycle at a time does not get far: it ends here.
  timelines.push_back({"T4ATickWithinASwitch",
                       [](spec::Spec& spec) {
                         spec.scheduler.time_slice = 150 * kUs * kCyclePs;
                         spec.gpu.memory_bandwidth_bytes_per_s = 1'280'000;  // for the 256 bytes of a context
                         spec.stop.max_time = 1450 * kUs * kCyclePs;
                         for (int i = 0; i < 2; ++i) add_context(spec, {kernel_us(1000)}, {launch_at_us(1, 0)});
                       },
                       {{kA, 0, 1, 151, 351}, {kA, 0, 1101, 1101, 1301}, {kB, 0, 451, 601, 801}},
                       {{kA, 151, kOver}, {kB, 601, kOver}, {kA, 1101, kOver}},
                       {{kA, 1}, {kB, 451}, {kA, 901}, {kB, 1401}}});

  const std::function<void(spec::Spec&)> add_small_ones = [](spec::Spec& spec) {
    add_context(spec, {kernel_us(50), kernel_us(50)}, {launch_at_us(601, 0), synchronise(), launch_at_us(3001, 1)});
  };
  timelines.push_back(
      {"T5ASliceThatStaysOver",
       [=](spec::Spec& spec) {
         add_context(spec, {kernel_us(5000)}, {launch_at_us(1, 0)});
         add_small_ones(spec);
       },
       {{kA, 0, 1, 1001}, {kA, 0, 1251, 3001}, {kA, 0, 3251, 5501}, {kB, 0, 1101, 1151}, {kB, 1, 3101, 3151}},
       {{kA, 1001, kOver}, {kB, 1151, kDry}, {kA, 3001, kOver}, {kB, 3151, kDry}},
       {{kA, 1}, {kB, 1101}, {kA, 1251}, {kB, 3101}, {kA, 3251}}});

  timelines.push_back({"T6TheSameWithOneMoreKernelQueued",
                       [=](spec::Spec& spec) {
                         add_context(spec, {kernel_us(5000), kernel_us(100)}, {launch_at_us(1, 0), launch(1)});
                         add_small_ones(spec);
                       },
                       {{kA, 0, 1, 1001},
                        {kA, 0, 1251, 3251},
                        {kA, 0, 3501, 5501},
                        {kA, 1, 5502, 5602},
                        {kB, 0, 1101, 1151},
                        {kB, 1, 3351, 3401}},
                       {{kA, 1001, kOver}, {kB, 1151, kDry}, {kA, 3251, kOver}, {kB, 3401, kDry}},
                       {{kA, 1}, {kB, 1101}, {kA, 1251}, {kB, 3351}, {kA, 3501}}});

  timelines.push_back({"T7WorkComesToAnIdleOwner",
                       [](spec::Spec& spec) {
                         add_context(spec, {kernel_us(600), kernel_us(600)},
                                     {launch_at_us(1, 0), synchronise(), launch_at_us(2000, 1)});
                         add_context(spec, {kernel_us(300)}, {launch_at_us(2400, 0)});
                       },
                       {{kA, 0, 1, 601}, {kA, 1, 2000, 2600}, {kB, 0, 2700, 3000}},
                       {{kA, 2600, kDry}},
                       {{kA, 1}, {kB, 2700}}});

  // The ring: C, A, B. C comes back in 720, and B either was there from the beginning or comes in 730.
  for (const bool is_b_there : {true, false}) {
    constexpr std::uint16_t kFirst = 0, kSecond = 1, kThird = 2;  // C, A, B
    const auto add_contexts = [=](spec::Spec& spec) {
      add_context(spec, {kernel_us(600), kernel_us(50)}, {launch_at_us(1, 0), synchronise(), launch_at_us(720, 1)});
      add_context(spec, {kernel_us(50)}, {launch_at_us(1, 0)});
      add_context(spec, {kernel_us(50)}, {launch_at_us(is_b_there ? 1 : 730, 0)});
    };
    const Cycle c_again = is_b_there ? 1001 : 851;
    const Cycle b = is_b_there ? 851 : 1001;
    const std::uint16_t next = is_b_there ? kThird : kFirst;
    const std::uint16_t last = is_b_there ? kFirst : kThird;
    timelines.push_back(
        {is_b_there ? "T8WhoIsNext" : "T8WhoIsNextIfTheOtherComesLater",
         add_contexts,
         {{kFirst, 0, 1, 601}, {kFirst, 1, c_again, c_again + 50}, {kSecond, 0, 701, 751}, {kThird, 0, b, b + 50}},
         {{kFirst, 601, kDry}, {kSecond, 751, kDry}, {next, 901, kDry}},
         {{kFirst, 1}, {kSecond, 701}, {next, 851}, {last, 1001}}});
  }
  return timelines;
}

// ---- what happened ---------------------------------------------------------------------------------------------

// The stretches of a log, by process, then by time. Requires that an SM holds one thread block at a time.
inline std::vector<Stretch> stretches_of(const std::vector<Record>& records) {
  struct Running {
    Stretch stretch;
    std::uint32_t launch;
  };
  std::vector<Stretch> stretches;
  std::vector<Running> running;
  std::vector<std::pair<std::uint16_t, std::uint16_t>> kernels;  // process and kernel by launch
  const auto of_launch = [&](std::uint32_t launch) {
    return std::find_if(running.begin(), running.end(), [&](const Running& r) { return r.launch == launch; });
  };
  for (const Record& record : records) {
    if (record.kind == Kind::kKernelArrived) {
      kernels.resize(std::max<std::size_t>(kernels.size(), record.launch + 1));
      kernels[record.launch] = {record.process, record.kernel};
    } else if (record.kind == Kind::kTbIssued || record.kind == Kind::kTbRestored) {
      const auto [process, kernel] = kernels.at(record.launch);
      running.push_back({{process, kernel, record.cycle, kNever, 0}, record.launch});
    } else if (record.kind == Kind::kPreemptionRequested) {
      if (const auto at = of_launch(record.launch); at != running.end()) at->stretch.until = record.cycle;
    } else if (record.kind == Kind::kTbFinished || record.kind == Kind::kTbSaved) {
      const auto at = of_launch(record.launch);
      if (record.kind == Kind::kTbFinished) at->stretch.until = record.cycle;
      // One that was asked to leave before it was there leaves when it is.
      at->stretch.until = std::max(at->stretch.from, at->stretch.until);
      at->stretch.out = record.cycle;
      stretches.push_back(at->stretch);
      running.erase(at);
    }
  }
  std::stable_sort(stretches.begin(), stretches.end(),
                   [](const Stretch& a, const Stretch& b) { return a.process < b.process; });
  return stretches;
}

MATCHER_P(IsAboutUs, us, "") { return arg + kTolerance >= us * kUs && arg <= us * kUs + kTolerance; }

inline void expect_timeline(const Timeline& timeline, const std::vector<Record>& records) {
  const std::vector<Stretch> stretches = stretches_of(records);
  std::vector<testing::Matcher<Stretch>> expected;
  for (const Stretch& of : timeline.stretches) {
    const Cycle out = of.out == 0 ? of.until : of.out;
    expected.push_back(testing::AllOf(testing::Field("process", &Stretch::process, of.process),
                                      testing::Field("kernel", &Stretch::kernel, of.kernel),
                                      testing::Field("from", &Stretch::from, IsAboutUs(of.from)),
                                      testing::Field("until", &Stretch::until, IsAboutUs(of.until)),
                                      testing::Field("out", &Stretch::out, IsAboutUs(out))));
  }
  EXPECT_THAT(stretches, testing::ElementsAreArray(expected));
  std::vector<testing::Matcher<Record>> passed, began;
  for (const Passed& of : timeline.passed) {
    passed.push_back(testing::AllOf(testing::Field("process", &Record::process, of.process),
                                    testing::Field("cycle", &Record::cycle, IsAboutUs(of.at)),
                                    testing::Field("cause", &Record::value, static_cast<std::uint64_t>(of.cause))));
  }
  for (const Began& of : timeline.began) {
    began.push_back(testing::AllOf(testing::Field("process", &Record::process, of.process),
                                   testing::Field("cycle", &Record::cycle, IsAboutUs(of.at))));
  }
  const auto of_kind = [&](Kind kind) {
    std::vector<Record> found;
    std::copy_if(records.begin(), records.end(), std::back_inserter(found),
                 [&](const Record& record) { return record.kind == kind; });
    return found;
  };
  EXPECT_THAT(of_kind(Kind::kTurnPassed), testing::ElementsAreArray(passed));
  EXPECT_THAT(of_kind(Kind::kTurnBegan), testing::ElementsAreArray(began));
}

inline void PrintTo(const Stretch& stretch, std::ostream* out) {
  *out << "process " << stretch.process << " kernel " << stretch.kernel << ": " << stretch.from << " to "
       << stretch.until << ", out in " << stretch.out;
}

}  // namespace tessera::platform::test
