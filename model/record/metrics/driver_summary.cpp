// SPDX-License-Identifier: Apache-2.0
// Cycles become microseconds, counts become shares.
#include "model/record/metrics/driver_summary.h"

namespace tessera::record {
namespace {

using DriverJson = nlohmann::ordered_json;

DriverJson share_of(std::uint64_t part, std::uint64_t all) {
  if (all == 0) return nullptr;
  return static_cast<double>(part) / static_cast<double>(all);
}

}  // namespace

DriverJson DriverSummary::driver(const std::vector<std::string>& names) const {
  DriverJson json{{"kind", "timegraph"}};
  const auto count = [this](DriverCause cause) { return result_.invocations[static_cast<std::size_t>(cause)]; };
  json["invocations"] = {{"arrival", count(DriverCause::kArrival)},
                         {"completion", count(DriverCause::kCompletion)},
                         {"replenishment", count(DriverCause::kReplenishment)},
                         {"tick", count(DriverCause::kTick)}};
  json["cpu_us"] = microseconds(result_.cpu_cycles);
  json["reserves"] = DriverJson::array();
  for (std::size_t i = 0; i < facts_.plan.reserves.size(); ++i) json["reserves"].push_back(reserve(i, names));
  return json;
}

DriverJson DriverSummary::reserve(std::size_t reserve, const std::vector<std::string>& names) const {
  const command_scheduling::PlannedReserve& plan = facts_.plan.reserves[reserve];
  const ReserveResult& result = result_.reserves.at(reserve);
  DriverJson json{{"name", plan.name},
                  {"capacity_us", microseconds(plan.parameters.capacity)},
                  {"period_us", microseconds(plan.parameters.period)},
                  {"apriori", plan.parameters.enforces_apriori},
                  {"replenishments", result.replenishments},
                  {"used_us", microseconds(result.used_cycles)},
                  {"used_share", share_of(result.used_cycles, cycles_)},
                  {"overruns", result.overruns},
                  {"worst_debt_us", microseconds(result.worst_debt)},
                  {"worst_window_us", microseconds(result.worst_window)},
                  {"members", DriverJson::array()}};
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (facts_.reserve_of(static_cast<std::uint16_t>(i)) == reserve) json["members"].push_back(names[i]);
  }
  return json;
}

DriverJson DriverSummary::process(std::size_t process) const {
  const command_scheduling::PlannedTask& task = facts_.plan.tasks.at(process);
  const DriverProcessResult& result = result_.processes.at(process);
  const auto reserve = facts_.reserve_of(static_cast<std::uint16_t>(process));
  DriverJson wait{{"mean", nullptr}, {"p99", nullptr}, {"max", nullptr}};
  if (result.wait.count > 0) {
    wait = {{"mean", microseconds(result.wait.mean())},
            {"p99", microseconds(result.wait.p99)},
            {"max", microseconds(result.wait.max)}};
  }
  return {{"groups", result.groups},
          {"gpu_time_us", microseconds(result.gpu_cycles)},
          {"wait_us", wait},
          {"suspensions", result.suspensions},
          {"sched", task.parameters.dispatch == command_scheduling::Dispatch::kHt ? "HT" : "PRT"},
          {"reserve", reserve ? DriverJson(facts_.plan.reserves[*reserve].name) : DriverJson(nullptr)},
          {"priority", task.parameters.priority},
          {"refused", task.was_refused},
          {"prediction", prediction(result)}};
}

DriverJson DriverSummary::prediction(const DriverProcessResult& result) const {
  if (result.predicted_groups == 0) return nullptr;
  return {{"groups", result.predicted_groups},
          {"error_share", share_of(result.prediction_error, result.predicted_charged)},
          {"within_20_percent", share_of(result.well_predicted, result.predicted_groups)}};
}

}  // namespace tessera::record
