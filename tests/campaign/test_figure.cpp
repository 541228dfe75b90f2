// SPDX-License-Identifier: Apache-2.0
// Figures as text, and as pictures where there is a gnuplot.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "campaign/figure.h"
#include "campaign/figure_plot.h"
#include "campaign/measure.h"
#include "plot/draw.h"

namespace tessera::campaign {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Figure example() {
  Figure figure;
  figure.name = "paper-fig1";
  figure.title = "It's an example";
  figure.drawing = Drawing::kBars;
  for (const std::uint32_t n : {2U, 8U}) {
    Value value;
    value.panel = "average";
    value.series = "scheme";
    value.num_processes = n;
    value.ours = {3, 0.5, 20};
    if (n == 8) value.paper = 4;
    figure.values.push_back(value);
  }
  return figure;
}

TEST(Figure, AsJsonStatesPaperOursIntervalAndRatioOfEveryValue) {
  const auto json = values_json(example());
  const auto& last = json.at(1);
  EXPECT_EQ(last.at("figure"), "paper-fig1");
  EXPECT_EQ(last.at("series"), "scheme");
  EXPECT_EQ(last.at("processes"), 8);
  EXPECT_EQ(last.at("paper"), 4.0);
  EXPECT_EQ(last.at("ours"), 3.0);
  EXPECT_EQ(last.at("ci95"), 0.5);
  EXPECT_EQ(last.at("ratio"), 0.75);
  EXPECT_EQ(last.at("workloads"), 20);
  EXPECT_TRUE(json.at(0).at("paper").is_null());
  EXPECT_TRUE(json.at(0).at("ratio").is_null());
}

TEST(Figure, AsMarkdownHasARowAValueAndSaysWhatDoesNotHold) {
  Figure figure = example();
  claim(figure, "more is more", {2, 8}, [](std::uint32_t n) { return Comparison{static_cast<double>(n), 5}; });
  EXPECT_EQ(orderings_json(figure).at(0).at("figure"), "paper-fig1");
  EXPECT_EQ(orderings_json(figure).at(0).at("holds"), false);
  const std::string text = figure_markdown(figure);
  EXPECT_THAT(text, HasSubstr("| average | scheme | 8 | 4 | 3 | 0.75 | ± 0.5 | 20 |"));
  EXPECT_THAT(text, HasSubstr("- **does not hold**: more is more (2: 2 and 5; 8: 8 and 5)"));
}

TEST(Figure, MarksAsNoiseWhatItsIntervalSaysNothingAbout) {
  const auto value = [](double mean, double half_width, std::size_t number) {
    Value one;
    one.ours = {mean, half_width, number};
    return one;
  };
  EXPECT_TRUE(value(55.6, 134, 4).is_noise());
  EXPECT_TRUE(value(57.6, 0, 1).is_noise());
  EXPECT_FALSE(value(13.7, 13.6, 20).is_noise());
  EXPECT_FALSE(value(1, 0, 0).is_noise());   // of no workload: what a table has
  EXPECT_FALSE(value(0, 0, 20).is_noise());  // 0 in all of them
  Figure figure;
  figure.values = {value(55.6, 134, 4), value(4.3, 0.5, 20)};
  const std::string text = figure_markdown(figure);
  EXPECT_THAT(text, ::testing::HasSubstr("± 134 (noise)"));
  EXPECT_THAT(text, ::testing::HasSubstr("± 0.5 |"));
  EXPECT_TRUE(values_json(figure)[0].contains("noise"));
  EXPECT_FALSE(values_json(figure)[1].contains("noise"));
}

TEST(Figure, ClaimWithoutNumbersIsLeftOut) {
  Figure figure = example();
  const auto nothing = [&](std::uint32_t n) { return Comparison{mean_of(figure, "no panel", "scheme", n), 1}; };
  claim(figure, "nobody knows", {2, 8}, nothing);
  EXPECT_TRUE(figure.orderings.empty());
  claim(figure, "known at 8", {2, 8}, [&](std::uint32_t n) { return Comparison{n == 8 ? 2.0 : std::nan(""), 1}; });
  ASSERT_EQ(figure.orderings.size(), 1U);
  EXPECT_TRUE(figure.orderings[0].holds);
  EXPECT_EQ(figure.orderings[0].evidence, "8: 2 and 1");
}

TEST(Figure, AsAMatrixHasARowASeriesAfterThePapers) {
  Figure figure = example();
  figure.is_matrix = true;
  figure.values[0].panel = "at 2";
  figure.values[1].panel = "at 8";
  EXPECT_THAT(figure_markdown(figure), HasSubstr("| | at 2 | at 8 |\n| --- | --: | --: |\n| paper | - | 4 |\n"
                                                 "| scheme | 3 | 3 |\n"));
}

TEST(Figure, TellsWhatItsCategoriesMean) {
  Figure figure = example();
  figure.is_matrix = true;
  figure.has_intervals = true;
  figure.x_label = "cycles";
  figure.meaning_heads = {"us", "which"};
  figure.meanings = {{"13", {"0.018", "hardware, serial"}}};
  figure.values[0].category = "13";
  figure.values[1].category = "99";
  figure.values[1].panel = "short";
  figure.values[1].paper.reset();
  EXPECT_THAT(figure_markdown(figure),
              HasSubstr("| | cycles | us | which | average | short |\n| --- | --: | --: | --: | --: | --: |\n"
                        "| scheme | 13 | 0.018 | hardware, serial | 3 ± 0.5 | - |\n"
                        "| scheme | 99 |  |  | - | 3 ± 0.5 |\n"));
  EXPECT_THAT(values_csv(figure), HasSubstr("processes or category,us,which,paper,ours"));
  EXPECT_THAT(values_csv(figure), HasSubstr("average,scheme,13,0.018,\"hardware, serial\",,3,0.5,"));
  EXPECT_EQ(values_json(figure).at(0).at("which"), "hardware, serial");
  EXPECT_FALSE(values_json(example()).at(0).contains("which"));
}

TEST(Plot, HasTheAxesLogarithmicThatTheFigureWants) {
  Figure figure;
  figure.drawing = Drawing::kCurves;
  figure.curves = {{"panel", "line", {{1, 1}, {10, 2}}}};
  EXPECT_THAT(plot_script(figure), HasSubstr("set logscale y\n"));
  EXPECT_THAT(plot_script(figure), HasSubstr("with lines lw 2"));
  figure.log_axes = "xy";
  EXPECT_THAT(plot_script(figure), HasSubstr("set logscale xy\n"));
  EXPECT_THAT(plot_script(figure), HasSubstr("with linespoints"));
}

TEST(Plot, BearsThePapersValueWhereThereIsOne) {
  EXPECT_THAT(plot_script(example()), HasSubstr("\"2\" 3 0.5 ?\n\"8\" 3 0.5 4\n"));
  EXPECT_THAT(plot_script(example()), HasSubstr("title 'paper'"));
  Figure without = example();
  without.values[1].paper.reset();
  EXPECT_THAT(plot_script(without), Not(HasSubstr("title 'paper'")));
}

TEST(Plot, OfATableIsEmpty) {
  Figure figure = example();
  figure.drawing = Drawing::kNone;
  EXPECT_EQ(plot_script(figure), "");
}

TEST(Plot, OfNothingIsEmptyWhateverTheKind) {
  for (const Drawing kind : {Drawing::kBars, Drawing::kStackedBars, Drawing::kCurves, Drawing::kTimeline}) {
    Figure figure;
    figure.drawing = kind;
    EXPECT_EQ(plot_script(figure), "");
  }
}

TEST(Plot, IsDrawnByGnuplotWhateverTheKind) {
  Figure figure = example();
  figure.curves = {{"panel", "line", {{0, 1}, {1, 2}}}};
  figure.slices = {{"panel", "kernel", "SM 0", 0, 1}};
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "it's a plot";
  std::filesystem::create_directories(folder);
  for (const Drawing kind : {Drawing::kBars, Drawing::kStackedBars, Drawing::kCurves, Drawing::kTimeline}) {
    figure.drawing = kind;
    std::ofstream(folder / "figure.gp") << plot_script(figure);
    if (!plot::draw(folder / "figure.gp", "svg", folder / "figure.svg")) GTEST_SKIP() << "no gnuplot here";
    ASSERT_TRUE(plot::draw(folder / "figure.gp", "png", folder / "figure.png"));
    std::ifstream svg(folder / "figure.svg");
    const std::string text((std::istreambuf_iterator<char>(svg)), {});
    EXPECT_THAT(text, HasSubstr("It's an example"));
    EXPECT_THAT(text, HasSubstr("</svg>"));
    EXPECT_GT(std::filesystem::file_size(folder / "figure.png"), 1000U);
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace tessera::campaign
