// SPDX-License-Identifier: Apache-2.0
// From profile to YAML and back through the simulator: recorded times come out. On hand-written profiles, and on real
// ones where they are at hand (TESSERA_DATA_DIR).
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdlib>
#include <set>

#include "model/spec/loader.h"
#include "tests/importer/traces.h"

namespace tessera::importer::test {
namespace {

namespace fs = std::filesystem;

Trace ten_steps() {
  Trace trace;
  for (int step = 0; step < 10; ++step) {
    const double at = 1000.0 * step;
    for (int layer = 0; layer < 6; ++layer) {
      trace.kernel("void net::gemm<float>(int)", at + 100 * layer + 10, 60 + layer % 3, 7, at + 100 * layer, 500);
      trace.kernel("void net::relu<float>(int)", at + 100 * layer + 75, 15, 7, at + 100 * layer + 40, 3000);
    }
  }
  return trace;
}

TEST(Import, AStepBecomesALoopAndTakesItsTime) {
  Import import;
  const ImportResult result = import.of(ten_steps().text());
  expect_faithful(result.applications.front());
  const std::string yaml = import.text_of("imported.yaml");
  EXPECT_THAT(yaml, ::testing::HasSubstr("loop: {count: 60"));  // ten steps of six layers that are alike
  EXPECT_LT(result.applications.front().num_lines, 20U);
}

// More nodes than a ring has entries: one launch all the same, and the host is not held up beside it.
TEST(Import, AGraphIsOneLaunchWhateverIsInIt) {
  Import import;
  Trace trace;
  for (int round = 0; round < 3; ++round) {
    std::vector<Trace::Node> nodes;
    for (int i = 0; i < 1100; ++i) nodes.push_back({i % 2 == 0 ? "even" : "odd", 10'000 * round + 30 + 2.4 * i, 2});
    trace.graph(10'000 * round, 40, nodes);
    trace.kernel("after", 10'000 * round + 2'672, 100, 7, 10'000 * round + 1'900);
  }
  const ImportResult result = import.of(trace.text());
  expect_faithful(result.applications.front());
  EXPECT_LT(std::abs(result.applications.front().fidelity->span_error()), 0.01);
  const std::string yaml = import.text_of("imported.yaml");
  EXPECT_THAT(yaml, ::testing::HasSubstr(
                        "{loop: {count: 550, body: [ {launch: {kernel: even}}, {launch: {kernel: odd}}]}}]}}"));
  EXPECT_THAT(yaml, ::testing::HasSubstr("loop: {count: 3, body: ["));
  EXPECT_THAT(yaml, ::testing::Not(::testing::HasSubstr("edges")));
}

TEST(Import, BranchesOfAGraphThatOverlapAreBesideEachOther) {
  Import import;
  Trace trace;
  trace.graph(0, 10, {{"root", 20, 50}, {"left", 70.5, 100}, {"right", 71, 60}, {"join", 171, 20}});
  trace.wait(12, 185);
  const ImportResult result = import.of(trace.text());
  EXPECT_LT(std::abs(result.applications.front().fidelity->span_error()), 0.4) << "two kernels share no SM here";
  EXPECT_THAT(import.text_of("imported.yaml"), ::testing::HasSubstr("[0, 1, 3], [0, 2, 3]]"));
}

// Profilers stretch the gaps of a graph; the GPU's file has those without one.
TEST(Import, TheGapOfAGraphIsTheGpusIfAskedFor) {
  std::vector<Trace::Node> nodes;
  for (int i = 0; i < 200; ++i) nodes.push_back({"k", 30 + 3.0 * i, 2});
  Trace trace;
  trace.graph(0, 40, nodes);
  Import recorded;
  EXPECT_NEAR(recorded.of(trace.text()).applications.front().fidelity->simulated_span_us, 599, 2);
  Import by_gpu;
  by_gpu.options.graph_gap = GraphGap::kGpu;
  const double gap_us = (by_gpu.options.gpus.front().framework.graph_dispatch() + 1.0) * 1e6 /
                        static_cast<double>(by_gpu.options.gpus.front().clock_hz);
  EXPECT_NEAR(by_gpu.of(trace.text()).applications.front().fidelity->simulated_span_us, 400 + 199 * gap_us, 2);
}

TEST(Import, ExactlyEveryLaunchTakesItsTime) {
  Import import;
  import.options.is_exact = true;
  const ImportResult result = import.of(ten_steps().text());
  expect_faithful(result.applications.front());
  for (const KernelFidelity& kernel : result.applications.front().fidelity->kernels) {
    EXPECT_LE(std::abs(kernel.worst_error), kMaxKernelError) << kernel.name;
  }
  EXPECT_EQ(result.applications.front().num_loops, 0U);
}

TEST(Import, KernelsThatShareTheMachineTakeTheirTimesInCompany) {
  Import import;
  Trace trace;
  for (int i = 0; i < 8; ++i) {
    trace.kernel("ncclKernel_AllReduce", 1000 * i + 10, 700, 20, 1000 * i, 24);
    trace.kernel("gemm", 1000 * i + 30, 400, 7, 1000 * i + 10, 4000);
  }
  const ImportResult result = import.of(trace.text());
  expect_faithful(result.applications.front());
  EXPECT_THAT(result.applications.front().assumptions,
              ::testing::Contains(::testing::HasSubstr("8 collective kernels")));
}

TEST(Import, KernelsLaunchedFasterThanUsualAreNotHeldUpByTheirCalls) {
  Import import;
  Trace trace;
  for (int i = 0; i < 400; ++i) trace.kernel("k", 1000 + 1.5 * i, 1.2, 7, 994 + 1.5 * i, 64);
  const ImportResult result = import.of(trace.text());
  expect_faithful(result.applications.front());
  EXPECT_THAT(result.assumptions, ::testing::Contains(::testing::HasSubstr("a call costs the host 1.5 us")));
}

// A host that waits at the end of each step, and in the middle of some.
std::string steps_with_waits(int num_steps, const std::set<int>& with_another_wait) {
  Trace trace;
  for (int step = 0; step < num_steps; ++step) {
    const double at = 20'000.0 * step;
    for (int layer = 0; layer < 300; ++layer) {
      trace.kernel(fmt::format("layer{}", layer), at + 50 * layer + 10, 30, 7, at + 50 * layer, 400);
      if (layer == 150 && with_another_wait.count(step) > 0) trace.wait(at + 50 * layer + 5, 36);
    }
    trace.wait(at + 15'000, 5);
  }
  return trace.text();
}

TEST(Import, AStepThatLacksAWaitOfTheOthersIsAStepAllTheSame) {
  Import import;
  const ImportResult all = import.of(steps_with_waits(6, {0, 1, 2, 3, 4, 5}));
  const ImportResult most = import.of(steps_with_waits(6, {0, 1, 3, 4, 5}));
  expect_faithful(most.applications.front());
  EXPECT_EQ(most.applications.front().num_lines, all.applications.front().num_lines);
  EXPECT_THAT(most.applications.front().assumptions,
              ::testing::Contains(::testing::HasSubstr("1 synchronising calls that not every round of a loop makes")));
}

TEST(Import, TimeBeforeAWaitIsNotWrittenBehindIt) {
  Import import;
  Trace trace;
  for (int step = 0; step < 50; ++step) {
    // 5 us of CPU time behind each launch: below --min-cpu, all of it while the GPU works.
    const double at = 210.0 * step;
    for (int i = 0; i < 4; ++i) trace.kernel("k", at + 10 + 50 * i, 49, 7, at + 8 * i);
    trace.wait(at + 30, 181);
  }
  expect_faithful(import.of(trace.text()).applications.front());
}

TEST(Import, TimesThatAreTooFarApartAreRefused) {
  Import import;
  Trace trace;
  trace.kernel("k", 1'712'195'495'505'543, 5, 7, 1'712'195'495'505'533);
  trace.kernel("k", 2'000, 5, 7, 0);
  EXPECT_THROW(import.of(trace.text()), spec::InputError);
}

TEST(Import, NothingOfUsersAndHostsIsTakenOver) {
  Import import;
  Trace trace;
  trace.kernel("/home/secret-user/model.py:12 triton_kernel", 10, 5, 7, 0);
  import.of(trace.text());
  for (const auto& entry : fs::directory_iterator(import.folder())) {
    if (entry.path().extension() == ".yaml") {
      EXPECT_THAT(import.text_of(entry.path().filename()), ::testing::Not(::testing::HasSubstr("secret")));
    }
  }
}

TEST(Import, WhatIsWrittenLoads) {
  Import import;
  const ImportResult result = import.of(ten_steps().text());
  EXPECT_EQ(spec::load_experiment(import.folder() / result.experiment).processes.size(), 2U);
  EXPECT_EQ(spec::load_experiment(import.folder() / "imported_alone.yaml").applications.front().kernels.size(), 2U);
}

TEST(Import, AProfileWithoutKernelsIsRefused) {
  Import import;
  EXPECT_THROW(import.of(R"({"traceEvents": []})"), spec::InputError);
}

// ---- profiles in files -------------------------------------------------------------------------------------------

class OwnProfile : public ::testing::TestWithParam<const char*> {};

// tests/data/README.md: 380 us; kernels of 60 and 15 us, four of each.
TEST_P(OwnProfile, ComesOutAsRecorded) {
  Import import;
  const ImportResult result = import.of_file(fs::path(TESSERA_SOURCE_DIR) / "tests/data/profiles" / GetParam());
  ASSERT_EQ(result.applications.size(), 1U);
  expect_faithful(result.applications.front());
  const Fidelity& fidelity = *result.applications.front().fidelity;
  EXPECT_NEAR(fidelity.recorded_span_us, 380, 1e-6);
  ASSERT_EQ(fidelity.kernels.size(), 2U);
  for (const KernelFidelity& kernel : fidelity.kernels) {
    EXPECT_EQ(kernel.launches, 4U) << kernel.name;
    EXPECT_NEAR(kernel.recorded_us, kernel.name == "gemm" ? 60 : 15, 1e-6) << kernel.name;
  }
}

INSTANTIATE_TEST_SUITE_P(All, OwnProfile, ::testing::Values("steps.kineto.json", "steps.nsys.csv"),
                         [](const auto& profile) { return std::string(profile.index == 0 ? "Kineto" : "NsightCsv"); });

// ---- real profiles -------------------------------------------------------------------------------------------

class RealTrace : public ::testing::TestWithParam<const char*> {};

TEST_P(RealTrace, ComesOutAsRecorded) {
  const char* const data = std::getenv("TESSERA_DATA_DIR");
  if (data == nullptr) GTEST_SKIP() << "TESSERA_DATA_DIR is not set: no real profiles at hand";
  const fs::path path = fs::path(data) / "kineto" / (std::string(GetParam()) + ".json.gz");
  if (!fs::exists(path)) GTEST_SKIP() << "TESSERA_DATA_DIR has no " << path.filename();
  Import import;
  const ImportResult result = import.of_file(path);
  ASSERT_EQ(result.applications.size(), 1U);
  expect_faithful(result.applications.front());
}

INSTANTIATE_TEST_SUITE_P(All, RealTrace, ::testing::Values("resnet_a100", "resnet_v100", "encoder_decoder"),
                         [](const auto& trace) { return std::string(trace.param); });

}  // namespace
}  // namespace tessera::importer::test
