// SPDX-License-Identifier: Apache-2.0
// Event-driven kernels, the host's files and GLoop's keys: read, printed and read again, and every mistake in a line of
// its own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "model/spec/json_text.h"
#include "model/spec/spec_json.h"
#include "tests/model/spec/support.h"

namespace tessera::spec {
namespace {

using test::Files;
using test::mistake;
using testing::ElementsAre;

constexpr const char* kServer =
    "  - {name: server, num_tbs: 8, regs_per_tb: 32, smem_bytes_per_tb: 0, threads_per_tb: 1, persistent: true}\n";

std::string kernel(const std::string& event_driven, const std::string& more = "", const char* num_tbs = "8") {
  return std::string("  - {name: server, num_tbs: ") + num_tbs +
         ", regs_per_tb: 32, smem_bytes_per_tb: 0, threads_per_tb: 1, " + more + "event_driven: " + event_driven +
         "}\n";
}

const char* const kReadAndCall =
    "{mode: blocking, slots: 16, state_bytes_per_slot: 100,"
    " loop: {count: 5, body: [{io: read, bytes: 4096}, {callback_us: 20}]}}";

// The third kernel is event-driven.
struct LoopFiles : Files {
  explicit LoopFiles(const std::string& its_kernel, const std::string& io = "io: {cache_gbps: 9.5}") {
    replace("parts/app.yaml", kServer, its_kernel);
    replace("parts/host.yaml", "launch_us: 1.25\n", "launch_us: 1.25\n" + io + "\n");
  }
};

TEST(SpecEventDriven, ALoopIsCallbacksAndIo) {
  const LoopFiles files(kernel(kReadAndCall, "tb_time_spread: 0.25, "));
  const Spec spec = files.load();
  const KernelSpec& server = spec.applications.at(0).kernels.at(2);
  ASSERT_TRUE(server.event_driven.has_value());
  const EventDrivenSpec& loops = *server.event_driven;
  EXPECT_EQ(loops.mode, LoopMode::kBlocking);
  EXPECT_EQ(loops.slots, 16U);
  EXPECT_EQ(loops.state_bytes_per_slot, 100U);
  EXPECT_EQ(loops.count, 5U);
  ASSERT_EQ(loops.body.size(), 2U);
  EXPECT_EQ(loops.body[0].bytes, 4096U);
  EXPECT_FALSE(loops.body[0].is_callback());
  EXPECT_EQ(loops.body[1].callback, 20'000'000U);
  EXPECT_EQ(server.tb_time_spread_ppm, 250'000U);
  EXPECT_EQ(spec.host.io->cache_bytes_per_s, 9'500'000'000U);
}

TEST(SpecEventDriven, WhatIsPrintedIsReadBackToTheSame) {
  LoopFiles files(kernel(kReadAndCall), "io: {cache_gbps: 9.5, disk_mbps: 150.98, disk_switch_us: 7, request_us: 3}");
  const std::string driver = "{kind: gloop, threshold_us: 7, switch_us: 0, on_timeout: preempt, kill_us: 9}";
  files.replace("experiment.yaml", "baseline: {policy: fcfs}",
                "driver: " + driver + "\nbaseline: {policy: fcfs, driver: {kind: pass_through}}");
  const Spec spec = files.load();
  EXPECT_EQ(spec.driver.kind, DriverKind::kGloop);
  EXPECT_EQ(spec.driver.threshold, 7'000'000U);
  EXPECT_EQ(spec.driver.on_timeout, OnTimeout::kPreempt);
  const nlohmann::ordered_json printed = to_json(spec);
  files.write("parts/app.yaml", json_text(printed.at("applications").at(0)));
  files.write("parts/host.yaml", json_text(printed.at("host")));
  files.replace("experiment.yaml", driver, printed.at("driver").dump());
  EXPECT_EQ(to_json(files.load()), printed);
}

struct BadLoop {
  const char* name;
  std::string kernel;
  const char* key;
  const char* problem;
  const char* io = "io: {cache_gbps: 9.5}";
};
void PrintTo(const BadLoop& bad, std::ostream* out) { *out << bad.name; }
class BadEventDriven : public testing::TestWithParam<BadLoop> {};

TEST_P(BadEventDriven, IsOneLine) {
  const BadLoop& bad = GetParam();
  ASSERT_THAT(LoopFiles(bad.kernel, bad.io).mistakes(), ElementsAre(mistake(bad.key, bad.problem)));
}

std::string of_body(const char* body) { return kernel(std::string("{loop: {count: 5, body: [") + body + "]}}"); }

const BadLoop kBadLoops[] = {
    {"ACallbackOfNoTime", of_body("{callback_us: 0}"), "kernels.2.event_driven.loop.body.0.callback_us",
     "is out of range"},
    {"IoWithoutAHostModel", of_body("{io: read, bytes: 1}"), "kernels.2.event_driven.loop.body.0.io",
     "host 'desk' serves no files", ""},
    {"ADiskThatIsNotThere", of_body("{io: read, bytes: 1, medium: disk}"), "kernels.2.event_driven.loop.body.0.medium",
     "host 'desk' has no disk"},
    {"IoWithoutBytes", of_body("{io: read}"), "kernels.2.event_driven.loop.body.0.bytes", "is missing"},
    {"AStepOfBoth", of_body("{io: read, bytes: 1, callback_us: 3}"), "kernels.2.event_driven.loop.body.0.callback_us",
     "cannot be combined with io"},
    {"AStepOfNeither", of_body("{}"), "kernels.2.event_driven.loop.body.0.callback_us", "is missing, and so is io"},
    {"BytesOfACallback", of_body("{callback_us: 3, bytes: 1}"), "kernels.2.event_driven.loop.body.0.bytes",
     "not valid for a callback"},
    {"NoStep", of_body(""), "kernels.2.event_driven.loop.body", "is empty"},
    {"AGridThatDoesNotFitAtOnce", kernel(kReadAndCall, "", "65"), "kernels.2.num_tbs",
     "kernel 'server' is event-driven, and GPU 'tiny' does not hold all of its thread blocks at once"},
    {"StateLargerThanMemory",
     kernel("{slots: 65536, state_bytes_per_slot: 1073741824, loop: {count: 1, body: [{callback_us: 1}]}}"),
     "kernels.2.event_driven.state_bytes_per_slot",
     "the callbacks of kernel 'server' keep more than device memory has room for"},
    {"ATimeBesideItsCallbacks", kernel(kReadAndCall, "kernel_time_us: 7, "), "kernels.2.kernel_time_us",
     "not valid for an event-driven kernel"},
    {"PersistentToo", kernel(kReadAndCall, "persistent: true, "), "kernels.2.persistent",
     "not valid for an event-driven kernel"},
};
INSTANTIATE_TEST_SUITE_P(Kinds, BadEventDriven, testing::ValuesIn(kBadLoops),
                         [](const testing::TestParamInfo<BadLoop>& test) { return std::string(test.param.name); });

TEST(SpecEventDriven, TheSmsOfEveryAbstractionHaveThem) {
  const LoopFiles files(kernel(kReadAndCall));
  EXPECT_TRUE(files.load().applications.at(0).kernels.at(2).event_driven.has_value());
  std::vector<Diagnostic> mistakes;
  try {
    load_experiment(files.path("experiment.yaml"), {}, Cores::kClocked);
  } catch (const InputError& error) {
    mistakes = error.diagnostics();
  }
  for (const Diagnostic& mistake : mistakes) EXPECT_THAT(mistake.key, testing::Not(testing::HasSubstr("event_driven")));
}

TEST(SpecEventDriven, OtherDriversAndTechniquesRefuseThem) {
  LoopFiles files(kernel(kReadAndCall));
  files.replace("experiment.yaml", "baseline: {policy: fcfs}", "driver: {kind: timegraph}");
  files.replace("experiment.yaml", "technique: drain", "technique: chimera");
  EXPECT_THAT(files.mistakes({"gpu.framework.engine=ideal"}),
              ElementsAre(mistake("scheduler.technique", "does not support event-driven kernels"),
                          mistake("driver.kind", "does not support event-driven kernels")));
}

TEST(SpecEventDriven, NothingPreemptsUnderAPolicyThatDoesNot) {
  LoopFiles files(kernel(kReadAndCall));
  files.replace("experiment.yaml", "baseline: {policy: fcfs}", "driver: {kind: gloop, on_timeout: preempt}");
  EXPECT_THAT(files.mistakes({"scheduler.policy=fcfs"}),
              ElementsAre(mistake("driver.on_timeout", "policy fcfs preempts no kernel")));
}

TEST(SpecEventDriven, KeysOfOneDriverMeanNothingToAnother) {
  LoopFiles files(kernel(kReadAndCall));
  files.replace("experiment.yaml", "baseline: {policy: fcfs}", "driver: {kind: pass_through, threshold_us: 3}");
  EXPECT_THAT(files.mistakes(), ElementsAre(mistake("driver.threshold_us", "only valid with kind: gloop")));
}

}  // namespace
}  // namespace tessera::spec
