// SPDX-License-Identifier: Apache-2.0
// Scripts say what gnuplot shall draw, and pictures are drawn or it is told why not.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <stdexcept>

#include "plot/draw.h"
#include "plot/gnuplot.h"

namespace tessera::plot {
namespace {

using testing::HasSubstr;

TEST(Script, TextsAreLiteral) { EXPECT_EQ(quoted("it's {/Bold bold}"), "'it''s {/Bold bold}'"); }

TEST(Script, TenSeriesHaveTenColours) {
  std::set<std::string> colours;
  for (std::size_t series = 0; series < 10; ++series) colours.insert(colour(series));
  EXPECT_EQ(colours.size(), 10U);
  EXPECT_EQ(colour(10), colour(0));
}

TEST(Script, ASeriesOfPanelsHasRoomForEach) {
  EXPECT_THAT(panels_head("fig", "A figure", 1, 1), HasSubstr("svg size 420,410"));
  EXPECT_THAT(panels_head("fig", "A figure", 2, 3, 1), HasSubstr("svg size 840,1161"));
  EXPECT_EQ(multiplot(2, 3, "A figure"), "set multiplot layout 3,2 title 'A figure' noenhanced\n");
}

TEST(Script, BarsOfAClusterStandAroundItsMiddle) {
  const Cluster cluster(2);
  EXPECT_DOUBLE_EQ(cluster.width(), 0.4);
  EXPECT_DOUBLE_EQ(cluster.shift(0), -0.2);
  EXPECT_DOUBLE_EQ(cluster.shift(1), 0.2);
}

TEST(Draw, DataInTheScriptAreDrawn) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "it's a plot";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "lines.gp") << terminal(400, 300) << data_block("line", "0 1\n1 2\n")
                                     << overlay({"$line using 1:2 with lines title 'up'", "$line with points"});
  if (!draw(folder / "lines.gp", "svg", folder / "lines.svg")) GTEST_SKIP() << "no gnuplot here";
  std::ifstream svg(folder / "lines.svg");
  EXPECT_THAT(std::string((std::istreambuf_iterator<char>(svg)), {}), HasSubstr("</svg>"));
  std::filesystem::remove_all(folder);
}

TEST(Draw, AScriptThatGnuplotRefusesIsAnError) {
  const std::filesystem::path script = std::filesystem::path(::testing::TempDir()) / "refused.gp";
  std::ofstream(script) << "no such command\n";
  try {
    if (!draw(script, "svg", script.string() + ".svg")) GTEST_SKIP() << "no gnuplot here";
    FAIL() << "drawn";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("refused.gp"));
  }
}

}  // namespace
}  // namespace tessera::plot
