// SPDX-License-Identifier: Apache-2.0
// Beyond the paper: software that yields against hardware that preempts. What crossing.h runs, told in four figures.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "campaign/g16/crossing.h"
#include "campaign/g16/figures.h"

namespace tessera::campaign::g16 {
namespace {

using Outcomes = std::map<std::string, Outcome>;  // by the name of the scenario

struct Turnaround {
  double of_long;
  double of_short;
  double stp() const { return 1 / of_long + 1 / of_short; }
};

Turnaround turnaround(const Outcomes& outcomes, const std::string& name, const std::string& variation = "") {
  const std::vector<double>& seconds = outcomes.at(name).seconds;
  return {seconds.at(kLong) / outcomes.at(alone_name("long") + variation).seconds.at(0),
          seconds.at(kShort) / outcomes.at(alone_name("short")).seconds.at(0)};
}

double delay_us(const Outcomes& outcomes, const std::string& name) {
  return outcomes.at(name).sessions.at(kLong).yield_delay_us;
}

bool is_within(double a, double b, double share) { return std::abs(a - b) <= share * b; }

Figure figure_of(const std::string& name, const std::string& title) {
  Figure figure;
  figure.name = name;
  figure.title = title;
  figure.is_matrix = true;
  return figure;
}

void claim(Figure& figure, const std::string& text, bool holds, const std::string& evidence) {
  figure.orderings.push_back({text, holds, evidence});
}

void claim_ways(Figure& figure, const Outcomes& outcomes) {
  const auto of = [&](const std::string& name) { return turnaround(outcomes, name); };
  const auto two = [](double a, double b) { return fmt::format("{:.3f} and {:.3f}", a, b); };
  const auto claim_short = [&](const std::string& text, bool holds, const std::string& a, const std::string& b) {
    claim(figure, text, holds, two(of(a).of_short, of(b).of_short));
  };
  std::uint64_t preemptions = 0;
  double farthest = 0;
  for (const Way& way : hardware()) {
    const std::string both = under_token(way, token()).name;
    preemptions += outcomes.at(both).effort.preemptions;
    farthest = std::max(farthest, std::abs(of(both).of_short / of(token().name).of_short - 1));
  }
  claim(figure, "under the token the hardware has nothing to preempt", preemptions == 0,
        fmt::format("{} preemptions", preemptions));
  claim(figure, "so no policy changes what the token gives (short within 1 %)", farthest <= 0.01,
        fmt::format("{:.2f} % at most", 100 * farthest));
  const std::string dss = "dss, context switch";
  constexpr double kNoWorse = 1.05;
  claim_short("without a switch cost the token does no worse than dss (short, by 5 %)",
              of(token().name).of_short <= kNoWorse * of(dss).of_short, token().name, dss);
  claim(figure, "nor does the long kernel (by 5 %)", of(token().name).of_long <= kNoWorse * of(dss).of_long,
        two(of(token().name).of_long, of(dss).of_long));
  claim_short("it does worse than ppq", of(token().name).of_short > of(ppq().name).of_short, token().name, ppq().name);
  claim(figure, "with the fitted switch STP is below that of one after the other",
        of(fitted_token().name).stp() < of(neither().name).stp(),
        two(of(fitted_token().name).stp(), of(neither().name).stp()));
  for (const char* drain : {"ppq, drain", "dss, drain"}) {
    claim_short(fmt::format("{}, is of no use (short as under fcfs, within 1 %)", drain),
                is_within(of(drain).of_short, of(neither().name).of_short, 0.01), drain, neither().name);
  }
  for (const char* policy : {"ppq", "dss"}) {
    const std::string flush = fmt::format("{}, flush", policy);
    const std::string save = fmt::format("{}, context switch", policy);
    claim_short(flush + ", falls back to the context switch (the same to the cycle)",
                outcomes.at(flush).seconds == outcomes.at(save).seconds, flush, save);
  }
}

Figure fig_ways(const Outcomes& outcomes) {
  Figure figure =
      figure_of("g16-preemption", "A kernel of 100 ms and one of 1 ms on a K20c: a token, preemption, both");
  for (const Way& way : ways()) {
    const Outcome& outcome = outcomes.at(way.name);
    const Turnaround both = turnaround(outcomes, way.name);
    const Session& session = outcome.sessions.at(kLong);
    const auto add = [&](const char* panel, double ours) {
      figure.values.push_back(value_of(panel, way.name, "", ours));
    };
    add("long, NTT", both.of_long);
    add("short, NTT", both.of_short);
    add("STP", both.stp());
    if (session.suspensions > 0) {
      add("suspensions of the long kernel", static_cast<double>(session.suspensions));
      add("yield delay, us", session.yield_delay_us);
    }
    if (outcome.effort.preemptions > 0) {
      add("preemptions of an SM", static_cast<double>(outcome.effort.preemptions));
      add("of an SM, us", outcome.preemption_us);
    }
  }
  claim_ways(figure, outcomes);
  figure.notes.emplace_back(
      "NTT: the mean turnaround of its runs over that alone, without a driver. STP: the sum of the inverses. Flush: no "
      "kernel here says how far it may start again from nothing.");
  return figure;
}

Figure fig_unyielding(const Outcomes& outcomes) {
  Figure figure = figure_of("g16-preemption-unyielding", "The same, the long kernel one callback of 5 s");
  const std::string killed = token().name + kUnyielding;
  const auto preempted_under = [](const Way& its) { return under_token(ppq(), its).name + kUnyielding + kPreempting; };
  const std::string preempted = preempted_under(token());
  const std::string by_ppq = ppq().name + kUnyielding;
  for (const std::string& name :
       {killed, preempted, fitted_token().name + kUnyielding, preempted_under(fitted_token()), by_ppq}) {
    const Turnaround both = turnaround(outcomes, name, kUnyielding);
    const Session& session = outcomes.at(name).sessions.at(kLong);
    const auto add = [&](const char* panel, double ours) { figure.values.push_back(value_of(panel, name, "", ours)); };
    if (session.killed == 0) add("long, NTT", both.of_long);  // a killed run is none
    add("short, NTT", both.of_short);
    add("killed", static_cast<double>(session.killed));
    add("token revoked", static_cast<double>(session.revoked));
  }
  const double alone_us = 1e6 * outcomes.at(alone_name("short")).seconds.at(0);
  const double of_preempted = turnaround(outcomes, preempted, kUnyielding).of_short;
  const double of_ppq = turnaround(outcomes, by_ppq, kUnyielding).of_short;
  const std::uint64_t revoked = outcomes.at(preempted).sessions.at(kLong).revoked;
  constexpr std::uint32_t kToSeeUs = kThresholdUs + kKillUs;
  const double waited_us = (of_preempted - 1) * alone_us * kShortRuns;
  claim(figure, "kill: the kernel is killed, once", outcomes.at(killed).sessions.at(kLong).killed == 1,
        fmt::format("{} times", outcomes.at(killed).sessions.at(kLong).killed));
  claim(figure, "preempt: it keeps its time (within 5 %)",
        is_within(turnaround(outcomes, preempted, kUnyielding).of_long, 1, 0.05),
        fmt::format("{:.3f}", turnaround(outcomes, preempted, kUnyielding).of_long));
  claim(figure, "preempt: each time it takes the threshold and kill_us to see that it does not yield",
        waited_us >= static_cast<double>(revoked * kToSeeUs),
        fmt::format("the short one waits {:.1f} ms in all, {} times {:.1f} ms", waited_us / 1e3, revoked,
                    kToSeeUs / 1e3));
  claim(figure, "the short one does better with preemption and no token", of_ppq < of_preempted,
        fmt::format("{:.2f} and {:.2f}", of_ppq, of_preempted));
  claim(figure, "which costs neither more than 5 %",
        of_ppq <= 1.05 && turnaround(outcomes, by_ppq, kUnyielding).of_long <= 1.05,
        fmt::format("{:.3f} and {:.3f}", turnaround(outcomes, by_ppq, kUnyielding).of_long, of_ppq));
  return figure;
}

constexpr const char* kLeaves = "the long kernel leaves in, us";
constexpr const char* kTakes = "the short kernel, NTT";

// What a token does over some length or size, and what ppq does beside it.
struct Lines {
  Curve delay{kLeaves, "GLoop: mean yield delay", {}};
  Curve of_sm{kLeaves, "ppq: context switch of an SM", {}};
  Curve short_token{kTakes, "GLoop", {}};
  Curve short_ppq{kTakes, "ppq", {}};
};

// Of the simulations with the token; ppq is the one that is not varied.
Lines lines_of(Figure& figure, const Outcomes& outcomes, const std::vector<std::uint32_t>& samples,
               std::string (*name_of)(std::uint32_t), const char* unit) {
  Lines lines;
  for (const std::uint32_t sample : samples) {
    const double x = sample;
    const std::string name = token().name + name_of(sample);
    const std::string row = fmt::format("{} {}", sample, unit);
    lines.delay.points.push_back({x, delay_us(outcomes, name)});
    lines.of_sm.points.push_back({x, outcomes.at(ppq().name).preemption_us});
    lines.short_token.points.push_back({x, turnaround(outcomes, name).of_short});
    lines.short_ppq.points.push_back({x, turnaround(outcomes, ppq().name).of_short});
    figure.values.push_back(value_of("delay, us", row, "", lines.delay.points.back().y));
    figure.values.push_back(value_of("short, NTT", row, "", lines.short_token.points.back().y));
  }
  figure.drawing = Drawing::kCurves;
  figure.log_axes = "xy";
  figure.curves = {lines.delay, lines.of_sm, lines.short_token, lines.short_ppq};
  return lines;
}

// The claims were made for these; the others show what lies between.
bool is_claimed(std::uint32_t callback_us) {
  constexpr std::uint32_t kClaimed[] = {1, 10, 50, 200, 1000, 4000};
  return std::find(std::begin(kClaimed), std::end(kClaimed), callback_us) != std::end(kClaimed);
}

Figure fig_callbacks(const Outcomes& outcomes) {
  Figure figure = figure_of("g16-preemption-callback", "A token over the length of a callback");
  figure.x_label = "length of a callback, us";
  const Lines lines = lines_of(figure, outcomes, callbacks_us(), callback_name, "us");
  const double floor_us = lines.delay.points.front().y;
  bool is_rest = true;
  bool is_rising = true;
  double before = 0;
  std::string delays;
  std::string turnarounds;
  for (std::size_t i = 0; i < callbacks_us().size(); ++i) {
    if (!is_claimed(callbacks_us()[i])) continue;
    const Point& delay = lines.delay.points[i];
    const double of_short = lines.short_token.points[i].y;
    is_rest = is_rest && delay.y <= delay.x + floor_us;
    is_rising = is_rising && of_short > before;
    before = of_short;
    delays += fmt::format(" {:.1f}", delay.y);
    turnarounds += fmt::format(" {:.2f}", of_short);
  }
  claim(figure, "the delay is at most a callback and what it is at 1 us", is_rest, "us:" + delays);
  claim(figure, "at 1 us it is 5 to 7 us", floor_us >= 5 && floor_us <= 7, fmt::format("{:.2f} us", floor_us));
  claim(figure, "the longer the callbacks (1, 10, 50, 200 us, 1, 4 ms), the longer the short kernel takes", is_rising,
        "NTT:" + turnarounds);
  figure.notes.emplace_back("All loops have the same callbacks and start together: one phase, no average over phases.");
  return figure;
}

// Between two samples, in a straight line; not a number where the curve does not cross.
double crossing(const Curve& curve, double y) {
  for (std::size_t i = 1; i < curve.points.size(); ++i) {
    const Point& a = curve.points[i - 1];
    const Point& b = curve.points[i];
    if (a.y < y && b.y >= y) return a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x);
  }
  return std::nan("");
}

Figure fig_state(const Outcomes& outcomes) {
  Figure figure = figure_of("g16-preemption-state", "A token over what a callback of 1 us keeps");
  figure.x_label = "bytes that a callback keeps";
  const Lines lines = lines_of(figure, outcomes, state_bytes(), state_name, "bytes");
  const Outcome& hardware = outcomes.at(ppq().name);
  const auto at = [&](std::uint32_t bytes) { return delay_us(outcomes, token().name + state_name(bytes)); };
  const double state = crossing(lines.delay, hardware.preemption_us);
  const double context = hardware.preemption_bytes / kLoopsPerSm;
  claim(figure, "with 16 KB a callback is left sooner than the hardware saves its registers",
        at(16384) < hardware.preemption_us, fmt::format("{:.1f} and {:.1f} us", at(16384), hardware.preemption_us));
  claim(figure, "with 32 KB the hardware is sooner", at(32768) > hardware.preemption_us,
        fmt::format("{:.1f} and {:.1f} us", at(32768), hardware.preemption_us));
  claim(figure, "they cross below the context of a thread block", state < context,
        fmt::format("at {:.0f} of {:.0f} bytes", state, context));
  figure.notes.emplace_back(
      "From the word to the released token, with the host's part, against the request to the last byte of one SM.");
  return figure;
}

}  // namespace

std::vector<Figure> preemption_figures(const std::vector<Outcome>& outcomes) {
  const std::vector<Scenario> scenarios = preemption_scenarios();
  Outcomes by_name;
  for (std::size_t i = 0; i < scenarios.size(); ++i) by_name.emplace(scenarios[i].name, outcomes.at(i));
  return {fig_ways(by_name), fig_unyielding(by_name), fig_callbacks(by_name), fig_state(by_name)};
}

}  // namespace tessera::campaign::g16
