// SPDX-License-Identifier: Apache-2.0
// docs/summary.schema.json accepts every summary that is built, and refuses others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

// GCC 12 takes std::regex, which valijson uses, for uninitialised once sanitizers are on.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "tests/model/record/driver/support.h"
#include "tests/model/record/metrics/summary_input.h"

namespace tessera::record {
namespace {

using test::two_processes;

std::vector<std::string> schema_errors(const nlohmann::ordered_json& summary) {
  std::ifstream file(TESSERA_SOURCE_DIR "/docs/summary.schema.json");
  const nlohmann::json document = nlohmann::json::parse(file);
  valijson::Schema schema;
  valijson::SchemaParser(valijson::SchemaParser::kDraft7)
      .populateSchema(valijson::adapters::NlohmannJsonAdapter(document), schema);
  const nlohmann::json plain = nlohmann::json::parse(summary.dump());
  valijson::ValidationResults results;
  valijson::Validator().validate(schema, valijson::adapters::NlohmannJsonAdapter(plain), &results);
  std::vector<std::string> errors;
  for (valijson::ValidationResults::Error error; results.popError(error);) {
    std::string place;
    for (const std::string& step : error.context) place += step;
    errors.push_back(place + ": " + error.description);
  }
  return errors;
}

TEST(SummarySchema, FitsEverySummary) {
  SummaryInput input = two_processes();
  EXPECT_THAT(schema_errors(make_summary(input)), testing::IsEmpty());
  input.baseline = input.shared;
  EXPECT_THAT(schema_errors(make_summary(input)), testing::IsEmpty());
  input.processes[0].deadline = 1;
  EXPECT_THAT(schema_errors(make_summary(input)), testing::IsEmpty());
  input.processes[0].has_releases = true;  // none of whose runs has ended
  EXPECT_THAT(schema_errors(make_summary(input)), testing::IsEmpty());
  input.shared.processes[0].frames = {3, 2, 1, 1, {2, 30, 10, 20, 20}, 10, 20};
  EXPECT_THAT(schema_errors(make_summary(input)), testing::IsEmpty());
  input.partitions = {{"a", SmSet::of(0)}, {"b", SmSet::of(0) | SmSet::of(1)}};
  input.preset = {"mps", 0, 1};
  input.processes[1].partition = 1;
  EXPECT_THAT(schema_errors(make_summary(input)), testing::IsEmpty()) << "of a run without partitions";
  input.shared.partitions = {{100, 2, 1}, {}};
  EXPECT_THAT(schema_errors(make_summary(input)), testing::IsEmpty());
  input.shared.turns = {{3, 2, 0}, 100, {{3, 50}, {2, 10}}};
  EXPECT_THAT(schema_errors(make_summary(input)), testing::IsEmpty());
  input.shared.cpu = {{100, 50, 30, 20, 1}, {}};
  EXPECT_THAT(schema_errors(make_summary(input)), testing::IsEmpty()) << "of a host with cores";
  input.shared.processes = {{}, {}};
  input.shared.complete = false;
  input.shared.stop_reason = "interrupted";
  input.shared.cycles = 0;
  EXPECT_THAT(schema_errors(make_summary(input)), testing::IsEmpty());
}

TEST(SummarySchema, FitsTheSummaryOfADriverThatStopsTasks) {
  SummaryInput input = two_processes();
  input.driver.stops.tasks = {{0, 8, 4, 1}, {1, 8, 4, 2}};
  input.shared.tasks.tasks = {{9, 3, 700, {2, 30, 10, 20, 20}, 10, 20}, {}};
  EXPECT_THAT(schema_errors(make_summary(input)), testing::IsEmpty());
  input.baseline = input.shared;
  input.baseline_driver = input.driver;
  input.driver.stops.has_run_list = true;
  input.shared.tasks.run_list_updates = 4;
  EXPECT_THAT(schema_errors(make_summary(input)), testing::IsEmpty());
  nlohmann::ordered_json wrong = make_summary(input);
  wrong["driver"]["kind"] = "timegraph";
  EXPECT_THAT(schema_errors(wrong), testing::Not(testing::IsEmpty()));
}

// Of a driver that predicts, with a process that never submits.
SummaryInput with_driver() {
  SummaryInput input = two_processes();
  input.driver = test::one_reserve(true);
  MetricsSink metrics(2, {}, 0, {}, input.driver);
  test::feed(metrics, test::in_order(test::ae_log()), 400);
  input.shared.driver = metrics.result().driver;
  return input;
}

TEST(SummarySchema, FitsTheSummaryOfADriverThatHoldsGroupsBack) {
  SummaryInput input = with_driver();
  EXPECT_THAT(schema_errors(make_summary(input)), testing::IsEmpty());
  input.baseline = input.shared;
  input.baseline_driver = input.driver;
  EXPECT_THAT(schema_errors(make_summary(input)), testing::IsEmpty());
  input.shared.cycles = 0;
  EXPECT_THAT(schema_errors(make_summary(input)), testing::IsEmpty());
}

TEST(SummarySchema, RefusesADriverWithAKeyTooFewOrTooMany) {
  const auto summary = make_summary(with_driver());
  for (const char* part : {"/driver", "/driver/invocations", "/driver/reserves/0", "/processes/0/gpu",
                           "/processes/0/gpu/wait_us", "/processes/0/gpu/prediction"}) {
    const nlohmann::ordered_json::json_pointer place(part);
    for (const auto& [key, value] : summary.at(place).items()) {
      auto poorer = summary;
      poorer.at(place).erase(key);
      EXPECT_THAT(schema_errors(poorer), Not(testing::IsEmpty())) << part << " without " << key;
    }
    auto richer = summary;
    richer[place]["wall_time_s"] = 1;
    EXPECT_THAT(schema_errors(richer), Not(testing::IsEmpty())) << part;
  }
}

TEST(SummarySchema, RefusesASummaryWithAKeyTooFewOrTooMany) {
  const auto summary = make_summary(two_processes());
  for (const auto& [key, value] : summary.items()) {
    auto poorer = summary;
    poorer.erase(key);
    EXPECT_THAT(schema_errors(poorer), Not(testing::IsEmpty())) << key;
  }
  auto richer = summary;
  richer["wall_time_s"] = 1;
  EXPECT_THAT(schema_errors(richer), Not(testing::IsEmpty()));
  auto wrong = summary;
  wrong["fairness"] = 1.5;
  EXPECT_THAT(schema_errors(wrong), Not(testing::IsEmpty()));
}

}  // namespace
}  // namespace tessera::record
