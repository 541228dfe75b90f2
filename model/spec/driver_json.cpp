// SPDX-License-Identifier: Apache-2.0
// Internal to model/spec.
#include "model/spec/driver_json.h"

#include "model/spec/json_decimal.h"
#include "model/spec/names.h"
#include "model/spec/read_timegraph_entry.h"
#include "model/spec/spec.h"

namespace tessera::spec {
namespace {

void add_xsched(nlohmann::ordered_json& json, const XschedSpec& xsched, const Spec& spec) {
  json["suspend_us"] = json_time_us(xsched.suspend);
  json["resume_us"] = json_time_us(xsched.resume);
  if (xsched.has_weights()) json["round_us"] = json_time_us(xsched.round);
  json["tasks"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < spec.processes.size(); ++i) {
    const XschedTaskSpec task = xsched.task(i);
    nlohmann::ordered_json entry{{"process", spec.processes[i].name},
                                 {"threshold", task.threshold},
                                 {"batch", task.batch},
                                 {"level", task.level}};
    if (xsched.has_weights()) entry["weight"] = task.weight.value_or(1);
    json["tasks"].push_back(entry);
  }
  if (!xsched.suspensions) return;
  const SuspensionSpec& suspensions = *xsched.suspensions;
  json["suspensions"] = {
      {"process", spec.processes.at(suspensions.process).name}, {"min_run_us", json_time_us(suspensions.min_run)},
      {"max_run_us", json_time_us(suspensions.max_run)},        {"min_pause_us", json_time_us(suspensions.min_pause)},
      {"max_pause_us", json_time_us(suspensions.max_pause)},    {"slack_us", json_time_us(suspensions.slack)}};
}

}  // namespace

nlohmann::ordered_json driver_json(const DriverSpec& driver, const Spec& spec) {
  nlohmann::ordered_json json{{"kind", to_string(driver.kind)}};
  if (driver.kind == DriverKind::kPassThrough) return json;
  if (driver.kind == DriverKind::kGloop) {
    json["threshold_us"] = json_time_us(driver.threshold);
    if (driver.slice > 0) json["slice_us"] = json_time_us(driver.slice);
    json["switch_us"] = json_time_us(driver.token_switch);
    json["on_timeout"] = to_string(driver.on_timeout);
    json["kill_us"] = json_time_us(driver.kill);
    return json;
  }
  if (driver.kind == DriverKind::kXsched) {
    add_xsched(json, driver.xsched, spec);
    return json;
  }
  if (driver.kind == DriverKind::kGcaps) {
    json["update_us"] = json_time_us(driver.update);
    return json;
  }
  json["spec"] = nlohmann::ordered_json::array();
  for (const TimegraphEntry& entry : driver.entries) json["spec"].push_back(to_string(entry));
  json["limit_percent"] = driver.limit_percent;
  json["default_priority"] = driver.default_priority;
  json["invocation"] = to_string(driver.invocation);
  json["tick_us"] = json_time_us(driver.tick);
  json["notifier"] = to_string(driver.notifier);
  json["arrival_us"] = json_time_us(driver.arrival);
  json["completion_us"] = json_time_us(driver.completion);
  json["prediction_us"] = json_time_us(driver.prediction);
  json["history_records"] = driver.history_records;
  json["history_scope"] = to_string(driver.history_scope);
  json["accounting"] = to_string(driver.accounting);
  json["online_scope"] = to_string(driver.online_scope);
  json["joins"] = to_string(driver.joins);
  json["max_online"] = driver.max_online;
  json["background"] = {{"capacity_us", json_time_us(driver.background_capacity)},
                        {"period_us", json_time_us(driver.background_period)}};
  for (const Focus& focus : driver.focus) {
    json["focus"].push_back({{"at_us", json_time_us(focus.at)}, {"process", spec.processes.at(focus.process).name}});
  }
  return json;
}

}  // namespace tessera::spec
