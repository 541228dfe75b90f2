// SPDX-License-Identifier: Apache-2.0
// From the Spec's words to those of command scheduling.
#include "model/record/driver/driver_facts.h"

#include "model/spec/spec.h"

namespace tessera::record {
namespace {

command_scheduling::Accounting accounting_of(spec::Accounting accounting) {
  switch (accounting) {
    case spec::Accounting::kContinuous:
      return command_scheduling::Accounting::kContinuous;
    case spec::Accounting::kMeasured:
      return command_scheduling::Accounting::kMeasured;
    case spec::Accounting::kAtCompletion:
      break;
  }
  return command_scheduling::Accounting::kAtCompletion;
}

}  // namespace

std::optional<std::size_t> DriverFacts::reserve_of(std::uint16_t process) const {
  const auto reserve = plan.tasks.at(process).parameters.reserve;
  return reserve ? std::optional(static_cast<std::size_t>(*reserve)) : std::nullopt;
}

DriverFacts make_driver_facts(const spec::Spec& spec) {
  const spec::DriverSpec& driver = spec.driver;
  DriverFacts facts;
  if (driver.kind != spec::DriverKind::kTimegraph) return facts;
  facts.plan = command_scheduling::make_task_table(spec);
  facts.accounting = accounting_of(driver.accounting);
  facts.max_online = driver.max_online;
  facts.has_online_list_per_engine = driver.online_scope == spec::OnlineScope::kEngine;
  facts.lets_higher_join = driver.joins == spec::Joins::kHigherPriority;
  facts.has_ticks = driver.invocation == spec::Invocation::kTick;
  for (const spec::ProcessSpec& process : spec.processes) {
    facts.keeps_order.push_back(spec.applications[process.application].num_streams() <= 1);
  }
  return facts;
}

}  // namespace tessera::record
