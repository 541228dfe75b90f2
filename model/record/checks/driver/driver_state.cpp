// SPDX-License-Identifier: Apache-2.0
// Who is first, and who is ready.
#include "model/record/checks/driver/driver_state.h"

#include <tuple>

namespace tessera::record::driver_check {

namespace cs = command_scheduling;

State::State(const DriverFacts& of_driver) : facts(of_driver), waiting(of_driver.plan.tasks.size()) {
  for (const cs::PlannedReserve& reserve : facts.plan.reserves) {
    const auto capacity = static_cast<std::int64_t>(reserve.parameters.capacity);
    const Cycle period = reserve.parameters.period;
    reserves.push_back({capacity, capacity, reserve.parameters.phase + period, ChargeWindow(period)});
  }
}

bool State::knows_budgets() const {
  return facts.accounting != cs::Accounting::kContinuous || (has_one_list() && !facts.has_ticks);
}

const cs::TaskParameters& State::task(std::uint16_t process) const { return facts.plan.tasks[process].parameters; }

ReserveState* State::reserve_of(std::uint16_t process) {
  const auto reserve = facts.reserve_of(process);
  return reserve ? &reserves[*reserve] : nullptr;
}

const ReserveState* State::reserve_of(std::uint16_t process) const {
  const auto reserve = facts.reserve_of(process);
  return reserve ? &reserves[*reserve] : nullptr;
}

bool State::is_apriori(std::uint16_t process) const {
  const auto reserve = facts.reserve_of(process);
  return reserve && facts.plan.reserves[*reserve].parameters.enforces_apriori;
}

std::optional<std::uint16_t> State::head(std::size_t reserve) const {
  std::optional<std::uint16_t> first;
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    const auto process = static_cast<std::uint16_t>(i);
    if (!waiting[i] || facts.reserve_of(process) != reserve) continue;
    const bool is_before = !first || std::make_tuple(task(*first).priority, waiting[i]->group) <
                                         std::make_tuple(task(process).priority, waiting[*first]->group);
    if (is_before) first = process;
  }
  return first;
}

// Predictions change unseen: a group whose budget was once too small may be ready or not.
bool State::is_ready(std::uint16_t process) const {
  if (!waiting[process]) return false;
  const auto reserve = facts.reserve_of(process);
  if (!reserve) return true;
  if (!knows_budgets() || head(*reserve) != process || reserves[*reserve].budget <= 0) return false;
  if (!is_apriori(process)) return true;
  return !waiting[process]->was_suspended &&
         reserves[*reserve].budget >= static_cast<std::int64_t>(waiting[process]->predicted);
}

}  // namespace tessera::record::driver_check
