// SPDX-License-Identifier: Apache-2.0
// Internal to model/spec.
#include "model/spec/driver_json.h"

#include "model/spec/json_decimal.h"
#include "model/spec/names.h"
#include "model/spec/read_timegraph_entry.h"
#include "model/spec/spec.h"

namespace tessera::spec {

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
