// SPDX-License-Identifier: Apache-2.0
// Beyond the paper: the same task sets under static partitions and under policies of the whole GPU, on the simulated
// machine.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "campaign/z21/machine_figures.h"

namespace tessera::campaign::z21 {
namespace {

using spec::PolicyKind;
using spec::TechniqueKind;

constexpr std::uint32_t kLeast = 8;
constexpr std::uint32_t kMost = 56;    // where nearly all are refuted
constexpr std::uint32_t kUtmost = 68;  // the paper's range; for those that are not
constexpr std::uint32_t kStep = 6;
constexpr realtime::Nanoseconds kUsualUnit = Conditions{}.time_unit;

constexpr Scheme kPartitionsSwitch{"partitions, EDF, switch", true, PolicyKind::kStaticPartition,
                                   TechniqueKind::kContextSwitch};
constexpr Scheme kPartitionsDrain{"partitions, EDF, drain", true, PolicyKind::kStaticPartition, TechniqueKind::kDrain};
constexpr Scheme kEdfSwitch{"EDF, switch", false, PolicyKind::kEdf, TechniqueKind::kContextSwitch};
constexpr Scheme kEdfDrain{"EDF, drain", false, PolicyKind::kEdf, TechniqueKind::kDrain};
constexpr Scheme kPrioritiesSwitch{"priorities, switch", false, PolicyKind::kPpq, TechniqueKind::kContextSwitch};
constexpr Scheme kPrioritiesDrain{"priorities, drain", false, PolicyKind::kPpq, TechniqueKind::kDrain};
constexpr Scheme kDssSwitch{"dss, switch", false, PolicyKind::kDss, TechniqueKind::kContextSwitch};
constexpr Scheme kTimeSliceSwitch{"time_slice, switch", false, PolicyKind::kTimeSlice, TechniqueKind::kContextSwitch};
constexpr Scheme kFcfs{"fcfs", false, PolicyKind::kFcfs, TechniqueKind::kContextSwitch};
constexpr std::array kAllSchemes{kPartitionsSwitch, kPartitionsDrain, kEdfSwitch,       kEdfDrain, kPrioritiesSwitch,
                                 kPrioritiesDrain,  kDssSwitch,       kTimeSliceSwitch, kFcfs};

constexpr std::array kContentions{std::pair(ContentionOf::kNobody, "nobody"),
                                  std::pair(ContentionOf::kPartition, "partition"),
                                  std::pair(ContentionOf::kGpu, "GPU")};

Curve survival_curve(Survival& survival, std::string panel, const Scheme& scheme, const Conditions& conditions,
                     std::uint32_t most = kMost) {
  Curve curve{std::move(panel), scheme.name, {}};
  for (std::uint32_t u = kLeast; u <= most; u += kStep) {
    curve.points.push_back({static_cast<double>(u), survivors(survival.of(scheme, conditions, u)).mean});
  }
  return curve;
}

Figure over_utilisation(const char* name, const char* title) {
  Figure figure;
  figure.name = name;
  figure.title = title;
  figure.drawing = Drawing::kCurves;
  figure.log_axes = "";
  figure.is_matrix = true;
  figure.cluster_head = "what";
  figure.unit_head = "sets";
  figure.x_label = "total utilisation U";
  figure.y_label = "sets not refuted, %";
  return figure;
}

// Without contention deadlines are met far beyond what the paper's analysis accepts.
bool is_strong(const Scheme& scheme, ContentionOf contention) {
  return contention == ContentionOf::kNobody && scheme.technique == TechniqueKind::kContextSwitch &&
         (scheme.policy == PolicyKind::kEdf || scheme.policy == PolicyKind::kPpq);
}

// The picture leaves out who survives nowhere, or where another does.
bool is_drawn(const std::string& scheme) {
  return scheme != kFcfs.name && scheme != kTimeSliceSwitch.name && scheme != kPrioritiesDrain.name;
}

void add_curve(Figure& figure, Curve curve, std::size_t number) {
  Value half = value_of(curve.panel, curve.series, "half of the sets survive up to U", half_survive(curve.points));
  half.ours.number = number;
  figure.values.push_back(std::move(half));
  if (is_drawn(curve.series)) figure.curves.push_back(std::move(curve));
}

double half_of(const Figure& figure, const std::string& panel, const std::string& series) {
  const auto found = std::find_if(figure.values.begin(), figure.values.end(),
                                  [&](const Value& one) { return one.panel == panel && one.series == series; });
  return found->ours.mean;
}

void compare(Figure& figure, const std::string& text, const std::string& panel, const Scheme& more,
             const Scheme& less) {
  const double left = half_of(figure, panel, more.name);
  const double right = half_of(figure, panel, less.name);
  figure.orderings.push_back({text, left > right, fmt::format("U = {:.1f} and {:.1f}", left, right)});
}

}  // namespace

Figure fig_execution(Survival& survival) {
  Figure figure = over_utilisation("z21-execution", "Real-time task sets on 68 SMs, run for a hyperperiod");
  const auto panel = [](const char* of) { return fmt::format("contention: {}", of); };
  for (const auto& [contention, of] : kContentions) {
    for (const Scheme& scheme : kAllSchemes) {
      const std::uint32_t most = is_strong(scheme, contention) ? kUtmost : kMost;
      add_curve(figure, survival_curve(survival, panel(of), scheme, {contention}, most), survival.num_sets());
    }
  }
  compare(figure, "without contention EDF on the whole GPU schedules more than partitions do", panel("nobody"),
          kEdfSwitch, kPartitionsSwitch);
  compare(figure, "where contention ends at partitions, they schedule more", panel("partition"), kPartitionsSwitch,
          kEdfSwitch);
  compare(figure, "partitions do not where contention is of the whole GPU", panel("GPU"), kEdfSwitch,
          kPartitionsSwitch);
  compare(figure, "in partitions context switch schedules more than draining", panel("partition"), kPartitionsSwitch,
          kPartitionsDrain);
  compare(figure, "EDF schedules more than deadline monotonic priorities on the whole GPU", panel("nobody"), kEdfSwitch,
          kPrioritiesSwitch);
  compare(figure, "priorities schedule more than equal shares", panel("nobody"), kPrioritiesSwitch, kDssSwitch);
  compare(figure, "equal shares schedule more than first come, first served", panel("nobody"), kDssSwitch, kFcfs);
  figure.notes.emplace_back(
      "Not refuted: accepted by the analysis, where there are partitions, and no job missed its deadline in one "
      "hyperperiod from a common release. That is no proof of schedulability.");
  figure.notes.emplace_back(
      "The 13 periods make 13 deadlines: 16 levels of priorities are as good as any number of them.");
  figure.notes.push_back(fmt::format(
      "EDF and priorities by context switch without contention go on to U = {}, all others to {}: whoever has "
      "that value survives there by half or more.",
      kUtmost, kMost));
  return figure;
}

Figure fig_co_running(Survival& survival) {
  Figure figure = over_utilisation("z21-co-running", "The same where only those contend that meet");
  constexpr std::array kMeetings{std::pair(ContentionOf::kMetInPartition, "met in a partition"),
                                 std::pair(ContentionOf::kMetOnGpu, "met on the GPU")};
  for (const auto& [contention, panel] : kMeetings) {
    for (const Scheme& scheme : kAllSchemes) {
      const Conditions conditions{contention};
      add_curve(figure, survival_curve(survival, panel, scheme, conditions), survival.num_sets());
    }
  }
  compare(figure, "where contention ends at partitions, they schedule more", "met in a partition", kPartitionsSwitch,
          kEdfSwitch);
  compare(figure, "partitions do not where contention is of the whole GPU", "met on the GPU", kEdfSwitch,
          kPartitionsSwitch);
  figure.notes.emplace_back("Partitions are those of the analysis, which takes all of a kind to contend all the time.");
  return figure;
}

Figure fig_techniques(Survival& survival) {
  Figure figure = over_utilisation("z21-techniques", "Context switch and draining, over thread blocks and time units");
  for (const std::uint32_t granularity : {1U, 10U, 100U}) {
    const std::string panel = fmt::format("thread blocks x{}", granularity);
    for (const Scheme& scheme : {kPartitionsSwitch, kPartitionsDrain, kEdfSwitch, kEdfDrain}) {
      const Conditions conditions{ContentionOf::kPartition, granularity, kUsualUnit};
      add_curve(figure, survival_curve(survival, panel, scheme, conditions), survival.num_sets());
    }
  }
  for (const realtime::Nanoseconds unit : {kUsualUnit / 10, kUsualUnit / 100}) {
    const std::string panel = fmt::format("unit {} us", unit / 1000);
    for (const Scheme& scheme : {kPartitionsSwitch, kPartitionsDrain, kEdfSwitch, kEdfDrain}) {
      const Conditions conditions{ContentionOf::kPartition, 1, unit};
      add_curve(figure, survival_curve(survival, panel, scheme, conditions), survival.num_sets());
    }
  }
  compare(figure, "draining loses where thread blocks are long", "thread blocks x1", kPartitionsSwitch,
          kPartitionsDrain);
  const double coarse = half_of(figure, "thread blocks x1", kPartitionsDrain.name);
  const double fine = half_of(figure, "thread blocks x100", kPartitionsDrain.name);
  figure.orderings.push_back(
      {"thread blocks 100 times shorter mend it", fine > coarse, fmt::format("U = {:.1f} and {:.1f}", fine, coarse)});
  const double slow = half_of(figure, "thread blocks x1", kPartitionsSwitch.name);
  const double fast = half_of(figure, "unit 10 us", kPartitionsSwitch.name);
  figure.orderings.push_back({"periods 100 times shorter cost context switch more than one step of U",
                              slow - fast > kStep, fmt::format("U = {:.1f} and {:.1f}", slow, fast)});
  figure.notes.emplace_back("Contention in a partition, which is the whole GPU for EDF.");
  return figure;
}

}  // namespace tessera::campaign::z21
