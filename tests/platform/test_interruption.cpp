// SPDX-License-Identifier: Apache-2.0
// An interruption ends a run in whatever the machine was doing, and what has happened until then is all there.
#include "tests/platform/machine_bench.h"

namespace tessera::platform::test {
namespace {

// Two processes that take SMs from each other all the time, with a scheduler slow enough to be caught searching.
spec::Spec contended_platform() {
  spec::Spec spec = tiny_platform();
  spec.scheduler.policy = spec::PolicyKind::kPpq;
  spec.scheduler.technique = spec::TechniqueKind::kContextSwitch;
  spec.stop.min_runs = 1000;
  add_process(spec, {kernel_of("batch", 3 * spec.gpu.num_sms, 30'000)}, {launch(0), launch(0), synchronise()});
  add_process(spec, {kernel_of("interactive", 2, 3'000)}, {cpu(20'000), launch(0), synchronise()}).priority = 1;
  return spec;
}

TEST(Interruption, LeavesAWholeRecordWhereverItFallsIn) {
  const spec::Spec spec = contended_platform();
  std::vector<std::function<nlohmann::json()>> tasks;
  for (int question = 1; question <= 200; ++question) {
    tasks.emplace_back([&spec, question]() -> nlohmann::json {
      throw_on_systemc_reports();
      record::MemorySink sink;
      int asked = 0;
      Log log{simulate(spec, {&sink}, [&] { return ++asked >= question; }), {}};
      log.records = sink.records();
      return {{"result", log.result}, {"faults", faults_of(spec, log)}};
    });
  }
  for (const nlohmann::json& answer : run_in_workers(tasks, 2)) {
    EXPECT_FALSE(answer.at("result").at("complete"));
    EXPECT_EQ(answer.at("result").at("stop_reason"), "interrupted");
    EXPECT_THAT(answer.at("faults").get<std::vector<std::string>>(), testing::IsEmpty());
  }
}

}  // namespace
}  // namespace tessera::platform::test
