// SPDX-License-Identifier: Apache-2.0
// Regulation, frame rates over time, interference and a video (6.1: performance regulation, fine-grained performance,
// interference issues, periodic behavior).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "campaign/k11/cast.h"
#include "campaign/k11/figures.h"

namespace tessera::campaign::k11 {
namespace {

constexpr double kPeriod = 25000;  // us
constexpr double kStretch = 0.1;   // s: a point of a curve over time
constexpr std::size_t kFive = 5;

double mean_of_rates(const std::vector<double>& rates) {
  return rates.empty() ? 0 : std::accumulate(rates.begin(), rates.end(), 0.0) / static_cast<double>(rates.size());
}

// Standard deviation over mean.
double variation(const std::vector<double>& rates) {
  const double mean = mean_of_rates(rates);
  if (mean == 0) return 0;
  double squares = 0;
  for (const double rate : rates) squares += (rate - mean) * (rate - mean);
  return std::sqrt(squares / static_cast<double>(rates.size())) / mean;
}

void add_curve(Figure& figure, const std::string& panel, const std::string& series, const std::vector<double>& rates) {
  Curve curve{panel, series, {}};
  for (std::size_t i = 0; i < rates.size(); ++i) curve.points.push_back({kStretch * static_cast<double>(i), rates[i]});
  figure.curves.push_back(std::move(curve));
}

Figure of_rates(const char* name, const char* title, const char* x_label) {
  Figure figure;
  figure.name = name;
  figure.title = title;
  figure.drawing = Drawing::kCurves;
  figure.log_axes = "";
  figure.x_label = x_label;
  figure.y_label = "frames a second";
  return figure;
}

// The rate never falls by more than the noise of counting while its reserve grows.
bool is_rising(const std::vector<double>& rates) {
  for (std::size_t i = 1; i < rates.size(); ++i) {
    if (rates[i] < 0.98 * rates[i - 1]) return false;
  }
  return true;
}

}  // namespace

Figure fig10(Batch& batch) {
  Figure figure =
      of_rates("k11-fig10", "Frame rates over the size of a reserve; both together have 90 %", "C/T of OpenArena, %");
  Curve curves[4] = {{"PE", kGames.front(), {}},
                     {"PE", kEngine, {}},
                     {"widget under AE", kGames.front(), {}},
                     {"widget under AE", kEngine, {}}};
  std::vector<double> of_game, of_engine, of_game_ae, of_engine_ae;
  std::string in_range;
  for (int percent = 10; percent <= 80; percent += 10) {
    Task open = game(kGames.front(), spec::GroupDispatch::kPrt);
    open.budget = pe(percent * kPeriod / 100, kPeriod);
    const double left = (90 - percent) * kPeriod / 100;
    const Outcome& by_pe = batch.of(timegraph({open, widget(kLowPriority, pe(left, kPeriod)), x_server()}));
    const Outcome& by_ae = batch.of(timegraph({open, widget(kLowPriority, ae(left, kPeriod)), x_server()}));
    of_game.push_back(by_pe.rate(0));
    of_engine.push_back(by_pe.rate(1));
    of_game_ae.push_back(by_ae.rate(0));
    of_engine_ae.push_back(by_ae.rate(1));
    const double rates[] = {of_game.back(), of_engine.back(), of_game_ae.back(), of_engine_ae.back()};
    for (std::size_t i = 0; i < 4; ++i) {
      curves[i].points.push_back({double(percent), rates[i]});
      figure.values.push_back(value_of(curves[i].panel, curves[i].series, fmt::format("{} %", percent), rates[i]));
    }
    const bool is_playable = of_game.back() > 25 && of_engine.back() > 25;
    if (is_playable) in_range += fmt::format("{}{}", in_range.empty() ? "" : ", ", percent);
  }
  figure.cluster_head = "C/T of OpenArena";
  for (Curve& curve : curves) figure.curves.push_back(std::move(curve));
  std::vector<double> back(of_engine.rbegin(), of_engine.rend());
  std::vector<double> back_ae(of_engine_ae.rbegin(), of_engine_ae.rend());
  figure.orderings.push_back({"frame rates follow the size of the reserve (PE)", is_rising(of_game) && is_rising(back),
                              fmt::format("OpenArena {:.1f} to {:.1f}, Engine {:.1f} to {:.1f}", of_game.front(),
                                          of_game.back(), back.front(), back.back())});
  figure.orderings.push_back({"they do with the widget under AE", is_rising(of_game_ae) && is_rising(back_ae),
                              fmt::format("OpenArena {:.1f} to {:.1f}, Engine {:.1f} to {:.1f}", of_game_ae.front(),
                                          of_game_ae.back(), back_ae.front(), back_ae.back())});
  figure.orderings.push_back({"AE for the widget costs the widget (mean over C/T)",
                              mean_of_rates(of_engine_ae) < mean_of_rates(of_engine),
                              fmt::format("{:.1f} and {:.1f}", mean_of_rates(of_engine_ae), mean_of_rates(of_engine))});
  figure.orderings.push_back({"both have over 25 frames a second at 60 to 80 % for OpenArena",
                              in_range.find("60, 70, 80") != std::string::npos, "at " + in_range + " %"});
  return figure;
}

Figure fig11(Batch& batch) {
  Figure figure = of_rates("k11-fig11", "The Engine widget beside five bombs", "s");
  const std::vector<Task> front{widget(kHighPriority), x_server()};
  const std::pair<const char*, Scenario> setups[] = {
      {"vanilla", vanilla(with(front, bombs(kFive)))},
      {"priority", timegraph(with(front, bombs(kFive)))},
      {"PE 0.5/25 each", timegraph(with(front, bombs(kFive, pe(500, kPeriod))))},
      {"PE 2.5/25 Shared", timegraph(with(front, bombs(kFive, shared(pe(2500, kPeriod)))))}};
  std::vector<double> spreads;
  for (const auto& [name, scenario] : setups) {
    const std::vector<double> rates = batch.of(scenario).rates(0, kStretch);
    add_curve(figure, name, kEngine, rates);
    spreads.push_back(variation(rates));
    figure.values.push_back(value_of("mean frame rate", kEngine, name, mean_of_rates(rates)));
    figure.values.push_back(value_of("deviation / mean", kEngine, name, spreads.back()));
  }
  figure.orderings.push_back({"reserves make the widget's frame rate steadier than no TimeGraph",
                              std::max(spreads[2], spreads[3]) < spreads[0],
                              fmt::format("{:.3f}, {:.3f} and {:.3f}", spreads[2], spreads[3], spreads[0])});
  figure.orderings.push_back({"and than priorities alone", std::max(spreads[2], spreads[3]) < spreads[1],
                              fmt::format("{:.3f}, {:.3f} and {:.3f}", spreads[2], spreads[3], spreads[1])});
  return figure;
}

Figure fig12(Batch& batch) {
  Figure figure = of_rates("k11-fig12", "Three Engine widgets", "s");
  std::vector<Task> three;
  for (std::uint32_t i = 0; i < 3; ++i) {
    three.push_back(widget(kHighPriority - i));
    three.back().name = fmt::format("engine-{}", i + 1);
  }
  std::vector<Task> reserved = three;
  reserved[0].budget = pe(15000, 25000);
  reserved[1].budget = pe(5000, 50000);
  reserved[2].budget = pe(5000, 100000);
  const std::pair<const char*, Scenario> setups[] = {{"(a) vanilla", vanilla(with(three, {x_server()}))},
                                                     {"(b) PRT", timegraph(with(three, {x_server()}))},
                                                     {"(c) PRT, PE", timegraph(with(reserved, {x_server()}))}};
  std::vector<std::vector<double>> means;
  for (const auto& [name, scenario] : setups) {
    means.emplace_back();
    for (std::size_t i = 0; i < three.size(); ++i) {
      const std::vector<double> rates = batch.of(scenario).rates(i, kStretch);
      add_curve(figure, name, three[i].name, rates);
      means.back().push_back(mean_of_rates(rates));
      figure.values.push_back(value_of(name, "mean frame rate", three[i].name, means.back().back()));
      figure.values.push_back(value_of(name, "deviation / mean", three[i].name, variation(rates)));
    }
  }
  const auto descends = [](const std::vector<double>& of) { return of[0] > 1.02 * of[1] && of[1] > 1.02 * of[2]; };
  const auto text = [](const std::vector<double>& of) {
    return fmt::format("{:.1f}, {:.1f}, {:.1f}", of[0], of[1], of[2]);
  };
  figure.orderings.push_back({"(b) frame rates are in the order of priorities", descends(means[1]), text(means[1])});
  figure.orderings.push_back({"(c) and in that of reserves", descends(means[2]), text(means[2])});
  figure.orderings.push_back(
      {"reserves set them farther apart", means[2][0] / means[2][2] > means[1][0] / means[1][2],
       fmt::format("{:.2f} and {:.2f} times", means[2][0] / means[2][2], means[1][0] / means[1][2])});
  figure.notes.emplace_back(
      "(a) is chaotic in the print. Ours has no noise of an operating system: three equal programs share evenly.");
  return figure;
}

Figure fig13(Batch& batch) {
  Figure figure = bars("k11-fig13", "A video of 24 frames a second beside five bombs", "driver", "");
  figure.drawing = Drawing::kNone;  // of which most is zero
  const Task plain{"mplayer", kHighPriority};
  Task reserved = plain;
  reserved.budget = pe(10000, 40000);
  const std::pair<const char*, Scenario> setups[] = {
      {"vanilla", vanilla(with({plain, x_server()}, bombs(kFive)))},
      {"priority", timegraph(with({plain, x_server()}, bombs(kFive)))},
      {"PE", timegraph(with({reserved, x_server()}, bombs(kFive, shared(pe(5000, 40000)))))}};
  std::vector<double> rates;
  for (const auto& [name, scenario] : setups) {
    const Outcome& outcome = batch.of(scenario);
    rates.push_back(outcome.rate());
    const TaskOutcome& video = outcome.tasks.front();
    figure.values.push_back(value_of("frames a second", "mplayer", name, rates.back()));
    figure.values.push_back(value_of(
        "frames late or dropped, %", "mplayer", name,
        video.released == 0 ? 0 : 100.0 * static_cast<double>(video.missed) / static_cast<double>(video.released)));
  }
  constexpr double kSmooth = 23.5;
  figure.orderings.push_back({"under reserves playback follows 24 frames a second (23.5 or more)", rates[2] >= kSmooth,
                              fmt::format("{:.2f}", rates[2])});
  figure.orderings.push_back(
      {"without TimeGraph it is significantly disturbed", rates[0] < kSmooth, fmt::format("{:.2f}", rates[0])});
  return figure;
}

}  // namespace tessera::campaign::k11
