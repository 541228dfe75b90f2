// SPDX-License-Identifier: Apache-2.0
// Shares are told in per cent.
#include "apps/tessera/machine_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/tessera/report_units.h"

namespace tessera::app {
namespace {

using Json = nlohmann::ordered_json;

// Two kernels that share an SM have no number of slots.
std::string slots_line(const Json& slots) {
  if (slots.is_null()) return "";
  const Json& held_back = slots.at("held_back");
  return fmt::format(
      "  slots     {} of those of SMs with a kernel ran thread blocks; held back by issue {}, demand {}, "
      "preemption {}\n",
      percent_text(slots.at("occupancy")), percent_text(held_back.at("issue")), percent_text(held_back.at("demand")),
      percent_text(held_back.at("preemption")));
}

}  // namespace

std::string machine_lines(const Json& summary) {
  const Json& invariants = summary.at("invariants");
  const auto num_ok = std::count(invariants.begin(), invariants.end(), Json("ok"));
  const Json& decisions = summary.at("policy").at("decision_cycles");
  std::string text;
  if (decisions.at("mean").is_number()) {
    text +=
        fmt::format("  decisions {} of {:.0f} cycles on average\n",
                    summary.at("policy").at("invocations").get<std::uint64_t>(), decisions.at("mean").get<double>());
  }
  text += fmt::format("  machine   {} simulated, SMs busy {}, {} thread blocks\n",
                      us_text(Json(cycles_to_us(summary, summary.at("simulated_cycles")))),
                      percent_text(summary.at("sm_utilisation")), summary.at("tbs_completed").get<std::uint64_t>());
  text += slots_line(summary.at("sm_slots"));
  if (summary.contains("sm_idle_by_rule"))
    text += fmt::format("  by rule   SMs idle {:.1f} % though kernels need them (scheduler.debt)\n",
                        100 * summary.at("sm_idle_by_rule").get<double>());
  return text + fmt::format("  checks    {} of {} invariants hold\n", num_ok, invariants.size());
}

}  // namespace tessera::app
