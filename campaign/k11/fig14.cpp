// SPDX-License-Identifier: Apache-2.0
// Prediction errors (6.2). What ours are is put into our kernels (kernel_time_spread), so they say nothing about the
// printed ones; what an error costs can be shown.
#include <fmt/format.h>

#include "campaign/k11/cast.h"
#include "campaign/k11/figures.h"

namespace tessera::campaign::k11 {
namespace {

constexpr std::uint32_t kSpreads[] = {0, 100'000, 200'000, 400'000, 600'000, 800'000};  // ppm

struct Error {
  double percent = 0;       // of what was charged
  double well_percent = 0;  // groups within 20 %
};

Error error_of(const TaskOutcome& task) {
  Error error;
  if (task.predicted_s > 0) error.percent = 100 * task.error_s / task.predicted_s;
  if (task.predicted_groups > 0) {
    error.well_percent = 100.0 * static_cast<double>(task.well_predicted) / static_cast<double>(task.predicted_groups);
  }
  return error;
}

// A bomb whose clears differ, so that a prediction errs, under a reserve beside a game.
Scenario spread_bomb(std::uint32_t ppm, const Budget& budget) {
  Scenario scenario = timegraph({game(kGames.front()), x_server(), bomb(budget)});
  scenario.name += fmt::format(", spread {} ppm", ppm);
  scenario.change = [ppm](spec::Spec& spec) {
    for (spec::ApplicationSpec& application : spec.applications) {
      if (application.name == kBomb) application.kernels.front().kernel_time_spread_ppm = ppm;
    }
  };
  return scenario;
}

}  // namespace

Figure fig14(Batch& batch) {
  Figure figure = bars("k11-fig14", "Errors of predicted costs, and the frame rate of OpenArena over them", "of", "");
  figure.drawing = Drawing::kNone;
  const std::pair<std::string, std::optional<double>> alone[] = {{kEngine, 15}, {kBomb, 7}, {kGames.front(), {}}};
  for (const auto& [name, printed] : alone) {
    Task task{name, kHighPriority, spec::GroupDispatch::kPrt, ae(20000, 25000)};
    const Error error = error_of(batch.of(timegraph({task, x_server()})).tasks.front());
    figure.values.push_back(value_of("alone, AE 20/25", "error, %", name, error.percent, printed));
    const std::optional<double> well = name == kGames.front() ? std::optional<double>(65) : std::nullopt;
    figure.values.push_back(value_of("alone, AE 20/25", "groups within 20 %, %", name, error.well_percent, well));
  }
  double first = 0;
  double last = 0;
  for (const std::uint32_t ppm : kSpreads) {
    const Outcome& outcome = batch.of(spread_bomb(ppm, ae(2500, 25000)));
    const std::string category = fmt::format("clears differ by {} %", ppm / 10'000);
    figure.values.push_back(value_of("beside a bomb under AE 2.5/25", "error of the bomb, %", category,
                                     error_of(outcome.tasks[2]).percent));
    figure.values.push_back(
        value_of("beside a bomb under AE 2.5/25", "OpenArena, frames a second", category, outcome.rate()));
    last = outcome.rate();
    if (ppm == 0) first = last;
  }
  figure.orderings.push_back({"what a wrong prediction costs the game is small (within 5 %; the text expects little)",
                              last > 0.95 * first, fmt::format("{:.1f} and {:.1f} frames a second", first, last)});
  figure.notes.emplace_back(
      "No evidence for the printed errors: how long our groups take, and so how well they are predicted, are inputs.");
  return figure;
}

}  // namespace tessera::campaign::k11
