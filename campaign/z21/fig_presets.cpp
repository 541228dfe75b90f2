// SPDX-License-Identifier: Apache-2.0
// Beyond the paper: what it costs that partitions are MIG's instances or pairs of SMs. The analysis alone, SMS/INA.
#include <fmt/format.h>

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "campaign/z21/figures.h"
#include "campaign/z21/preset_figure.h"
#include "campaign/z21/survival.h"
#include "model/realtime/generation.h"
#include "model/realtime/partitioning.h"
#include "model/spec/spec.h"

namespace tessera::campaign::z21 {
namespace {

enum Sizes : std::size_t { kAnySize, kInPairs, kInSlices };
constexpr std::array<const char*, 3> kSizeNames{"any", "pairs", "slices"};
constexpr const char* kOtherCard = "gpu=../gpus/a100.yaml";  // beside the paper's: one that has MIG
constexpr std::array<std::uint32_t, 2> kPresetTasks{10, kFewTasks};
constexpr std::uint32_t kPresetStep = 4;
constexpr std::uint32_t kSetsPerWorkload = 5;

struct PresetAnswer {
  bool is_accepted = false;
  std::uint32_t partitions = 0;
  std::uint32_t lost = 0;  // SMs that partitions have beyond those that are enough
};

// The sets of one total utilisation, in all sizes.
struct PresetPoint {
  std::uint32_t card = 0;
  std::uint32_t num_tasks = 0;
  std::uint32_t utilisation = 0;
  std::vector<std::array<PresetAnswer, 3>> sets{};
};

std::optional<spec::PresetSpec> preset_of(Sizes sizes, std::uint32_t num_sms) {
  if (sizes == kAnySize) return std::nullopt;
  if (sizes == kInPairs) return spec::PresetSpec{spec::PresetKind::kMps, 0};
  return spec::PresetSpec{spec::PresetKind::kMig, spec::default_slice_sms(num_sms)};
}

PresetAnswer answer_of(const realtime::TaskSet& set, Sizes sizes) {
  realtime::PartitioningOptions options;
  options.preset = preset_of(sizes, set.num_sms);
  const realtime::Partitioning found = realtime::partition(set, options);
  PresetAnswer answer{found.is_schedulable, static_cast<std::uint32_t>(found.partitions.size()), 0};
  for (const realtime::Partition& partition : found.partitions) answer.lost += partition.num_sms - partition.fewest_sms;
  return answer;
}

nlohmann::json answers_at(const PresetPoint& point, const spec::Spec& base, const Request& request) {
  nlohmann::json sets = nlohmann::json::array();
  for (std::uint32_t i = 0; i < kSetsPerWorkload * request.num_workloads && !request.options.is_interrupted(); ++i) {
    realtime::GenerationOptions options;
    options.num_tasks = point.num_tasks;
    options.utilisation = point.utilisation;
    options.num_sms = base.gpu.num_sms;
    const realtime::TaskSet set = realtime::generate(options, base.seed, set_number(point.utilisation, i));
    nlohmann::json answers = nlohmann::json::array();
    for (const Sizes sizes : {kAnySize, kInPairs, kInSlices}) {
      const PresetAnswer answer = answer_of(set, sizes);
      answers.push_back({answer.is_accepted, answer.partitions, answer.lost});
    }
    sets.push_back(std::move(answers));
  }
  return sets;
}

std::vector<PresetPoint> points_of(const Request& request, const std::array<spec::Spec, 2>& bases) {
  std::vector<PresetPoint> points;
  for (std::uint32_t card = 0; card < bases.size(); ++card) {
    for (const std::uint32_t num_tasks : kPresetTasks) {
      for (std::uint32_t u = kPresetStep; u <= bases[card].gpu.num_sms; u += kPresetStep)
        points.push_back({card, num_tasks, u});
    }
  }
  std::vector<std::function<nlohmann::json()>> work;
  for (const PresetPoint& point : points) {
    work.emplace_back([&] { return answers_at(point, bases[point.card], request); });
  }
  const std::vector<nlohmann::json> answers = answers_of(work, request.options);
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (const nlohmann::json& set : answers[i]) {
      auto& sizes = points[i].sets.emplace_back();
      for (std::size_t k = 0; k < sizes.size(); ++k) sizes[k] = {set[k].at(0), set[k].at(1), set[k].at(2)};
    }
  }
  return points;
}

stats::Estimate rate_at(const PresetPoint& point, Sizes sizes) {
  std::size_t accepted = 0;
  for (const auto& set : point.sets) accepted += set[sizes].is_accepted;
  return stats::estimate_percent(accepted, point.sets.size());
}

stats::Estimate mean_at(const PresetPoint& point, Sizes sizes, std::uint32_t PresetAnswer::*value) {
  std::vector<stats::Observation> observations;
  for (const auto& set : point.sets) {
    if (set[sizes].is_accepted) observations.push_back({0, static_cast<double>(set[sizes].*value), 1});
  }
  return stats::estimate(observations);
}

std::string panel_of(const PresetPoint& point, const std::array<spec::Spec, 2>& bases) {
  return fmt::format("{}, {} tasks", bases[point.card].gpu.name, point.num_tasks);
}

void add_preset_values(Figure& figure, const PresetPoint& point, const std::string& panel) {
  const std::string row = fmt::format("{}, U = {}", panel, point.utilisation);
  const auto add = [&](std::string column, const stats::Estimate& ours) {
    if (ours.number > 0) figure.values.push_back({std::move(column), row, 0, "", {}, ours, {}, {}});
  };
  for (const Sizes sizes : {kAnySize, kInPairs, kInSlices}) {
    add(fmt::format("schedulable, {}, %", kSizeNames[sizes]), rate_at(point, sizes));
  }
  for (const Sizes sizes : {kAnySize, kInPairs, kInSlices}) {
    add(fmt::format("partitions, {}", kSizeNames[sizes]), mean_at(point, sizes, &PresetAnswer::partitions));
  }
  for (const Sizes sizes : {kInPairs, kInSlices}) {
    add(fmt::format("SMs lost, {}", kSizeNames[sizes]), mean_at(point, sizes, &PresetAnswer::lost));
  }
}

std::string presets_csv(const std::vector<PresetPoint>& points, const std::array<spec::Spec, 2>& bases) {
  std::string csv = "gpu,tasks,utilisation,set,sizes,accepted,partitions,SMs lost\n";
  for (const PresetPoint& point : points) {
    for (std::uint32_t set = 0; set < point.sets.size(); ++set) {
      for (const Sizes sizes : {kAnySize, kInPairs, kInSlices}) {
        const PresetAnswer& answer = point.sets[set][sizes];
        csv += fmt::format("{},{},{},{},{},{:d},{},{}\n", bases[point.card].gpu.name, point.num_tasks,
                           point.utilisation, set_number(point.utilisation, set), kSizeNames[sizes], answer.is_accepted,
                           answer.partitions, answer.lost);
      }
    }
  }
  return csv;
}

// A curve for each card, number of tasks and sizes; with where it falls below a half.
void add_preset_curves(Figure& figure, const std::vector<PresetPoint>& points, const std::array<spec::Spec, 2>& bases) {
  for (const PresetPoint& first : points) {
    if (first.utilisation != kPresetStep) continue;
    const std::string panel = panel_of(first, bases);
    std::string halves;
    for (const Sizes sizes : {kAnySize, kInPairs, kInSlices}) {
      Curve curve{panel, kSizeNames[sizes], {}};
      for (const PresetPoint& point : points) {
        if (point.card != first.card || point.num_tasks != first.num_tasks) continue;
        curve.points.push_back({static_cast<double>(point.utilisation), rate_at(point, sizes).mean});
      }
      halves += fmt::format("{}{} {:.1f}", halves.empty() ? "" : ", ", kSizeNames[sizes], half_survive(curve.points));
      figure.curves.push_back(std::move(curve));
    }
    figure.notes.push_back(fmt::format("{}: half of the sets are schedulable up to U = {}.", panel, halves));
  }
}

// Coarser sizes should not accept what finer ones do not; the heuristics do not promise it.
void claim_nesting(Figure& figure, const std::vector<PresetPoint>& points, Sizes fine, Sizes coarse) {
  std::size_t only_fine = 0;
  std::size_t only_coarse = 0;
  for (const PresetPoint& point : points) {
    for (const auto& set : point.sets) {
      only_fine += set[fine].is_accepted && !set[coarse].is_accepted;
      only_coarse += set[coarse].is_accepted && !set[fine].is_accepted;
    }
  }
  figure.orderings.push_back(
      {fmt::format("sets that {} accepts, {} accepts too", kSizeNames[coarse], kSizeNames[fine]), only_coarse == 0,
       fmt::format("{} alone accepts {}, {} alone {}", kSizeNames[coarse], only_coarse, kSizeNames[fine], only_fine)});
}

}  // namespace

