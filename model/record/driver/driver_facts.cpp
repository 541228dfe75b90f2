// SPDX-License-Identifier: Apache-2.0
// From the Spec's words to those of command scheduling.
#include "model/record/driver/driver_facts.h"

#include "model/spec/spec.h"

namespace tessera::record {

std::optional<std::size_t> DriverFacts::reserve_of(std::uint16_t process) const {
  const auto reserve = plan.tasks.at(process).parameters.reserve;
  return reserve ? std::optional(static_cast<std::size_t>(*reserve)) : std::nullopt;
}

DriverFacts make_driver_facts(const spec::Spec& spec) {
  const spec::DriverSpec& driver = spec.driver;
  DriverFacts facts;
  facts.stops = make_task_facts(spec);
  if (driver.kind != spec::DriverKind::kTimegraph) return facts;
  facts.plan = command_scheduling::make_task_table(spec);
  const command_scheduling::TimeGraphParameters rules = command_scheduling::parameters_of(driver);
  facts.accounting = rules.accounting;
  facts.max_online = rules.max_online;
  facts.has_online_list_per_engine = rules.has_online_list_per_engine;
  facts.lets_higher_join = rules.lets_higher_join;
  facts.has_ticks = driver.invocation == spec::Invocation::kTick;
  for (const spec::ProcessSpec& process : spec.processes) {
    facts.keeps_order.push_back(spec.applications[process.application].num_streams() <= 1);
  }
  return facts;
}

}  // namespace tessera::record
