// SPDX-License-Identifier: Apache-2.0
// Figures 5 and 6, event for event. The drawings bear no numbers: tasks, times and the rows that must come out are
// those of docs/concepts/readings.md, TimeGraph, worked out by hand from the text.
#include <fmt/format.h>

#include "campaign/k11/figures.h"
#include "campaign/k11/timeline.h"

namespace tessera::campaign::k11 {
namespace {

using command_scheduling::Dispatch;
using From = TimelineStep::From;

// What must come out.
struct Expected {
  const char* panel;
  const char* spans;
  const char* budgets;
};

void add_timeline(Figure& figure, const Expected& expected, const Timeline& timeline) {
  for (const TimelineSpan& span : timeline.spans) {
    const std::string task = span.task.empty() ? "task" : span.task;
    figure.slices.push_back(
        {expected.panel, task, task, static_cast<double>(span.begin), static_cast<double>(span.end)});
  }
  figure.orderings.push_back({fmt::format("{}: {}", expected.panel, expected.spans),
                              spans_text(timeline) == expected.spans, spans_text(timeline)});
  if (*expected.budgets == '\0') return;
  figure.orderings.push_back({fmt::format("{}: the budget is {}", expected.panel, expected.budgets),
                              budgets_text(timeline) == expected.budgets, budgets_text(timeline)});
}

std::vector<TimelineTask> three_tasks(Dispatch dispatch, bool has_third_of_mp) {
  std::vector<TimelineStep> of_mp{{From::kTime, 0, 4}, {From::kReturn, 1, 4}};
  if (has_third_of_mp) of_mp.push_back({From::kTime, 3, 4});
  return {{"HP", {dispatch, 3}, {{From::kTime, 2, 3}, {From::kReturn, 2, 3}}},
          {"MP", {dispatch, 2}, of_mp},
          {"LP", {dispatch, 1}, {{From::kTime, 6, 2}}}};
}

std::vector<TimelineTask> one_task(std::vector<TimelineStep> script) {
  return {{"", {Dispatch::kPrt, 0}, std::move(script)}};
}

Figure timeline_figure(const char* name, const char* title) {
  Figure figure;
  figure.name = name;
  figure.title = title;
  figure.drawing = Drawing::kTimeline;
  figure.x_label = "time";
  return figure;
}

}  // namespace

Figure fig5(Batch&) {
  Figure figure = timeline_figure("k11-fig5", "Three tasks under PRT and HT");
  constexpr Cycle kHandler = 1;
  constexpr Cycle kEnd = 40;
  add_timeline(figure, {"(a) PRT", "MP 0-4, HP 5-8, HP 9-12, MP 13-17, LP 18-20", ""},
               run_timeline(three_tasks(Dispatch::kPrt, false), kHandler, kEnd));
  add_timeline(figure, {"(b) HT", "MP 0-4, MP 4-8, HP 9-12, HP 12-15, LP 16-18", ""},
               run_timeline(three_tasks(Dispatch::kHt, false), kHandler, kEnd));
  add_timeline(figure, {"(b) HT, MP comes again at 3", "MP 0-4, MP 4-8, HP 9-12, HP 12-15, MP 16-20, LP 21-23", ""},
               run_timeline(three_tasks(Dispatch::kHt, true), kHandler, kEnd));
  figure.notes.emplace_back("The interrupt is handled 1 after the end of a group; all else takes no time.");
  return figure;
}

Figure fig6(Batch&) {
  Figure figure = timeline_figure("k11-fig6", "A task with a reserve of 40 every 100 under PE and AE");
  const std::vector<TimelineStep> four{
      {From::kTime, 0, 20}, {From::kTime, 30, 50}, {From::kDone, 10, 5}, {From::kReturn, 3, 38}};
  add_timeline(figure,
               {"(a) PE", "0-20, 30-80, 100-105, 105-143",
                "20 at 20, -30 at 80, 10 at 100, 5 at 105, -33 at 143, 7 at 200, 40 at 300"},
               run_timeline(one_task(four), 0, 300, {{40, 100, 0, false}}));
  add_timeline(figure,
               {"(b) AE", "0-20, 100-150, 200-205, 300-338",
                "20 at 20, 50 at 100, 0 at 150, 40 at 200, 35 at 205, 40 at 300, 2 at 338, 40 at 400"},
               run_timeline(one_task(four), 0, 400, {{40, 100, 0, true}}, true));
  add_timeline(
      figure, {"(b) AE, the second is 75", "0-20, 200-275", "20 at 20, 60 at 100, 75 at 200, 0 at 275"},
      run_timeline(one_task({{From::kTime, 0, 20}, {From::kTime, 30, 75}}), 0, 275, {{40, 100, 0, true}}, true));
  add_timeline(figure,
               {"PE, a group of 250", "0-250, 800-801",
                "40 at 100, 40 at 200, -210 at 250, -170 at 300, -130 at 400, -90 at 500, -50 at 600, -10 at 700, "
                "30 at 800"},
               run_timeline(one_task({{From::kTime, 0, 250}, {From::kTime, 251, 1}}), 0, 800, {{40, 100, 0, false}}));
  figure.notes.emplace_back(
      "The text's \"min{x, e + C} > x\" is impossible, and 5.1 and 5.2 compare differently (e > 0, x <= e; e > x): "
      "here "
      "e > 0 and e >= x.");
  return figure;
}

}  // namespace tessera::campaign::k11