Reproduction reproduce_presets(const Request& request) {
  const std::array<spec::Spec, 2> bases{request.load({}), request.load({kOtherCard})};
  const std::vector<PresetPoint> points = points_of(request, bases);
  Figure figure = figure_over_utilisation("z21-presets", "Partitions of any size, of pairs of SMs, of MIG's slices",
                                          "schedulable, %");
  for (const PresetPoint& point : points) add_preset_values(figure, point, panel_of(point, bases));
  add_preset_curves(figure, points, bases);
  claim_nesting(figure, points, kAnySize, kInPairs);
  claim_nesting(figure, points, kAnySize, kInSlices);
  claim_nesting(figure, points, kInPairs, kInSlices);
  for (const spec::Spec& base : bases) {
    const std::uint32_t slice = spec::default_slice_sms(base.gpu.num_sms);
    figure.notes.push_back(fmt::format("{}: a slice has {} of {} SMs, and {} are in none.", base.gpu.name, slice,
                                       base.gpu.num_sms, base.gpu.num_sms - spec::kMigSlices * slice));
  }
  figure.notes.emplace_back(
      "SMs lost: those that partitions have beyond the fewest that are enough, in accepted sets; SMs of no slice are "
      "not among them. SMS/INA, until the partitions fit.");
  Reproduction reproduction;
  reproduction.measurements_csv = presets_csv(points, bases);
  reproduction.figures.push_back(std::move(figure));
  return reproduction;
}

}  // namespace tessera::campaign::z21
