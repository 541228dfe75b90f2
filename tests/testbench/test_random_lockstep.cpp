// SPDX-License-Identifier: Apache-2.0
// The random bench: two equal cores pass it, the Verilog core does, and a core with a fault does not.
#include <gmock/gmock.h>

#include <functional>

#include "cosim/core_library.h"
#include "testbench/lockstep_bench.h"
#include "tests/testbench/model_as_core.h"

namespace tessera::testbench::test {
namespace {

using rtl_model::SchedulerOutputs;
using testing::StartsWith;

constexpr Cycle kCyclesOfModel = 40'000;
constexpr Cycle kCyclesOfRtl = 25'000;

std::string described(const std::optional<Failure>& failure) {
  if (!failure) return "";
  std::string text = "episode " + std::to_string(failure->episode) + ", cycle " + std::to_string(failure->cycle) +
                     ": " + failure->what + "\n";
  for (const std::string& line : failure->history) text += line + "\n";
  return text;
}

// By name, which is what GoogleTest prints.
class EachConfiguration : public testing::TestWithParam<std::string> {};
std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const Configuration& each : configurations()) names.push_back(each.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(RandomLockstep, EachConfiguration, testing::ValuesIn(all_names()),
                         [](const auto& each) { return each.param; });
// The others take as long to build: `tessera cosim --random` runs them all.
class SomeConfigurations : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(RandomLockstep, SomeConfigurations, testing::Values("few_ksrs", "tight", "k20c", "short_ptbq"),
                         [](const auto& each) { return each.param; });

// So the agents keep to the protocol, and the scoreboard's rules are those of the core.
TEST_P(EachConfiguration, AgainstItselfTheModelBreaksNoRule) {
  const Configuration sizes = configuration(GetParam());
  LockstepBench bench(sizes, std::make_unique<ModelAsCore>(sizes));
  const std::optional<Failure> failure = bench.run(11, kCyclesOfModel);
  EXPECT_FALSE(failure) << described(failure);
  EXPECT_GE(bench.counts().active_cycles, kCyclesOfModel);
  EXPECT_GT(bench.counts().kernels, 0U);
}

TEST_P(SomeConfigurations, TheVerilogCoreDoesWhatTheModelDoes) {
  const Configuration sizes = configuration(GetParam());
  LockstepBench bench(sizes, cosim::make_core(cosim::BuildRequest(cosim::Elaboration(sizes.params))));
  const std::optional<Failure> failure = bench.run(1, kCyclesOfRtl);
  EXPECT_FALSE(failure) << described(failure);
}

TEST(RandomLockstep, ASeedSaysAll) {
  const Configuration sizes = configuration("ragged");
  LockstepBench first(sizes, std::make_unique<ModelAsCore>(sizes)), second(sizes, std::make_unique<ModelAsCore>(sizes));
  LockstepBench other(sizes, std::make_unique<ModelAsCore>(sizes));
  first.run(5, 20'000);
  second.run(5, 20'000);
  other.run(6, 20'000);
  EXPECT_EQ(first.counts().cycles, second.counts().cycles);
  EXPECT_EQ(first.coverage().hits(), second.coverage().hits());
  EXPECT_NE(first.coverage().hits(), other.coverage().hits());
}

// ---- faults --------------------------------------------------------------------------------------------------

struct Fault {
  std::string name;
  std::string signal;  // that shall be named
  // Changes the outputs of a cycle; false if they give no occasion. The third occasion counts.
  std::function<bool(SchedulerOutputs&)> corrupt;
};

void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.name; }

// Says when it first showed something wrong.
class FaultyCore final : public ModelAsCore {
 public:
  FaultyCore(const Configuration& sizes, std::function<bool(SchedulerOutputs&)> corrupt)
      : ModelAsCore(sizes), corrupt_(std::move(corrupt)) {}

  void reset(const cosim::Straps& straps) override {
    ModelAsCore::reset(straps);
    now_ = 0;
    out_ = ModelAsCore::outputs();
  }
  void cycle(const rtl_model::SchedulerInputs& inputs) override {
    ModelAsCore::cycle(inputs);
    ++now_;
    out_ = ModelAsCore::outputs();
    SchedulerOutputs corrupted = out_;
    if (edge_of_fault || !corrupt_(corrupted) || ++num_chances_ < 3) return;
    out_ = corrupted;
    edge_of_fault = now_;
  }
  const SchedulerOutputs& outputs() const override { return out_; }

  std::optional<std::uint64_t> edge_of_fault;  // since reset
  std::uint64_t num_edges() const { return now_; }

 private:
  std::function<bool(SchedulerOutputs&)> corrupt_;
  SchedulerOutputs out_;
  unsigned num_chances_ = 0;
  std::uint64_t now_ = 0;
};

class EachFault : public testing::TestWithParam<Fault> {};
INSTANTIATE_TEST_SUITE_P(
    RandomLockstep, EachFault,
    testing::Values(
        Fault{"DropsATb", "dispatch.valid", [](auto& out) { return std::exchange(out.dispatch.valid, false); }},
        Fault{"SendsAnotherTb", "dispatch.tb",
              [](auto& out) {
                out.dispatch.tb ^= 1;
                return out.dispatch.valid;
              }},
        Fault{"DropsAKernelDone", "kernel_done.valid",
              [](auto& out) { return std::exchange(out.kernel_done.valid, false); }},
        Fault{"IsReadyTooLate", "sm_event_ready", [](auto& out) { return std::exchange(out.sm_event_ready, false); }},
        Fault{"IsReadyTooEarly", "sm_event_ready", [](auto& out) { return !std::exchange(out.sm_event_ready, true); }},
        Fault{"TrapsWhatItShouldSetUp", "sm_control.kind",
              [](auto& out) {
                out.sm_control.kind = rtl_model::SmControlKind::kTrap;
                return out.sm_control.valid;
              }},
        Fault{"SendsAnotherPageTable", "sm_control.page_table",
              [](auto& out) {
                out.sm_control.page_table ^= std::uint64_t{1} << 63;
                return out.sm_control.valid && out.sm_control.kind == rtl_model::SmControlKind::kSetup;
              }},
        Fault{"MovesAnotherSm", "events.sm",
              [](auto& out) {
                out.events.sm ^= 1;
                return out.events.moved;
              }},
        Fault{"KeepsABufferFree", "buffer_free",
              [](auto& out) {
                const bool was_taken = !out.buffer_free.has(1);
                out.buffer_free.set(1);
                return was_taken;
              }},
        Fault{"RestsTooEarly", "idle", [](auto& out) { return !std::exchange(out.idle, true); }}),
    [](const auto& each) { return each.param.name; });

TEST_P(EachFault, IsFoundInItsCycle) {
  const Configuration sizes = configuration("few_ksrs");
  auto core = std::make_unique<FaultyCore>(sizes, GetParam().corrupt);
  const FaultyCore& faulty = *core;
  LockstepBench bench(sizes, std::move(core));
  const std::optional<Failure> failure = bench.run(3, 200'000);
  ASSERT_TRUE(failure);
  EXPECT_THAT(failure->what, StartsWith(GetParam().signal));
  EXPECT_EQ(faulty.edge_of_fault, faulty.num_edges()) << "no edge went by after it";
  EXPECT_FALSE(failure->history.empty());
}

// A register that no pin shows yet.
class ForgetfulCore final : public ModelAsCore {
 public:
  using ModelAsCore::ModelAsCore;
  void read(rtl_model::CoreSnapshot& snapshot) override {
    ModelAsCore::read(snapshot);
    for (rtl_model::KsrSnapshot& row : snapshot.ksrt) {
      if (row.valid && row.preempted > 0) ++row.covered;
    }
  }
};

TEST(RandomLockstep, ARegisterThatDiffersIsFound) {
  const Configuration sizes = configuration("two_sms");
  LockstepBench bench(sizes, std::make_unique<ForgetfulCore>(sizes));
  const std::optional<Failure> failure = bench.run(1, 200'000);
  ASSERT_TRUE(failure);
  EXPECT_THAT(failure->what, testing::HasSubstr(".covered"));
}

// A fault, and a waveform around it.
class WaveCore final : public ModelAsCore {
 public:
  using ModelAsCore::ModelAsCore;
  const SchedulerOutputs& outputs() const override {
    out_ = ModelAsCore::outputs();
    out_.dispatch.tb ^= out_.dispatch.tb == 2 ? 1 : 0;
    return out_;
  }
  bool open_wave(const std::string& path, std::vector<cosim::WaveSignal>) override {
    opened = path;
    return true;
  }
  void sample(std::uint64_t time_ps) override { samples.push_back(time_ps); }
  void close_wave() override { is_closed = true; }

  std::string opened;
  std::vector<std::uint64_t> samples;
  bool is_closed = false;

 private:
  mutable SchedulerOutputs out_;
};

TEST(RandomLockstep, TheEpisodeOnceMoreKeepsAWaveformUpToTheDifference) {
  const Configuration sizes = configuration("few_ksrs");
  LockstepBench first(sizes, std::make_unique<WaveCore>(sizes));
  const std::optional<Failure> failure = first.run(1, 200'000);
  ASSERT_TRUE(failure);
  ASSERT_GT(failure->cycle, 10U);
  auto core = std::make_unique<WaveCore>(sizes);
  const WaveCore& wave = *core;
  LockstepBench again(sizes, std::move(core));
  again.keep_wave("the.fst", failure->cycle - 10);
  const std::optional<Failure> same = again.run_episode(failure->seed, failure->episode);
  ASSERT_TRUE(same);
  EXPECT_EQ(same->cycle, failure->cycle);
  EXPECT_EQ(same->what, failure->what);
  EXPECT_EQ(wave.opened, "the.fst");
  EXPECT_TRUE(wave.is_closed);
  ASSERT_FALSE(wave.samples.empty());
  EXPECT_GE(wave.samples.front(), (failure->cycle - 10) * 1000);
  EXPECT_EQ(wave.samples.back(), failure->cycle * 1000);
}

TEST(RandomLockstep, AnUnknownConfigurationIsToldThoseThatThereAre) {
  EXPECT_THROW(
      {
        try {
          configuration("huge");
        } catch (const std::invalid_argument& error) {
          EXPECT_THAT(error.what(), testing::HasSubstr("one_sm"));
          throw;
        }
      },
      std::invalid_argument);
}

}  // namespace
}  // namespace tessera::testbench::test
