// SPDX-License-Identifier: Apache-2.0
// Causes of a span that is not the recorded one: each removed by itself. Times in us.
#include <gmock/gmock.h>

#include "importer/span_reasons.h"
#include "tests/importer/traces.h"

namespace tessera::importer::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

double without(const Fidelity& fidelity, const std::string& cause) {
  for (const SpanReason& reason : fidelity.reasons) {
    if (reason.name == cause) return fidelity.simulated_span_us - reason.moves_us;
  }
  ADD_FAILURE() << "no cause " << cause;
  return 0;
}

// 3,000 launches at once, of which the recorded machine's queue had room for all; then the host works for 50 ms.
TEST(SpanReasons, AQueueThatWasNotFullWhenRecordedIsOne) {
  Trace trace;
  for (int i = 0; i < 3'000; ++i) trace.kernel("a", 1'000 + 20 * i, 19, 7, 990 + 4 * i);
  trace.kernel("b", 65'000, 50, 7, 64'990);
  Import import;
  const Fidelity fidelity = *import.of(trace.text()).applications.front().fidelity;
  EXPECT_GT(fidelity.span_error(), 0.3);
  EXPECT_NEAR(without(fidelity, "full_queue"), 64'050, 200);
  EXPECT_NEAR(without(fidelity, "mean_times"), fidelity.simulated_span_us, 100);
  // What was imported is as it was: one stream, loops.
  EXPECT_THAT(import.text_of("imported.yaml"), ::testing::Not(HasSubstr("stream")));
  EXPECT_THAT(import.text_of("imported.yaml"), HasSubstr("loop: {count: 3000"));
}

TEST(SpanReasons, MeanTimesAreOneWhereTheyHideTheHost) {
  // Kernels of 100 us and of 700 us, one shape: with their mean, the GPU never waits for the host.
  Trace trace;
  double at = 1'000;
  for (int i = 0; i < 60; ++i) {
    const double duration = i < 30 ? 100 : 700;
    trace.kernel("a", at, duration, 7, 1'000 + 390.0 * i - 8);
    at = std::max(at + duration + 1, 1'000 + 390.0 * (i + 1));
  }
  const Fidelity fidelity = *Import().of(trace.text()).applications.front().fidelity;
  EXPECT_LT(fidelity.span_error(), -0.01);
  EXPECT_NEAR(without(fidelity, "mean_times"), fidelity.recorded_span_us, 0.01 * fidelity.recorded_span_us);
}

TEST(SpanReasons, ASpanThatComesOutNeedsNone) {
  Trace trace;
  for (int i = 0; i < 20; ++i) trace.kernel("a", 1'000 + 100 * i, 50, 7, 992 + 100 * i);
  EXPECT_TRUE(Import().of(trace.text()).applications.front().fidelity->reasons.empty());
}

TEST(SpanReasons, WithoutACheckThereAreNone) {
  Trace trace;
  for (int i = 0; i < 20; ++i) trace.kernel("a", 1'000 + 100 * i, 50, 7, 992 + 100 * i);
  Import import;
  import.options.is_checked = false;
  EXPECT_FALSE(import.of(trace.text()).applications.front().fidelity);
}

// ---- which causes there are ----------------------------------------------------------------------------------

class Imported {
 public:
  explicit Imported(const Profile& profile, bool is_exact = false) : is_exact_(is_exact) {
    const Workload workload = workloads_of(profile, Collectives::kKeep).front();
    groups_ = group_kernels(profile, workload, {});
    program_ = host_program(profile, workload, groups_, {3'000, 10'000});
    spec_.gpu = spec::load_gpu(std::filesystem::path(TESSERA_SOURCE_DIR) / "configs/gpus/a100.yaml");
  }
  std::vector<Variant> variants() const {
    return variants_without_a_cause(spec_, {groups_, groups_, program_, is_exact_});
  }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const Variant& variant : variants()) names.push_back(variant.name);
    return names;
  }

 private:
  bool is_exact_;
  KernelGroups groups_;
  HostProgram program_;
  spec::Spec spec_;
};

TEST(SpanReasons, OnlyCausesThatAreThereAreSimulated) {
  ProfileBench plain;
  plain.kernel("a", 100, 10);
  plain.kernel("a", 200, 10);
  EXPECT_THAT(Imported(plain.profile).names(), ElementsAre("mean_times"));
  EXPECT_THAT(Imported(plain.profile, true).names(), ElementsAre());

  ProfileBench overlapping;
  overlapping.kernel("a", 100, 10, 1);
  overlapping.kernel("b", 105, 10, 2);
  EXPECT_THAT(Imported(overlapping.profile).names(), ElementsAre("mean_times", "overlap"));

  ProfileBench queued;
  for (int i = 0; i < 3; ++i) queued.kernel("a", 1'000 + 10 * i, 10, 0, 10 * i);
  queued.kernel("b", 90'008, 10, 0, 2'000);
  queued.profile.calls.back().duration = ProfileBench::ns(88'000);
  EXPECT_THAT(Imported(queued.profile).names(), ElementsAre("mean_times", "long_calls", "calls_from_before"));
}

TEST(SpanReasons, WithoutALongCallItsTimeIsGone) {
  ProfileBench bench;
  bench.kernel("a", 10, 20, 0, 2);
  bench.kernel("b", 50'006, 20, 0, 100);
  bench.profile.calls.back().duration = ProfileBench::ns(50'000);
  const std::vector<Variant> variants = Imported(bench.profile).variants();
  ASSERT_EQ(variants.back().name, "long_calls");
  // 95 us lie between the calls, which cost 3 us each.
  EXPECT_EQ(variants.back().program.steps.back().cpu_before, ProfileBench::ns(95));
}

TEST(SpanReasons, WithoutAFullQueueAStreamGoesOnInAnother) {
  ProfileBench bench;
  for (int i = 0; i < 1'200; ++i) bench.kernel("a", 100 + 10 * i, 9, 0, 90 + 4 * i);
  const std::vector<Variant> variants = Imported(bench.profile).variants();
  ASSERT_EQ(variants.back().name, "full_queue");
  const HostProgram& program = variants.back().program;
  ASSERT_EQ(program.dependencies.size(), 2U);  // behind 511 commands, and 512 more
  EXPECT_EQ(program.dependencies[0].earlier, 510U);
  EXPECT_EQ(program.dependencies[0].later, 511U);
  EXPECT_EQ(program.steps[510].stream, 0U);
  EXPECT_EQ(program.steps[511].stream, 1U);
  EXPECT_EQ(program.steps[1'023].stream, 2U);
}

}  // namespace
}  // namespace tessera::importer::test
