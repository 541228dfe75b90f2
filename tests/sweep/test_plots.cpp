// SPDX-License-Identifier: Apache-2.0
// Means over seeds with their intervals, and what a diagram makes of values that are awkward to draw.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "sweep/plot_script.h"
#include "sweep/plot_table.h"
#include "sweep/table.h"

namespace tessera::sweep {
namespace {

using testing::HasSubstr;
using testing::Not;

class SweepPlots : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(file_); }

  // Of the quickstart: a point for each number of SMs and seed.
  Plan plan_of(const std::string& sms, const std::string& plot, const std::string& rest = "") const {
    std::ofstream(file_) << "schema_version: 1\nname: plots\nbase: " TESSERA_SOURCE_DIR
                         << "/configs/experiments/quickstart.yaml\naxes: [{key: gpu.num_sms, values: [" << sms
                         << "]}]\nplots: [{name: p, " << plot << "}]\n"
                         << rest;
    return make_plan(spec::Sweep(file_), "program");
  }

  // `values` of bytes_saved by point; one that is not a number is a point that failed.
  static Table table_of(const Plan& plan, const std::vector<double>& values) {
    Table table{&plan, columns_of(plan), {}};
    for (const PlannedPoint& planned : plan.points) {
      const double value = values.at(planned.point.index);
      Row row{planned.point.index, planned.key, plan.labels_of(planned.point), planned.point.seed, "done", "", {}, {}};
      if (std::isnan(value)) {
        row.status = "failed";
      } else {
        row.values["bytes_saved"] = value;
      }
      table.rows.push_back(row);
    }
    return table;
  }

  static std::string script_of(const Plan& plan, const std::vector<double>& values) {
    const Table table = table_of(plan, values);
    return plot_script(table, designs_of(table), plan.spec().plots.front());
  }

  const std::filesystem::path file_ =
      std::filesystem::temp_directory_path() /
      (std::string("plots-") + testing::UnitTest::GetInstance()->current_test_info()->name() + ".yaml");
};

constexpr const char* kLogY = "x: num_sms, y: bytes_saved, log_y: true";

// Student's t of two and of three values is 12.706 and 4.303 (one and two degrees of freedom).
TEST_F(SweepPlots, IntervalsAreThoseOfStudentOverTheSeedsThatAreDone) {
  const Plan plan = plan_of("2, 4, 8", kLogY, "seeds: {count: 3}\n");
  const double failed = std::nan("");
  const std::vector<Design> designs = designs_of(table_of(plan, {1, 2, 3, 1, failed, 3, failed, failed, 5}));
  const stats::Estimate* const all = designs.at(0).find("bytes_saved");
  EXPECT_DOUBLE_EQ(all->mean, 2);
  EXPECT_NEAR(all->half_width, 4.303 * 1 / std::sqrt(3), 0.001);
  const stats::Estimate* const two = designs.at(1).find("bytes_saved");
  EXPECT_DOUBLE_EQ(two->mean, 2);
  EXPECT_NEAR(two->half_width, 12.706 * std::sqrt(2) / std::sqrt(2), 0.001);
  const stats::Estimate* const one = designs.at(2).find("bytes_saved");
  EXPECT_DOUBLE_EQ(one->mean, 5);
  EXPECT_EQ(one->half_width, 0);  // one value tells nothing about it
}

TEST_F(SweepPlots, ALogarithmicAxisBeginsAtTheLeastPositiveValueAndSaysWhatItLacks) {
  const std::string script = script_of(plan_of("2, 4, 8", kLogY), {0, 1100, 10000});
  EXPECT_THAT(script, HasSubstr("set logscale y"));
  EXPECT_THAT(script, testing::ContainsRegex("set yrange .(1000|999.99[0-9]*):11000.\n"));  // a tenth of room
  EXPECT_THAT(script, HasSubstr("'bytes_saved (bytes); 0 is not shown'"));
}

