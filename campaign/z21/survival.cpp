// SPDX-License-Identifier: Apache-2.0
#include "campaign/z21/survival.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "campaign/z21/study.h"

namespace tessera::campaign::z21 {
namespace {

std::string csv_cells(const LateJob& late) {
  return fmt::format("{},{},{},{},{},{},{}", late.task, late.run, late.response_ms, late.deadline_ms, late.busy_ms,
                     fmt::join(late.lost_ms, ","), late.cause());
}

}  // namespace

std::string to_string(const Conditions& conditions) {
  constexpr std::array kContention{"no contention", "contention in a partition", "contention on the GPU",
                                   "contention of those that meet in a partition",
                                   "contention of those that meet on the GPU"};
  const char* const contention = kContention.at(static_cast<std::size_t>(conditions.contention));
  return fmt::format("{}, thread blocks x{}, unit {} us{}{}", contention, conditions.granularity,
                     conditions.time_unit / 1000, conditions.has_offsets ? ", offsets" : "",
                     conditions.has_overheads ? ", overheads counted" : "");
}

Survival::Survival(const Request& request, std::uint32_t num_sets)
    : request_(&request), base_(request.load({})), num_sets_(num_sets) {}

const std::vector<MachineOutcome>& Survival::of(const Scheme& scheme, const Conditions& conditions,
                                                std::uint32_t utilisation) {
  // Without partitions the whole GPU is one.
  Conditions its = conditions;
  if (!scheme.has_partitions && its.contention == ContentionOf::kGpu) its.contention = ContentionOf::kPartition;
  if (!scheme.has_partitions && its.contention == ContentionOf::kMetOnGpu)
    its.contention = ContentionOf::kMetInPartition;
  const std::string name = fmt::format("{}, {}, U {}", scheme.name, to_string(its), utilisation);
  const auto found = cells_.find(name);
  if (found != cells_.end()) return found->second.sets;
  if (has_run_) throw std::logic_error("not planned: " + name);
  Cell cell{scheme, its, utilisation, std::vector<MachineOutcome>(num_sets_)};
  return cells_.emplace(name, std::move(cell)).first->second.sets;
}

MachineOutcome Survival::run_one(const Cell& cell, const std::string& name, std::uint32_t index) const {
  const spec::TaskSetSpec set =
      task_set(base_, cell.conditions, kMachineTasks, cell.utilisation, set_number(cell.utilisation, index));
  return outcome_of(set, cell.scheme, cell.conditions, fmt::format("{}, set {}", name, index),
                    request_->options.is_interrupted);
}

void Survival::run(Reproduction& to) {
  has_run_ = true;
  std::vector<std::function<nlohmann::json()>> work;
  for (const auto& [name, cell] : cells_) {
    for (std::uint32_t i = 0; i < num_sets_; ++i) {
      work.emplace_back([this, &name = name, &cell = cell, i] { return nlohmann::json(run_one(cell, name, i)); });
    }
  }
  const std::vector<nlohmann::json> answers = answers_of(work, request_->options);
  std::size_t next = 0;
  for (auto& [name, cell] : cells_) {
    for (MachineOutcome& outcome : cell.sets) {
      outcome = answers[next++].get<MachineOutcome>();
      to.effort.add(outcome.effort);
      to.violations.insert(to.violations.end(), outcome.faults.begin(), outcome.faults.end());
    }
  }
}

std::string Survival::measurements_csv() const {
  std::string csv =
      "scheme,conditions,utilisation,set,accepted,jobs,missed,worst / deadline,worst / bound,first late,job,response "
      "ms,deadline ms,busy ms";
  for (const char* const loss : kLossNames) csv += fmt::format(",{} ms", loss);
  csv += ",cause\n";
  for (const auto& [name, cell] : cells_) {
    for (std::uint32_t i = 0; i < num_sets_; ++i) {
      const MachineOutcome& set = cell.sets[i];
      csv += fmt::format("\"{}\",\"{}\",{},{},{:d},{},{},{},{},", cell.scheme.name, to_string(cell.conditions),
                         cell.utilisation, i, !set.is_rejected, set.jobs, set.missed, set.worst_of_deadline,
                         set.worst_of_bound);
      csv += set.first_late ? csv_cells(*set.first_late) : std::string(kLossNames.size() + 5, ',');
      csv += '\n';
    }
  }
  return csv;
}

stats::Estimate survivors(const std::vector<MachineOutcome>& sets) {
  const auto number = static_cast<std::size_t>(
      std::count_if(sets.begin(), sets.end(), [](const MachineOutcome& one) { return !one.is_refuted(); }));
  return stats::estimate_percent(number, sets.size());
}

double half_survive(const std::vector<campaign::Point>& curve) {
  constexpr double kHalf = 50;
  if (curve.empty() || curve.front().y < kHalf) return 0;
  for (std::size_t i = 1; i < curve.size(); ++i) {
    if (curve[i].y >= kHalf) continue;
    const campaign::Point& above = curve[i - 1];
    return above.x + (curve[i].x - above.x) * (above.y - kHalf) / (above.y - curve[i].y);
  }
  return curve.back().x;
}

}  // namespace tessera::campaign::z21
