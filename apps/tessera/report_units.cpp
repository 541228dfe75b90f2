// SPDX-License-Identifier: Apache-2.0
// Units by size.
#include "apps/tessera/report_units.h"

#include <fmt/format.h>

namespace tessera::app {

std::string us_text(const nlohmann::ordered_json& us) {
  if (!us.is_number()) return "-";
  const double value = us.get<double>();
  if (value < 1e3) return fmt::format("{:.2f} us", value);
  if (value < 1e6) return fmt::format("{:.2f} ms", value / 1e3);
  return fmt::format("{:.2f} s", value / 1e6);
}

std::string percent_text(const nlohmann::ordered_json& share) {
  return share.is_number() ? fmt::format("{:.1f} %", 100 * share.get<double>()) : "-";
}

double cycles_to_us(const nlohmann::ordered_json& summary, const nlohmann::ordered_json& cycles) {
  return cycles.get<double>() / summary.at("spec").at("gpu").at("clock_mhz").get<double>();
}

}  // namespace tessera::app