TEST_F(SweepPlots, AnAxisWithoutPositiveValuesIsLinear) {
  EXPECT_THAT(script_of(plan_of("2, 4", kLogY), {0, 0}), Not(HasSubstr("logscale")));
  EXPECT_THAT(script_of(plan_of("2, 4", kLogY), {0, 0}), Not(HasSubstr("not shown")));
}

TEST_F(SweepPlots, ManyPanelsMakeASquare) {
  const std::string facets = "x: sram_bytes, y: bytes_saved, facets: num_sms, pareto: {x: min, y: min}";
  std::string sms = "1";
  std::vector<double> values{1};
  const auto script = [&] {
    const Plan plan = plan_of(sms, facets);
    Table table = table_of(plan, values);
    for (Row& row : table.rows) row.values["sram_bytes"] = 1;
    return plot_script(table, designs_of(table), plan.spec().plots.front());
  };
  for (int i = 2; i <= 8; ++i) {
    sms += "," + std::to_string(i);
    values.push_back(1);
  }
  EXPECT_THAT(script(), HasSubstr("layout 2,4 "));
  for (int i = 9; i <= 40; ++i) {
    sms += "," + std::to_string(i);
    values.push_back(1);
  }
  EXPECT_THAT(script(), HasSubstr("layout 6,7 "));
}

TEST_F(SweepPlots, OnAFrontMoreIsBetterWhereThePlanSaysSo) {
  const auto front = [&](const std::string& better) {
    const Plan plan = plan_of("1, 2", "x: sram_bytes, y: bytes_saved, pareto: {x: min, y: " + better + "}");
    Table table = table_of(plan, {3, 4});
    for (Row& row : table.rows) row.values["sram_bytes"] = 1;
    return plot_script(table, designs_of(table), plan.spec().plots.front());
  };
  EXPECT_THAT(front("min"), HasSubstr("$front0 << EOD\n1 3\nEOD\n"));
  EXPECT_THAT(front("max"), HasSubstr("$front0 << EOD\n1 4\nEOD\n"));
}

// Less memory and more bytes are better: of two designs with the same memory only the second is on the front.
TEST_F(SweepPlots, TheTableOfADiagramHasARowForEachDesignAndTellsTheFront) {
  const auto csv = [&](const std::string& plot) {
    const Plan plan = plan_of("1, 2, 4", plot, "seeds: {count: 2}\n");
    Table table = table_of(plan, {3, 3, 4, 4, 4, 4});
    for (Row& row : table.rows) row.values["sram_bytes"] = row.labels.at(0) == "4" ? 8 : 2;
    return plot_csv(table, designs_of(table), plan.spec().plots.front());
  };
  EXPECT_EQ(csv("x: sram_bytes, y: bytes_saved, pareto: {x: min, y: max}"),
            "num_sms,sram_bytes,sram_bytes_half_width,bytes_saved,bytes_saved_half_width,on_front\n"
            "1,2,0,3,0,no\n"
            "2,2,0,4,0,yes\n"
            "4,8,0,4,0,no\n");
  EXPECT_EQ(csv("x: num_sms, y: bytes_saved, where: {num_sms: 2}"),
            "num_sms,bytes_saved,bytes_saved_half_width,on_front\n2,4,0,\n");
}

// Forty names of series take 20 lines below the panel, of which a panel of 350 has room for three.
TEST_F(SweepPlots, ALongKeyTakesNothingFromThePanel) {
  std::string sms = "1";
  for (int i = 2; i <= 40; ++i) sms += "," + std::to_string(i);
  const Plan plan = plan_of(sms, "x: bytes_saved, y: bytes_saved, series: num_sms");
  EXPECT_THAT(script_of(plan, std::vector<double>(40, 1)), HasSubstr("size 420," + std::to_string(350 + 17 * 17 + 60)));
}

}  // namespace
}  // namespace tessera::sweep
