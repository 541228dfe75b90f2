// SPDX-License-Identifier: Apache-2.0
// Figures that are wanted together share their simulations; `k11` is all of them.
#include "campaign/k11/reproduction.h"

#include "campaign/k11/figures.h"
#include "campaign/k11/variants.h"
#include "campaign/keys.h"

namespace tessera::campaign::k11 {
namespace {

constexpr const char* kWhole = "k11";

struct FigurePart {
  Target target;
  std::vector<Figure (*)(Batch&)> figures;
};

const std::vector<FigurePart>& figure_parts() {
  const Keys own{"driver.kind",   "driver.spec.**",   "workload.processes.*.priority",
                 "stop.min_runs", "stop.max_time_us", "baseline.**"};
  const Keys nothing;  // no simulation
  static const std::vector<FigurePart> all{
      {{"k11-fig1", "Figure 1: a game beside other programs, without TimeGraph", own}, {fig1}},
      {{"k11-fig5", "Figure 5: tasks under PRT and HT, event for event", {}, nothing}, {fig5}},
      {{"k11-fig6", "Figure 6: budgets under PE and AE, event for event", {}, nothing}, {fig6}},
      {{"k11-fig7", "Figure 7: games beside a widget", own}, {fig7}},
      {{"k11-fig8", "Figure 8: games beside a bomb of commands", own}, {fig8}},
      {{"k11-fig9", "Figure 9: games beside five bombs", own}, {fig9}},
      {{"k11-fig10", "Figure 10: frame rates over the size of a reserve", own}, {fig10}},
      {{"k11-fig11", "Figure 11: a widget beside five bombs, over time", own}, {fig11}},
      {{"k11-fig12", "Figure 12: three widgets, over time", own}, {fig12}},
      {{"k11-fig13", "Figure 13: a video beside five bombs", own}, {fig13}},
      {{"k11-fig14", "Figure 14: predicted costs, and what their errors cost", own}, {fig14}},
      {{"k11-fig15", "Figure 15: what TimeGraph costs games alone", own}, {fig15}},
      {{"k11-fig16", "Figure 16: decisions at events against decisions at ticks", joined(own, {"driver.invocation"})},
       {fig16}},
      {{"k11-calibration", "the two inputs that are fitted, moved", own}, {calibration}},
      {{"k11-driver-crossing", "beyond the paper: a driver against preemption, over the length of groups",
        joined(joined(own, kWayKeys), {"gpu", "workload.processes.*.application"})},
       {driver_crossing, driver_strengths}},
  };
  return all;
}

Reproduction reproduce(const Request& request) {
  std::vector<Figure (*)(Batch&)> wanted;
  for (const FigurePart* const part : wanted_of(figure_parts(), request, kWhole)) {
    wanted.insert(wanted.end(), part->figures.begin(), part->figures.end());
  }
  Reproduction reproduction;
  Batch batch(request);
  for (const auto figure : wanted) figure(batch);  // what it wants
  batch.run(reproduction);
  for (const auto figure : wanted) reproduction.figures.push_back(figure(batch));
  return reproduction;
}

}  // namespace

Paper paper() { return {"papers/k11.yaml", kWhole, targets_of(kWhole, figure_parts()), variants(), reproduce}; }

}  // namespace tessera::campaign::k11
