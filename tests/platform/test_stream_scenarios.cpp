// SPDX-License-Identifier: Apache-2.0
// Streams on a Jetson TX2 (two SMs of 2048 threads), as in the published configurations of the
// cuda_scheduling_examiner, where no two kernels share an SM: timelines worked by hand from the durations of the thread
// blocks, in ms, on the transaction-level engine and on the clocked one. All else (calls, dispatch, set-up) comes to
// less than 0.1 ms.
#include <cmath>

#include "model/spec/loader.h"
#include "tests/platform/machine_bench.h"

namespace tessera::platform::test {
namespace {

constexpr double kTolerance = 0.1;

// Of a kernel: when its first thread block began and its last one ended.
struct Span {
  double from;
  double to;
};
void PrintTo(const Span& span, std::ostream* out) { *out << span.from << " .. " << span.to; }

MATCHER_P2(Runs, from, to, "") { return std::abs(arg.from - from) < kTolerance && std::abs(arg.to - to) < kTolerance; }

Span span_of(const Log& log, const spec::Spec& spec, std::uint16_t process, std::uint16_t kernel) {
  const double cycles_per_ms = static_cast<double>(spec.gpu.clock_hz) / 1000;
  const std::uint32_t launch = [&] {
    for (const Record& record : log.all(Kind::kKernelArrived, process)) {
      if (record.kernel == kernel) return record.launch;
    }
    return record::kNoNumber;
  }();
  for (const Record& issued : log.all(Kind::kTbIssued)) {
    if (issued.launch != launch) continue;
    return {static_cast<double>(issued.cycle) / cycles_per_ms,
            static_cast<double>(log.when(Kind::kKernelFinished, process, kernel)) / cycles_per_ms};
  }
  ADD_FAILURE() << "kernel " << kernel << " of process " << process << " did not run";
  return {};
}

std::vector<Span> spans(const Log& log, const spec::Spec& spec, std::uint16_t process = 0) {
  std::vector<Span> all;
  for (std::uint16_t kernel = 0; kernel < spec.applications[spec.processes[process].application].kernels.size();
       ++kernel) {
    all.push_back(span_of(log, spec, process, kernel));
  }
  return all;
}

class StreamScenario : public testing::TestWithParam<Abstraction> {
 protected:
  static spec::Spec load(const std::string& experiment) {
    return spec::load_experiment(std::string(TESSERA_SOURCE_DIR "/configs/experiments/") + experiment + ".yaml");
  }
  // The TX2 and a scheduler like it, without processes.
  static spec::Spec tx2() {
    spec::Spec spec = load("tx2_stream_priorities");
    spec.applications.clear();
    spec.processes.clear();
    return spec;
  }
  // Thread blocks of half an SM: two are one half of the machine, four the whole of it.
  static spec::KernelSpec kernel(const std::string& name, std::uint32_t num_tbs, double tb_ms) {
    spec::KernelSpec kernel;
    kernel.name = name;
    kernel.num_tbs = num_tbs;
    kernel.regs_per_tb = 16384;
    kernel.threads_per_tb = 1024;
    kernel.tb_time = ms(tb_ms);
    return kernel;
  }
  static Picoseconds ms(double time) { return static_cast<Picoseconds>(time * 1e9); }
  static spec::HostStep launch_ms(double start, std::uint32_t kernel, std::uint32_t stream) {
    return spec::Launch{kernel, stream, ms(start)};
  }
  static Log simulate(const spec::Spec& spec) {
    MachineOptions options;
    options.abstraction = GetParam();
    return simulate_checked(spec, options);
  }
};

INSTANTIATE_TEST_SUITE_P(All, StreamScenario, testing::Values(Abstraction::kTlm, Abstraction::kRtlModel),
                         [](const auto& test) { return std::string(to_string(test.param)); });

// ---- one process -----------------------------------------------------------------------------------------------

// rtss_2017_fig7_stream_priority_preemption.json: K1 .. K4, each eight TBs of 500 ms, two rounds of the machine; K2
// comes at 200, K3, of high priority, at 300, K4 at 1200.
//
//   0     500    1000   1500   2000   2500   3000   3500   4000
//   | K1   | K3   | K3   | K1   | K2   | K2   | K4   | K4   |     both SMs
TEST_P(StreamScenario, AHighPriorityStreamOvertakesWhereThreadBlocksEnd) {
  const spec::Spec spec = load("tx2_stream_priorities");
  const Log log = simulate(spec);
  constexpr double kRound = 500;
  EXPECT_THAT(spans(log, spec), testing::ElementsAre(Runs(0, 4 * kRound), Runs(4 * kRound, 6 * kRound),
                                                     Runs(kRound, 3 * kRound), Runs(6 * kRound, 8 * kRound)));
  EXPECT_EQ(log.result.processes[0].runs, 1U);
}

// The same with K3 in a stream of the same priority as all: order of arrival.
//
//   0     500    1000   1500   2000   2500   3000   3500   4000
//   | K1   | K1   | K2   | K2   | K3   | K3   | K4   | K4   |     both SMs
TEST_P(StreamScenario, WithoutPrioritiesStreamsRunInTheOrderOfTheirLaunches) {
  spec::Spec spec = load("tx2_stream_priorities");
  spec.applications[0].streams[2].priority = {};
  constexpr double kRound = 500;
  EXPECT_THAT(spans(simulate(spec), spec),
              testing::ElementsAre(Runs(0, 2 * kRound), Runs(2 * kRound, 4 * kRound), Runs(4 * kRound, 6 * kRound),
                                   Runs(6 * kRound, 8 * kRound)));
}

// And with context switch: K3's contexts come in at 300. K1's four TBs have 200 ms to go, and go on when K3 has ended;
// moving 2 * 64 KB of registers in and out of an SM at 29.85 GB/s takes 2 * 4.4 us.
//
//   0    300    800    1300  1500   2000   2500   3000   3500   4000
//   | K1  | K3   | K3   | K1  | K1   | K2   | K2   | K4   | K4   |     both SMs
TEST_P(StreamScenario, AHighPriorityStreamPreemptsRunningThreadBlocksByContextSwitch) {
  spec::Spec spec = load("tx2_stream_priorities");
  spec.scheduler.technique = spec::TechniqueKind::kContextSwitch;
  EXPECT_THAT(spans(simulate(spec), spec),
              testing::ElementsAre(Runs(0, 2000), Runs(2000, 3000), Runs(300, 1300), Runs(3000, 4000)));
}

// Four kernels of one process, two of them half as large as the machine. A and B are low and take an SM each; C, high,
// wants both; D, low, wants both and comes last.
//
//   ms     0        10   12        20        25        30        35   40        45
//   SM 0   | A (25 ms)                        | C (10)            | D (10)      |
//   SM 1   | B (20 ms)              | C (10)            | D (10)      |
//                   ^C   ^D
TEST_P(StreamScenario, AHighPriorityStreamTakesEachHalfOfTheMachineAsItsThreadBlocksEnd) {
  spec::Spec spec = tx2();
  add_process(spec, {kernel("a", 2, 25), kernel("b", 2, 20), kernel("c", 4, 10), kernel("d", 4, 10)},
              {launch(0, 1), launch(1, 2), launch_ms(10, 2, 3), launch_ms(12, 3, 4)});
  spec.applications[0].streams = {{"s1", 1, false}, {"s2", 1, false}, {"high", 2, false}, {"s4", 1, false}};
  EXPECT_THAT(spans(simulate(spec), spec), testing::ElementsAre(Runs(0, 25), Runs(0, 20), Runs(20, 35), Runs(30, 45)));
}

// A high stream that needs half of the machine leaves the other half to the low ones: A fills the machine three times
// over, C, high, half of it, and comes at 5.
//
//   ms     0         10        20        30        40
//   SM 0   | A (10)  | C (10)  | A (10)  | -       |      at 10 both SMs come free, and A, with 8 TBs left,
//   SM 1   | A (10)  | A (10)  | A (10)  | A (10)  |      gets the one that C does not need
TEST_P(StreamScenario, AHighPriorityStreamTakesNoMoreOfTheMachineThanItFills) {
  spec::Spec spec = tx2();
  add_process(spec, {kernel("a", 12, 10), kernel("c", 2, 10)}, {launch(0, 1), launch_ms(5, 1, 2)});
  spec.applications[0].streams = {{"low", 1, false}, {"high", 2, false}};
  const Log log = simulate(spec);
  EXPECT_THAT(spans(log, spec), testing::ElementsAre(Runs(0, 40), Runs(10, 20)));
  EXPECT_EQ(log.all(Kind::kPreemptionRequested).size(), 1U);
}

// ---- the NULL stream -------------------------------------------------------------------------------------------

// null_stream.json: see the experiment's header.
//
//   ms     0      1000    2000    3000    4000    5000
//   SM 0   | k1    | k2    | k3    | k5    | k6    |
//   SM 1   | k1    |       | k4    |       |       |
TEST_P(StreamScenario, TheNullStreamIsABarrier) {
  const spec::Spec spec = load("tx2_null_stream");
  EXPECT_THAT(spans(simulate(spec), spec), testing::ElementsAre(Runs(0, 1000), Runs(1000, 2000), Runs(2000, 3000),
                                                                Runs(2000, 3000), Runs(3000, 4000), Runs(4000, 5000)));
}

// The same with a default stream of the thread's own: k2 and k5 wait for no other stream, but k5 for k2. At 2000 k4 and
// k6 are waiting, and k5 comes a dispatch after k2's end.
//
//   ms     0      1000    2000    3000    4000
//   SM 0   | k1    | k2    | k4    | k5    |
//   SM 1   | k1    | k3    | k6    |
TEST_P(StreamScenario, AThreadsOwnDefaultStreamIsNone) {
  spec::Spec spec = load("tx2_null_stream");
  spec.applications[0].default_stream = spec::DefaultStream::kPerThread;
  EXPECT_THAT(spans(simulate(spec), spec), testing::ElementsAre(Runs(0, 1000), Runs(1000, 2000), Runs(1000, 2000),
                                                                Runs(2000, 3000), Runs(3000, 4000), Runs(2000, 3000)));
}

// test_default_stream_blocking.json: A and B, in the NULL stream of one process, and C, in a stream of its own; 500 ms
// each, released at 0, 100 and 250.
//
//   ms     0     500    1000   1500
//          | A    | B    | C    |
TEST_P(StreamScenario, TheNullStreamIsInOrderAndOthersWaitForIt) {
  spec::Spec spec = tx2();
  add_process(spec, {kernel("a", 1, 500), kernel("b", 1, 500), kernel("c", 1, 500)},
              {launch_ms(0, 0, 0), launch_ms(100, 1, 0), launch_ms(250, 2, 1)});
  spec.applications[0].default_stream = spec::DefaultStream::kLegacy;
  EXPECT_THAT(spans(simulate(spec), spec), testing::ElementsAre(Runs(0, 500), Runs(500, 1000), Runs(1000, 1500)));
}

// ---- events ----------------------------------------------------------------------------------------------------

// Two streams, a pipeline: B may not start before A has, and the host starts D when B is over. C fills what is free.
//
//   ms     0         10        20        30        40
//   SM 0   | A (20)            | B (10)  | D (10)  |
//   SM 1   | C (25)                 |
TEST_P(StreamScenario, EventsOrderKernelsOfDifferentStreams) {
  spec::Spec spec = tx2();
  add_process(spec, {kernel("a", 2, 20), kernel("b", 2, 10), kernel("c", 2, 25), kernel("d", 2, 10)},
              {launch(0, 1), record_event(0, 1), launch(2, 3), wait_for_event(0, 2), launch(1, 2), record_event(1, 2),
               synchronise_event(1), launch(3, 4)});
  spec.applications[0].events = {"a_done", "b_done"};
  EXPECT_THAT(spans(simulate(spec), spec), testing::ElementsAre(Runs(0, 20), Runs(20, 30), Runs(0, 25), Runs(30, 40)));
}

// ---- several processes -----------------------------------------------------------------------------------------

// stream_priority_process.json, the second kernel released at 250: see the experiment's header. 64 TBs of 100 ms are 16
// rounds of the machine.
//
//   0     300                                        1900                   3200
//   | low | high (16 rounds)                          | low (13 rounds)      |     both SMs
TEST_P(StreamScenario, StreamsOfTwoProcessesHaveOneOrderOfPriority) {
  const spec::Spec spec = load("tx2_two_processes");
  const Log log = simulate(spec);
  EXPECT_THAT(span_of(log, spec, 0, 0), Runs(0, 3200));
  EXPECT_THAT(span_of(log, spec, 1, 0), Runs(300, 1900));
  const double cycles_per_ms = static_cast<double>(spec.gpu.clock_hz) / 1000;
  EXPECT_NEAR(static_cast<double>(log.result.processes[0].turnaround_cycles) / cycles_per_ms, 3200, kTolerance);
  EXPECT_NEAR(static_cast<double>(log.result.processes[1].turnaround_cycles) / cycles_per_ms, 1650, kTolerance);
}

// Kernels of two processes that fit beside each other, one an SM; the third, of a second stream of the first process,
// waits for half of the machine.
//
//   ms     0         10        20        30
//   SM 0   | p0: A (10)  | p0: B (20)        |
//   SM 1   | p1: K (15)       |
TEST_P(StreamScenario, KernelsOfTwoProcessesRunSideBySide) {
  spec::Spec spec = tx2();
  add_process(spec, {kernel("a", 2, 10), kernel("b", 2, 20)}, {launch(0, 1), launch_ms(5, 1, 2)});
  add_process(spec, {kernel("k", 2, 15)}, {launch(0, 0)});
  const Log log = simulate(spec);
  EXPECT_THAT(spans(log, spec, 0), testing::ElementsAre(Runs(0, 10), Runs(10, 30)));
  EXPECT_THAT(spans(log, spec, 1), testing::ElementsAre(Runs(0, 15)));
}

}  // namespace
}  // namespace tessera::platform::test
