// SPDX-License-Identifier: Apache-2.0
// Figures that are wanted together share their simulations; `k11` is all of them.
#include "campaign/k11/reproduction.h"

#include <stdexcept>

#include "campaign/k11/figures.h"

namespace tessera::campaign::k11 {
namespace {

constexpr const char* kAllFigures = "k11";

struct FigurePart {
  Target target;
  std::vector<Figure (*)(Batch&)> figures;
};

const std::vector<FigurePart>& figure_parts() {
  static const std::vector<FigurePart> all{
      {{"k11-fig1", "Figure 1: a game beside other programs, without TimeGraph"}, {fig1}},
      {{"k11-fig5", "Figure 5: tasks under PRT and HT, event for event"}, {fig5}},
      {{"k11-fig6", "Figure 6: budgets under PE and AE, event for event"}, {fig6}},
      {{"k11-fig7", "Figure 7: games beside a widget"}, {fig7}},
      {{"k11-fig8", "Figure 8: games beside a bomb of commands"}, {fig8}},
      {{"k11-fig9", "Figure 9: games beside five bombs"}, {fig9}},
      {{"k11-fig10", "Figure 10: frame rates over the size of a reserve"}, {fig10}},
      {{"k11-fig11", "Figure 11: a widget beside five bombs, over time"}, {fig11}},
      {{"k11-fig12", "Figure 12: three widgets, over time"}, {fig12}},
      {{"k11-fig13", "Figure 13: a video beside five bombs"}, {fig13}},
      {{"k11-fig14", "Figure 14: predicted costs, and what their errors cost"}, {fig14}},
      {{"k11-fig15", "Figure 15: what TimeGraph costs games alone"}, {fig15}},
      {{"k11-fig16", "Figure 16: decisions at events against decisions at ticks"}, {fig16}},
      {{"k11-calibration", "the two inputs that are fitted, moved"}, {calibration}},
      {{"k11-driver-crossing", "beyond the paper: a driver against preemption, over the length of groups"},
       {driver_crossing, driver_strengths}},
  };
  return all;
}

}  // namespace

const std::vector<Target>& targets() {
  static const std::vector<Target> all = [] {
    std::vector<Target> targets;
    for (const FigurePart& part : figure_parts()) targets.push_back(part.target);
    targets.push_back({kAllFigures, "all of the above"});
    return targets;
  }();
  return all;
}

Reproduction reproduce(const Request& request) {
  std::vector<Figure (*)(Batch&)> wanted;
  for (const FigurePart& part : figure_parts()) {
    if (!is_wanted(request, part.target.name, kAllFigures)) continue;
    wanted.insert(wanted.end(), part.figures.begin(), part.figures.end());
  }
  if (wanted.empty()) throw std::out_of_range("no target " + request.target);
  Reproduction reproduction;
  Batch batch(request);
  for (const auto figure : wanted) figure(batch);  // what it wants
  batch.run(reproduction);
  for (const auto figure : wanted) reproduction.figures.push_back(figure(batch));
  return reproduction;
}

}  // namespace tessera::campaign::k11
