// SPDX-License-Identifier: Apache-2.0
// Random experiments on the whole machine: whatever the parameters, the invariants hold, the full log is sound, and
// nothing depends on how the simulation is driven or listened to.
#include <rapidcheck.h>

#include <algorithm>
#include <sstream>

#include "model/record/trace/csv_sink.h"
#include "model/record/trace/perfetto_sink.h"
#include "model/spec/spec_json.h"
#include "platform/machine.h"
#include "tests/platform/machine_bench.h"
#include "tests/platform/random_experiment.h"

namespace tessera::platform::test {
namespace {

// ---- what one simulation came to ---------------------------------------------------------------------------------

std::uint64_t digest(const std::string& text) { return std::hash<std::string>{}(text); }

std::uint64_t digest(const std::vector<Record>& records) {
  std::uint64_t key = records.size();
  for (const Record& r : records) {
    for (const std::uint64_t field :
         {r.cycle, std::uint64_t(r.kind), std::uint64_t(r.technique), std::uint64_t{r.process}, std::uint64_t{r.kernel},
          std::uint64_t{r.sm}, std::uint64_t{r.slot}, std::uint64_t{r.launch}, std::uint64_t{r.tb},
          std::uint64_t{r.run}, r.bytes, r.cycles, r.value}) {
      key = workload::mix64(key + field);
    }
  }
  return key;
}

// With everybody listening: the results, the faults of the full log, and digests of the log and of both traces.
nlohmann::json traced(const spec::Spec& spec, Machine::Pace pace) {
  std::ostringstream csv_text;
  std::ostringstream perfetto_text;
  record::CsvSink csv(csv_text, record::make_names(spec));
  record::PerfettoSink perfetto(perfetto_text, record::make_names(spec));
  const Log log = simulate_here(spec, pace, {&csv, &perfetto});
  return {{"result", log.result},           {"faults", faults_of(spec, log)},
          {"records", digest(log.records)}, {"num_records", log.records.size()},
          {"csv", digest(csv_text.str())},  {"perfetto", digest(perfetto_text.str())}};
}

// With nobody listening.
nlohmann::json quiet(const spec::Spec& spec) {
  throw_on_systemc_reports();
  return simulate(spec, {}, never_interrupted);
}

// The first record that the two paces disagree about.
std::string first_difference(const spec::Spec& spec) {
  const std::vector<Record> ahead = simulate_checked(spec, Machine::Pace::kRunAhead).records;
  const std::vector<Record> stepwise = simulate_checked(spec, Machine::Pace::kStepwise).records;
  for (std::size_t i = 0; i < std::min(ahead.size(), stepwise.size()); ++i) {
    const nlohmann::json a = ahead[i];
    const nlohmann::json b = stepwise[i];
    if (a != b) return "record " + std::to_string(i) + ": " + a.dump() + " stepwise: " + b.dump();
  }
  return std::to_string(ahead.size()) + " records, stepwise " + std::to_string(stepwise.size());
}

std::vector<std::string> claims_broken_by(const spec::Spec& spec) {
  const auto ahead = [&] { return traced(spec, Machine::Pace::kRunAhead); };
  const auto stepwise = [&] { return traced(spec, Machine::Pace::kStepwise); };
  const auto answers = run_in_workers({ahead, ahead, stepwise, [&] { return quiet(spec); }}, 2);
  std::vector<std::string> broken = answers[0].at("faults");
  if (answers[0] != answers[1]) broken.emplace_back("two runs differ");
  if (answers[0] != answers[2]) broken.push_back("the paces differ, " + first_difference(spec));
  if (answers[0].at("result") != answers[3]) broken.emplace_back("the results depend on tracing");
  const auto& result = answers[0].at("result");
  RC_TAG(result.at("stop_reason").get<std::string>());
  RC_CLASSIFY(result.at("open_saves") != 0, "open saves");
  RC_CLASSIFY(result.at("preemptions").contains("flush"), "flushed");
  RC_CLASSIFY(result.at("preemptions").at("drain").at("latency").at("count") != 0, "drained");
  RC_CLASSIFY(result.at("preemptions").at("context_switch").at("latency").at("count") != 0, "switched");
  return broken;
}

TEST(RandomExperiments, KeepEveryInvariantAndDependOnNothingButTheirSpec) {
  EXPECT_TRUE(rc::check([] {
    const spec::Spec spec = any_experiment();
    std::vector<std::string> broken;
    try {
      broken = claims_broken_by(spec);
    } catch (const std::runtime_error& error) {
      broken.emplace_back(error.what());
    }
    if (broken.empty()) return;
    std::string message = "in " + spec::to_json(spec).dump() + ":";
    for (const std::string& line : broken) message += "\n  " + line;
    RC_FAIL(message);
  }));
}

}  // namespace
}  // namespace tessera::platform::test
